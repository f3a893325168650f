"""PDF to text in a child process with limits on time and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import msgspec

from kb_builder.ingest.pdf_limits import CPU_SECONDS, TOO_LARGE, Answer
from kb_builder.ingest.pdf_paged import NoText, PagedText

WALL_SECONDS = 2 * CPU_SECONDS
_OUT_OF_TIME = frozenset({signal.SIGXCPU, signal.SIGKILL})


def convert_pdf(data: bytes, seconds: float = WALL_SECONDS) -> PagedText:
    """The canonical text of a PDF and the page on which each piece begins. Raises NoText with the reason.

    The text depends on the bytes alone. Scripts and embedded files are not looked at.
    """
    if b"%PDF-" not in data[:1024]:
        raise NoText("not a PDF: the file does not begin with %PDF-")
    command = [sys.executable, "-m", "kb_builder.ingest.pdf_child"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False, env=environment)
    except subprocess.TimeoutExpired as e:
        raise NoText(f"not read within {seconds:g} seconds") from e
    if done.returncode < 0 and -done.returncode in _OUT_OF_TIME:
        raise NoText(f"not read within {CPU_SECONDS} seconds of processor time")
    if done.returncode != 0:
        hard = done.returncode < 0 or b"MemoryError" in done.stderr
        raise NoText(TOO_LARGE if hard else f"the converter stopped with exit code {done.returncode}")
    answer = msgspec.json.decode(done.stdout, type=Answer)
    if answer.paged is None:
        raise NoText(answer.refused or "the converter gave no text")
    return answer.paged
