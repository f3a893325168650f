"""Whose the doses of a statement are: the label's drug's, another drug's whose name stands by, and what one packet holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.dosage.table_doses import doses_in, doses_of_words
from kb_builder.propose.dosage.table_words import table_words
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.text.doses import DosePhrase

_PRODUCTS = re.compile(r"\d.*\b(?:injections|tablets|capsules|vials|syringes|packets) of\s*$", re.DOTALL)
_NAMED = re.compile(r"(?P<name>\b[A-Z][\w-]+(?: [\w-]+){0,2}) [-] $")
_ITEM = re.compile(r"\s*\d{1,2}\.?\)\s*(?P<name>[A-Z][A-Za-z-]+(?: [A-Za-z-]+){0,3}?)\s*[-–:]\s*(?=\d)")
_CONTAINING = re.compile(r"\((?:each )?contain(?:ing|s) (?P<held>\d[^()]{1,40})\)")
_ALL = re.compile(r"\b(?:all (?:two|three|four|drugs|medications|medicines)|both|each)\b", re.IGNORECASE)
_NEAR = 30  # characters behind an amount where its brackets stand
_UNCHANGED = re.compile(r"\bno (?:dose|dosage) (?:adjustments?|modifications?|changes?)\b[^;.:]*", re.IGNORECASE)
_ONLY_OR = re.compile(r"\W*(?:\([^()]*\)\W*)?(?:or|to)\W*", re.IGNORECASE)
_OF_DRUG = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:of|IV|PO|orally|intravenous\w*|at|greater than(?: or equal to)?|less than|at least|[<>≤≥])?\s*\(?", re.IGNORECASE
)
DRUGS = frozenset({EntityType.INGREDIENT.value, EntityType.DRUG.value, EntityType.BRAND.value, EntityType.HERB.value})


def own_doses(text: str, start: int, end: int, things: Sequence[Thing]) -> Iterator[DosePhrase]:
    """The doses of a statement that are the label's drug's; what "or" adds to another drug's dose is that drug's too."""
    other: DosePhrase | None = None
    unchanged = [m.span() for m in _UNCHANGED.finditer(text, start, end)]
    for phrase in doses_in(text, start, end):
        if any(s <= phrase.start < e for s, e in unchanged):
            continue
        goes_on = other is not None and _ONLY_OR.fullmatch(text, other.end, phrase.start) is not None
        if goes_on or is_of_another(text, phrase, things, start):
            other = phrase
        else:
            other = None
            yield phrase


def is_of_another(text: str, phrase: DosePhrase, things: Sequence[Thing], start: int) -> bool:
    """True for an amount of another drug: its name stands right before the amount, or behind it as "of X". A name before a dash is taken for one,
    and the strength of the products that make up an amount is none either.
    """
    if _PRODUCTS.search(text[start : phrase.start]):
        return True
    name = _NAMED.search(text[start : phrase.start])
    if name is not None and table_words().tells(name["name"]) and not any(t.own and t.start >= start + name.start() for t in things if t.end <= phrase.start):
        return True
    for thing in things:
        if thing.own or thing.kind is not Kind.PARTNER or thing.type not in DRUGS:
            continue
        if start <= thing.start and thing.end <= phrase.start and _OF_DRUG.fullmatch(text, thing.end, phrase.start):
            return True
        if phrase.start < thing.start and thing.end <= phrase.end and re.search(r"\bof\s+$", text[phrase.start : thing.start]):
            return True
        if phrase.end <= thing.start and re.fullmatch(r"\s*(?:of|dose of)\s+", text[phrase.end : thing.start]):
            return True
    return False


def is_others_item(text: str, start: int, end: int, things: Sequence[Thing]) -> bool:
    """True for an item of a numbered list ("2.) Sodium thiosulfate - 1 mL/kg ...") that is about another drug."""
    item = _ITEM.match(text, start, end)
    if item is None:
        return False
    own = any(t.own for t in things if item.start("name") <= t.start < item.end("name"))
    return not own and table_words().tells(item["name"])


def contained(text: str, phrase: DosePhrase) -> DosePhrase:
    """The phrase with what one packet or tablet holds for its amount where the words say so right behind ("one packet (containing 13.4 mg)")."""
    inside = _CONTAINING.search(text, phrase.start, min(len(text), phrase.end + _NEAR))
    if (
        inside is None
        or len(phrase.amounts) != 1
        or phrase.amounts[0].low != 1
        or phrase.amounts[0].high not in (None, 1)
        or not phrase.amounts[0].unit.startswith("{")
    ):
        return phrase
    held = [p for p in doses_of_words(inside["held"]) if p.amounts]
    return replace(phrase, end=max(phrase.end, inside.end()), amounts=held[0].amounts) if len(held) == 1 else phrase


def given_together(text: str, start: int, end: int) -> DosePhrase | None:
    """The phrase whose timing a statement says of all its drugs ("X 20 mg Y 1000 mg. Take both twice daily"), or None."""
    phrases = doses_in(text, start, end)
    said = [p for p in phrases if p.frequency is not None]
    return said[0] if len(phrases) > 1 and len(said) == 1 and said[0] is phrases[-1] and _ALL.search(text, said[0].start, said[0].end) else None


def others_of(things: Sequence[Thing], start: int, end: int) -> tuple[Thing, ...]:
    """The other drugs that a statement names, each once."""
    found = [t for t in things if start <= t.start and t.end <= end and not t.own and t.kind is Kind.PARTNER and t.type in DRUGS]
    return tuple({t.targets[0].id: t for t in reversed(found)}.values())[::-1]
