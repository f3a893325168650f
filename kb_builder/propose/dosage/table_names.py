"""What the naming cells of a table name: a use, another drug, the label's product, or nothing but the matter of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.conditions.reader import read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.naming import named_condition, named_conditions
from kb_builder.propose.dosage.table_headers import Column
from kb_builder.propose.dosage.table_owners import DRUGS
from kb_builder.propose.dosage.table_words import WORD, ColumnKind, table_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target
from ontology.model.facts import Axis, ConditionState
from ontology.model.guards import AnyOf, HasCondition, Interval, Opaque
from ontology.text.tables import Cell

_TITLES = (ColumnKind.FORMULATION, ColumnKind.INDICATION, ColumnKind.DRUG)
_LONG_USE = 14  # words of a use that are a list, where they do not begin as one use or go on with "including"
_REFERENCE = re.compile(r"\[\s*see [^\[\]]*\]|\(\s*\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*\s*\)", re.IGNORECASE)
_COURSE = re.compile(r"(?:short|long)-term (?:treatment|management)\b", re.IGNORECASE)
_WHOSE = re.compile(r"\b(?:pediatric|children|child|infants?|adolescents?|adults?|neonates?)\b", re.IGNORECASE)
_INCLUDING = re.compile(r"\bincluding\b", re.IGNORECASE)
_BESIDE_LETTERS = frozenset({"and", "or", "with", "in", "for", "the", "adult", "adults", "pediatric", "patients", "children", "active"})
_SUCH_AS = re.compile(r"[\s,;]+such as\b.*$", re.IGNORECASE)


def uses_named(words: str, lexicon: Lexicon) -> list[Target]:
    """The conditions that the words of a use name: the members of a list, else all of the words, however many they are."""
    words = _SUCH_AS.sub("", words)
    whole = len(words.split()) > _LONG_USE and (table_words().use(words) is not None or _INCLUDING.search(words) is not None)
    return (named_conditions(words, lexicon) if not whole else []) or [named_condition(words, lexicon)]


def letters_named(words: str, lexicon: Lexicon, indications: str) -> list[Target]:
    """The uses that the letters of a cell stand for where it is letters alone that the text on indications explains ("Adult RA, AS, and PsA")."""
    tokens = WORD.findall(words)
    letters = [t for t in tokens if sum(c.isupper() for c in t) > 1 and f"({t.lower()})" in indications]
    if not letters or not all(t in letters or t.lower() in _BESIDE_LETTERS for t in tokens):
        return []
    return [named_condition(t, lexicon) for t in letters]


def is_title(cell: Cell) -> bool:
    """True for a heading over rows that is a column's name and no condition ("Formulation")."""
    words = cell.text.strip(" :").lower()
    return len(words.split()) == 1 and not words.endswith("s") and (row := table_words().column(words)) is not None and row.kind in _TITLES


def is_another_drug(reading: Reading, cell: Cell) -> bool:
    """True for a cell that is another drug's name and nothing else."""
    things = [t for t in reading.things_in(cell.start, cell.end) if t.kind is Kind.PARTNER and not t.own and t.type in DRUGS]
    text = reading.shadow.text
    return len(things) == 1 and not re.search(r"\w{3}", text[cell.start : things[0].start] + text[things[0].end : cell.end])


def is_own_product(reading: Reading, cell: Cell) -> bool:
    """True for a cell that names the label's products and nothing else."""
    own = {w for t in reading.things_in(cell.start, cell.end) if t.own for w in WORD.findall(reading.shadow.text[t.start : t.end])}
    return bool(own) and all(w in own for w in WORD.findall(cell.text) if table_words().is_telling(w))


def indicated(told: Restriction, indications: str) -> list[Target]:
    """The uses that a condition is where the label is indicated for each state that it names; none for any other condition."""
    parts = told.guard.parts if isinstance(told.guard, AnyOf) else (told.guard,)
    states = [p for p in parts if isinstance(p, HasCondition) and p.state is ConditionState.ACTIVE and p.words.lower() in indications]
    if len(states) < len(parts):
        return []
    return [Target(p.concept, p.words, next((e for e in told.entities if e.id == p.concept), None)) for p in states]


def people_named(reading: Reading, lexicon: Lexicon, column: Column) -> list[Restriction]:
    """Whom the name of a column of bands says that they are of ("Body Weight of Pediatric Patient")."""
    if column.axis is not Axis.WEIGHT and column.axis is not Axis.BSA:
        return []
    found = [r for h in column.heads if h.placed and _WHOSE.search(h.text) for r in read_label_conditions(reading.blank, h.start, h.end, [], lexicon)]
    return [r for r in found if isinstance(r.guard, Interval) and r.guard.axis is Axis.AGE]


def whole_use(words: str, indications: str) -> str | None:
    """The words of a heading over rows without its references where they open as a use and the text on indications has all of them, else None."""
    plain = " ".join(_REFERENCE.sub(" ", words).split()).strip(" .,;:*†‡§")
    opens = table_words().use(plain) is not None or _COURSE.match(plain) is not None
    return plain if opens and len(plain.split()) > 1 and plain.lower() in indications else None


def not_in_names(found: Sequence[Restriction], names: Sequence[Target]) -> list[Restriction]:
    """The conditions without the unread words that are part of a use's name ("Chronic" beside "Chronic Liver Disease")."""
    words = [f" {t.words.lower()} " for t in names]
    return [r for r in found if not (isinstance(r.guard, Opaque) and any(f" {r.guard.text.lower()} " in w for w in words))]


def whole_names(reading: Reading, lexicon: Lexicon, indications: str, found: Sequence[Restriction]) -> list[Restriction]:
    """The conditions with a state and the unread word before it as one where the label is indicated for that ("bipolar" "depression")."""
    out: list[Restriction] = []
    for r in sorted(found, key=lambda r: r.start):
        before = out[-1] if out else None
        if before is not None and isinstance(before.guard, Opaque) and isinstance(r.guard, HasCondition) and r.guard.state is ConditionState.ACTIVE:
            words = " ".join(reading.shadow.text[before.start : r.end].split())
            if words.lower() in indications and before.end <= r.start <= before.end + 1:
                whole = named_condition(words, lexicon)
                out[-1] = Restriction(HasCondition(whole.id, words), before.start, r.end, (whole.entity,) if whole.entity is not None else ())
                continue
        out.append(r)
    return out
