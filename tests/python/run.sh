#!/bin/sh
# run.sh - the package for Python: installed into an environment of its own, in build/python, and tested.
#
# PYTHON is another Python than python3.  Tests that need NumPy or pandas are skipped where they are not installed.
set -eu
cd "$(dirname "$0")/../.."

# has PYTHON MODULES: can it import them?
has() {
	"$1" -c "import $2" 2>/dev/null
}

python=${PYTHON:-python3}
# The packages of a distribution are for its own Python, which may not be the first of the PATH.
if ! has "$python" 'venv, pandas' && [ -z "${PYTHON-}" ] && has /usr/bin/python3 'ensurepip, venv, pandas'; then
	python=/usr/bin/python3
fi
if ! has "$python" 'ensurepip, venv'; then
	echo 'python: skipped: no python3, or it has no venv'
	exit 0
fi
unset PYTHONPATH PYTHONHOME MAKEFLAGS MAKELEVEL MFLAGS
# Its path has a blank, as those of users may have.
environment='build/python/an environment'
rm -rf build/python
"$python" -m venv --system-site-packages "$environment"
"$environment/bin/python" -m pip -q --disable-pip-version-check install \
	--no-build-isolation --no-deps --no-index --force-reinstall scripts/python/
[ "$("$environment/bin/bufsim" --version)" = "$(build/bufsim --version)" ]
PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -W error -m unittest discover -s tests/python -t tests/python
