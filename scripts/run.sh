#!/usr/bin/env bash
# Builds the starter release from fixtures/, serves it, signs a sample order and prints the cards. PORT= chooses the port; ONCE=1 stops after the sample.
set -euo pipefail
cd "$(dirname "$0")/.."
port=${PORT:-8080}
release=var/releases/starter
state=var/state

case $port in ''|*[!0-9]*) echo "PORT=$port is not a number. Try: make run PORT=8081" >&2; exit 2 ;; esac
scripts/setup.sh
if ! .venv/bin/python - "$port" <<'PY'
import socket, sys
with socket.socket() as s:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        s.bind(("127.0.0.1", int(sys.argv[1])))
    except (OSError, OverflowError):
        sys.exit(1)
PY
then
  echo "Port $port on 127.0.0.1 cannot be used: another program listens there, or the number is not allowed. Choose another: make run PORT=$((port < 60000 ? port + 1 : 8081))" >&2
  exit 2
fi

mkdir -p var/releases
rm -rf "$release"
echo "Building the starter knowledge base from fixtures/monographs ..."
.venv/bin/kb-builder build --source fixtures/monographs --out "$release"

.venv/bin/cds-service serve --release "$release" --host 127.0.0.1 --port "$port" --state "$state" --demo fixtures/patients &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

.venv/bin/cds-service fire fixtures/requests/sample-order-sign.json --url "http://127.0.0.1:$port" --wait 60
if [ -n "${ONCE:-}" ]; then
  exit 0
fi
echo
echo "Serving on http://127.0.0.1:$port  (demo page: http://127.0.0.1:$port/demo, discovery: /cds-services). Ctrl-C stops it."
wait "$server"
