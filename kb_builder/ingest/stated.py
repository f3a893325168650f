"""Set ids and dates as metadata state them, in the one form that they are compared in."""

from __future__ import annotations

import re
from datetime import date

SET_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")
NO_SET_ID = "is not a set id (letters, digits and . _ : - only)"
_GUID = re.compile(r"[{]?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[}]?", re.IGNORECASE)
_EARLIEST, _LATEST = 1930, 2100
"""Years that a label in use may bear; the oldest labels still published were approved after 1938."""


def read_set_id(text: str) -> str | None:
    """The set id, a GUID in lower case and without braces, so that all versions of a label meet; None where the text is none."""
    guid = _GUID.fullmatch(text)
    if guid:
        return guid[1].lower()
    return text if SET_ID.fullmatch(text) else None


def plausible(found: date) -> date:
    """The date itself. Raises ValueError for one that no label in use bears: it would be the oldest or the newest version for ever."""
    if not _EARLIEST <= found.year <= _LATEST:
        raise ValueError(f"the year {found.year}")
    return found
