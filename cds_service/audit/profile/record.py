"""What the problem list says of a concept that a label names.

Coded concepts match one way: the record's concept must equal or descend from the label's; a broader one gives UNKNOWN. Concepts that only a
label's words name match by words, and the match is marked as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from re import findall

from msgspec import Struct

from cds_service.audit.clinical import LabCondition, lab_conditions, words
from cds_service.audit.kept import kept_with
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.outcomes import Certainty
from cds_service.audit.profile.lab_limits import analytes_meant
from cds_service.audit.profile.measurements import Measurements
from cds_service.audit.profile.notes import named_within, noted_conditions, relatives_conditions
from cds_service.intake.prescription import ConditionFact, Prescription, Retrieval, Source
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState, Known, Unknown, UnknownReason
from ontology.model.guards import Interval, Truth
from ontology.model.identifiers import EntityId, normal_words
from ontology.model.quantities import Quantity, Unit

STATES: dict[ConditionState, tuple[str, ...]] = {
    ConditionState.ACTIVE: ("active",),
    ConditionState.RECENT: ("active",),
    ConditionState.HISTORY: ("active", "historical"),
    ConditionState.PLANNED: ("active",),
}
"""Which entries of the record meet a state that the label asks for: "history of" is met by resolved ones, "active" is not."""

_HAD = ("active", "historical")
_LISTED = (*_HAD, "unconfirmed")
_LABEL_PHRASES = 20_000
_LONGEST_KEPT = 80
"""Characters of a text whose words are kept in memory: names of problems, not notes."""
_SURENESS = ("code", "name", "text")
_CERTAINTY = (Certainty.CODED, Certainty.STATED, Certainty.TEXT)


class RecordMatch(Struct, frozen=True):
    """What the record says: the truth, the entry that says it, how sure the match is, and why it is unknown."""

    truth: Truth
    name: str = ""
    source: Source | None = None
    certainty: Certainty = Certainty.CODED
    reason: UnknownReason | None = None
    from_notes: bool = False
    needs: frozenset[str] = frozenset({"conditions"})


@dataclass(frozen=True, slots=True)
class ValueState:
    """What a value, or the lack of one, says of the condition of a row."""

    row: LabCondition
    fact: Known | Unknown

    @property
    def present(self) -> bool | None:
        """Whether the condition is present; None where the value is not known."""
        if not isinstance(self.fact, Known) or not isinstance(self.fact.value, Quantity):
            return None
        number = self.fact.value.value
        return (self.row.above is not None and number > self.row.above) or (self.row.below is not None and number < self.row.below)

    def match(self) -> RecordMatch:
        """The match that a known value gives."""
        fact, row = self.fact, self.row
        if isinstance(fact, Unknown):
            return RecordMatch(Truth.UNKNOWN, reason=fact.reason, needs=fact.needs)
        if not isinstance(fact.value, Quantity):
            return RecordMatch(Truth.UNKNOWN, reason=UnknownReason.TOO_BROAD, needs=frozenset({f"lab:{row.analyte}"}))
        source = Source(fact.reference or "", fact.observed, "observations")
        unit = "times the upper limit of normal" if row.unit == "{ULN}" else row.unit
        shown = f"{row.analyte} {fact.value.value.normalize():f} {unit}"
        certain = row.coded and not fact.approximated
        return RecordMatch(Truth.TRUE if self.present else Truth.FALSE, shown, source, Certainty.CODED if certain else Certainty.APPROXIMATED)


@dataclass(frozen=True)
class ProblemList:
    """The conditions of a prescription with the laboratory values that decide some of them."""

    prescription: Prescription
    measurements: Measurements
    terms: Terms

    @cached_property
    def state(self) -> Retrieval:
        """How the conditions were retrieved."""
        return self.prescription.retrieval.get("conditions", Retrieval.NOT_RETRIEVED)

    @property
    def unread(self) -> UnknownReason | None:
        """Why conditions may be missing from the list; None for a whole one."""
        if self.state is Retrieval.NOT_RETRIEVED:
            return UnknownReason.NOT_RETRIEVED
        return UnknownReason.INCOMPLETE if self.state is Retrieval.INCOMPLETE else None

    @cached_property
    def _rows(self) -> tuple[tuple[ConditionFact, frozenset[str]], ...]:
        noted = noted_conditions(self.prescription, self.terms)
        listed = (named_within(c, self.terms) for c in self.prescription.patient.conditions if c.status in _LISTED)
        kept = (*listed, *noted)
        return tuple((c, content_words(c.text)) for c in kept)

    @cached_property
    def _known_values(self) -> dict[EntityId, list[ValueState]]:
        return {}

    def _values(self, concept: EntityId) -> list[ValueState]:
        """The values that decide a condition, or would decide it."""
        known = self._known_values
        if concept not in known:
            rows = _deciding(self.terms).get(concept, ())
            known[concept] = [ValueState(row, self.measurements.lab(row.analyte, Unit.of(row.unit))) for row in rows]
        return known[concept]

    @cached_property
    def _relatives(self) -> tuple[ConditionFact, ...]:
        return relatives_conditions(self.prescription, self.terms)

    def _holds_any(self, names: tuple[str, ...]) -> bool:
        """True when an active entry is, or is below, one of the named conditions."""
        wanted = entities_named(self.terms, names, (EntityType.CONDITION,)) if names else frozenset()
        return any(fact.status == "active" and any(self.terms.covers(w, m.id) is Truth.TRUE for m in fact.concepts for w in wanted) for fact, _ in self._rows)

    def tells_of(self, value: Interval) -> bool:
        """True when an active entry is a condition that a value on this side of the bound means: "prolonged QT interval" of a QTc above 500 ms."""
        return any(self._holds_any(r.names) for r in _rows_of(value))

    def means_value(self, concept: EntityId, value: Interval) -> bool:
        """True when the condition is that of a value on this side of the bound ("low neutrophil count" of an ANC below 1000), and no vital sign."""
        return any(not r.bedside and concept in entities_named(self.terms, r.names, (EntityType.CONDITION,)) for r in _rows_of(value))

    def match(self, concept: EntityId, state: ConditionState, label_words: str) -> RecordMatch:
        """What the record says of a concept in a state."""
        wanted = STATES[state]
        if any(w in label_words.casefold() for w in words("doubt")):
            wanted = (*wanted, "unconfirmed")
        if any(w in label_words.casefold() for w in words("family")) and (related := self._in_family(concept)) is not None:
            return related
        broader: RecordMatch | None = None
        spoken = concept.system == "uncoded"
        asked = specific_words(label_words) if spoken else frozenset()
        for fact, said in self._rows:
            if fact.status not in wanted or _only_prevented(fact):
                continue
            if spoken:
                if asked and asked <= said and not _negated(fact.text, asked):
                    return RecordMatch(Truth.TRUE, fact.text, fact.source, Certainty.TEXT, from_notes=fact.source.kind == "notes")
                continue
            met = [(self.terms.covers(concept, m.id), m) for m in fact.concepts]
            if fact.source.kind == "notes" and any(v.present is False for v in self._values(concept)):
                # A current value weighs more than the words of a note.
                continue
            certain = min((_SURENESS.index(m.how) for truth, m in met if truth is Truth.TRUE), default=None)
            if certain is not None and fact.source.kind == "notes" and broader is not None and broader.source is not None:
                # The note tells which of the kinds of the listed condition it is.
                return RecordMatch(Truth.TRUE, broader.name, broader.source, Certainty.STATED)
            if certain is not None:
                return RecordMatch(Truth.TRUE, fact.text or met[0][1].name, fact.source, _CERTAINTY[certain], from_notes=fact.source.kind == "notes")
            if broader is None and _less_specific([truth for truth, m in met if m.how != "text"]):
                broader = RecordMatch(Truth.UNKNOWN, fact.text or met[0][1].name, fact.source, Certainty.CODED, UnknownReason.TOO_BROAD)
        by_value = self._by_value(concept, state, label_words)
        if by_value is not None:
            return by_value
        if broader is not None:
            return broader
        return RecordMatch(Truth.FALSE) if self.unread is None else RecordMatch(Truth.UNKNOWN, reason=self.unread)

    def entries_of(self, concept: EntityId) -> Iterator[tuple[ConditionFact, Certainty]]:
        """The entries, active or over, of what the patient has or had that are the concept or descend from it, and how sure that is."""
        for fact, _ in self._rows:
            if fact.status not in _HAD or _only_prevented(fact):
                continue
            certain = min((_SURENESS.index(m.how) for m in fact.concepts if self.terms.covers(concept, m.id) is Truth.TRUE), default=None)
            if certain is not None:
                yield fact, _CERTAINTY[certain]

    def _in_family(self, concept: EntityId) -> RecordMatch | None:
        """What the record says that relatives have or had; None where the concept is not among it."""
        for fact in self._relatives:
            if any(self.terms.covers(concept, m.id) is Truth.TRUE for m in fact.concepts):
                noted = fact.source.kind == "notes"
                return RecordMatch(Truth.TRUE, fact.text, fact.source, Certainty.STATED, from_notes=noted)
        return None

    def entry_with(self, asked: frozenset[str]) -> ConditionFact | None:
        """An entry that has all the words and does not deny them."""
        return next((fact for fact, said in self._rows if fact.status in _HAD and asked <= said and not _negated(fact.text, asked)), None)

    def speaks_of(self, text: str) -> bool:
        """True when an entry of the record shares a specific word with the text and does not deny it."""
        asked = content_words(text) - _FILLER - frozenset(words("text_match", "general"))
        return any(fact.status in _HAD and asked & said and not _negated(fact.text, asked) for fact, said in self._rows)

    def _by_value(self, concept: EntityId, state: ConditionState, label_words: str) -> RecordMatch | None:
        """What a value says of the condition, or that it is missing and matters; None where no value decides it."""
        known = self.unread is None
        if state is ConditionState.HISTORY:
            # No value tells what was; whoever saw the patient knew, and a wider entry leaves no question.
            return RecordMatch(Truth.FALSE) if known and any(v.row.bedside for v in self._values(concept)) else None
        said = label_words.casefold()
        for value in self._values(concept):
            if value.row.words and not any(w in said for w in value.row.words):
                continue
            if value.present is not None or value.row.asked or self._holds_any(value.row.ask_if):
                return value.match()
            if value.row.bedside and known:
                return RecordMatch(Truth.FALSE)
        return None


@kept_with
def _deciding(terms: Terms) -> dict[EntityId, tuple[LabCondition, ...]]:
    """The conditions that a laboratory value decides, by the rows that say so."""
    found: dict[EntityId, list[LabCondition]] = {}
    for row in lab_conditions():
        for name in row.names:
            for entity in entities_named(terms, (name,), (EntityType.CONDITION,)):
                found.setdefault(entity, []).append(row)
    return {entity: tuple(rows) for entity, rows in found.items()}


def _only_prevented(fact: ConditionFact) -> bool:
    """True for an order's reason that is the prevention of a disease: the patient does not have it."""
    if fact.source.kind != "medications":
        return False
    said = fact.text.casefold()
    return any(w in said for w in words("prevention"))


