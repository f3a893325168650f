"""`kb-builder terminology`, and what its file does to a build and to an audit."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from site_files import ndc_row, write_ndc, write_rxnorm

from cds_service.cli import main as cds_main
from kb_builder.cli import build as build_module
from kb_builder.cli import main
from ontology.model.identifiers import Code
from ontology.store.release import Release
from ontology.terms.identity import DrugIdentity
from ontology.terms.loaded import LOADED
from ontology.terms.terminology import Terminology

RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def code_map(folder: Path, *rows: str) -> Path:
    path = folder / "map.csv"
    path.write_text("\n".join(["system,code,means", *rows]) + "\n")
    return path


@pytest.fixture(scope="module", autouse=True)
def plan_with_few_terms(few_terms: Terminology) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_module, "BuildPlan", partial(build_module.BuildPlan, terms=lambda: few_terms))
        yield


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terms")
    rxnorm, ndc = write_rxnorm(folder), write_ndc(folder, [ndc_row("99998-0001", "Coumatest", "WARFARIN SODIUM"), "cut off"])
    result = kb("terminology", "load", "--rxnorm", rxnorm, "--ndc", ndc, "--codes", code_map(folder, "urn:x,W,rxnorm:7999026"), "--out", folder / "TERMS")
    assert result.exit_code == 0, result.output
    return folder / "TERMS"


@pytest.fixture(scope="module")
def label(tmp_path_factory: pytest.TempPathFactory, monograph: str) -> Path:
    path = tmp_path_factory.mktemp("label") / "warfarin.md"
    path.write_text(monograph)
    return path


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, terms: Path, label: Path) -> Path:
    out = tmp_path_factory.mktemp("built") / "release"
    result = kb("build", "--source", label, "--out", out, "--terms", terms, "--jobs", "1")
    assert result.exit_code == 0, result.output
    return out


def test_load_tells_what_each_source_gave_and_refused(terms: Path) -> None:
    shown = kb("terminology", "show", terms)
    assert shown.exit_code == 0
    assert "NDC directory, version unknown, product.txt, sha256" in shown.output
    assert "product.txt: product.txt, line 3: 1 columns instead of 11" in shown.output
    assert "licence of RxNorm: UMLS licence" in shown.output
    manifest = json.loads(kb("terminology", "show", terms, "--json").output)
    assert manifest["format"] == "pharmgraph-terms/1"
    assert [(s["kind"], s["refused"]) for s in manifest["sources"]] == [("rxnorm", 1), ("ndc", 1), ("codes", 0)]


def test_a_source_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = kb("terminology", "load", "--rxnorm", tmp_path / "empty", "--codes", code_map(tmp_path, "urn:x,1,warfarin"), "--out", tmp_path / "TERMS")
    assert result.exit_code == 0
    assert "holds no RXNCONSO.RRF; give the folder" in result.output
    assert json.loads(kb("terminology", "show", tmp_path / "TERMS", "--json").output)["counts"]["site-code"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "name at least one source"),
        (("--strict", "--codes", "one-bad.csv"), 4, "line 2"),
        (("--codes", "all-bad.csv"), 3, "no source gave a record"),
    ],
)
def test_a_load_that_fails_says_why_and_writes_nothing(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    (tmp_path / "one-bad.csv").write_text("system,code,means\nurn:x,,warfarin\nurn:x,1,warfarin\n")
    (tmp_path / "all-bad.csv").write_text("system,code,means\nurn:x,,warfarin\n")
    paths = [str(tmp_path / a) if a.endswith(".csv") else a for a in arguments]
    result = kb("terminology", "load", *paths, "--out", tmp_path / "TERMS")
    assert (result.exit_code, said in result.output) == (code, True), result.output
    assert sorted(p.name for p in tmp_path.iterdir()) == ["all-bad.csv", "one-bad.csv"]


def test_a_place_that_is_none_is_told(tmp_path: Path) -> None:
    result = kb("terminology", "load", "--codes", code_map(tmp_path, "urn:x,1,warfarin"), "--out", tmp_path / "nowhere" / "TERMS")
    assert (result.exit_code, "is no folder" in result.output) == (5, True)


def test_what_is_no_terms_file_is_told_before_anything_is_built(tmp_path: Path, label: Path) -> None:
    (tmp_path / "TERMS").write_text("x")
    result = kb("build", "--source", label, "--out", tmp_path / "release", "--terms", tmp_path / "TERMS")
    assert (result.exit_code, "load the terminologies again" in result.output, "ingest " in result.output) == (3, True, False)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(("key", "value"), [("counts", None), ("counts", {"drug": "many"}), ("sources", [{}]), ("sources", None), ("licences", [])])
def test_a_damaged_manifest_is_told_in_one_sentence(tmp_path: Path, label: Path, terms: Path, key: str, value: object) -> None:
    damaged = tmp_path / "TERMS"
    with zipfile.ZipFile(terms) as whole, zipfile.ZipFile(damaged, "w") as other:
        for name in whole.namelist():
            content = whole.read(name)
            other.writestr(name, json.dumps({**json.loads(content), key: value}) if name == "manifest.json" else content)
    for arguments in (("terminology", "show", damaged), ("build", "--source", label, "--terms", damaged, "--out", tmp_path / "R")):
        result = kb(*arguments)
        assert result.exit_code == 3, result.output
        assert "its manifest is damaged" in result.output
    assert not (tmp_path / "R").exists()


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = kb("terminology", "load", "--codes", tmp_path / "pipe", "--out", tmp_path / "TERMS")
    assert result.exit_code == 2
    assert "is a pipe or a device" in result.output


def test_a_damaged_terms_file_leaves_no_release(tmp_path: Path, label: Path, terms: Path) -> None:
    with zipfile.ZipFile(terms) as whole, zipfile.ZipFile(tmp_path / "TERMS", "w") as cut:
        for name in whole.namelist():
            cut.writestr(name, whole.read(name)[: 40 if name == "drug.jsonl" else None])
    result = kb("build", "--source", label, "--out", tmp_path / "release", "--terms", tmp_path / "TERMS")
    assert (result.exit_code, "drug.jsonl, line 1" in result.output) == (3, True), result.output
    assert [p.name for p in tmp_path.iterdir()] == ["TERMS"]


def test_the_release_is_whole_and_holds_the_table(release: Path) -> None:
    assert kb("check", "--release", release).exit_code == 0
    manifest = json.loads((release / "manifest.json").read_text())
    assert LOADED in manifest["files"]
    assert [s["kind"] for s in manifest["loaded_terms"]["sources"]] == ["rxnorm", "ndc", "codes"]
    assert "NDC directory" in manifest["loaded_terms"]["licences"]


def test_the_same_terms_again_are_nothing_to_do_and_others_make_another_release(tmp_path: Path, label: Path, terms: Path) -> None:
    out = tmp_path / "release"
    ids = []
    for arguments in (("--terms", terms), ("--terms", terms), ()):
        made = json.loads(kb("build", "--source", label, "--out", out, *arguments, "--json").stdout)
        ids.append((made["release"], made["unchanged"]))
    assert [unchanged for _, unchanged in ids] == [False, True, False]
    assert ids[0][0] == ids[1][0] != ids[2][0]


def test_site_codes_whose_target_nothing_knows_are_refused_by_the_build(tmp_path: Path, label: Path) -> None:
    kb("terminology", "load", "--codes", code_map(tmp_path, "urn:x,1,rxnorm:404404", "urn:x,2,rxnorm:855332"), "--out", tmp_path / "TERMS")
    result = kb("build", "--source", label, "--out", tmp_path / "release", "--terms", tmp_path / "TERMS")
    assert "TERMS: map.csv, line 2: urn:x 1: 'rxnorm:404404' is known neither" in result.output
    with Release.open(tmp_path / "release") as opened:
        assert isinstance(opened.terminology.identify_drug([Code("urn:x", "2")], None), DrugIdentity)


@pytest.mark.parametrize(("system", "code"), [(RXNORM, "7999026"), ("http://hl7.org/fhir/sid/ndc", "99998-0001-01"), ("urn:x", "W")])
def test_an_order_with_a_loaded_code_alone_is_audited_by_the_label_of_its_ingredient(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch, request_with: Callable[..., dict[str, Any]], system: str, code: str
) -> None:
    monkeypatch.setenv("PHARMGRAPH_STATE", str(tmp_path / "state"))
    (tmp_path / "request.json").write_text(json.dumps(request_with(system, code)))
    result = CliRunner().invoke(cds_main, ["audit", str(tmp_path / "request.json"), "--release", str(release), "--json"])
    assert result.exit_code == 0, result.output
    cards = json.loads(result.stdout)["cards"]
    told = [card for card in cards if "ibuprofen" in card["summary"].lower()]
    assert told, [card["summary"] for card in cards]
    assert "Avoid ibuprofen." in json.dumps(told[0])


@pytest.fixture
def request_with() -> Callable[..., dict[str, Any]]:
    """A request that signs a drug given by one code, for a patient who takes ibuprofen."""

    def make(system: str, code: str) -> dict[str, Any]:
        def order(name: str, status: str, concept: dict[str, Any]) -> dict[str, Any]:
            about = {"subject": {"reference": "Patient/p"}, "medicationCodeableConcept": concept, "intent": "order", "status": status}
            return {"resource": {"resourceType": "MedicationRequest", "id": name, "authoredOn": "2026-11-01", **about}}

        def bundle(*entries: dict[str, Any]) -> dict[str, Any]:
            return {"resourceType": "Bundle", "type": "searchset", "total": len(entries), "entry": list(entries)}

        draft = order("new", "draft", {"coding": [{"system": system, "code": code}]})
        return {
            "hook": "order-sign",
            "hookInstance": "5b0c3e6e-8a41-4f0e-9b8a-2f6f3f0d7a22",
            "context": {"userId": "Practitioner/x", "patientId": "p", "draftOrders": {"resourceType": "Bundle", "type": "collection", "entry": [draft]}},
            "prefetch": {
                "patient": {"resourceType": "Patient", "id": "p", "birthDate": "1960-01-01", "gender": "female"},
                "medications": bundle(order("old", "active", {"text": "ibuprofen 400 mg tablet"})),
                "conditions": bundle(),
                "allergies": bundle(),
                "observations": bundle(),
                "notes": bundle(),
            },
        }

    return make
