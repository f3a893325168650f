"""What converting a PDF gives: text with pages, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass


class NoText(Exception):
    """A PDF whose text cannot be had, with the reason."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be said of a conversion; `lost` tells text that could not be had from a reservation."""

    reason: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class PagedText:
    """Text, (offset, page) where the text of a page begins, and what was left out or read with a reservation."""

    text: str
    pages: tuple[tuple[int, int], ...]
    notes: tuple[Told, ...] = ()
