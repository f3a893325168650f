"""A release appears whole or not at all, and what comes twice is merged the same way every time."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_release import (
    INTERACTIONS,
    LABEL_A,
    LABEL_B,
    LABEL_SECTIONS,
    NSAIDS,
    WARFARIN,
    fill,
    make_claims,
    make_document,
    make_entities,
)

from ontology.model.claims import Claim, ClaimStatus
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.errors import StoreError
from ontology.model.identifiers import Code, mint
from ontology.store import writer as writer_module
from ontology.store.check import check_release
from ontology.store.release import Release
from ontology.store.writer import ReleaseWriter
from ontology.text.document import ProductInfo, Section

INTERACTION = next(c for c in make_claims() if c.document == "label-a" and c.object == NSAIDS)

CONTRAINDICATION = next(c for c in make_claims() if c.document == "label-a" and c.predicate == "contraindicated_in")


def _left(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_nothing_is_seen_before_the_release_is_whole(tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "out") as writer:
        fill(writer)
        assert not (tmp_path / "out").exists()
        writer.finish({})
    assert _left(tmp_path) == ["out"]


def _interrupted(target: Path) -> None:
    with ReleaseWriter(target) as writer:
        fill(writer)
        raise KeyboardInterrupt


@pytest.mark.parametrize("how", ["abandon", "leave", "raise"])
def test_an_unfinished_release_leaves_nothing(tmp_path: Path, how: str) -> None:
    if how == "abandon":
        writer = ReleaseWriter(tmp_path / "out")
        fill(writer)
        writer.abandon()
        writer.abandon()
    elif how == "leave":
        with ReleaseWriter(tmp_path / "out") as writer:
            fill(writer)
    else:
        with pytest.raises(KeyboardInterrupt):
            _interrupted(tmp_path / "out")
    assert _left(tmp_path) == []


def test_a_finished_or_abandoned_writer_takes_nothing_more(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    fill(writer)
    writer.finish({})
    writer.abandon()
    with pytest.raises(StoreError, match="finished or abandoned"):
        writer.add_claims(make_claims())
    assert check_release(tmp_path / "out") == []


def test_an_existing_target_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("x")
    with pytest.raises(StoreError, match="exists"):
        ReleaseWriter(tmp_path / "out")
    assert _left(tmp_path / "out") == ["precious"]
    assert _left(tmp_path) == ["out"]


def test_a_target_that_appears_meanwhile_is_refused(tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "out") as writer:
        fill(writer)
        (tmp_path / "out").mkdir()
        with pytest.raises(StoreError, match="appeared"):
            writer.finish({})
    assert _left(tmp_path) == ["out"]
    assert _left(tmp_path / "out") == []


def test_a_replaced_release_is_whole_and_the_old_one_gone(tmp_path: Path) -> None:
    for claims in (make_claims()[:-1], make_claims()):
        with ReleaseWriter(tmp_path / "out", replace=True) as writer:
            fill(writer, claims=claims)
            writer.finish({})
    assert _left(tmp_path) == ["out"]
    with Release.open(tmp_path / "out") as release:
        assert release.manifest["counts"]["claims"] == len(make_claims())


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="file/out"):
        ReleaseWriter(tmp_path / "file" / "out")


def test_a_full_disk_is_told_with_the_path_and_leaves_nothing(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    with writer._engine.begin() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 60")
    big = make_document("big", date(2024, 1, 1), {"warnings": "x" * 1_000_000})
    with pytest.raises(StoreError, match=r"out: .*full; make room"):
        writer.add_document(big)
    assert _left(tmp_path) == []


def test_a_disk_that_fills_while_finishing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer_module, "write_manifest", full)
    writer = ReleaseWriter(tmp_path / "out")
    fill(writer)
    with pytest.raises(StoreError, match=r"out: .*No space left on device; make room"):
        writer.finish({})
    assert _left(tmp_path) == []


def test_a_file_size_limit_met_while_the_graph_is_written_leaves_nothing(tmp_path: Path) -> None:
    script = """
        import resource, signal, sys
        from pathlib import Path
        sys.path.insert(0, sys.argv[2])
        from small_release import fill
        from ontology.model.errors import StoreError
        from ontology.store.writer import ReleaseWriter
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        writer = ReleaseWriter(Path(sys.argv[1]))
        fill(writer)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        try:
            writer.finish({})
        except StoreError as e:
            print("told:", e)
    """
    run = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "out"), str(Path(__file__).parent)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("told: cannot write the"), done.stderr
    assert _left(tmp_path) == []


def test_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    script = """
        import signal, sys, time
        from pathlib import Path
        sys.path.insert(0, sys.argv[2])
        from small_release import fill
        from ontology.store.writer import ReleaseWriter
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background jobs with it ignored
        with ReleaseWriter(Path(sys.argv[1])) as writer:
            fill(writer)
            print("ready", flush=True)
            time.sleep(60)
    """
    run = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "out"), str(Path(__file__).parent)]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    assert len(_left(tmp_path)) == 1
    os.kill(process.pid, signal.SIGINT)
    process.wait(timeout=30)
    process.stdout.close()
    assert _left(tmp_path) == []


def test_a_document_added_twice_is_refused_by_name(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    writer.add_document(LABEL_A)
    with pytest.raises(StoreError, match="label-a version 3"):
        writer.add_document(LABEL_A)
    assert _left(tmp_path) == []


@pytest.mark.parametrize("claim", [INTERACTION, CONTRAINDICATION], ids=["in the graph", "beside it"])
@pytest.mark.parametrize("member", ["subject", "object"])
def test_a_released_claim_without_its_entities_is_refused_by_name(tmp_path: Path, claim: Claim, member: str) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    fill(writer)
    known = claim.subject if member == "subject" else claim.object
    stray = replace(claim, **{member: mint(known.type, "pharmgraph", "nowhere")})
    writer.add_claims([stray])
    with pytest.raises(StoreError, match=rf"never added: {stray.id} .*nowhere"):
        writer.finish({})
    assert _left(tmp_path) == []


def test_a_held_claim_may_name_what_is_not_there_yet(tmp_path: Path) -> None:
    stray = replace(INTERACTION, object=mint("DrugClass", "pharmgraph", "nowhere"), status=ClaimStatus.HELD, approval=None)
    with ReleaseWriter(tmp_path / "out") as writer:
        fill(writer)
        writer.add_claims([stray])
        writer.finish({})
    assert check_release(tmp_path / "out") == []


def test_a_label_of_an_unknown_drug_is_refused_by_name(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    fill(writer)
    stranger = mint("Ingredient", "rxnorm", "999")
    writer.add_label_set(LABEL_A, stranger, (stranger,))
    with pytest.raises(StoreError, match=str(stranger)):
        writer.finish({})


def _merged(folder: Path, *parts: list[Claim]) -> Claim:
    with ReleaseWriter(folder) as writer:
        newer = make_document("label-a", date(2025, 6, 1), {**LABEL_SECTIONS, "warnings": INTERACTIONS})
        for document in (LABEL_A, replace(newer, version=replace(newer.version, number="4"))):
            writer.add_document(document)
        writer.add_entities(make_entities())
        for part in parts:
            writer.add_claims(part)
        writer.finish({})
    assert check_release(folder) == []
    with Release.open(folder) as release:
        return next(release.claims())


SECOND_PLACE = replace(INTERACTION, evidence=(replace(INTERACTION.evidence[0], section="warnings", version="4"),))


@pytest.mark.parametrize("together", [True, False])
def test_a_claim_found_twice_in_one_version_keeps_both_spans_once(tmp_path: Path, together: bool) -> None:
    again = replace(INTERACTION, evidence=(*INTERACTION.evidence, replace(INTERACTION.evidence[0], start=0, end=19, quote=INTERACTIONS[:19])))
    assert again.id == INTERACTION.id
    parts = [[INTERACTION, again]] if together else [[INTERACTION], [again]]
    assert _merged(tmp_path / "out", *parts).evidence == again.evidence


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("together", [True, False])
def test_a_rejected_twin_adds_no_span_and_takes_no_place(tmp_path: Path, order: int, together: bool) -> None:
    rejected = replace(SECOND_PLACE, status=ClaimStatus.REJECTED, approval=None, reason="not in the quote")
    claims = [INTERACTION, rejected][::order]
    assert _merged(tmp_path / "out", *([claims] if together else [[c] for c in claims])) == INTERACTION


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("together", [True, False])
def test_of_two_versions_the_newer_is_quoted_and_the_older_says_since_when(tmp_path: Path, order: int, together: bool) -> None:
    newer = replace(SECOND_PLACE, valid=replace(INTERACTION.valid, start=date(2025, 6, 1)))
    claims = [INTERACTION, newer][::order]
    merged = _merged(tmp_path / "out", *([claims] if together else [[c] for c in claims]))
    assert merged.evidence == newer.evidence
    assert merged.valid.start == LABEL_A.version.effective


def test_an_entity_added_again_keeps_all_codes_and_names_whatever_the_order(tmp_path: Path) -> None:
    one = Entity(WARFARIN, EntityType.INGREDIENT, "warfarin", (Code("rxnorm", "11289"),), (Label("warfarin", "en", "a", True),))
    other = Entity(WARFARIN, EntityType.INGREDIENT, "Warfarin", (Code("unii", "5Q7ZVV76EI"),), (Label("华法林", "zh", "b"),))
    for number, order in enumerate(([one, other], [other, one])):
        with ReleaseWriter(tmp_path / str(number)) as writer:
            for entity in order:
                writer.add_entities([entity])
            writer.finish({})
        with Release.open(tmp_path / str(number)) as release:
            found = release.entity(WARFARIN)
        assert found == Entity(WARFARIN, EntityType.INGREDIENT, "Warfarin", (*one.codes, *other.codes), (*one.labels, *other.labels))


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("order", [1, -1])
def test_a_name_preferred_once_stays_preferred(tmp_path: Path, order: int, together: bool) -> None:
    both = [Entity(WARFARIN, EntityType.INGREDIENT, "warfarin", (), (Label("warfarin", "en", "a", preferred),)) for preferred in (True, False)][::order]
    with ReleaseWriter(tmp_path / "out") as writer:
        for part in [both] if together else [[e] for e in both]:
            writer.add_entities(part)
        writer.finish({})
    with Release.open(tmp_path / "out") as release:
        found = release.entity(WARFARIN)
    assert found is not None
    assert found.labels == (Label("warfarin", "en", "a", True),)


def test_given_products_take_the_place_of_the_documents_own(tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "out") as writer:
        label = replace(LABEL_B, sections=(*LABEL_B.sections, Section("description", "A tablet.")))
        writer.add_document(label)
        writer.add_entities(make_entities())
        products = [
            ProductInfo("warfarin", (), codes=(Code("ndc", "1"), Code("ndc", "1")), routes=("oral", "intravenous")),
            ProductInfo("warfarin", (), routes=("oral",), form="tablet"),
        ]
        writer.add_label_set(label, WARFARIN, (WARFARIN,), products=products)
        writer.finish({})
    with Release.open(tmp_path / "out") as release:
        dossier = release.dossier(WARFARIN)
    assert dossier is not None
    found = dossier.labels[0]
    assert (found.routes, found.forms, found.product_codes) == (("intravenous", "oral"), ("tablet",), {"ndc:1"})
    assert found.sections == (("contraindications", "text"), ("drug_interactions", "text"), ("pregnancy", "empty"))


def test_an_empty_release_is_a_release(tmp_path: Path) -> None:
    with ReleaseWriter(tmp_path / "out") as writer:
        writer.finish({})
    assert check_release(tmp_path / "out") == []
    with Release.open(tmp_path / "out") as release:
        assert (list(release.subjects()), release.dossier(WARFARIN)) == ([], None)


def test_many_claims_pass_through_in_batches(tmp_path: Path) -> None:
    text = " ".join(f"Fact {n:05d}." for n in range(2_500))
    document = make_document("many", date(2024, 1, 1), {"warnings": text})
    classes = [mint("DrugClass", "pharmgraph", f"k{n}") for n in range(2_500)]
    span = INTERACTION.evidence[0]
    claims = []
    for n, each in enumerate(classes):
        start = text.index(f"Fact {n:05d}.")
        claims.append(
            replace(
                INTERACTION,
                object=each,
                evidence=(replace(span, document="many", section="warnings", start=start, end=start + 11, quote=text[start : start + 11]),),
            )
        )
    with ReleaseWriter(tmp_path / "out") as writer:
        writer.add_document(document)
        writer.add_entities([*make_entities(), *(Entity(k, EntityType.DRUG_CLASS, k.code) for k in classes)])
        writer.add_claims(iter(claims))
        writer.add_claims(iter(claims))
        seen: list[tuple[int, int]] = []
        writer.finish({}, progress=lambda made, total: seen.append((made, total)))
    assert seen == [(1, 1)]
    assert check_release(tmp_path / "out") == []
    with Release.open(tmp_path / "out") as release:
        dossier = release.dossier(WARFARIN)
        assert dossier is not None
        assert len(dossier.rules) == len(list(release.claims())) == 2_500
    with sqlite3.connect(tmp_path / "out" / "release.sqlite") as db:
        assert db.execute("SELECT count(*) FROM evidence").fetchone() == (2_500,)


def test_a_folder_with_an_odd_name_is_a_place_like_any_other(tmp_path: Path) -> None:
    target = tmp_path / 'it\'s 50 % "off" {x}?#é' / "版本 1"
    with ReleaseWriter(target) as writer:
        fill(writer)
        writer.finish({})
    assert check_release(target) == []


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\0\r\n\u2028\ufeff\U0001f489"), max_size=40)


@settings(max_examples=40, deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_any_unicode_text_comes_back_code_point_for_code_point(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    with ReleaseWriter(tmp_path_factory.mktemp("text") / "out") as writer:
        writer.add_document(make_document("any", None, {"warnings": text}))
        with writer._engine.connect() as db:
            assert db.exec_driver_sql("SELECT text FROM section").scalar_one() == text
        writer.add_entities([Entity(WARFARIN, EntityType.INGREDIENT, name)])
        with writer._engine.connect() as db:
            assert db.exec_driver_sql("SELECT name FROM entity").scalar_one() == name


def test_text_that_is_no_unicode_is_refused_in_words(tmp_path: Path) -> None:
    writer = ReleaseWriter(tmp_path / "out")
    with pytest.raises(StoreError, match="no Unicode text"):
        writer.add_document(make_document("odd", None, {"warnings": "a lone \ud800 surrogate"}))
    assert _left(tmp_path) == []
