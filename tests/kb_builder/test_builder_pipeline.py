"""The build as a whole: a release that opens and proves, the same for the same input, and nothing left when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kb_builder.assemble.policy import load_policy
from kb_builder.errors import NothingReadable, OutputError, SourceChanged, SourcesRefused
from kb_builder.pipeline import build
from kb_builder.plan import BuildPlan
from kb_builder.progress import SilentReporter
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.report import BuildReport
from kb_builder.stages import STAGES
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Claim, ClaimStatus, Provenance
from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import EntityId, mint, mint_uncoded
from ontology.store.check import check_release
from ontology.store.release import Release
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

Make = Callable[..., dict[str, Any]]
WARFARIN = mint("Ingredient", "rxnorm", "11289")


ASKED = {"Avoid": Action.AVOID, "Monitor": Action.MONITOR, "Keep": Action.NO_ADJUSTMENT}


class Sentences:
    """A proposer for tests: `Avoid X.`, `Monitor X.` and `Keep X.` in the section on interactions, X known or not; `Fail.` raises."""

    name = "sentences"
    version = "1"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        section = document.section("drug_interactions")
        position = 0
        for sentence in section.text.split(".") if section else ():
            words = sentence.split()
            start = position + len(sentence) - len(sentence.lstrip())
            position += len(sentence) + 1
            if words == ["Fail"]:
                raise ValueError("this proposer broke")
            if len(words) != 2 or words[0] not in (*ASKED, "Misquote"):
                continue
            found = lexicon.lookup(words[1], frozenset({EntityType.INGREDIENT, EntityType.POPULATION}))
            entity = found[0] if found else mint_uncoded("Ingredient", words[1])
            span = document.span("drug_interactions", start, start + len(sentence.strip()))
            if words[0] == "Misquote":
                span = type(span)(span.document, span.version, span.section, span.start, span.end, span.quote.upper())
            payload = Advice((Step(ASKED.get(words[0], Action.MONITOR)),))
            claim = Claim("interacts_with", subject.id, entity, payload, (span,), Provenance(self.name, self.version), words=words[1])
            yield Proposal(claim, () if found else (Entity(entity, EntityType.INGREDIENT, words[1]),))


Run = Callable[..., BuildReport]


@pytest.fixture
def run(few_terms: Terminology) -> Run:
    """Builds with the proposer for tests and few terms; keyword arguments replace parts of the plan."""

    def build_it(sources: Path | tuple[Path, ...], out: Path, **options: Any) -> BuildReport:
        paths = (sources,) if isinstance(sources, Path) else sources
        settings = {"proposers": (Sentences(),), "terms": lambda: few_terms} | options
        plan = BuildPlan(paths, out, load_policy(settings.pop("policy", "default")), **settings)
        return build(plan, SilentReporter())

    return build_it


def interactions(out: Path, subject: EntityId) -> dict[str, tuple[ClaimStatus, str | None]]:
    with Release.open(out) as release:
        return {c.words or "": (c.status, c.reason) for c in release.claims(subject=subject, predicate="interacts_with")}


@pytest.fixture
def folder(tmp_path: Path, monograph: str) -> Path:
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "warfarin.md").write_text(monograph)
    return tmp_path / "labels"


def test_a_build_ends_in_a_release_that_opens_and_proves(run: Run, folder: Path, tmp_path: Path) -> None:
    report = run(folder, tmp_path / "out")
    assert list(report.counts) == [name for name, _ in STAGES]
    assert check_release(tmp_path / "out") == []
    with Release.open(tmp_path / "out") as release:
        assert release.id == report.release
        dossier = release.dossier(WARFARIN)
        assert dossier is not None
        (label,) = dossier.labels
        assert (label.document, label.routes, label.forms) == ("test-warfarin", ("oral",), ("tablet",))
        (rule,) = dossier.rules_of("interacts_with")
        (claim,) = rule.claims
        assert claim.evidence[0].quote == "Avoid ibuprofen"
        assert claim.approval is not None
        assert claim.approval.by == "policy:default@1"
        assert release.manifest["policy"] == "policy:default@1"
        assert release.manifest["extractors"] == {"metadata": "1", "sentences": "1"}
    assert [p.name for p in tmp_path.iterdir()] == ["labels", "out"] or sorted(p.name for p in tmp_path.iterdir()) == ["labels", "out"]


def test_the_claim_carries_the_labels_date_and_scope(run: Run, folder: Path, tmp_path: Path) -> None:
    run(folder, tmp_path / "out")
    with Release.open(tmp_path / "out") as release:
        (claim,) = release.claims(subject=WARFARIN, predicate="interacts_with")
    assert str(claim.valid.start) == "2026-01-31"
    assert (claim.scope.routes, claim.scope.forms) == (("oral",), ("tablet",))


def test_what_the_gates_refuse_is_kept_with_its_reason(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    (folder / "warfarin.md").write_text(monograph.replace("Avoid ibuprofen.", "Misquote ibuprofen. Avoid adults. Avoid aspirin."))
    report = run(folder, tmp_path / "out")
    found = interactions(tmp_path / "out", WARFARIN)
    assert found["aspirin"] == (ClaimStatus.APPROVED, None)
    assert found["ibuprofen"][0] is ClaimStatus.REJECTED
    assert (found["ibuprofen"][1] or "").startswith("quote gate: drug_interactions[")
    assert (found["adults"][1] or "").startswith("registry gate: interacts_with does not lead to a Population")
    assert report.counts["propose"]["rejected"] == 2
    assert check_release(tmp_path / "out") == []


def section_states(release: Path, subject: EntityId) -> set[str]:
    """The states of the sections of a subject's labels, as an audit sees them."""
    opened = Release.open(release)
    try:
        dossier = opened.dossier(subject)
        assert dossier is not None
        return {state for label in dossier.labels for _, state in label.sections}
    finally:
        opened.close()


