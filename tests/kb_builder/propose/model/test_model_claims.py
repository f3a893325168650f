"""What a model may say about a label and what becomes of it: true statements pass, every kind of false one is dropped or refused with its reason."""

from __future__ import annotations

import pytest

from ontology.model.claims import Polarity
from ontology.model.guards import Category, leaves

CONTRAINDICATED = "ZOCOR is contraindicated in patients with active liver disease."


def said(text, **more):
    base = {
        "predicate": "interacts_with",
        "object": 1,
        "action": "avoid",
        "whose": "either",
        "polarity": "positive",
        "strength": "must",
        "effect": "",
        "conditions": [],
    }
    return base | {"quote": text} | more


@pytest.fixture
def told(label, serve, read):
    """What becomes of one mention and one relation about a one-sentence label."""

    def tell(text, mention, kind, relation, key="drug_interactions", **more):
        mentions = {"mentions": [{"text": mention, "type": kind, "sentence": text}]}
        server = serve(mentions=[{"content": mentions}], relations=[{"content": {"relations": [relation]}}])
        return read(label(text, key), server.url, **more)

    return tell


AVOID = "Avoid ketoconazole with ZOCOR."


@pytest.mark.parametrize(
    ("text", "mention", "kind", "relation", "key"),
    [
        (AVOID, "ketoconazole", "Ingredient", said(AVOID), "drug_interactions"),
        (AVOID, "KETOCONAZOLE", "Ingredient", said("avoid ketoconazole with zocor"), "drug_interactions"),
        (CONTRAINDICATED, "active liver disease", "Condition", said(CONTRAINDICATED, predicate="contraindicated_in", action="contraindicated"), "contraindications"),
        ("Monitor for bradycardia during treatment with ZOCOR.", "bradycardia", "Condition", said("Monitor for bradycardia during treatment with ZOCOR.", predicate="requires_monitoring", action="monitor"), "warnings"),
        ("Bradycardia should be regularly monitored.", "bradycardia", "Condition", said("Bradycardia should be regularly monitored.", predicate="requires_monitoring", action="monitor"), "warnings"),
        ("ZOCOR is indicated for the treatment of hypertension.", "hypertension", "Condition", said("ZOCOR is indicated for the treatment of hypertension.", predicate="indicated_for", action="none"), "indications_and_usage"),
        ("Monitor for hyperkalemia before starting ZOCOR.", "hyperkalemia", "Condition", said("Monitor for hyperkalemia before starting ZOCOR.", predicate="has_prerequisite", action="monitor"), "warnings"),
    ],
)  # fmt: skip
def test_a_true_statement_passes(told, text, mention, kind, relation, key):
    result = told(text, mention, kind, relation, key)
    assert (result.refused, len(result.passed)) == ([], 1), result.dropped


@pytest.mark.parametrize(
    ("mention", "kind", "reason"),
    [
        ("voriconazole", "Ingredient", "mention: its words do not stand in its sentence"),
        ("ketocon", "Ingredient", "mention: its words do not stand in its sentence"),
        ("ketoconazole", "Medicine", "mention: type not a word of the schema"),
        ("ketoconazole", "Condition", "mention: a type the section is not asked about"),
        ("", "Ingredient", "mention: its words do not stand in its sentence"),
        (7, "Ingredient", "mention: text of the wrong type"),
    ],
)
def test_an_invented_mention_is_dropped(told, mention, kind, reason):
    result = told(AVOID, mention, kind, said(AVOID))
    assert result.proposals == []
    assert result.dropped == {reason: 1, "passage without a mention that was found": 1}


def test_a_mention_with_an_invented_sentence_is_dropped(label, serve, read):
    server = serve(mentions=[{"content": {"mentions": [{"text": "ketoconazole", "type": "Ingredient", "sentence": "Never give ketoconazole."}]}}])
    assert read(label(AVOID), server.url).dropped["mention: its sentence does not stand in the passage"] == 1


