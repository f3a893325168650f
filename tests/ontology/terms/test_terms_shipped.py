from collections import Counter

import pytest

from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.model.predicates import PREDICATES
from ontology.terms.concepts import names_of
from ontology.terms.drug_text import BY_WORDS
from ontology.terms.phrases import phrase_key
from ontology.terms.shipped import shipped_data
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
STATED = ("effect_edges", "antidotes", "incompatibilities")


def entity(name: str, kind: EntityType) -> EntityId:
    found = TERMS.lookup(name, (kind,))
    assert len(found) == 1, (name, found)
    return found[0]


def test_every_edge_joins_known_entities_that_the_registry_allows() -> None:
    for edge in TERMS.edge_rows():
        spec = PREDICATES[edge.predicate]
        subject, object_ = TERMS.entity(edge.subject), TERMS.entity(edge.object)
        assert subject is not None, edge
        assert object_ is not None, edge
        assert subject.type in spec.domain, edge
        assert object_.type in spec.range, edge


def test_every_edge_is_anchored_in_the_row_that_names_it() -> None:
    files = {f.key: f for f in TERMS.files()}
    for edge in TERMS.edge_rows():
        row = files[edge.file].text[edge.start : edge.end]
        assert "\n" not in row
        if edge.file in STATED:
            assert "\t" not in row
            assert edge.file == "antidotes" or TERMS.name(edge.object).casefold() in row.casefold(), row
            assert TERMS.name(edge.subject).split()[0].casefold() in row.casefold(), row
            continue
        assert "\t" in row
        assert row.split("\t")[0] in {TERMS.name(edge.subject), edge.subject.code, TERMS.name(edge.object), f"class:{edge.subject.code}"} or edge.file in {
            "cross_reactivity",
            "effects",
            "enzyme_roles",
        }
    assert all(f.source and f.version and f.title for f in files.values())


def test_edges_are_stated_once() -> None:
    counts = Counter((e.predicate, e.subject, e.object) for e in TERMS.edge_rows())
    assert [k for k, n in counts.items() if n > 1] == []


def test_codes_are_unique_by_type() -> None:
    counts = Counter((e.id.type, c) for e in TERMS.entities() for c in e.codes)
    assert [k for k, n in counts.items() if n > 1] == []


def test_no_hierarchy_runs_in_a_circle() -> None:
    assert [e.id for e in TERMS.entities() if e.id in TERMS.ancestors(e.id)] == []


@pytest.mark.parametrize("kind", list(EntityType))
def test_a_name_denotes_one_thing_of_a_kind(kind: EntityType) -> None:
    by_name = Counter(name for name, _ in TERMS.mention_names((kind,)))
    assert [n for n, count in by_name.items() if count > 1] == []


@pytest.mark.parametrize(
    "group", ["nonsteroidal anti-inflammatory drugs", "MAO inhibitors", "HIV protease inhibitors", "QT-prolonging drugs", "oral contraceptives"]
)
def test_groups_that_labels_name_are_known_in_singular_and_plural(group: str) -> None:
    one = entity(group, EntityType.DRUG_CLASS)
    assert TERMS.lookup(group.removesuffix("s"), (EntityType.DRUG_CLASS,)) == (one,)


def test_no_drug_name_is_a_number_or_a_word_of_orders() -> None:
    by_words = {phrase_key(w.text) for w in shipped_data().words if w.table in BY_WORDS}
    names = [*(text for e in TERMS.entities() if e.id.type == EntityType.INGREDIENT for text in names_of(e)), *(b.name for b in shipped_data().brands)]
    assert [n for n in names if phrase_key(n) in by_words or not any(t.isalpha() for t in phrase_key(n))] == []


def test_drugs_agents_and_medicines_of_a_group_are_the_group() -> None:
    groups = {TERMS.lookup(f"serotonergic {head}", (EntityType.DRUG_CLASS,)) for head in ("drugs", "agent", "medicines", "medications")}
    assert groups == {(entity("serotonergic drugs", EntityType.DRUG_CLASS),)}
    assert TERMS.lookup("serotonergic substances", (EntityType.DRUG_CLASS,)) == ()


def test_enough_is_shipped() -> None:
    kinds = Counter(e.id.type for e in TERMS.entities())
    assert kinds["Ingredient"] >= 250
    assert kinds["Condition"] >= 150
    assert len(shipped_data().brands) >= 300


def test_classes_named_by_metadata_join_the_hand_kept_ones() -> None:
    assert TERMS.class_of("Nonsteroidal Anti-inflammatory Drug [EPC]") == entity("NSAIDs", EntityType.DRUG_CLASS)
    assert TERMS.class_of("Cytochrome P450 3A4 Inhibitors [MoA]") == entity("CYP3A4 inhibitors", EntityType.ENZYME_ROLE)
    assert TERMS.class_of("No Such Class [EPC]") is None


def test_levels_of_a_role_are_kinds_of_the_plain_role() -> None:
    plain = entity("CYP3A inhibitor", EntityType.ENZYME_ROLE)
    for phrase in ("strong CYP3A4 inhibitors", "potent inhibitors of CYP3A4", "moderate CYP3A inhibitors", "weak CYP3A4 inhibitor"):
        level = entity(phrase, EntityType.ENZYME_ROLE)
        assert level != plain
        assert plain in TERMS.ancestors(level)


def test_members_have_roles_on_their_own_rows_only() -> None:
    roles = {(e.subject, e.object) for e in TERMS.edge_rows() if e.predicate == "has_role"}
    strong = entity("strong CYP3A4 inhibitor", EntityType.ENZYME_ROLE)
    assert (entity("clarithromycin", EntityType.INGREDIENT), strong) in roles
    assert not any((entity("azithromycin", EntityType.INGREDIENT), r) in roles for r in (strong, entity("CYP3A4 inhibitor", EntityType.ENZYME_ROLE)))


def test_running_text_is_not_scanned_for_words_of_the_language() -> None:
    scanned = {name for name, _ in TERMS.mention_names()}
    assert not scanned & {"ten", "all", "salt", "delivery", "cap", "same", "k", "白及"}
    assert {"warfarin", "coumadin", "vytorin", "nsaids", "nsaid", "华法林", "monoamine oxidase inhibitors"} <= scanned


def test_a_class_name_never_shadows_an_ingredient() -> None:
    found = {entity.type for name, entity in TERMS.mention_names() if name == "tetracycline"}
    assert found == {EntityType.INGREDIENT}


def test_oct2_and_mate_are_two_transporters_with_roles_of_their_own() -> None:
    oct2 = entity("OCT2 inhibitor", EntityType.ENZYME_ROLE)
    mate = {entity(name, EntityType.ENZYME_ROLE) for name in ("MATE inhibitor", "MATE1 inhibitor", "inhibitors of MATE2-K")}
    assert len(mate) == 1
    assert oct2 not in mate
    roles = {(e.subject, e.object) for e in TERMS.edge_rows() if e.predicate == "has_role"}
    assert {(entity("dolutegravir", EntityType.INGREDIENT), role) for role in (oct2, *mate)} <= roles
