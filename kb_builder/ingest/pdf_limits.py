"""What one PDF may take, and what is said of one that would take more."""

from __future__ import annotations

import msgspec

from kb_builder.ingest.pdf_paged import PagedText

MAX_PAGES = 1_000
"""The longest real label, with its medication guide and carton pictures, has about 200 pages."""
MEMORY_BYTES = 1536 * 1024 * 1024
CPU_SECONDS = 150
TOO_LARGE = f"it needs more than {MEMORY_BYTES // 1024 // 1024:,} MB of memory"


class Answer(msgspec.Struct):
    """What the converting process says: the text, or why there is none."""

    paged: PagedText | None = None
    refused: str | None = None
