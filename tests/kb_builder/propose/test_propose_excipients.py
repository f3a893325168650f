"""Excipients: what a product contains, what it says it does not, and what other products contain."""

from __future__ import annotations

import pytest

from kb_builder.propose.composition.excipients import ExcipientProposer, find_excipients
from kb_builder.propose.protocol import Proposal


def proposals(made) -> list[Proposal]:
    return list(ExcipientProposer().propose(made.document, made.subject, made.lexicon))


def contained(label, text: str, key: str = "description", **more) -> list[str]:
    return [p.claim.words for p in proposals(label(text, key, **more)) if p.claim.predicate == "has_excipient"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Each tablet contains the following inactive ingredients: lactose monohydrate, talc.", ["lactose monohydrate"]),
        ("Inactive ingredients: gelatin and FD&C Yellow No. 5.", ["gelatin", "FD&C Yellow No. 5"]),
        ("The tablets are gluten-free. The vial does not contain sodium metabisulfite.", []),
        ("The drug is freely soluble in benzyl alcohol.", []),
        ("It comes as hard gelatin capsules.", ["gelatin"]),
        ("It is not mixed with gelatin.", []),
    ],
)
def test_ingredient_lists_of_a_description(label, text, expected):
    assert sorted(contained(label, text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR contains sodium metabisulfite, which may cause allergic-type reactions.", ["sodium metabisulfite"]),
        ("Avoid other products containing benzyl alcohol in newborns.", []),
        ("Benzyl alcohol has been associated with gasping syndrome.", []),
        ("Reactions have been seen with preservatives such as benzyl alcohol.", []),
        ("Patients with lactose intolerance should be observed.", []),
        ("Not for patients with hypersensitivity to simvastatin, polysorbate 80 or to any other component.", ["polysorbate 80"]),
        ("Do not give it to patients allergic to simvastatin or other drugs formulated in polyoxyl 35 castor oil.", ["polyoxyl 35 castor oil"]),
        ("Patients allergic to peanut oil were not studied.", []),
        ("Benzyl alcohol is in some products, or any other component.", []),
    ],
)
def test_a_warning_must_say_that_the_product_contains_it(label, text, expected):
    assert contained(label, text, "warnings") == expected


def test_the_metadata_is_a_list_throughout(label):
    assert contained(label, "Zocor simvastatin TALC LACTOSE MONOHYDRATE POLYSORBATE 80", "spl_product_data_elements") == [
        "LACTOSE MONOHYDRATE",
        "POLYSORBATE 80",
    ]


def test_the_subject_is_the_product_and_each_excipient_is_told_once(label):
    made = label("Contains lactose. Also contains lactose.", "description")
    (claim,) = (p.claim for p in proposals(made) if p.claim.predicate == "has_excipient")
    assert (claim.subject.type, claim.subject.code) == ("Drug", made.document.set_id)


def test_places_are_those_of_the_words():
    text = "Each vial contains egg phospholipids and soybean oil."
    assert [(text[s:e], name) for s, e, name in find_excipients(text, listed=False)] == [("egg phospholipids", "egg"), ("soybean oil", "soy")]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("5.1 Falls Be careful. 5.2 Sulfites ZOCOR contains sodium sulfite, which may cause asthma. Then go on.", "5.2 Sulfites ZOCOR contains sodium sulfite, which may cause asthma."),
        ("It contains gelatin [see Contraindications (4) ] . 5.3 Falls Be careful.", "It contains gelatin [see Contraindications (4) ] ."),
        ("It contains gelatin; " + "and so on " * 50, "gelatin"),
    ],
)  # fmt: skip
def test_a_warning_is_quoted_as_its_sentence_unless_it_is_too_long_to_read(label, text, quoted):
    (claim,) = (p.claim for p in proposals(label(text, "warnings")))
    assert (claim.statement.quote, claim.words) == (quoted, "sodium sulfite" if "sulfite" in quoted else "gelatin")


def test_a_warning_goes_before_a_list(label):
    made = label("It contains gelatin, which may cause allergic reactions.", "warnings", inactive_ingredient="talc, gelatin")
    (claim,) = (p.claim for p in proposals(made))
    assert claim.statement.section == "warnings"
