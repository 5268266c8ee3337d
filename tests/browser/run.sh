#!/bin/sh
# run.sh BUFSIM - the page of docs/explorer in headless Chromium, compared with the program; pictures in build/browser.
set -eu
cd "$(dirname "$0")/../.."
bufsim=$PWD/$1
dir=$PWD/build/browser
modules='playwright-core@1.65.1 axe-core@4.10.3'

mkdir -p "$dir"
if [ ! -d "$dir/node_modules/axe-core" ]; then
	# shellcheck disable=SC2086 # a list of words
	npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$dir" $modules
fi
rm -rf "$dir/work"
mkdir "$dir/work"
ln -s ../../../traces "$dir/work/traces"
cp tests/browser/*.mjs "$dir"
cd "$dir"
BUFSIM=$bufsim PAGE=$OLDPWD/docs/explorer/index.html exec node --test --test-concurrency=1 explorer.test.mjs
