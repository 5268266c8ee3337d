#!/bin/sh
# run.sh BUFSIM - the page of docs/explorer in headless Chromium, compared with the program; pictures in build/browser.
set -eu
cd "$(dirname "$0")/../.."
page=$PWD/docs/explorer/index.html
bufsim=$PWD/$1
tests/browser/install
rm -rf build/browser/work
mkdir build/browser/work
ln -s ../../../traces build/browser/work/traces
cp tests/browser/explorer.test.mjs build/browser
cd build/browser
BUFSIM=$bufsim PAGE=$page exec node --test --test-concurrency=1 explorer.test.mjs