@pytest.mark.parametrize(
    ("relation", "reason"),
    [
        (said("Avoid ketoconazole with aspirin."), "relation: its quote does not stand in the passage, or in several places"),
        (said(AVOID, object=2), "relation: its object is no mention that was found"),
        (said(AVOID, object=0), "relation: its object is no mention that was found"),
        (said(AVOID, object="ketoconazole"), "relation: object of the wrong type"),
        (said(AVOID, object=None), "relation: no object"),
        (said(AVOID, predicate="cures"), "relation: a predicate the section is not asked about"),
        (said(AVOID, predicate="has_ingredient"), "relation: a predicate the section is not asked about"),
        (said(AVOID, action="ketoconazole"), "relation: action not a word of the schema"),
        (said(AVOID, action="increase-dose"), "relation: action not a word of the schema"),
        (said(AVOID, action="none"), "relation without an action"),
        (said(AVOID, effect="decreased exposure"), "relation: the effect does not stand in its sentence"),
        (said(AVOID, conditions=["in pregnancy"]), "relation: a condition does not stand in its sentence"),
        (said(AVOID, polarity="maybe"), "relation: polarity not a word of the schema"),
        (said(AVOID, strength=3), "relation: strength not a word of the schema"),
        (said(AVOID, quote=None), "relation: quote of the wrong type"),
        ({"object": 1}, "relation: predicate missing"),
    ],
)
def test_a_relation_whose_words_stand_nowhere_is_dropped(told, relation, reason):
    result = told(AVOID, "ketoconazole", "Ingredient", relation)
    assert result.proposals == []
    assert result.dropped == {reason: 1}


@pytest.mark.parametrize(
    ("text", "mention", "kind", "relation", "key", "reason"),
    [
        # another action than the sentence's
        (AVOID, "ketoconazole", "Ingredient", said(AVOID, action="monitor"), "drug_interactions", "the sentence asks for avoid, the claim for monitor"),
        (AVOID, "ketoconazole", "Ingredient", said(AVOID, action="no-adjustment"), "drug_interactions", "the sentence asks for avoid"),
        # wrong polarity, both ways
        (AVOID, "ketoconazole", "Ingredient", said(AVOID, polarity="negative"), "drug_interactions", "the claim denies and the sentence does not"),
        ("ZOCOR is not contraindicated with digoxin.", "digoxin", "Ingredient", said("ZOCOR is not contraindicated with digoxin.", action="contraindicated"), "drug_interactions", "the sentence denies"),
        ("No dose adjustment of ZOCOR is needed with digoxin.", "digoxin", "Ingredient", said("No dose adjustment of ZOCOR is needed with digoxin.", action="adjust-dose"), "drug_interactions", "the sentence denies"),
        ("ZOCOR is not indicated for the treatment of hypertension.", "hypertension", "Condition", said("ZOCOR is not indicated for the treatment of hypertension.", predicate="indicated_for", action="none"), "indications_and_usage", "limits or denies a use"),
        # the other way round
        ("Avoid azole antifungals other than ketoconazole.", "ketoconazole", "Ingredient", said("Avoid azole antifungals other than ketoconazole."), "drug_interactions", "the sentence excludes the object"),
        ("ZOCOR is contraindicated in patients without asthma.", "asthma", "Condition", said("ZOCOR is contraindicated in patients without asthma.", predicate="contraindicated_in", action="contraindicated"), "contraindications", "the sentence excludes the object"),
        # another subject
        ("Ketoconazole is contraindicated in patients with asthma.", "asthma", "Condition", said("Ketoconazole is contraindicated in patients with asthma.", predicate="contraindicated_in", action="contraindicated"), "contraindications", "names Ketoconazole and not the label's drug"),
        # studies and animals
        ("In a clinical study, monitor digoxin when given with ZOCOR.", "digoxin", "Ingredient", said("In a clinical study, monitor digoxin when given with ZOCOR.", action="monitor"), "drug_interactions", "tells of a study"),
        ("Avoid ZOCOR with digoxin in rats.", "digoxin", "Ingredient", said("Avoid ZOCOR with digoxin in rats."), "drug_interactions", "tells of a study"),
        # a use that is only possible
        ("ZOCOR might be indicated for the treatment of asthma.", "asthma", "Condition", said("ZOCOR might be indicated for the treatment of asthma.", predicate="indicated_for", action="none"), "indications_and_usage", "only possible"),
        # swapped: what is watched is no instruction of the sentence
        ("ZOCOR tablets contain potassium salts.", "potassium salts", "LabTest", said("ZOCOR tablets contain potassium salts.", predicate="requires_monitoring", action="monitor"), "warnings", "code reads no instruction"),
        # not what the instruction is about, or nothing that code knows
        ("Monitor the pulse in patients with bradycardia.", "bradycardia", "Condition", said("Monitor the pulse in patients with bradycardia.", predicate="requires_monitoring", action="monitor"), "warnings", "does not reach the object"),
        ("Patients with bradycardia should be monitored.", "bradycardia", "Condition", said("Patients with bradycardia should be monitored.", predicate="requires_monitoring", action="avoid"), "warnings", "the claim for avoid"),
        ("Carefully monitor control after starting ZOCOR.", "control after", "LabTest", said("Carefully monitor control after starting ZOCOR.", predicate="requires_monitoring", action="monitor"), "warnings", "does not know the object"),
        ("Monitor for bradycardia that might occur.", "bradycardia", "Condition", said("Monitor for bradycardia that might occur.", predicate="requires_monitoring", action="monitor"), "warnings", "states a possibility"),
        # the registry
        (AVOID, "ketoconazole", "Ingredient", said(AVOID, predicate="population_advice"), "warnings", "does not lead to"),
    ],
)  # fmt: skip
def test_a_false_statement_is_refused(told, text, mention, kind, relation, key, reason):
    result = told(text, mention, kind, relation, key)
    assert result.passed == []
    assert len(result.refused) == 1, result.dropped
    assert reason in result.refused[0]


