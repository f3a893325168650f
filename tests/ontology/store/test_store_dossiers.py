"""What a dossier says, and that its stored form says the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from small_release import (
    AMOXICILLIN,
    ANTICOAGULANTS,
    APPROVAL,
    AUGMENTIN,
    BLEEDING,
    CEPHALOSPORINS,
    CLAVULANATE,
    IBUPROFEN,
    LABEL_A,
    LABEL_B,
    LABEL_C,
    NSAIDS,
    PENICILLINS,
    PLAIN_ROLE,
    PREGNANCY,
    ROLE,
    VKA,
    WARFARIN,
    edge,
    make_claim,
    make_claims,
)

from ontology.model.advice import Action, Advice
from ontology.model.claims import Basis, Claim, ClaimStatus, Polarity, Strength
from ontology.model.entities import Entity, EntityType
from ontology.model.errors import MissingParameter, ReleaseDamaged
from ontology.model.guards import Opaque, leaves
from ontology.model.identifiers import EntityId, mint
from ontology.store.check import check_release
from ontology.store.dossier_codec import decode_dossier, encode_dossier
from ontology.store.dossiers import TemplateRunner, build_dossier
from ontology.store.graph_ladybug import LadybugGraph
from ontology.store.records import Dossier
from ontology.store.release import Release
from ontology.store.templates import SUBJECT, TEMPLATES, Template, cypher_templates, for_many
from ontology.text.document import Document

GELATIN, SOY, LATEX = (mint("Allergen", "pharmgraph", name) for name in ("gelatin", "soy", "latex"))


def product_of(document: Document) -> EntityId:
    """The product that a label describes."""
    return mint("Drug", "setid", document.set_id)


def _dossier(release: Release, subject: object = WARFARIN) -> Dossier:
    found = release.dossier(subject)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_equal_claims_of_two_labels_are_one_rule_with_both_as_evidence(release: Release) -> None:
    rules = [r for r in _dossier(release).rules_of("contraindicated_in") if r.object == PREGNANCY]
    assert [[c.document for c in r.claims] for r in rules] in ([["label-a", "label-b"]], [["label-b", "label-a"]])
    for claim in rules[0].claims:
        assert claim.evidence[0].quote == "Do not give it in pregnancy."
        assert (claim.approval, claim.routes) == (APPROVAL, ("oral",))


def test_a_rule_carries_guard_payload_and_the_labels_words(release: Release) -> None:
    rule = next(r for r in _dossier(release).rules_of("interacts_with") if r.object == IBUPROFEN)
    assert rule.object_name == "ibuprofen"
    assert rule.words == "Ibuprofen"
    assert rule.strength is Strength.SHOULD
    assert any(isinstance(leaf, Opaque) for leaf in leaves(rule.guard))
    assert isinstance(rule.payload, Advice)
    assert rule.payload.strictest is Action.AVOID


def test_only_released_claims_are_in_a_dossier_and_conflicts_say_why(release: Release) -> None:
    dossier = _dossier(release)
    assert CLAVULANATE not in {r.object for r in dossier.rules}
    claims = [c for r in dossier.rules if r.object == BLEEDING for c in r.claims]
    assert [(c.status, c.reason) for c in claims] == [(ClaimStatus.CONFLICTED, "labels differ")]


@pytest.mark.parametrize("order", [1, -1])
def test_a_rule_takes_the_strongest_wording_and_the_firmest_basis(build: Callable[..., Path], order: int) -> None:
    first, second = [c for c in make_claims() if c.object == PREGNANCY][::order]
    claims = [replace(first, strength=Strength.CONSIDER, basis=Basis.REPORTED), replace(second, strength=Strength.SHOULD, basis=Basis.CLASS_MEMBER)]
    with Release.open(build(claims)) as release:
        rule = _dossier(release).rules_of("contraindicated_in")[0]
    assert (rule.strength, rule.basis, len(rule.claims)) == (Strength.SHOULD, Basis.REPORTED, 2)


@pytest.mark.parametrize("predicate", ["contraindicated_in", "interacts_with"])
@pytest.mark.parametrize("status", [ClaimStatus.HELD, ClaimStatus.REJECTED, ClaimStatus.RISK_SCORED])
def test_a_claim_that_is_not_released_is_no_rule(build: Callable[..., Path], predicate: str, status: ClaimStatus) -> None:
    claims = [replace(c, status=status, approval=None) if c.predicate == predicate else c for c in make_claims()]
    with Release.open(build(claims)) as release:
        dossier = _dossier(release)
        assert release.live_dossier(WARFARIN) == dossier
    assert dossier.rules_of(predicate) == ()
    assert dossier.rules


def test_label_sets_say_what_they_cover_and_which_sections_they_have(release: Release) -> None:
    labels = _dossier(release).labels
    assert [(label.document, label.effective) for label in labels] == [("label-a", date(2024, 5, 1)), ("label-b", date(2025, 1, 1))]
    assert labels[0].product_codes == {"ndc:label-a-01"}
    assert dict(labels[0].sections) == {"contraindications": "text", "drug_interactions": "text", "pregnancy": "empty"}
    undated = _dossier(release, AUGMENTIN).labels[0]
    assert (undated.effective, undated.version.startswith("unversioned:")) == (None, True)


def _with_excipients() -> list[Claim]:
    """The small release and what the products of its labels contain."""
    stated = [(LABEL_A, "pregnancy"), (LABEL_B, "pregnancy"), (LABEL_B, "pathological bleeding"), (LABEL_C, "one tablet")]
    made = [
        make_claim(document, "description" if document is LABEL_C else "contraindications", quote, "has_excipient", product_of(document), GELATIN if quote != "pathological bleeding" else SOY)
        for document, quote in stated
    ]  # fmt: skip
    return [
        *make_claims(),
        *made,
        replace(made[2], object=LATEX, polarity=Polarity.NEGATIVE),
        replace(made[0], object=LATEX, status=ClaimStatus.HELD, approval=None),
    ]


def test_what_the_products_of_its_labels_contain_is_one_rule_an_excipient_that_speaks_for_those_labels(build: Callable[..., Path]) -> None:
    entities = [Entity(e, EntityType(e.type), e.code) for e in (GELATIN, SOY, LATEX, *(product_of(d) for d in (LABEL_A, LABEL_B, LABEL_C)))]
    with Release.open(build(_with_excipients(), entities)) as release:
        found = _dossier(release).rules_of("has_excipient")
        assert [(r.subject, r.object, sorted((c.document, c.evidence[0].quote) for c in r.claims)) for r in found] == [
            (WARFARIN, GELATIN, [("label-a", "pregnancy"), ("label-b", "pregnancy")]),
            (WARFARIN, SOY, [("label-b", "pathological bleeding")]),
        ]
        assert [r.object for r in _dossier(release, AUGMENTIN).rules_of("has_excipient")] == [GELATIN]
        assert _dossier(release, AMOXICILLIN).rules_of("has_excipient") == ()
        assert release.live_dossier(WARFARIN) == _dossier(release)


def test_the_closure_reaches_classes_roles_and_cross_reactions_with_the_claims_on_the_way(release: Release) -> None:
    ids = {(c.predicate, c.subject, c.object): c.id for c in make_claims()}
    belongs, above = ids["belongs_to", WARFARIN, VKA], ids["subclass_of", VKA, ANTICOAGULANTS]
    role, plain = ids["has_role", WARFARIN, ROLE], ids["is_a", ROLE, PLAIN_ROLE]
    rows = {(row.relation, row.target): row.path for row in _dossier(release).closure}
    assert rows == {("class", VKA): (belongs,), ("class", ANTICOAGULANTS): (belongs, above), ("role", ROLE): (role,), ("role", PLAIN_ROLE): (role, plain)}
    crossing = {(row.relation, row.target, row.target_name) for row in _dossier(release, AMOXICILLIN).closure}
    assert crossing == {("class", PENICILLINS, "penicillins"), ("cross-reacts", CEPHALOSPORINS, "cephalosporins")}


def test_a_combination_reaches_through_its_ingredients(release: Release) -> None:
    dossier = _dossier(release, AUGMENTIN)
    assert dossier.ingredients == (AMOXICILLIN, CLAVULANATE)
    assert {(row.relation, row.target, len(row.path)) for row in dossier.closure} == {
        ("ingredient", AMOXICILLIN, 1),
        ("ingredient", CLAVULANATE, 1),
        ("class", PENICILLINS, 2),
        ("cross-reacts", CEPHALOSPORINS, 3),
    }


@pytest.mark.parametrize("change", [{"polarity": Polarity.NEGATIVE}, {"guard": Opaque("in some patients")}, {"status": ClaimStatus.HELD, "approval": None}])
def test_an_edge_that_is_denied_restricted_or_held_carries_no_path(build: Callable[..., Path], change: dict[str, object]) -> None:
    claims = [replace(c, **change) if c.predicate == "belongs_to" and c.subject == WARFARIN else c for c in make_claims()]  # type: ignore[arg-type]
    with Release.open(build(claims)) as release:
        assert {row.relation for row in _dossier(release).closure} == {"role"}


@pytest.mark.parametrize(("predicate", "subject", "object_"), [("interacts_with", WARFARIN, NSAIDS), ("has_role", WARFARIN, ROLE)])
def test_a_denied_claim_is_no_edge_but_a_rule_that_says_so(build: Callable[..., Path], predicate: str, subject: EntityId, object_: EntityId) -> None:
    claims = [replace(c, polarity=Polarity.NEGATIVE) if (c.predicate, c.subject, c.object) == (predicate, subject, object_) else c for c in make_claims()]
    folder = build(claims)
    graph = LadybugGraph(next(folder.glob("*.lbug")))
    assert check_release(folder, graph=graph) == []
    graph.open()
    edges = graph.run("MATCH (a)-[r]->(b) RETURN label(r) AS type, a.code AS source, b.code AS target", {})
    graph.close()
    assert edges
    assert {"type": predicate.upper(), "source": str(subject), "target": str(object_)} not in edges
    with Release.open(folder) as release:
        rules = [r for r in _dossier(release, subject).rules if (r.predicate, r.object) == (predicate, object_)]
        assert [r.polarity for r in rules] == [Polarity.NEGATIVE]
        assert release.manifest["counts"]["edges"] == len(edges)


def test_parallel_edges_give_one_path_the_smallest(build: Callable[..., Path]) -> None:
    twin = edge("VKA\tanticoagulants", "belongs_to", WARFARIN, VKA)
    other = replace(twin, evidence=(next(c for c in make_claims() if c.document == "label-a").evidence[0],))
    assert other.id != twin.id
    with Release.open(build([*make_claims(), other])) as release:
        path = next(row.path for row in _dossier(release).closure if row.target == VKA)
    original = next(c.id for c in make_claims() if c.predicate == "belongs_to" and c.subject == WARFARIN)
    assert path == (min(original, other.id),)


def test_a_dossier_names_its_templates(release: Release) -> None:
    stored = dict(_dossier(release).templates)
    assert {k: v for k, v in (t.key for t in TEMPLATES) if not k.endswith(("/Drug@1", "/Herb@1"))} == stored


def test_dossiers_of_one_type_of_subject_keep_one_list_of_templates(release: Release) -> None:
    assert _dossier(release, WARFARIN).templates is _dossier(release, IBUPROFEN).templates
    assert _dossier(release, WARFARIN).templates != _dossier(release, AUGMENTIN).templates


def test_stored_and_live_dossiers_are_equal_for_every_subject(release_folder: Path) -> None:
    with Release.open(release_folder) as stored, Release.open(release_folder, live=True) as live:
        for subject in stored.subjects():
            assert stored.dossier(subject) == live.dossier(subject)
        assert live.dossier(NSAIDS) is None


def test_live_asks_the_graph_each_time(release_folder: Path) -> None:
    class Empty:
        asked = 0

        def open(self) -> None: ...
        def load(self, vertices: object, edges: object) -> None: ...
        def close(self) -> None: ...
        def run(self, query: str, parameters: object) -> list[dict[str, str | int | bool | None]]:
            self.asked += 1
            return []

    graph = Empty()
    with Release.open(release_folder, live=True, graph=graph) as release:
        dossier = _dossier(release)
        once = graph.asked
        release.dossier(WARFARIN)
    assert graph.asked == 2 * once > 0
    assert (dossier.closure, dossier.rules_of("interacts_with")) == ((), ())
    assert dossier.rules_of("contraindicated_in")


def test_subjects_asked_together_get_the_dossiers_they_get_alone_by_one_query_a_template(release: Release) -> None:
    class Counting:
        asked = 0

        def open(self) -> None: ...
        def load(self, vertices: object, edges: object) -> None: ...
        def close(self) -> None: ...
        def run(self, query: str, parameters: Mapping[str, object]) -> list[dict[str, str | int | bool | None]]:
            self.asked += 1
            return release.graph.run(query, parameters)

    graph = Counting()
    subjects = list(release.subjects())
    runner = TemplateRunner(release._connections.connection, graph).together(subjects)
    assert [build_dossier(s, runner) for s in subjects] == [release.live_dossier(s) for s in subjects]
    assert {s.type for s in subjects} == {"Drug", "Ingredient"}
    assert graph.asked == len(cypher_templates("Drug")) + len(cypher_templates("Ingredient")) == 21


def test_a_runner_that_asked_of_some_subjects_does_not_answer_for_others(release: Release) -> None:
    runner = release._runner.together([AMOXICILLIN])
    assert build_dossier(AMOXICILLIN, runner) is not None
    with pytest.raises(KeyError):
        build_dossier(WARFARIN, runner)


def test_a_query_is_asked_of_many_only_when_it_starts_at_one_subject() -> None:
    for text in ("MATCH (a:Drug)-[r:IS_A]->(b) RETURN DISTINCT r.claim AS claim", "MATCH (a:Drug {code:$code}) RETURN a.code AS code"):
        with pytest.raises(ValueError, match="does not start at one subject"):
            for_many(Template("cypher/odd/Drug@1", text))


def test_encoding_is_exact_both_ways(release: Release) -> None:
    for subject in release.subjects():
        dossier = release.live_dossier(subject)
        assert dossier is not None
        assert decode_dossier(encode_dossier(dossier)) == dossier
        assert encode_dossier(decode_dossier(encode_dossier(dossier))) == encode_dossier(dossier)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"format":0}', b'{"format":1,"subject":"x"}'])
def test_bytes_that_are_no_dossier_are_damage(body: bytes) -> None:
    with pytest.raises(ReleaseDamaged, match="build the release again"):
        decode_dossier(body)


def test_a_dossier_of_another_format_is_damage(release: Release) -> None:
    body = encode_dossier(_dossier(release)).replace(b'"format":1', b'"format":2')
    with pytest.raises(ReleaseDamaged, match="dossier format 2, this version reads 1"):
        decode_dossier(body)


def test_a_span_that_breaks_its_own_rule_is_damage(release: Release) -> None:
    body = encode_dossier(_dossier(release)).replace(b"Do not give it in pregnancy.", b"Do not give it.")
    with pytest.raises(ReleaseDamaged, match="code points"):
        decode_dossier(body)


def test_a_template_without_its_parameter_is_an_error(release: Release) -> None:
    with pytest.raises(MissingParameter, match="sql/subject"):
        release._runner.sql(SUBJECT)
