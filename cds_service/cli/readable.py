"""Cards as a person reads them in a terminal."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

COLOURS = {"critical": "red", "warning": "yellow", "info": "blue"}
WIDTH = 110
FINDINGS = "org.pharmgraph.findings"

_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)[*_]|`)(?=\S)(.+?)(?<=\S)\1")
_ASIDE = 0xF0000
"""Escaped characters wait in this private plane while marks are taken off."""
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&])")


def render_cards(cards: Sequence[Mapping[str, Any]], *, links: bool = True) -> str:
    """The cards, most urgent first as received, each with its detail, quotes and links; a sentence when there are none."""
    if not cards:
        return "No cards: nothing to say about these orders."
    return "\n\n".join("\n".join(_card(card, links)) for card in cards)


def _card(card: Mapping[str, Any], links: bool) -> Iterable[str]:
    indicator = str(card.get("indicator", "info"))
    topic = (card.get("source") or {}).get("topic") or {}
    label = f"[{indicator.upper()}]"
    said = topic.get("display") or topic.get("code")
    yield f"{click.style(label, fg=COLOURS.get(indicator), bold=True)} {click.style(str(card.get('summary', '')), bold=True)}{f'  ({said})' if said else ''}"
    detail = str(card.get("detail") or "")
    for paragraph in plain_text(detail).splitlines():
        yield from _indented(paragraph, "    ")
    if "“" not in detail and topic.get("code") != "information-gap":
        for quote, place in _quotes(card):
            yield from _indented(f"“{quote}” {place}", "    ")
    for suggestion in card.get("suggestions") or ():
        yield from _indented(f"Suggestion: {suggestion.get('label', '')}", "    ")
    if links:
        for link in card.get("links") or ():
            yield f"    {link.get('label', 'link')}: {link.get('url', '')}"


def _quotes(card: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Each quoted sentence once, with the section it stands in."""
    seen: dict[str, str] = {}
    for finding in (card.get("extension") or {}).get(FINDINGS) or ():
        for evidence in finding.get("evidence") or ():
            quote = " ".join(str(evidence.get("quote", "")).split())
            seen.setdefault(quote, f"({str(evidence.get('section', '')).replace('_', ' ')})")
    return seen.items()


def plain_text(markdown: str) -> str:
    """Markdown without its marks: links as their words, emphasis and escapes taken off, character references read."""
    text = _ESCAPE.sub(lambda m: chr(_ASIDE + ord(m[1])), markdown)
    text = _LINK.sub(r"\1", re.sub(r"(?m)^(#{1,6}|>)\s*", "", text))
    for _ in range(3):
        text = _EMPHASIS.sub(r"\2", text)
    return re.sub(f"[{chr(_ASIDE)}-{chr(_ASIDE + 127)}]", lambda m: chr(ord(m[0]) - _ASIDE), html.unescape(text))


def _indented(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent), break_on_hyphens=False) or [""]
