"""A use that opens its sentence in words of the label's indications is what its dose is for, though no vocabulary has them."""

import pytest

from kb_builder.propose.dosage.naming import named_condition, widened_use
from kb_builder.propose.dosage.proposer import DosageProposer

USES = "ZOCOR is indicated for documented arrhythmias, such as sustained ventricular tachycardia (sustained VT), and for night terrors."


def use(label, text):
    made = label(f"2 DOSAGE AND ADMINISTRATION {text}", "dosage_and_administration", indications_and_usage=USES)
    (found,) = DosageProposer().propose(made.document, made.subject, made.lexicon)
    return found.entities[0].name if found.entities else found.claim.words


@pytest.mark.parametrize("name", ["sustained VT", "night terrors"])
def test_the_use_that_opens_a_sentence_is_the_use_of_its_dose(label, name):
    assert use(label, f"For {name} the recommended starting dose is 100 mg every 12 hours.") == name
    assert use(label, f"For the treatment of {name}, the usual dose is 100 mg every 12 hours.") == name


@pytest.mark.parametrize("name", ["sustained VTs", "most patients", "optimal results"])
def test_words_that_are_no_use_of_the_label_are_none(label, name):
    assert use(label, f"For {name} the recommended starting dose is 100 mg every 12 hours.") == "all patients"


@pytest.mark.parametrize(("words", "coded"), [("severe hypertension", True), ("seizure hypertension", False)])
def test_a_use_that_adds_another_disease_to_a_name_is_a_use_of_its_own(lexicon, words, coded):
    known = named_condition("hypertension", lexicon)
    found = widened_use(known, words, lexicon)
    assert found.words == words
    assert (found.id == known.id) is coded
