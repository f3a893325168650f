"""Cards as an EHR shows them: the answer of the service turned into what the page prints, with Markdown rendered and HTML inert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup

from cds_service.web.exact_json import decode, pretty
from cds_service.web.held import Held
from cds_service.web.marked_text import language_of
from cds_service.web.wording import words_for


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion (`code` is its uuid) or an override reason (`code` is its place in the list)."""

    code: str
    words: str
    recommended: bool = False


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card for the page. `settled` says what was done with it, if anything."""

    uuid: str
    indicator: str
    indicator_words: str
    summary: str
    detail: Markup | None
    source: str
    topic: str | None
    suggestions: tuple[Choice, ...]
    reasons: tuple[Choice, ...]
    links: tuple[tuple[str, str], ...]
    settled: str | None


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer for the page: its cards, or what went wrong, and both sides of the exchange as sent."""

    status: int
    cards: tuple[ShownCard, ...]
    refusal: str | None
    request: str
    answer: str
    milliseconds: int


def show(held: Held, request: bytes) -> Shown:
    """The answer as the page prints it."""
    body = _object(held.answer)
    cards = tuple(_card(card, held.settled) for card in cards_of(held))
    refusal = None if held.status == 200 else _diagnostics(body) or held.answer[:500]
    return Shown(held.status, cards, refusal, pretty(request.decode()), pretty(held.answer), held.milliseconds)


def cards_of(held: Held) -> list[Mapping[str, Any]]:
    """The cards of the answer, as sent."""
    cards = _object(held.answer).get("cards", [])
    return [c for c in cards if isinstance(c, dict)] if isinstance(cards, list) else []


def render_markdown(text: str) -> Markup:
    """Markdown as HTML: raw HTML and images stay text, links to anything but web addresses are dropped, Chinese passages carry their language."""
    tokens = _MARKDOWN.parse(text)
    for opening, inline in pairwise(tokens):
        if inline.type == "inline" and opening.nesting == 1 and language_of(inline.content) == "zh":
            opening.attrSet("lang", "zh")
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))  # noqa: S704 the renderer escapes: html is off


def _card(card: Mapping[str, Any], settled: Mapping[str, str]) -> ShownCard:
    uuid, indicator, source = str(card.get("uuid", "")), str(card.get("indicator", "info")), card.get("source") or {}
    suggestions = [Choice(str(s.get("uuid", n)), str(s.get("label", "")), s.get("isRecommended") is True) for n, s in enumerate(_list(card, "suggestions"))]
    reasons = [Choice(str(n), str(r.get("display") or r.get("code", ""))) for n, r in enumerate(_list(card, "overrideReasons"))]
    links = [(str(link.get("label", "")), str(link.get("url", ""))) for link in _list(card, "links")]
    detail = card.get("detail")
    return ShownCard(
        uuid=uuid,
        indicator=indicator if indicator in ("info", "warning", "critical") else "info",
        indicator_words=words_for("indicator", indicator),
        summary=str(card.get("summary", "")),
        detail=render_markdown(detail) if isinstance(detail, str) else None,
        source=str(source.get("label", "")),
        topic=(source.get("topic") or {}).get("display"),
        suggestions=tuple(suggestions),
        reasons=tuple(reasons),
        links=tuple((label, url) for label, url in links if url.startswith(("https://", "http://"))),
        settled=settled.get(uuid),
    )


def _list(card: Mapping[str, Any], member: str) -> Sequence[Mapping[str, Any]]:
    values = card.get(member, [])
    return [v for v in values if isinstance(v, dict)] if isinstance(values, list) else []


def _object(text: str) -> Mapping[str, Any]:
    try:
        body = decode(text)
    except msgspec.DecodeError:
        return {}
    return body if isinstance(body, dict) else {}


def _diagnostics(body: Mapping[str, Any]) -> str:
    return " ".join(str(i.get("diagnostics") or i.get("code")) for i in _list(body, "issue"))


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable(["image"])