def test_conditions_of_the_sentence_are_in_the_guard_whether_or_not_the_model_says_them(told):
    text = "Avoid ketoconazole with ZOCOR in patients with severe renal impairment."
    (claim,) = told(text, "ketoconazole", "Ingredient", said(text)).passed
    assert any(isinstance(leaf, Category) and "severe" in leaf.values for leaf in leaves(claim.guard))


def test_the_object_is_no_condition_of_itself(told):
    relation = said(CONTRAINDICATED, predicate="contraindicated_in", action="contraindicated")
    (claim,) = told(CONTRAINDICATED, "active liver disease", "Condition", relation, "contraindications").passed
    assert claim.guard is None


def test_a_condition_that_code_does_not_read_stays_in_the_models_words(told):
    text = "Avoid ketoconazole with ZOCOR during the dry season."
    (claim,) = told(text, "ketoconazole", "Ingredient", said(text, conditions=["during the dry season"])).passed
    assert [leaf.text for leaf in leaves(claim.guard)] == ["during the dry season"]


def test_a_restriction_that_nobody_read_refuses_the_claim(told):
    text = "Avoid ketoconazole with ZOCOR unless the moon is full."
    result = told(text, "ketoconazole", "Ingredient", said(text))
    held = [leaf for claim in result.passed for leaf in leaves(claim.guard)]
    assert held or "has no guard" in result.refused[0]


def test_a_cut_quote_is_widened_to_its_sentence(told):
    text = "Avoid ketoconazole with ZOCOR in patients with severe renal impairment."
    (claim,) = told(text, "ketoconazole", "Ingredient", said("Avoid ketoconazole with ZOCOR")).passed
    assert claim.statement.quote == text
    assert claim.guard is not None


def test_a_denial_is_a_negative_claim(told):
    text = "No dose adjustment of ZOCOR is needed with digoxin."
    (claim,) = told(text, "digoxin", "Ingredient", said(text, action="no-adjustment", polarity="negative")).passed
    assert claim.polarity is Polarity.NEGATIVE


def test_the_labels_own_drug_is_no_partner(told):
    result = told(AVOID, "ZOCOR", "Ingredient", said(AVOID))
    assert result.dropped == {"relation about the label's own drug": 1}


@pytest.mark.parametrize("words", ["medications", "patients"])
def test_general_nouns_are_no_objects(told, words):
    text = f"Avoid other {words} with ZOCOR."
    assert told(text, words, "DrugClass", said(text)).dropped == {"relation about nothing in particular": 1}


def test_a_name_the_vocabulary_lacks_is_kept_in_the_labels_words(told):
    text = "Avoid zanzibarol with ZOCOR."
    (claim,) = told(text, "zanzibarol", "Ingredient", said(text)).passed
    assert (claim.object.system, claim.words) == ("uncoded", "zanzibarol")


def test_the_lexicon_decides_what_a_word_is(told):
    text = "Avoid digoxin with ZOCOR."
    (claim,) = told(text, "digoxin", "Food", said(text)).passed
    assert str(claim.object) == "Ingredient:pharmgraph:digoxin"


