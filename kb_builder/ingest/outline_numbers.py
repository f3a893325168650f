"""Sections of a label whose headings are numbered: the numbers rise, so a stray number or a list of contents does not mislead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb_builder.ingest.fields import key_of_heading, normal_heading, outline_place
from kb_builder.ingest.outline_heads import Head

LAST_NUMBER = 25
"""Labels of the numbered format end with 17, fact sheets of emergency use with 21."""
_PATIENTS = 17
LATE = 10
"""From this section on a label's text may be followed by what is not of its sections: leaflets, package labels, product data."""
AFTER_THE_TEXT = frozenset(
    {"spl_medguide", "spl_patient_package_insert", "instructions_for_use", "package_label_principal_display_panel", "spl_product_data_elements"}
)
_PLAINLY_PRINTED = frozenset({"package_label_principal_display_panel", "spl_product_data_elements"})
"""Parts whose headings are often plain lines in title case."""
_UNITS = frozenset({"MG", "MCG", "G", "ML", "COUNT", "TABLETS", "CAPSULES", "TABLET", "CAPSULE", "UNITS", "%"})


@dataclass(frozen=True, slots=True)
class Ranked:
    """A head that opens a section, the key it gets, and whether the section is of the first rank."""

    head: Head
    key: str
    top: bool


def within(key: str, parent: str) -> bool:
    """True when a section of the one key stands within a section of the other."""
    return parent in outline_place(key)[1]


def rank_by_number(heads: tuple[Head, ...]) -> Iterator[Ranked]:
    """The heads that open sections. One without a number opens a section where its place in a label says so."""
    chain = _chain(heads)
    following = _following(heads, chain)
    last, key, seen, printed = 0, "", set[str](), set[tuple[int, ...]]()
    for n, head in enumerate(heads):
        top = head.key if n in chain else _top_key(head, last, key, seen, following[n])
        if top is not None:
            last = head.number[0] if head.number else max(last, outline_place(top)[0] or 0)
            key = top
            seen.add(top)
            yield Ranked(head, top, top=True)
        elif len(head.number) == 2 and head.number[0] == last and head.key and within(head.key, key) and head.number not in printed:
            printed.add(head.number)
            yield Ranked(head, head.key, top=False)


def _chain(heads: tuple[Head, ...]) -> frozenset[int]:
    """The longest chain of known sections whose numbers rise; among equals the one that begins last, and from there on the first of each."""
    numbers = {n: h.number[0] for n, h in enumerate(heads) if _counts(h)}
    reach: dict[int, int] = {}
    best = [0] * (LAST_NUMBER + 2)
    for n in sorted(numbers, reverse=True):
        reach[n] = 1 + max(best[numbers[n] + 1 :])
        best[numbers[n]] = max(best[numbers[n]], reach[n])
    if not reach:
        return frozenset()
    at = max((n for n in reach if reach[n] == max(best)), default=0)
    chain = [_first_print(at, numbers, heads)]
    for n in sorted(numbers):
        if n > at and reach[n] == reach[at] - 1 and numbers[n] > numbers[at]:
            chain.append(n)
            at = n
    return frozenset(chain)


def _counts(head: Head) -> bool:
    known = head.key is not None and outline_place(head.key)[0] is not None
    return known and len(head.number) == 1 and 0 < head.number[0] <= LAST_NUMBER and not head.marker and not head.loose


def _first_print(at: int, numbers: dict[int, int], heads: tuple[Head, ...]) -> int:
    """The first of several prints of one heading that no other number parts."""
    first = at
    for n in sorted((n for n in numbers if n < at), reverse=True):
        if numbers[n] != numbers[at] or heads[n].key != heads[at].key:
            break
        first = n
    return first


def _following(heads: tuple[Head, ...], chain: frozenset[int]) -> list[int]:
    """For each head the number of the next section behind it."""
    found, number = [0] * len(heads), LAST_NUMBER + 1
    for n in range(len(heads) - 1, -1, -1):
        found[n] = number
        if n in chain:
            number = heads[n].number[0]
    return found


def _top_key(head: Head, last: int, key: str, seen: set[str], following: int) -> str | None:
    """The key of a section of the first rank that a head outside the chain opens, or None."""
    if head.marker or len(head.number) > 1 or (head.loose and head.key not in _PLAINLY_PRINTED):
        return None
    if head.number:
        words = set(head.title.upper().split())
        unknown = head.key is None and head.level > 0 and head.shouted and not words & _UNITS
        return key_of_heading(head.title) if unknown and last < head.number[0] <= last + 2 and head.number[0] < following else None
    if head.key in AFTER_THE_TEXT:
        return head.key if key != head.key and last >= LATE else None
    if head.key == "information_for_patients" and last >= _PATIENTS:
        return "spl_patient_package_insert" if normal_heading(head.title) == "patient information" else None
    if head.key == "boxed_warning":
        return head.key if last == 0 and not seen else None
    place = outline_place(head.key)[0] if head.key else None
    return head.key if place is not None and head.shouted and last < place < following and head.key not in seen else None
