"""Advice for special populations: pregnancy, breastfeeding, children, the elderly, organ impairment, reproduction, genotype.

The object of a claim is the population; its guard narrows it further ("severe", "below 6 years"). Sections and passages about one population
are read whole; elsewhere only sentences count that name its people and tell what to do. Doses are the dosing proposers'; what stands here
says that a dose changes, stays, or is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.conditions import read_conditions
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.lexicon import Lexicon
from kb_builder.propose.population_book import Grade, Wording, population_book
from kb_builder.propose.population_guards import guard_for
from kb_builder.propose.population_passages import BOTH_ORGANS, Sentence, sentences_of
from kb_builder.propose.population_settle import PopulationDraft, settle_populations
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading import Reading, read_section, sections_of
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Kind, Target, thing_finder
from ontology.model.advice import ACTION_RANK, Step
from ontology.model.claims import Basis, Provenance
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId, mint
from ontology.text.context import is_animal
from ontology.text.document import Document

SECTIONS = (
    "boxed_warning",
    "contraindications",
    "use_in_specific_populations",
    "pregnancy",
    "teratogenic_effects",
    "nonteratogenic_effects",
    "labor_and_delivery",
    "lactation",
    "nursing_mothers",
    "pediatric_use",
    "geriatric_use",
    "dosage_and_administration",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
    "pharmacogenomics",
)
AXES = ("pregnancy", "lactation", "reproductive", "pediatric", "geriatric", "renal", "hepatic", "genotype")

OWN = "ø"
"""What stands for a letter of the label's own product in the words that the patterns read."""

_FAMILY = frozenset({"pregnancy", "lactation", "reproductive"})
_ORGANS = ("renal", "hepatic")
_NEAR = 2  # sentences behind a heading within another section that still speak of its population
_FAR = 200  # characters between people and advice in one clause of another section
_THESE = re.compile(r"\b(?:these|such|this) (?:patients|individuals|population|group)\b")
_CLAUSE = re.compile(r";\s|[,.]?\s+(?:but|however|whereas|while)\s|,\s+(?:and\s+)?(?=(?:no|avoid|monitor|reduce|do not)\s)")
_NEGATED = re.compile(r"\b(?:no|not|without|never|neither|nor)\s+(?:\w+\s+){0,2}$")


class PopulationProposer:
    """Proposes `population_advice` claims."""

    name = "populations"
    version = f"1.{population_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document advises on its subject for each population."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        drafts: list[PopulationDraft] = []
        for _, section in sections_of(document, SECTIONS):
            reading = read_section(section, finder)
            last: dict[str, tuple[Restriction, ...]] = {}
            for sentence in sentences_of(reading):
                drafts += _drafts(reading, sentence, lexicon, last)
        provenance = Provenance(self.name, self.version)
        for draft in settle_populations(drafts):
            proposal = propose_draft(draft, document, subject, provenance)
            if proposal is not None:
                yield proposal


def population(axis: str) -> EntityId:
    """The entity of a population."""
    return mint(EntityType.POPULATION, "pharmgraph", axis)


def _drafts(reading: Reading, sentence: Sentence, lexicon: Lexicon, last: dict[str, tuple[Restriction, ...]]) -> Iterator[PopulationDraft]:
    """What one sentence advises, clause by clause. `last` holds for each population whom the text spoke of last: "such patients" are those."""
    book = population_book()
    lower = _words(reading, sentence)
    if book.elsewhere.search(lower):
        return
    told = book.not_advice.search(lower) is not None
    before: tuple[str, ...] = ()
    for start, end in _clauses(lower):
        clause = lower[start:end]
        axes = _axes_of(sentence, clause) or before
        before = axes
        place = (sentence.start + start, sentence.start + end)
        found = read_conditions(reading.blank, *place, reading.things_in(*place), lexicon) if axes else []
        for axis in axes:
            limits = tuple(guard_for(axis, reading.blank, place, found))
            limits = limits or (last.get(axis, ()) if _THESE.search(clause) else ())
            last[axis] = limits
            if axis == "genotype" and not limits:
                continue
            for wording, m in _asked(clause, axis, general=not sentence.own):
                if not sentence.own and (_is_far(clause, axis, m) or _is_of_partner(reading, place, place[0] + m.start())):
                    continue
                if wording.narrative or not (told or is_animal(clause)):
                    yield _draft(reading, sentence, (place[0] + m.start(), place[0] + m.end()), axis, wording, limits)


def _words(reading: Reading, sentence: Sentence) -> str:
    """The sentence in lower case, with the letters of its own product made OWN."""
    lower = reading.blank[sentence.start : sentence.end].lower()
    for thing in reading.things_in(sentence.start, sentence.end):
        if thing.own and thing.kind is Kind.PARTNER and thing.type != EntityType.DRUG_CLASS:
            lower = lower[: thing.start - sentence.start] + OWN * (thing.end - thing.start) + lower[thing.end - sentence.start :]
    return lower