def _less_specific(truths: list[Truth]) -> bool:
    """True for an entry that only says something broader; one that is also specific about something else is another condition."""
    return Truth.UNKNOWN in truths and Truth.FALSE not in truths


def content_words(text: str) -> frozenset[str]:
    """The words of a text, singular; Chinese text gives its characters in pairs. Those of short texts are kept: records and labels repeat them."""
    return _kept_words(text) if len(text) <= _LONGEST_KEPT else _words_in(text)


@lru_cache(maxsize=_LABEL_PHRASES)
def _kept_words(text: str) -> frozenset[str]:
    return _words_in(text)


def _words_in(text: str) -> frozenset[str]:
    folded = normal_words(text)
    latin = (w[:-1] if len(w) > 4 and w.endswith("s") and not w.endswith(("ss", "is", "us")) else w for w in findall(r"[a-z0-9]+", folded))
    chinese = (run[i : i + 2] for run in findall(r"[\u4e00-\u9fff]+", folded) for i in range(max(1, len(run) - 1)))
    return frozenset((*latin, *chinese))


@lru_cache(maxsize=_LABEL_PHRASES)
def specific_words(text: str) -> frozenset[str]:
    """The words of a label that a record must contain to match, or none when the label's words are all too general to carry a match."""
    found = content_words(text) - _FILLER
    return found if found - frozenset((*words("text_match", "general"), *words("text_match", "alone"))) else frozenset()


@lru_cache(maxsize=_LABEL_PHRASES)
def words_together(text: str) -> frozenset[str]:
    """The words of a use, each too general by itself, that name it together ("acute pain"); none for a name that has a specific word."""
    found = content_words(text) - _FILLER
    return found if len(found) > 1 and not specific_words(text) and found - frozenset(words("text_match", "qualifiers")) else frozenset()


_FILLER = frozenset(("of", "the", "a", "an", "and", "or", "in", "with", "to", "for", "who", "have", "has", "had", "patient", "patients", "known", "history"))


def _negated(text: str, asked: Iterable[str]) -> bool:
    """True when the entry's own words deny it or place it in someone else, and the label does not ask for that very word."""
    said = content_words(text) | frozenset(normal_words(text).split())
    return any(n in said and n not in asked for n in words("text_match", "negations")) or any(
        n in text for n in words("text_match", "negations") if not n.isascii()
    )


def _rows_of(value: Interval) -> Iterator[LabCondition]:
    """The conditions that a value of this test on this side of the bound means."""
    meant = set(analytes_meant(value.detail or "")[0])
    return (r for r in lab_conditions() if (r.above is not None) is (value.low is not None) and meant & set(analytes_meant(r.analyte)[0]))
