"""Effects, their opposites, and antidotes: few rows, each with the sentence a claim quotes."""

from __future__ import annotations

import pytest

from ontology.model.entities import EntityType
from ontology.model.errors import TerminologyError
from ontology.model.identifiers import EntityId
from ontology.terms import shipped
from ontology.terms.entries import EdgeRow
from ontology.terms.tables import Table, parse_table, read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
EDGES = list(TERMS.edge_rows())
TEXTS = {f.key: f.text for f in TERMS.files()}


def named(name: str, *kinds: EntityType) -> EntityId:
    (found,) = TERMS.lookup(name, kinds)
    return found


def drug(name: str) -> EntityId:
    return named(name, EntityType.INGREDIENT, EntityType.DRUG_CLASS)


def effect(name: str) -> EntityId:
    return named(name, EntityType.EFFECT)


def effects_of(name: str) -> set[EntityId]:
    """What a drug is known to do: by its own rows and those of its classes."""
    subjects = {drug(name), *TERMS.ancestors(drug(name))}
    return {e.object for e in EDGES if e.predicate == "has_effect" and e.subject in subjects}


OPPOSITES = {(e.subject, e.object) for e in EDGES if e.predicate == "opposes"}


def opposed(one: str, other: str) -> bool:
    return any((a, b) in OPPOSITES for a in effects_of(one) for b in effects_of(other))


def test_what_opposes_is_opposed() -> None:
    assert {(b, a) for a, b in OPPOSITES} == OPPOSITES
    assert all(a != b for a, b in OPPOSITES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("propranolol", "albuterol"),
        ("donepezil", "oxybutynin"),
        ("levodopa", "haloperidol"),
        ("naloxone", "morphine"),
        ("ibuprofen", "furosemide"),
        ("anastrozole", "estradiol"),
        ("prednisone", "metformin"),
        ("midodrine", "lisinopril"),
        ("tranexamic acid", "alteplase"),
        ("neostigmine", "rocuronium"),
        ("spironolactone", "hydrochlorothiazide"),
    ],
)
def test_drugs_that_work_against_each_other_are_found_through_their_effects(one: str, other: str) -> None:
    assert opposed(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("metoprolol", "lisinopril"), ("amoxicillin", "ibuprofen"), ("atorvastatin", "warfarin"), ("warfarin", "aspirin"), ("loratadine", "caffeine")],
)
def test_drugs_that_do_not_are_not(one: str, other: str) -> None:
    assert not opposed(one, other)


def test_effects_are_had_by_what_their_pharmacology_says() -> None:
    assert effect("respiratory depression effect") in effects_of("fentanyl")
    assert effect("QTc prolongation effect") in effects_of("amiodarone")
    assert effect("sedation") not in effects_of("loratadine")
    assert effect("bronchoconstriction") not in effects_of("metoprolol")
    assert effect("dopamine receptor blockade") not in effects_of("pimavanserin")


def antidote(one: str, other: str) -> EdgeRow | None:
    against = {drug(other), *TERMS.ancestors(drug(other))}
    return next((e for e in EDGES if e.predicate == "antidote_of" and e.subject == drug(one) and e.object in against), None)


@pytest.mark.parametrize(
    ("one", "other", "when"),
    [
        ("naloxone", "oxycodone", "as-needed"),
        ("flumazenil", "midazolam", "as-needed"),
        ("protamine", "enoxaparin", "any"),
        ("phytonadione", "warfarin", "as-needed"),
        ("idarucizumab", "dabigatran", "any"),
        ("andexanet alfa", "rivaroxaban", "any"),
        ("glucagon", "insulin glargine", "as-needed"),
        ("sugammadex", "rocuronium", "any"),
        ("neostigmine", "cisatracurium", "any"),
        ("acetylcysteine", "acetaminophen", "any"),
        ("leucovorin", "methotrexate", "any"),
        ("digoxin immune Fab", "digoxin", "any"),
        ("deferoxamine", "ferrous sulfate", "as-needed"),
        ("methylene blue", "dapsone", "as-needed"),
        ("glycopyrrolate", "neostigmine", "any"),
        ("methylnaltrexone", "morphine", "any"),
    ],
)
def test_antidotes_are_known_with_the_orders_that_are_meant(one: str, other: str, when: str) -> None:
    found = antidote(one, other)
    assert found is not None
    assert found.note == when
    said = TEXTS[found.file][found.start : found.end]
    assert said.endswith(".")
    assert one.split()[0].casefold() in said.casefold()


@pytest.mark.parametrize(
    ("one", "other"), [("naltrexone", "oxycodone"), ("sugammadex", "succinylcholine"), ("protamine", "warfarin"), ("leucovorin", "fluorouracil")]
)
def test_what_only_looks_like_an_antidote_is_none(one: str, other: str) -> None:
    assert antidote(one, other) is None


def test_an_antidote_row_says_which_orders_are_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_a_wrong_row(key: str) -> Table:
        table = read_table(key)
        return parse_table(key, table.text.replace("\tas-needed\t", "\tsometimes\t", 1)) if key == "antidotes" else table

    monkeypatch.setattr(shipped, "read_table", with_a_wrong_row)
    with pytest.raises(TerminologyError, match=r"antidotes\.tsv, line \d+: when 'sometimes'"):
        shipped.shipped_data.__wrapped__()
