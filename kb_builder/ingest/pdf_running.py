"""Running headers, footers and page numbers: lines at the edge of the pages that say the same on most of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb_builder.ingest.pdf_page import Page

_EDGE_LINES = 3
_EDGE_SHARE = 0.12
"""Lines from the edge, and share of the page's height, that a running line may stand in."""
PAGE_NUMBER = "page number"
_SAME_PLACE = 6.0
_MIN_PAGES = 3
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page|pg\.?|第)?\s*[-–]?\s*\d{1,4}\s*[-–]?\s*(?:(?:of|/)\s*\d{1,4}|页(?:\s*[,，/]?\s*共\s*\d{1,4}\s*页)?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hit:
    """A line at an edge of a page: the page, its place in `page.lines`, its lower edge, its text."""

    page: int
    at: int
    y: float
    text: str


def find_running(pages: Sequence[Page]) -> dict[int, set[int]]:
    """By page number, the places in `page.lines` of the running lines."""
    found: dict[int, set[int]] = defaultdict(set)
    places: dict[tuple[str, bool], list[Hit]] = defaultdict(list)
    for page in pages:
        for at, below, y in _edge_lines(page):
            text = page.lines[at].text
            places[_pattern(text), below].append(Hit(page.number, at, y, text))
    for hits in places.values():
        for hit in hits:
            same = [other for other in hits if abs(other.y - hit.y) <= _SAME_PLACE]
            if _numbers_pages(hit, same) or (len({other.page for other in same}) >= max(_MIN_PAGES, len(pages) // 2) and not hit.text.isdigit()):
                found[hit.page].add(hit.at)
    return found


def _numbers_pages(hit: Hit, same: Sequence[Hit]) -> bool:
    """Whether a line is the page's number: it counts with the pages, on two of them at least."""
    if not _PAGE_NUMBER.fullmatch(hit.text):
        return False
    ahead = _first_number(hit) - hit.page
    return any(other.page != hit.page and _first_number(other) - other.page == ahead for other in same)


def _pattern(text: str) -> str:
    """The line without its digits, and without a page number at either end."""
    return re.sub(r"^#\s+|(?:\s+#)+$", "", _DIGITS.sub("#", text))


def _first_number(hit: Hit) -> int:
    number = _DIGITS.search(hit.text)
    return int(number[0]) if number else 0


def running_words(pages: Iterable[Page], found: dict[int, set[int]]) -> list[tuple[str, int]]:
    """Each running line as it stands on its first page, and on how many pages."""
    seen: dict[str, tuple[str, set[int]]] = {}
    for page in pages:
        for at in sorted(found.get(page.number, ())):
            text = page.lines[at].text
            seen.setdefault(_pattern(text), (text, set()))[1].add(page.number)
    return [(PAGE_NUMBER if _PAGE_NUMBER.fullmatch(text) else text, len(numbers)) for text, numbers in seen.values()]


def _edge_lines(page: Page) -> list[tuple[int, bool, float]]:
    """The first and last lines of a page by height: place in `page.lines`, whether at the lower edge, height."""
    order = sorted(range(len(page.lines)), key=lambda i: page.lines[i].bottom)
    edge = _EDGE_SHARE * (page.paper.bottom - page.paper.top)
    above = [(i, False, page.lines[i].bottom) for i in order[:_EDGE_LINES] if page.lines[i].top < page.paper.top + edge]
    below = [(i, True, page.lines[i].bottom) for i in order[-_EDGE_LINES:] if page.lines[i].bottom > page.paper.bottom - edge]
    return above + [entry for entry in below if entry[0] not in {i for i, _, _ in above}]
