#!/usr/bin/env bash
# Runs the tests that need no outside program on another interpreter, in an environment of its own: test-on.sh python3.13
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:?name an interpreter, for example python3.13}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --constraint constraints.txt --editable '.[dev]'
# What proposes claims is text code without anything of the platform, and its tests take as long as half of the others: the main interpreter runs them.
"$work/venv/bin/python" -m pytest -q -m 'not redis and not bolt and not browser and not slow' -p no:cacheprovider --ignore=tests/kb_builder/propose