def _is_far(clause: str, axis: str, m: re.Match[str]) -> bool:
    """True where the clause names the population only far from what it asks for, as flattened tables do."""
    places = [p.span() for p in population_book().people[axis].finditer(clause)]
    return bool(places) and min(max(s - m.end(), m.start() - e) for s, e in places) > _FAR


def _is_of_partner(reading: Reading, place: tuple[int, int], at: int) -> bool:
    """True where another medicine and not the label's own stands before what a clause asks for."""
    things = [t for t in reading.things_in(*place) if t.kind is Kind.PARTNER]
    return any(t.type == EntityType.INGREDIENT and not t.own and t.start < at for t in things) and not any(t.own for t in things)


def _clauses(lower: str) -> list[tuple[int, int]]:
    """The clauses of a sentence; one that asks for nothing goes with the one behind it."""
    book = population_book()
    cuts = [m.start() for m in _CLAUSE.finditer(lower)]
    out: list[tuple[int, int]] = []
    start = 0
    for cut in [*cuts, len(lower)]:
        if cut < len(lower) and not any(w.pattern.search(lower[start:cut]) for w in book.wordings):
            continue
        out.append((start, cut))
        start = cut
    if len(out) > 1 and not any(w.pattern.search(lower[slice(*out[-1])]) for w in book.wordings):
        out[-2:] = [(out[-2][0], out[-1][1])]
    return out


def _axes_of(sentence: Sentence, clause: str) -> tuple[str, ...]:
    """The populations that a clause speaks of."""
    book = population_book()
    if not sentence.own:
        named = tuple(axis for axis in AXES if _names(clause, axis))
        near = sentence.axis in AXES and sentence.axis != "pediatric" and (sentence.rank < _NEAR or _THESE.search(clause) is not None)
        return named or ((sentence.axis,) if near and sentence.axis is not None else ())
    if sentence.axis == BOTH_ORGANS:
        named = tuple(axis for axis in _ORGANS if book.people[axis].search(clause))
        return named or _ORGANS
    if sentence.axis in _FAMILY:
        return tuple(axis for axis in AXES if axis == sentence.axis or (axis in _FAMILY and book.people[axis].search(clause)))
    if sentence.axis is not None:
        return (sentence.axis,)
    return tuple(axis for axis in AXES if _names(clause, axis))


def _names(clause: str, axis: str) -> bool:
    """True where a clause of any section names patients of the population; an infant at the breast or exposed before birth is its mother's matter."""
    book = population_book()
    if (book.patients.get(axis) or book.people[axis]).search(clause) is None:
        return False
    return axis not in ("pediatric", "genotype") or book.mother.search(clause) is None


def _asked(clause: str, axis: str, *, general: bool) -> Iterator[tuple[Wording, re.Match[str]]]:
    """The wordings of a clause for a population, none inside a stricter one's place."""
    found = [
        (wording, m)
        for wording in population_book().wordings
        if wording.speaks_of(axis) and not (general and wording.grade is not Grade.INSTRUCTION)
        for m in wording.pattern.finditer(clause)
    ]
    none = [m.span() for w, m in found if w.id in _DENIALS]
    found.sort(key=lambda f: (ACTION_RANK.index(f[0].action), f[1].start()))
    taken: list[tuple[int, int]] = []
    seen: set[str] = set()
    for wording, m in found:
        denied = wording.id not in _DENIALS and any(s < m.end() and m.start() < e for s, e in none)
        if (
            denied
            or wording.id in seen
            or any(s < m.end() and m.start() < e for s, e in taken)
            or (wording.action.value in _DENIABLE and _NEGATED.search(clause[: m.start()]))
        ):
            continue
        taken.append(m.span())
        seen.add(wording.id)
        yield wording, m


_DENIALS = ("no-adjustment", "no-recommendation")
_DENIABLE = frozenset({"contraindicated", "avoid", "adjust-dose", "monitor", "caution", "stop"})


def _draft(reading: Reading, sentence: Sentence, place: tuple[int, int], axis: str, wording: Wording, limits: tuple[Restriction, ...]) -> PopulationDraft:
    draft = Draft(
        reading,
        "population_advice",
        Target(population(axis), " ".join(reading.blank[place[0] : place[1]].split())),
        place,
        (sentence.start, sentence.end),
        (Step(wording.action),),
        limits=limits,
        heading=sentence.heading,
        strength=wording.strength,
        basis=Basis.ANIMAL if is_animal(reading.blank[sentence.start : sentence.end]) else Basis.ESTABLISHED,
        highlight=sentence.highlight,
    )
    return PopulationDraft(axis, wording.action, wording.grade, draft)
