"""A chat-completions server for tests that answers what a script says. Run as a process: scripted_server.py SCRIPT.json LOG.jsonl; prints its port.

The script maps a step (mentions, relations, triples) to a list of turns, the last of which is repeated. A turn has `content` (text, or plain data that
is written as JSON), and optionally `status`, `headers`, `wait` (seconds), `finish`, `raw` (the whole body), `formats` (those it accepts, others get 400).
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SCRIPT = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
LOG = Path(sys.argv[2])
LOCK = threading.Lock()
TURNS: dict[str, int] = {}
NOW = 0


def step_of(user: str) -> str:
    return next(step for step in ("mentions", "relations", "triples") if f'JSON: {{"{step}"' in user)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        global NOW
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        step = step_of(body["messages"][1]["content"])
        form = body.get("response_format", {}).get("type", "plain")
        with LOCK:
            NOW += 1
            number = TURNS.get(step, 0)
            TURNS[step] = number + 1
            turns = SCRIPT.get(step, [{"content": {step: []}}])
            turn = turns[min(number, len(turns) - 1)]
            with LOG.open("a", encoding="utf-8") as out:
                entry = {
                    "step": step,
                    "format": form,
                    "key": self.headers.get("Authorization"),
                    "model": body["model"],
                    "now": NOW,
                    "path": self.path,
                    "body": body,
                }
                out.write(json.dumps(entry) + "\n")
        try:
            time.sleep(turn.get("wait", 0))
            self.answer(turn, form)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with LOCK:
                NOW -= 1

    def answer(self, turn: dict, form: str) -> None:
        status = 400 if form not in turn.get("formats", [form]) else turn.get("status", 200)
        content = turn.get("content", "")
        content = content if isinstance(content, str) else json.dumps(content)
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        choice = {"index": 0, "finish_reason": turn.get("finish", "stop"), "message": {"role": "assistant", "content": content}}
        data = turn["raw"].encode() if "raw" in turn else json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(status)
        for name, value in turn.get("headers", {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) + turn.get("missing", 0)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
