"""Claims whose text does not carry them."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from kb_builder.gate.grounding import claim_numbers
from kb_builder.learn.grounding import Unfounded, ground
from kb_builder.learn.grounding_report import grounding_data, grounding_lines
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, Provenance
from ontology.model.dosing import Amount, Frequency, Phase, PhaseKind, Regimen
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.facts import Axis
from ontology.model.guards import Interval
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span
from ontology.store.records import SectionRecord

TEXT = "Avoid strong inhibitors of CYP3A4. Give 20 mg twice daily to adults with creatinine clearance below 30 mL/min."
DRUG = EntityId("Ingredient", "rxnorm", "1")
ROLE = EntityId("EnzymeRole", "pharmgraph", "r")
EVERYONE = EntityId("Population", "concept", "all")
NAMES = {DRUG: ("digoxin", "Lanoxin"), ROLE: ("strong CYP3A4 inhibitor",), EVERYONE: ("all patients",)}
REGIMEN = Regimen((Phase(PhaseKind.USUAL, (Amount(Decimal(20), Decimal(20), "mg"),), Frequency(Decimal(2), Decimal(2))),))


@dataclass
class FakeRelease:
    """What grounding asks of a release."""

    made: list[Claim]
    text: str = TEXT
    asked: list[str | None] = field(default_factory=list)

    def claims(self, status, *, document=None):
        self.asked.append(document)
        return iter(self.made)

    def section(self, set_id, version, key):
        return SectionRecord(key, "", None, "text", self.text)

    def entity(self, entity):
        name, *others = NAMES[entity]
        return Entity(entity, EntityType(entity.type), name, labels=tuple(Label(n, "en", "x") for n in others))


def claim(predicate="has_dose_rule", object_=EVERYONE, payload=REGIMEN, *, quote=TEXT, at=0, **more):
    span = Span("d", "1", "s", at, at + len(quote), quote)
    return Claim(predicate, EntityId("Ingredient", "rxnorm", "9"), object_, payload, (span,), Provenance("by-hand", "1"), **more)


def faults(*claims, **more):
    return {fault: count for fault, count in ground(FakeRelease(list(claims), **more)).faults.items() if count}


def interaction(object_, words=None, **more):
    return claim("interacts_with", object_, Advice((Step(Action.AVOID),)), words=words, **more)


def test_a_claim_that_its_text_carries_is_founded():
    guard = Interval(Axis.CRCL, None, Decimal(30), "mL/min")
    result = ground(FakeRelease([claim(guard=guard), interaction(ROLE)]))
    assert (result.claims, result.unfounded, result.rate) == (2, 0, 0.0)


def test_a_quote_that_is_not_the_text_is_found():
    assert faults(claim(at=5)) == {Unfounded.QUOTE: 1}


@pytest.mark.parametrize(
    "guard",
    [Interval(Axis.CRCL, None, Decimal(45), "mL/min"), Interval(Axis.AGE, Decimal(18), None, "a")],
)
def test_a_number_that_no_span_prints_is_found(guard):
    assert faults(claim(guard=guard)) == {Unfounded.NUMBER: 1}


def test_a_number_of_a_lexicon_row_need_not_be_printed():
    assert faults(claim(guard=Interval(Axis.AGE, Decimal(18), None, "a", term="adults"))) == {}


def test_a_term_that_is_not_printed_is_found():
    assert faults(claim(guard=Interval(Axis.AGE, Decimal(65), None, "a", term="elderly"))) == {Unfounded.NUMBER: 1}


def test_the_implied_day_is_no_number_of_the_claim():
    assert list(claim_numbers(claim())) == [Decimal(20), Decimal(20), Decimal(2), Decimal(2)]


@pytest.mark.parametrize(("words", "stands"), [("digoxin", False), (None, False), ("creatinine clearance", True)])
def test_the_words_of_the_object_must_stand(words, stands):
    assert faults(interaction(DRUG, words)) == ({} if stands else {Unfounded.OBJECT: 1})


def test_any_name_of_the_object_will_do():
    text = "Avoid Lanoxin."
    assert faults(interaction(DRUG, quote=text), text=text) == {}


def test_a_role_told_by_a_verb_stands_and_one_of_another_enzyme_does_not():
    verb = "Avoid drugs that strongly inhibit CYP3A4, which are strong ones."
    other = "Avoid strong inhibitors of CYP2D6."
    assert faults(interaction(ROLE, quote=verb), text=verb) == {}
    assert faults(interaction(ROLE, quote=other), text=other) == {Unfounded.OBJECT: 1}


def test_findings_are_shown_with_their_claims():
    result = ground(FakeRelease([interaction(DRUG, "digoxin")] * 9), ["d"], examples=2)
    lines = list(grounding_lines(result))
    assert lines[0].startswith("hallucination: 9 of 9 released claims")
    assert sum("object's words stand in no span: digoxin" in line for line in lines) == 2
    data = grounding_data(result)
    assert data["faults"] == {"quote": 0, "number": 0, "object": 9}
    assert data["extractors"] == [{"extractor": "by-hand", "fault": "object", "claims": 9}]
    assert len(data["examples"]) == 2


def test_only_the_labels_asked_for_are_read():
    release = FakeRelease([])
    ground(release, ["b", "a"])
    assert release.asked == ["a", "b"]


def test_a_built_release_is_founded(small_release):
    result = ground(small_release)
    assert result.claims > 0
    assert result.unfounded == 0
