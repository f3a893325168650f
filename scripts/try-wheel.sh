#!/usr/bin/env bash
# Builds the wheel, installs it alone into a new environment, and runs the main job from an empty directory: what a site gets is what was tested.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.venv/bin/python -m build --wheel --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
.venv/bin/python -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --constraint constraints.txt "$work"/dist/*.whl
mkdir "$work/empty"
cp -r fixtures/monographs fixtures/requests "$work/"
cd "$work/empty"
"$work/venv/bin/kb-builder" build --source ../monographs --out ../release
"$work/venv/bin/kb-builder" check --release ../release
"$work/venv/bin/kb-builder" export --release ../release --format facts > ../facts.jsonl
"$work/venv/bin/cds-service" audit ../requests/sample-order-sign.json --release ../release > ../cards.txt
test -s ../facts.jsonl && test -s ../cards.txt
[ -z "$(ls -A)" ] || { echo "the commands left files in the working directory: $(ls -A)" >&2; exit 1; }
cd "$top"
echo "wheel: builds, installs alone, builds a release and audits an order from an empty directory"
