"""From inserts of Chinese medicines to a card: herbs that the Pharmacopoeia keeps apart, and a patient allergic to one herb of a formula."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from cds_service.answer.compose import AnswerContext, compose
from cds_service.answer.policy import Policy
from cds_service.audit.chain import run_chain
from cds_service.intake.request import read_request
from kb_builder.assemble.policy import load_policy
from kb_builder.pipeline import build
from kb_builder.plan import BuildPlan
from kb_builder.progress import SilentReporter
from ontology.store.check import check_release
from ontology.store.release import Release
from ontology.terms.terminology import Terminology

INSERT = """---
set_id: insert-{number}
version: "1"
effective: 2026-01-31
title: {name}
language: zh
product_type: HUMAN PRESCRIPTION DRUG
publisher: A publisher
products:
  - generic_name: {name}
    brand_names: []
    form: 丸剂
    routes: [口服]
    codes: []
    substances: [{substances}]
classes: {{epc: [], moa: []}}
sources: ["made up for this test"]
---

## 【禁忌】

{forbids}
"""

UNKNOWN = "尚不明确。"
ALLERGY = "对本品过敏者禁用。"

PRODUCTS = {
    "附子理中丸": "附子（制） 党参 白术（炒） 干姜 甘草",
    "夏天丸": "清半夏 陈皮 茯苓 生姜",
    "反药丸": "附子 半夏 茯苓",
    "平和丸": "陈皮 山楂",
    "益寿丸": "川乌（制） 党参 白术 茯苓 当归 川芎 白芍 熟地黄 黄芪 肉桂 杜仲 牛膝 羌活 细辛 木香",
    "五灵丸": "狼毒 桂枝",
    "陀僧丸": "密陀僧 当归",
    "参山丸": "党参 山楂",
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Release]:
    folder = tmp_path_factory.mktemp("inserts")
    for number, (name, herbs) in enumerate(PRODUCTS.items()):
        substances = ", ".join(f"{{name: {herb}}}" for herb in herbs.split())
        (folder / f"{name}.md").write_text(
            INSERT.format(number=number, name=name, substances=substances, forbids=ALLERGY if name == "参山丸" else UNKNOWN), encoding="utf-8"
        )
    out = folder / "release"
    build(BuildPlan((folder,), out, load_policy("default"), terms=_herbs_alone), SilentReporter())
    assert check_release(out) == []
    with Release.open(out) as opened:
        yield opened


def _herbs_alone() -> Terminology:
    """The shipped herbs and what is said of them: quick to publish."""

    def wanted(kind: str, body: str) -> bool:
        value = json.loads(body)
        if kind == "entity":
            return str(value[0]).startswith(("Population:", "Herb:"))
        return kind in ("file", "word") or (kind == "edge" and value[3] == "incompatibilities")

    return Terminology.from_rows(row for row in Terminology.shipped().rows() if wanted(*row))


def findings(release: Release, *products: str, allergy: str | None = None, kind: str = "finding") -> list[dict[str, Any]]:
    entries = [
        {
            "resource": {
                "resourceType": "MedicationRequest",
                "id": f"order-{number}",
                "status": "draft",
                "intent": "order",
                "medicationCodeableConcept": {"text": name},
                "subject": {"reference": "Patient/p"},
                "dosageInstruction": [{"text": "口服 每日2次"}],
            }
        }
        for number, name in enumerate(products)
    ]
    allergies = [
        {"resource": {"resourceType": "AllergyIntolerance", "id": "a", "patient": {"reference": "Patient/p"}, "type": "allergy", "code": {"text": allergy}}}
    ]
    listed = {"resourceType": "Bundle", "type": "searchset", "entry": allergies} if allergy else None
    body = {
        "hook": "order-sign",
        "hookInstance": "00000000-0000-4000-8000-000000000001",
        "context": {"userId": "Practitioner/x", "patientId": "p", "draftOrders": {"resourceType": "Bundle", "type": "collection", "entry": entries}},
        "prefetch": {"patient": {"resourceType": "Patient", "id": "p", "gender": "male", "birthDate": "1960-01-01"}, "medications": None, "allergies": listed},
    }
    prescription = read_request(
        json.loads(json.dumps(body), parse_int=Decimal), release.terminology, received=datetime(2026, 11, 1, 12, tzinfo=UTC), use_request_time=False
    )
    policy = Policy.shipped()
    cards = compose(
        run_chain(prescription, release, policy),
        prescription,
        AnswerContext("trace", release.id, policy, lambda c: f"https://cds.example/{c}", "https://cds.example"),
    )
    return [{**f, "said": card["detail"]} for card in cards for f in card["extension"]["org.pharmgraph.findings"] if f["kind"] == kind]


@pytest.mark.parametrize("order", [("附子理中丸", "夏天丸"), ("夏天丸", "附子理中丸")])
def test_antagonists_signed_together_give_a_card_that_quotes_the_rule(release: Release, order: tuple[str, str]) -> None:
    (found,) = findings(release, *order)
    assert (found["category"], found["indicator"]) == ("interaction", "warning")
    (evidence,) = found["evidence"]
    assert evidence["document"] == "terms.incompatibilities"
    assert "附子不宜与清半夏同用" in evidence["quote"]
    assert "附子不宜与清半夏同用" in found["said"]
    assert "The cited table says to avoid this." in found["said"]
    assert "Classical incompatibilities of Chinese medicine, pair by pair, edition 2026-11)" in found["said"]
    section = release.section(evidence["document"], evidence["version"], evidence["section"])
    assert section is not None
    assert section.text[evidence["start"] : evidence["end"]] == evidence["quote"]


def test_a_formula_that_holds_such_a_pair_does_not_alarm_against_itself(release: Release) -> None:
    assert findings(release, "反药丸") == []
    assert findings(release, "反药丸", "平和丸") == []


def test_a_formula_of_many_herbs_is_known_by_its_name_and_checked(release: Release) -> None:
    (found,) = [f for f in findings(release, "益寿丸", "夏天丸") if f["category"] == "interaction"]
    assert found["indicator"] == "warning"
    assert "制川乌不宜与清半夏同用" in found["said"]


def test_what_only_the_verse_says_does_not_interrupt(release: Release) -> None:
    (found,) = findings(release, "五灵丸", "陀僧丸")
    assert found["indicator"] == "info"
    assert "《中国药典》未载" in found["evidence"][0]["quote"]


def test_formulas_without_antagonists_are_quiet(release: Release) -> None:
    assert findings(release, "附子理中丸", "平和丸") == []


def test_an_allergy_to_one_herb_of_a_formula_cites_its_insert(release: Release) -> None:
    (found,) = findings(release, "参山丸", allergy="党参")
    assert (found["category"], found["with"]["name"]) == ("allergy", "党参")
    assert found["evidence"][0]["quote"] == "对本品过敏者禁用"
    assert findings(release, "参山丸", allergy="当归") == []


def test_an_insert_that_knows_no_contraindications_is_not_one_that_has_none(release: Release) -> None:
    (told,) = [f for f in findings(release, "平和丸", kind="not-evaluated") if f["reason"] == "no-knowledge"]
    assert told["category"] == "contraindication"
    assert "says that contraindications are not known; these were not checked" in told["said"]
    assert [f for f in findings(release, "参山丸", kind="not-evaluated") if f["reason"] == "no-knowledge"] == []
