"""Text of labels and records inside cards: plain where plain text is asked for, escaped where Markdown is.

Clients render GitHub-flavoured Markdown, and some let raw HTML through. Every string that comes from data goes through `escape`, and stands
inside a line, never at its beginning: there a ">" is only a greater-than sign, and clients that show the text as it comes show it so.
"""

from __future__ import annotations

import re

SUMMARY_LIMIT = 139
"""A summary has fewer than 140 characters."""

_SHOWN_AS = str.maketrans({"&": "&amp;", "<": "&lt;", **{mark: f"\\{mark}" for mark in "\\`*_[]|~@$"}})
_MARKED = re.compile(r"[&<\\`*_\[\]|~@$]")
_LINKS = re.compile(r"(?i)\b((?:https?|ftp|mailto|xmpp):|www(?=\.))")
_JOINER = "\u2060"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def plain(text: str) -> str:
    """The text on one line, without control characters and runs of space."""
    if text.isprintable():
        return text if "  " not in text and text == text.strip() else " ".join(text.split())
    return " ".join(_CONTROL.sub(" ", text).split())


def escape(text: str) -> str:
    """The text as it must stand in Markdown so that it shows as itself: no markup, no HTML, no link of its own."""
    said = plain(text)
    safe = said.translate(_SHOWN_AS) if _MARKED.search(said) else said
    # Renderers that link bare addresses do so after unescaping; only a character between scheme and address stops them.
    return _LINKS.sub(lambda m: m[1] + _JOINER, safe) if ":" in safe or "." in safe else safe


def clip(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut at a word and marked with an ellipsis."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:.") + "…"


def summary(text: str) -> str:
    """The text as a card's summary."""
    return clip(plain(text), SUMMARY_LIMIT)
