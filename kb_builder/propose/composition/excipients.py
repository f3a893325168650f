"""Excipients: inactive ingredients that patients react to, as the label's lists and warnings print them.

A list of ingredients says what the product contains; a warning does where it says "contains". What is denied ("gluten-free", "does not contain
latex"), and what other products contain, is no claim.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.propose.composition.products import product_entity
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.claims import Claim, Edge, Provenance
from ontology.model.entities import EntityType
from ontology.model.errors import OntologyError
from ontology.model.periods import ValidPeriod
from ontology.text.document import Document, Section, SectionState
from ontology.text.sought import Sought, sought

_LISTS = ("spl_product_data_elements", "inactive_ingredient")
_PROSE = ("description", "dosage_forms_and_strengths", "how_supplied")
_WARNINGS = ("warnings_and_cautions", "warnings", "precautions", "general_precautions", "boxed_warning", "contraindications")
_ALLERGENS = frozenset({EntityType.ALLERGEN})
_SENTENCE = re.compile(r"(?<=[a-z0-9)])[.;]\s+(?=[A-Z])|\n")
_STOP = re.compile(r"(?<=[\])\w])\s?[.;](?=\s+[A-Z\d]|\s*\Z)|(?=\n)")
_NUMBERED = re.compile(r"(?<=[.\])\s])\d{1,2}\.\d{1,2}\s(?=\s*[A-Z])")
_BEHIND = 130
_LONGEST = 1_500
"""Code points behind "contains" within which a list of ingredients ends."""

_READ = 400
"""Code points of the longest sentence that is quoted whole."""


@dataclass(frozen=True, slots=True)
class ExcipientBook:
    """The excipients with their wordings, and the words that say, deny or mean other products."""

    version: str
    any: Sought
    excipients: tuple[tuple[str, re.Pattern[str]], ...]
    contains: re.Pattern[str]
    states: re.Pattern[str]
    denies: re.Pattern[str]
    denies_behind: re.Pattern[str]
    others: re.Pattern[str]
    itself: re.Pattern[str]
    reacts: re.Pattern[str]
    reacts_behind: re.Pattern[str]
    formulated: re.Pattern[str]


@cache
def excipient_book() -> ExcipientBook:
    """The wordings that ship with the package."""
    data = tomllib.loads(files("kb_builder.propose.composition").joinpath("excipients.toml").read_text(encoding="utf-8"))
    words = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in data["words"].items() if key != "why"}
    rows = tuple((row["allergen"], re.compile(rf"(?<![\w-])(?:{row['pattern']})(?!\w)", re.IGNORECASE)) for row in data["excipient"])
    anyone = sought(rf"(?<![\w-])(?:{'|'.join(row['pattern'] for row in data['excipient'])})(?!\w)", re.IGNORECASE)
    return ExcipientBook(data["version"], anyone, rows, **words)


class ExcipientProposer:
    """Proposes `has_excipient` claims. What a label warns of stands on the warning, whatever list names it as well."""

    name = "excipients"
    version = f"1.{excipient_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The excipients of the document's product, each once."""
        product = product_entity(document)
        active = " ".join([subject.name, *(i.name for i in subject.ingredients), *(s.name for p in document.products for s in p.substances)])
        told: set[str] = set()
        for section, place, allergen in self._found(document):
            if allergen in told or any(p.search(active) for name, p in excipient_book().excipients if name == allergen):
                continue
            span = document.span(section.key, *place)
            statement = _statement(section, place)
            found = lexicon.lookup(allergen, _ALLERGENS)
            target = Target(found[0], span.quote) if found else uncoded(EntityType.ALLERGEN, allergen)
            try:
                claim = Claim(
                    "has_excipient", product.id, target.id, Edge(), (document.span(section.key, *statement),), Provenance(self.name, self.version),
                    valid=ValidPeriod(document.version.effective), words=" ".join(span.quote.split()),
                )  # fmt: skip
            except OntologyError:
                continue
            told.add(allergen)
            yield Proposal(claim, (product,) if target.entity is None else (product, target.entity))

    def _found(self, document: Document) -> Iterator[tuple[Section, tuple[int, int], str]]:
        for key in (*_WARNINGS, *_LISTS, *_PROSE):
            section = document.section(key)
            if section is None or section.state is not SectionState.TEXT or excipient_book().any.search(section.text) is None:
                continue
            for start, end, allergen in find_excipients(section.text, listed=key in _LISTS, warning=key in _WARNINGS):
                yield section, (start, end), allergen


def find_excipients(text: str, *, listed: bool, warning: bool = False) -> Iterator[tuple[int, int, str]]:
    """Places of excipients and the allergens they mean. `listed` text is a list of ingredients throughout; `warning` text must say "contains"."""
    book = excipient_book()
    for m in book.any.finditer(text):
        allergen = next((name for name, pattern in book.excipients if pattern.fullmatch(text, m.start(), m.end())), None)
        if allergen is None:
            continue
        start = _sentence_start(text, m.start())
        if listed:
            if book.denies_behind.search(text[m.end() : m.end() + 60]) is not None:
                continue
        elif not _is_of_product(text, start, m, warning=warning):
            said = (book.states if warning else book.contains).search(text, start, m.start())
            if said is None or _is_denied(text, start, m):
                continue
        yield m.start(), m.end(), allergen


def _is_of_product(text: str, start: int, found: re.Match[str], *, warning: bool) -> bool:
    """True where the words around say that the product has it without "contains": a capsule of gelatin, or whom its allergy bars from the product."""
    book = excipient_book()
    before = text[start : found.start()]
    if not warning:
        return book.itself.search(before) is not None
    if book.formulated.search(before) is not None:
        return True
    behind = text[found.end() : found.end() + _BEHIND]
    return book.reacts.search(before) is not None and book.reacts_behind.match(behind) is not None


def _statement(section: Section, place: tuple[int, int]) -> tuple[int, int]:
    """What says it: the sentence of a warning, the words themselves in a list or where the sentence is none that a person would read."""
    if section.key not in _WARNINGS:
        return place
    text = section.text
    start = _sentence_start(text, place[0])
    start = max((m.start() for m in _NUMBERED.finditer(text, start, place[0])), default=start)
    end = next((m.end() for m in _STOP.finditer(text, place[1], place[1] + _LONGEST)), len(text))
    while start < place[0] and text[start].isspace():
        start += 1
    return (start, end) if end - start <= _READ and "\n" not in text[start:end] else place


def _sentence_start(text: str, at: int) -> int:
    first = max(0, at - _LONGEST)
    return max((m.end() for m in _SENTENCE.finditer(text, first, at + 1) if m.end() <= at), default=first)


def _is_denied(text: str, start: int, found: re.Match[str]) -> bool:
    book = excipient_book()
    before = text[max(start, found.start() - 120) : found.start()]
    if book.denies_behind.search(text[found.end() : found.end() + 60]) is not None:
        return True
    return book.denies.search(before) is not None or book.others.search(before) is not None
