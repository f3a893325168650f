"""A section of the Highlights fills in what the full text lacks and repeats nothing of what it says."""

from dataclasses import replace

from ontology.text.document import Section


def with_highlights(made, key: str, text: str):
    return replace(made, document=replace(made.document, sections=(*made.document.sections, Section(f"highlights.{key}", text, repeats=key))))


def test_what_only_the_highlights_say_is_read_as_of_their_section(label):
    made = label("4 CONTRAINDICATIONS Anuria.", "contraindications")
    read = with_highlights(made, "contraindications", "Anuria\n\nHyperkalemia")
    assert read.said("contraindicated_in") == {("anuria", "contraindicated"), ("hyperkalemia", "contraindicated")}
    assert read.claim("hyperkalemia").evidence[0].section == "highlights.contraindications"
    assert read.claim("anuria").evidence[0].section == "contraindications"


def test_an_abbreviated_repetition_never_takes_the_condition_off(label):
    made = label("7 DRUG INTERACTIONS In patients with renal impairment, avoid concomitant use of ZOCOR with colchicine.")
    full = made.claim("colchicine")
    read = with_highlights(made, "drug_interactions", "Colchicine: avoid concomitant use")
    assert full.guard is not None
    assert read.claim("colchicine") == full


def test_highlights_of_a_section_that_is_not_read_say_nothing(label):
    made = label("7 DRUG INTERACTIONS Avoid concomitant use of ZOCOR with colchicine.")
    assert with_highlights(made, "adverse_reactions", "Avoid digoxin with ZOCOR.").said() == made.said()
