"""Informative text: used, dismissed with a reason, or left."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

import pytest

from kb_builder.learn.residue import LEFT, USED, find_residue
from kb_builder.learn.residue_book import HEADING, HIGHLIGHTS, REPEATS, RESTATED, residue_book
from kb_builder.learn.residue_report import residue_data, residue_lines
from ontology.model.identifiers import EntityId
from ontology.store.records import DocumentRecord, SectionRecord

WARFARIN, IBUPROFEN, DIGOXIN = (EntityId("Ingredient", "rxnorm", code) for code in ("11289", "5640", "3407"))
NAMES = {"warfarin": WARFARIN, "ibuprofen": IBUPROFEN, "digoxin": DIGOXIN}


class FewNames:
    """The names of three drugs."""

    def mention_names(self, types=None):
        return iter(NAMES.items())

    def name(self, entity):
        return next(name for name, known in NAMES.items() if known == entity)

    def edge_rows(self):
        return iter(())


@dataclass
class FakeRelease:
    """What residue asks of a release: the sections of labels and the spans of their released claims."""

    labels: dict[str, list[SectionRecord]]
    spans: list[dict] = field(default_factory=list)
    language: str = "en"
    terminology: FewNames = field(default_factory=FewNames)

    def documents(self):
        return (DocumentRecord(set_id, "1", set_id, "openfda", self.language, None, "1", "h") for set_id in self.labels)

    def sections(self, set_id, version):
        return iter(self.labels[set_id])

    def query(self, sql, *values):
        if "label_set" in sql:
            return iter([{"subject": str(WARFARIN), "ingredients": json.dumps([str(WARFARIN)])}])
        return (span for span in self.spans if span["document"] == values[0])


def section(text, key="drug_interactions", **more):
    return SectionRecord(key, "", None, "text", text, **more)


def span(text, quote, predicate="interacts_with", object_=IBUPROFEN, key="drug_interactions", document="a"):
    start = text.index(quote)
    return {"document": document, "section": key, "start": start, "end": start + len(quote), "predicate": predicate, "object": str(object_)}


def verdicts(text, key="drug_interactions", spans=(), **more):
    return dict(find_residue(FakeRelease({"a": [section(text, key, **more)]}, list(spans))).verdicts)


def test_a_sentence_that_a_claim_stands_on_is_used():
    text = "Avoid ibuprofen with warfarin. Monitor digoxin levels."
    found = find_residue(FakeRelease({"a": [section(text)]}, [span(text, "ibuprofen")]))
    assert found.verdicts == {USED: 1, LEFT: 1}
    assert found.answered["instruction"] == 1
    assert (found.informative, found.dismissed) == (2, 0)


def test_a_sentence_without_a_cue_is_not_informative():
    found = find_residue(FakeRelease({"a": [section("Warfarin is a white powder. It dissolves in water.")]}))
    assert (found.read, found.informative) == (2, 0)


@pytest.mark.parametrize(
    ("text", "key", "kind"),
    [
        ("Take 5 mg at night.", "dosage_and_administration", "dose"),
        ("Warfarin is contraindicated in hens.", "contraindications", "contraindication"),
        ("Warfarin is indicated for the prevention of clots.", "indications_and_usage", "indication"),
        ("Pregnant women should not take it.", "pregnancy", "population"),
        ("Digoxin may increase its effect.", "drug_interactions", "partner"),
        ("Reduce the dose slowly.", "warnings", "instruction"),
        ("WARNING: RISK OF LOST FEATHERS", "boxed_warning", "hazard"),
        ("Warfarin can cause loss of feathers.", "boxed_warning", "hazard"),
        ("Do not use if you keep hens", "warnings", "consumer"),
        ("Ask a doctor before use if you have hens", "ask_doctor", "consumer"),
    ],
)
def test_each_cue_shows_its_kind_of_sentence(text, key, kind):
    found = find_residue(FakeRelease({"a": [section(text, key)]}))
    assert found.kinds[kind][LEFT] == 1


def test_a_boxs_hazard_is_answered_by_a_boxed_warning_and_no_other_claim():
    text = "Warfarin can cause loss of feathers."
    for predicate, answered in (("has_boxed_warning", 1), ("population_advice", 0)):
        found = find_residue(FakeRelease({"a": [section(text, "boxed_warning")]}, [span(text, "feathers", predicate, key="boxed_warning")]))
        assert (found.verdicts, found.answered["hazard"]) == ({USED: 1}, answered)


def test_the_products_own_name_is_no_partner():
    assert verdicts("Warfarin may increase the risk of falls.") == {}


def test_sections_that_proposers_do_not_read_are_left_out():
    assert verdicts("Avoid ibuprofen.", "how_supplied") == {}
    assert verdicts("Take 5 mg at night.", "clinical_pharmacology") == {}
    assert verdicts("Pregnant women may clear it.", "clinical_pharmacology") == {}
    assert verdicts("Avoid ibuprofen.", "clinical_pharmacology") == {LEFT: 1}


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("Doses of 5 mg/kg harmed rats.", "use_in_specific_populations", "animal"),
        ("In a clinical trial 5 mg was given.", "dosage_and_administration", "trial"),
        ("Colitis led to discontinuation of the drug in 3 % of those who took it.", "warnings", "counts"),
        ("Dilute 5 mL of the vial before use.", "dosage_and_administration", "preparation"),
        ("Advise patients to avoid ibuprofen.", "warnings", "counselling"),
        ("Treat an overdose of 50 mg at once.", "boxed_warning", "overdose"),
        ("See full prescribing information to reduce the dose.", "boxed_warning", "cross-reference"),
        ("If a rash occurs, discontinue the drug.", "warnings", "reaction-management"),
        ("Table 2: Reduction of the dose in winter", "dosage_and_administration", HEADING),
        ("A 5 mg dose gives steady-state levels.", "dosage_and_administration", "pharmacokinetics"),
        ("Levels rose 2 hours after the last dose.", "clinical_pharmacology", "description"),
        ("Drowsiness was seen more often with the higher dose and within 4 hours after dosing.", "warnings", "study-figures"),
        ("A lower dose gives a higher peak concentration 3 hours after dosing.", "warnings", "exposure"),
        ("Dose modifications for response are provided in Table 3.", "dosage_and_administration", "table-reference"),
        ("A registry follows pregnant women; the pregnancy registry may be called at no charge.", "use_in_specific_populations", "registry"),
        ("Those who fell asleep must not drive.", "warnings", "activities"),
        ("Liver disease may occur later and is usually reversible.", "warnings", "course"),
        ("When using this product do not exceed 5 mg", "warnings", "during-use"),
        ("Stop use and ask a doctor if you must not sleep", "stop_use", "during-use"),
    ],
)
def test_what_makes_no_claim_is_dismissed_with_its_reason(text, key, reason):
    assert verdicts(text, key) == {reason: 1}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("In clinical trials patients were monitored; avoid ibuprofen.", "drug_interactions"),
        ("The vial is contraindicated in hens.", "contraindications"),
        ("If a rash occurs, discontinue the 5 mg dose.", "boxed_warning"),
        ("If a rash occurs, discontinue the drug.", "dosage_and_administration"),
        ("Dilute the vial and give 5 mg twice daily.", "dosage_and_administration"),
        ("Chewable tablets are indicated for the treatment of gout.", "indications_and_usage"),
        ("Advise pregnant women of the risk to a fetus.", "pregnancy"),
        ("Levels rise in winter and the dose should be reduced.", "clinical_pharmacology"),
        ("Drowsiness was seen more often with the higher dose; reduce the dose.", "warnings"),
        ("Clearance of warfarin was 70 % lower with ibuprofen, which may increase its effect.", "drug_interactions"),
        ("Elderly patients clear it slowly and may be at risk from high plasma levels.", "use_in_specific_populations"),
        ("Reduce the dose to 5 mg as described in Table 2.", "dosage_and_administration"),
        ("Do not use if you keep hens keep out of reach of children", "warnings"),
        (f"Table 2: Doses {'of a long table ' * 12} Avoid ibuprofen.", "dosage_and_administration"),
    ],
)
def test_a_reason_gives_way_to_the_cues_it_must_not_hide(text, key):
    assert verdicts(text, key) == {LEFT: 1}


def test_highlights_repeat_the_full_text():
    assert verdicts("Avoid ibuprofen.", "highlights.drug_interactions", repeats="drug_interactions") == {HIGHLIGHTS: 1}


def test_the_same_words_in_another_field_count_once():
    text = "Avoid ibuprofen in winter when the roads are icy and the nights are long, long, long."
    sections = [section(text), section(f"5.1 Winter {text}", "warnings")]
    assert find_residue(FakeRelease({"a": sections})).verdicts == {LEFT: 1, REPEATS: 1}
    used = FakeRelease({"a": sections[::-1]}, [span(text, "ibuprofen")])
    assert find_residue(used).verdicts == {USED: 1, REPEATS: 1}


def test_what_speaks_only_of_partners_with_a_claim_is_restated():
    text = "Avoid ibuprofen."
    more = "Monitor those who take ibuprofen. Monitor those who take ibuprofen or digoxin."
    release = FakeRelease({"a": [section(text), section(more, "warnings")]}, [span(text, "Avoid ibuprofen.")])
    assert find_residue(release).verdicts == {USED: 1, RESTATED: 1, LEFT: 1}


def test_wordings_are_ranked_by_labels_and_shown_with_a_place():
    release = FakeRelease({"a": [section("Avoid ibuprofen."), section("Avoid digoxin. Monitor digoxin.", "warnings")], "b": [section("Avoid digoxin.")]})
    found = find_residue(release, sample=2)
    best = found.ranked(1)[0]
    assert (best.labels, best.sentences, best.shape) == (2, 3, "avoid <Ingredient>")
    assert best.examples[0].text == "Avoid ibuprofen."
    assert len(found.sample) == 2
    lines = list(residue_lines(found, top=5))
    assert any("warfarin, a drug_interactions[0:16]  Avoid ibuprofen." in line for line in lines)
    data = residue_data(found, top=5)
    assert data["left"] == found.verdicts[LEFT]
    assert data["wordings"][0]["examples"][0]["document"] == "a"


def test_kinds_and_labels_can_be_chosen():
    release = FakeRelease({"a": [section("Avoid ibuprofen. Pregnant women should not take it.", "warnings")], "b": [section("Avoid digoxin.")]})
    assert find_residue(release, labels=["b"]).labels == 1
    assert find_residue(release, kinds=["population"]).informative == 1


def test_labels_in_other_languages_are_counted_as_not_looked_at():
    found = find_residue(FakeRelease({"a": [section("Avoid ibuprofen.")]}, language="zh"))
    assert (found.labels, found.skipped, found.informative) == (0, 1, 0)
    assert "1 labels in other languages" in next(iter(residue_lines(found, top=1)))


def test_every_reason_says_why_and_yields_to_known_cues():
    book = residue_book()
    assert all(reason.why for reason in book.reasons)
    assert {cue for reason in book.reasons for cue in reason.yields_to} <= set(book.kinds)
    assert len({reason.id for reason in book.reasons}) == len(book.reasons)
    assert {section for part in (*book.cues, *book.reasons) for section in part.sections} <= set(book.read)


@pytest.mark.parametrize("piece", ["1,000", "1 mg ", "if ", "advise patients to ", "in a study of ", "there are no data ", "a ", " "])
def test_long_repeated_text_is_read_in_time(piece):
    text = piece * (100_000 // len(piece))
    began = time.process_time()
    verdicts(text, "dosage_and_administration")
    verdicts(text, "warnings")
    assert time.process_time() - began < 10


def test_a_built_release_is_read(small_release):
    found = find_residue(small_release)
    assert found.labels == 1
    assert found.verdicts[USED] >= 1
    assert found.verdicts[LEFT] >= 1
