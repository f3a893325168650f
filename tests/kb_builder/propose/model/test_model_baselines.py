"""The baselines: free triples mapped afterwards, and one question for a whole document, behind the same gates."""

from __future__ import annotations

import pytest

TEXT = "Avoid ketoconazole with ZOCOR. Ketoconazole is contraindicated in patients with asthma."


def triple(**more):
    return {"subject": "ZOCOR (simvastatin)", "relation": "should avoid", "object": "ketoconazole", "quote": "Avoid ketoconazole with ZOCOR."} | more


def test_a_free_triple_is_mapped_and_located(label, serve, read):
    server = serve(triples=[{"content": {"triples": [triple()]}}])
    (claim,) = read(label(TEXT), server.url, method="schema-free").passed
    assert (claim.predicate, str(claim.object), claim.provenance.extractor) == ("interacts_with", "Ingredient:pharmgraph:ketoconazole", "model-schema-free")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"subject": "ketoconazole"}, "triple: its subject is not the label's drug"),
        ({"relation": "is blue"}, "triple: its relation maps to nothing"),
        ({"relation": "not contraindicated"}, "triple: its relation maps to nothing"),
        ({"relation": "is indicated for"}, "triple: its relation maps to nothing"),
        ({"object": "voriconazole"}, "relation: its object does not stand in its sentence"),
        ({"quote": "Avoid everything."}, "relation: its quote does not stand in the passage, or in several places"),
        ({"object": None}, "triple: object of the wrong type"),
    ],
)
def test_a_triple_that_maps_to_nothing_is_dropped(label, serve, read, wrong, reason):
    server = serve(triples=[{"content": {"triples": [triple(**wrong)]}}])
    result = read(label(TEXT), server.url, method="schema-free")
    assert (result.proposals, result.dropped) == ([], {reason: 1})


def test_a_mapped_triple_meets_the_gates(label, serve, read):
    server = serve(triples=[{"content": {"triples": [triple(relation="interacts")]}}])
    result = read(label(TEXT), server.url, method="schema-free")
    assert result.refused == ["agreement: the sentence asks for avoid, the claim for caution"]


def shot(**more):
    base = {
        "predicate": "interacts_with",
        "text": "ketoconazole",
        "type": "Ingredient",
        "action": "avoid",
        "whose": "either",
        "polarity": "positive",
        "strength": "must",
        "effect": "",
        "conditions": [],
    }
    return base | {"quote": "Avoid ketoconazole with ZOCOR."} | more  # fmt: skip


def test_one_question_covers_the_document(label, serve, read):
    other = "Do not use ZOCOR in asthma."
    said = [shot(), shot(predicate="contraindicated_in", text="asthma", type="Condition", quote=other)]
    server = serve(relations=[{"content": {"relations": said}}])
    made = label(TEXT, contraindications=other)
    result = read(made, server.url, method="one-shot")
    assert {c.predicate for c in result.passed} == {"interacts_with", "contraindicated_in"}
    assert len(server.asked()) == 1
    asked = server.asked()[0]["body"]["messages"][1]["content"]
    assert TEXT in asked
    assert other in asked


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"text": None}, "relation: no object"),
        ({"text": "voriconazole"}, "relation: its object does not stand in its sentence"),
        ({"type": None}, "relation: its object has no type"),
        ({"predicate": "indicated_for"}, "relation: a predicate the section is not asked about"),
    ],
)
def test_what_the_section_does_not_say_is_dropped(label, serve, read, wrong, reason):
    server = serve(relations=[{"content": {"relations": [shot(**wrong)]}}])
    result = read(label(TEXT), server.url, method="one-shot")
    assert (result.proposals, result.dropped) == ([], {reason: 1})
