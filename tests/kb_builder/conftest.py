"""Small labels for the builder's tests: an openFDA record, a monograph, and files made of them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ontology.terms.terminology import Terminology

Record = dict[str, Any]

MONOGRAPH = """---
set_id: test-warfarin
version: "2"
effective: 2026-01-31
title: Warfarin tablets
language: en
product_type: HUMAN PRESCRIPTION DRUG
publisher: A publisher
products:
  - generic_name: warfarin sodium
    brand_names: [Coumadin]
    form: tablet
    routes: [oral]
    codes: ["rxnorm:855332"]
    substances: [{name: warfarin sodium, unii: 6153CWM0CL, rxcui: "11289"}]
classes: {epc: ["Vitamin K Antagonist [EPC]"], moa: []}
sources: ["a book"]
---

## Indications and usage

Warfarin is used for venous thrombosis.

## Contraindications

None

## Drug interactions

Avoid ibuprofen.
"""


@pytest.fixture(scope="session")
def monograph() -> str:
    """The text of a small Markdown label."""
    return MONOGRAPH


@pytest.fixture(scope="session")
def few_terms() -> Terminology:
    """The shipped terms of three drugs, of herbs and populations: enough to find them by name, and quick to publish."""
    kept = {"Ingredient:rxnorm:11289", "Ingredient:rxnorm:5640", "Ingredient:rxnorm:1191"}

    def wanted(kind: str, body: str) -> bool:
        value = json.loads(body)
        if kind == "entity":
            return value[0] in kept or value[0].startswith(("Population:", "Herb:"))
        return kind in ("file", "word")

    return Terminology.from_rows(row for row in Terminology.shipped().rows() if wanted(*row))


@pytest.fixture
def record() -> Callable[..., Record]:
    """Makes an openFDA record; keyword arguments replace fields, None removes one."""

    def make(set_id: str = "aaaa-1", /, **fields: Any) -> Record:
        made: Record = {
            "set_id": set_id,
            "id": f"{set_id}-id",
            "version": "3",
            "effective_time": "20240131",
            "indications_and_usage": ["1 INDICATIONS AND USAGE Drug tablets are indicated for pain."],
            "contraindications": ["4 CONTRAINDICATIONS None. None. ( 4 )"],
            "drug_interactions": ["7 DRUG INTERACTIONS Avoid aspirin.", "7.1 More. Monitor INR."],
            "openfda": {
                "generic_name": ["IBUPROFEN"],
                "brand_name": ["Advil"],
                "substance_name": ["IBUPROFEN"],
                "unii": ["WK2XYI10QM"],
                "rxcui": ["197805"],
                "product_ndc": ["0000-0001"],
                "route": ["ORAL"],
                "pharm_class_epc": ["Nonsteroidal Anti-inflammatory Drug [EPC]"],
                "nui": ["N0000175722"],
                "product_type": ["HUMAN PRESCRIPTION DRUG"],
                "manufacturer_name": ["A maker"],
            },
        }
        for name, value in fields.items():
            if value is None:
                made.pop(name, None)
            else:
                made[name] = value
        return made

    return make


@pytest.fixture
def bulk_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes records as an openFDA bulk file, zipped when its name ends in .zip."""

    def write(records: list[Any], name: str = "labels.json") -> Path:
        text = json.dumps({"meta": {"disclaimer": "test"}, "results": records})
        path = tmp_path / name
        if name.endswith(".zip"):
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(name.removesuffix(".zip"), text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write