DOSE = "For hypertension, the usual dose is 20 mg once daily."


def dose(**more):
    base = {"low": "20", "high": "20", "unit": "mg", "basis": "flat", "per": "dose", "times_a_day": "1", "every_hours": None, "limits": "none"}
    return base | more


@pytest.mark.parametrize(
    "wrong",
    [
        {"low": "40", "high": "40"},
        {"unit": "g"},
        {"basis": "per-kg"},
        {"times_a_day": "2"},
        {"unit": "spoons"},
        {"low": "-5"},
        {"low": "NaN"},
        {"low": "1e400"},
    ],
)
def test_a_dose_that_the_sentence_does_not_say_is_dropped(told, wrong):
    relation = said(DOSE, predicate="has_dose_rule", action="none", doses=[dose(**wrong)])
    result = told(DOSE, "hypertension", "Condition", relation, "dosage_and_administration")
    assert result.proposals == []
    assert sum(n for reason, n in result.dropped.items() if reason.startswith("dose that") or reason == "relation: doses of the wrong type") == 1, (
        result.dropped
    )


def test_a_dose_is_built_from_what_code_reads_at_the_place(told):
    relation = said(DOSE, predicate="has_dose_rule", action="none", doses=[dose()])
    (claim,) = told(DOSE, "hypertension", "Condition", relation, "dosage_and_administration").passed
    (phase,) = claim.payload.phases
    assert (str(phase.amounts[0].low), phase.amounts[0].unit, str(phase.frequency.times_low)) == ("20", "mg", "1")


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        ("I cannot help with that.", {"reply without JSON"}),
        ('{"drugs": []}', {"reply without a list of mentions"}),
        ('{"mentions": "ketoconazole"}', {"reply without a list of mentions"}),
        ('{"mentions": ["ketoconazole", 3, null]}', {"mentions: no object"}),
        ('{"mentions": [{"text": "ketoconazole", "type": "Ingredient", "sen', {"reply with broken JSON"}),
        ('{"mentions": [{"text": {"a": 1}, "type": [], "sentence": 1e999}]}', {"mention: text of the wrong type"}),
        ("[" * 50_000, {"reply without JSON"}),
        ("{" * 50_000, {"reply without a list of mentions"}),
        ('{"mentions": [' + "9" * 5_000 + "]}", {"mentions: no object"}),
        ("\ud800", {"reply without JSON"}),
    ],
)
def test_nonsense_is_counted_and_raises_nothing(label, serve, read, content, reasons):
    server = serve(mentions=[{"content": content}])
    result = read(label(AVOID), server.url)
    assert result.proposals == []
    assert set(result.dropped) == {*reasons, "passage without a mention that was found"}


def test_a_cut_reply_gives_its_whole_items(label, serve, read):
    whole = '{"mentions": [{"text": "ketoconazole", "type": "Ingredient", "sentence": "Avoid ketoconazole with ZOCOR."}, {"text": "keto'
    server = serve(mentions=[{"content": whole, "finish": "length"}], relations=[{"content": {"relations": [said(AVOID)]}}])
    result = read(label(AVOID), server.url)
    assert len(result.passed) == 1
    assert result.dropped == {"reply cut at the limit of tokens": 1}


def test_raw_line_breaks_and_words_around_the_json_are_read(label, serve, read):
    content = 'Here it is:\n```json\n{"mentions": [{"text": "keto\nconazole", "type": "Ingredient", "sentence": "Avoid"},\n {"text": "ketoconazole", "type": "Ingredient", "sentence": "Avoid ketoconazole\nwith ZOCOR."}]}\n```'
    server = serve(mentions=[{"content": content}], relations=[{"content": {"relations": [said(AVOID)]}}])
    assert len(read(label(AVOID), server.url).passed) == 1


def test_a_model_that_repeats_itself_is_stopped(label, serve, read):
    mention = {"text": "ketoconazole", "type": "Ingredient", "sentence": AVOID}
    server = serve(mentions=[{"content": {"mentions": [mention] * 500}}], relations=[{"content": {"relations": [said(AVOID)] * 500}}])
    result = read(label(AVOID), server.url)
    assert {c.id for c in result.claims} == {result.claims[0].id}
    assert result.dropped == {"mentions: more than 40 in one reply": 460, "relations: more than 40 in one reply": 460}