def test_a_proposer_that_breaks_off_is_reported_and_what_it_gave_stands(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    (folder / "warfarin.md").write_text(monograph.replace("Avoid ibuprofen.", "Avoid ibuprofen. Fail. Avoid aspirin."))
    report = run(folder, tmp_path / "out")
    (failure,) = report.failed
    assert (failure.document, failure.proposer, failure.error) == ("test-warfarin", "sentences", "ValueError: this proposer broke")
    assert set(interactions(tmp_path / "out", WARFARIN)) == {"ibuprofen"}
    assert section_states(tmp_path / "out", WARFARIN) == {"none", "unread"}
    assert check_release(tmp_path / "out") == []
    with pytest.raises(SourcesRefused, match="this proposer broke"):
        run(folder, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()


def test_contradictions_within_a_label_and_between_labels(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    other = monograph.replace("test-warfarin", "other-warfarin").replace("Avoid ibuprofen.", "Monitor ibuprofen. Monitor aspirin.")
    (folder / "other.md").write_text(other)
    (folder / "warfarin.md").write_text(monograph.replace("Avoid ibuprofen.", "Avoid ibuprofen. Monitor ibuprofen. Keep ibuprofen."))
    report = run(folder, tmp_path / "out")
    with Release.open(tmp_path / "out") as release:
        said = {(c.document, c.words, c.payload.strictest): (c.status, c.reason) for c in release.claims(subject=WARFARIN, predicate="interacts_with") if isinstance(c.payload, Advice)}  # fmt: skip
    assert said == {
        ("test-warfarin", "ibuprofen", Action.AVOID): (ClaimStatus.CONFLICTED, "labels differ: other-warfarin says monitor"),
        ("test-warfarin", "ibuprofen", Action.MONITOR): (ClaimStatus.APPROVED, None),
        ("test-warfarin", "ibuprofen", Action.NO_ADJUSTMENT): (ClaimStatus.CONFLICTED, "the same label also says avoid, which is stricter"),
        ("other-warfarin", "ibuprofen", Action.MONITOR): (ClaimStatus.APPROVED, None),
        ("other-warfarin", "aspirin", Action.MONITOR): (ClaimStatus.APPROVED, None),
    }
    assert (report.counts["assemble"]["labels differ"], report.counts["assemble"]["overruled within a label"]) == (1, 1)


def test_only_the_newest_version_judges_and_older_ones_are_kept_as_documents(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    (folder / "old.md").write_text(monograph.replace('version: "2"', 'version: "1"').replace("2026-01-31", "2020-01-31").replace("ibuprofen", "aspirin"))
    report = run(folder, tmp_path / "out")
    assert set(interactions(tmp_path / "out", WARFARIN)) == {"ibuprofen"}
    with Release.open(tmp_path / "out") as release:
        assert [d.version for d in release.documents() if d.set_id == "test-warfarin"] == ["1", "2"]
    assert (report.counts["ingest"]["labels"], report.counts["ingest"]["older versions"]) == (1, 1)


@pytest.mark.parametrize("names", [("a.md", "b.md"), ("b.md", "a.md")])
def test_two_contents_of_one_version_are_told_and_the_richer_one_judges(run: Run, tmp_path: Path, monograph: str, names: tuple[str, str]) -> None:
    (tmp_path / "in").mkdir()
    rich, poor = names
    (tmp_path / "in" / rich).write_text(monograph.replace("Avoid ibuprofen.", "Avoid ibuprofen and naproxen during treatment."), encoding="utf-8")
    (tmp_path / "in" / poor).write_text(monograph, encoding="utf-8")
    report = run(tmp_path / "in", tmp_path / "kb")
    (noted,) = report.noted
    assert "test-warfarin came before in version 2 with other content" in noted.reason
    assert ("this one has more text" in noted.reason) == (rich == "b.md")


def test_a_label_of_an_unknown_product_is_kept_and_gives_no_claim(run: Run, folder: Path, tmp_path: Path, record: Make, bulk_file: Callable[..., Path]) -> None:
    report = run((folder, bulk_file([record(openfda={})])), tmp_path / "out")
    assert report.counts["propose"]["without a known product"] == 1
    with Release.open(tmp_path / "out") as release:
        assert release.document("aaaa-1") is not None
        assert list(release.claims(document="aaaa-1")) == []


def test_a_label_of_more_substances_than_a_product_can_have_is_kept_and_breaks_nothing(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    crowd = ", ".join(f"{{name: substance {letter}}}" for letter in "abcdefghijklmn")
    substances = '[{name: warfarin sodium, unii: 6153CWM0CL, rxcui: "11289"}]'
    (folder / "crowd.md").write_text(monograph.replace("test-warfarin", "crowd").replace(substances, f"[{crowd}]"))
    report = run(folder, tmp_path / "out")
    assert report.counts["propose"]["without a known product"] == 1
    with Release.open(tmp_path / "out") as release:
        assert release.document("crowd") is not None
    assert set(interactions(tmp_path / "out", WARFARIN)) == {"ibuprofen"}


def test_a_label_of_several_products_speaks_of_what_they_contain_together(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    other = """  - generic_name: ibuprofen
    brand_names: []
    form: tablet
    routes: [oral]
    codes: []
    substances: [{name: ibuprofen}]
classes:"""
    (folder / "warfarin.md").write_text(monograph.replace("classes:", other))
    run(folder, tmp_path / "out")
    with Release.open(tmp_path / "out") as release:
        (together,) = (s for s in release.subjects() if s.type == "Drug")
        assert {c.object.code for c in release.claims(subject=together, predicate="has_ingredient")} == {"11289", "5640"}
    assert check_release(tmp_path / "out") == []


def test_a_herb_is_part_of_a_combination_and_is_not_audited_as_a_drug(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    (folder / "warfarin.md").write_text(monograph.replace('rxcui: "11289"}]', 'rxcui: "11289"}, {name: 葛根}, {name: ibuprofen}]'))
    run(folder, tmp_path / "out")
    with Release.open(tmp_path / "out") as release:
        (combination,) = (s for s in release.subjects() if s.type == "Drug")
        parts = {c.object.type for c in release.claims(subject=combination, predicate="has_ingredient")}
        dossier = release.dossier(combination)
    assert parts == {"Herb", "Ingredient"}
    assert dossier is not None
    assert {i.type for i in dossier.ingredients} == {"Ingredient"}
    assert check_release(tmp_path / "out") == []


def test_the_same_input_gives_the_same_release_in_any_order(run: Run, folder: Path, tmp_path: Path, record: Make, bulk_file: Callable[..., Path]) -> None:
    one = bulk_file([record("a-1"), record("a-2", drug_interactions=["Avoid aspirin. Avoid novelcompound."])], "one.json.zip")
    two = bulk_file([record("a-2", warnings=["longer text"], drug_interactions=["Avoid aspirin."]), record("a-3")], "two.json")
    first = run((folder, one, two), tmp_path / "first").release
    assert run((two, one, folder), tmp_path / "second").release == first
    assert run((folder, one), tmp_path / "third").release != first


def test_the_number_of_jobs_changes_nothing(run: Run, tmp_path: Path, record: Make, bulk_file: Callable[..., Path]) -> None:
    from kb_builder.propose.registry import PROPOSERS

    path = bulk_file([record(f"a-{n:02}", drug_interactions=[f"7 DRUG INTERACTIONS Avoid aspirin. Avoid concomitant use of warfarin {n}."]) for n in range(40)])
    first = run(path, tmp_path / "one", jobs=1, proposers=PROPOSERS)
    second = run(path, tmp_path / "two", jobs=2, proposers=PROPOSERS)
    assert first.release == second.release
    assert first.counts == second.counts


def test_the_strict_policy_holds_what_can_do_much_harm(run: Run, folder: Path, tmp_path: Path) -> None:
    report = run(folder, tmp_path / "out", policy="strict")
    assert interactions(tmp_path / "out", WARFARIN)["ibuprofen"][0] is ClaimStatus.HELD
    assert report.counts["assemble"]["held"] > 0
    assert check_release(tmp_path / "out") == []


def test_refused_records_are_listed_and_the_rest_is_built_unless_strict(
    run: Run, folder: Path, tmp_path: Path, record: Make, bulk_file: Callable[..., Path]
) -> None:
    (folder / "notes.docx").write_text("x")
    path = bulk_file([record("a-1"), {"set_id": "a-2"}])
    report = run((folder, path), tmp_path / "out")
    assert [(Path(r.source).name, r.record) for r in report.refused] == [("notes.docx", None), ("labels.json", 1)]
    with Release.open(tmp_path / "out") as release:
        assert [(r["source"], r["record"]) for r in release.manifest["refused"]] == [("labels.json", 1), ("notes.docx", None)]
        assert str(tmp_path) not in str(release.manifest)
    with pytest.raises(SourcesRefused, match="notes"):
        run((folder, path), tmp_path / "strict", strict=True)


def test_nothing_readable_makes_no_release_and_lists_the_reasons(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("<html>")
    with pytest.raises(NothingReadable, match="not JSON"):
        run(tmp_path / "a.json", tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_release_is_replaced_when_the_new_one_stands_and_kept_when_it_does_not(run: Run, folder: Path, tmp_path: Path, monograph: str) -> None:
    first = run(folder, tmp_path / "out").release
    (folder / "warfarin.md").write_text("broken")
    with pytest.raises(NothingReadable):
        run(folder, tmp_path / "out")
    with Release.open(tmp_path / "out") as release:
        assert release.id == first
    (folder / "warfarin.md").write_text(monograph.replace("ibuprofen", "aspirin"))
    second = run(folder, tmp_path / "out").release
    with Release.open(tmp_path / "out") as release:
        assert release.id == second != first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["labels", "out"]


def test_something_else_is_never_written_over(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("x")
    with pytest.raises(OutputError, match="exists and is not a release"):
        run(folder, tmp_path / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="exists and is not a release"):
        run(folder, tmp_path / "file")
    with pytest.raises(OutputError, match="cannot be made"):
        run(folder, tmp_path / "file" / "out")
    assert (tmp_path / "out" / "thesis.txt").read_text() == "x"


def test_an_unchanged_release_is_not_built_again_and_a_damaged_one_is(run: Run, folder: Path, tmp_path: Path) -> None:
    from kb_builder.propose.registry import PROPOSERS

    out = tmp_path / "out"
    first = run(folder, out, proposers=PROPOSERS)
    again = run(folder, out, proposers=PROPOSERS)
    assert (first.unchanged, again.unchanged) == (False, True)
    assert (again.release, again.counts) == (first.release, first.counts)
    assert run(folder, out, proposers=PROPOSERS, ledger=tmp_path / "ledger").unchanged is False
    assert run(folder, out, proposers=PROPOSERS, policy="strict").unchanged is False
    with (out / "release.sqlite").open("r+b") as file:
        file.seek(5000)
        file.write(b"damage")
    assert run(folder, out, proposers=PROPOSERS, policy="strict").unchanged is False
    assert check_release(out) == []
    (folder / "more.md").write_text("no label")
    assert run(folder, out, proposers=PROPOSERS, policy="strict").unchanged is False
    with pytest.raises(SourcesRefused):
        run(folder, out, proposers=PROPOSERS, policy="strict", strict=True)


def test_a_source_that_shrank_stops_the_run_of_a_ledger(run: Run, tmp_path: Path, record: Make, bulk_file: Callable[..., Path]) -> None:
    ledger = tmp_path / "ledger"
    records = [record(f"a-{n:02}", drug_interactions=["Avoid aspirin."]) for n in range(25)]
    path = bulk_file(records)
    first = run(path, tmp_path / "out", ledger=ledger)
    assert run(path, tmp_path / "out", ledger=ledger).release == first.release
    bulk_file(records[:3])
    with pytest.raises(SourceChanged, match="shrank from 25 to 3 records"):
        run(path, tmp_path / "out", ledger=ledger)
    with Release.open(tmp_path / "out") as release:
        assert release.id == first.release
    assert run(path, tmp_path / "out").counts["ingest"]["labels"] == 3
    assert run(path, tmp_path / "out", ledger=ledger, accept_changed=True).counts["ingest"]["labels"] == 3
