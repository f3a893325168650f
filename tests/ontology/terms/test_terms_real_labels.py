import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ontology.model.identifiers import Code
from ontology.terms.entries import ProductRow
from ontology.terms.identity import DrugIdentity
from ontology.terms.terminology import Terminology

pytestmark = pytest.mark.shared


def records(shared: Path) -> Iterator[dict[str, list[str]]]:
    for path in sorted((shared / "data" / "labels" / "openfda").glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield from (r["openfda"] for r in json.loads(archive.read(name))["results"])


def product(meta: dict[str, list[str]]) -> ProductRow:
    names, uniis = meta.get("substance_name", []), meta.get("unii", [])
    paired = uniis if len(uniis) == len(names) else [None] * len(names)
    codes = [Code("rxnorm", c) for c in meta.get("rxcui", [])] + [Code("ndc", c) for c in meta.get("product_ndc", [])]
    classes = [(n, "EPC", None) for n in meta.get("pharm_class_epc", [])] + [(n, "MoA", None) for n in meta.get("pharm_class_moa", [])]
    substances = tuple((n, u, None) for n, u in zip(names, paired, strict=True))
    return ProductRow(
        meta["spl_set_id"][0], meta["generic_name"][0], tuple(meta["brand_name"]), substances, tuple(codes), tuple(meta.get("route", [])), None, tuple(classes)
    )


@pytest.fixture(scope="module")
def rows() -> list[ProductRow]:
    shared = Path(__file__).resolve().parents[4] / "shared"
    if not (shared / "data" / "labels" / "openfda").is_dir():
        pytest.skip("absent: shared/data/labels/openfda beside the repository")
    return [product(meta) for meta in records(shared)]


@pytest.fixture(scope="module")
def terms(rows: list[ProductRow]) -> Terminology:
    return Terminology.shipped().with_products(rows)


def test_every_label_with_substances_has_a_subject_that_its_own_names_lead_to(rows: list[ProductRow], terms: Terminology) -> None:
    assert len(rows) == 1075
    unread: Counter[str] = Counter()
    for row in rows:
        if not row.substances:
            continue
        subject, _ = terms.subject_of(row.substances)
        assert subject.system != "uncoded" or not row.substances[0][1], row
        for name in (row.generic_name, *row.brand_names):
            drug = terms.identify_drug([], name)
            if isinstance(drug, DrugIdentity):
                assert drug.subject == subject, (row.document, name, drug.name)
            else:
                unread[name] += 1
    assert len(unread) <= 10, unread


def test_product_codes_lead_to_their_label(rows: list[ProductRow], terms: Terminology) -> None:
    astray = []
    for row in rows:
        if row.substances:
            subject, _ = terms.subject_of(row.substances)
            for code in row.codes:
                drug = terms.identify_drug([code], None)
                if not isinstance(drug, DrugIdentity) or drug.subject != subject or row.document not in drug.documents:
                    astray.append(code)
    assert len(set(astray)) <= 3, astray


def test_codes_stay_unique_and_rows_round_trip(terms: Terminology) -> None:
    counts = Counter((e.id.type, c) for e in terms.entities() for c in e.codes)
    assert [k for k, n in counts.items() if n > 1] == []
    stored = list(terms.rows())
    assert list(Terminology.from_rows(stored).rows()) == stored


def test_orders_of_the_development_cases_are_identified_with_and_without_codes(shared: Path, terms: Terminology) -> None:
    wrong = []
    for path in sorted((shared / "benchmark" / "cases-dev").glob("*.json")):
        for case in json.loads(path.read_text()):
            for order in (*case.get("current", []), *case.get("draft", [])):
                for codes in ([Code("rxnorm", order["rxcui"])] if "rxcui" in order else [], []):
                    drug = terms.identify_drug(codes, order.get("text") or order["drug"])
                    meant = terms.identify_drug([], order["drug"])
                    assert isinstance(meant, DrugIdentity)
                    # A prenatal vitamin's text states two of its ingredients beside the word that its case calls it by.
                    same = isinstance(drug, DrugIdentity) and (
                        drug.subject == meant.subject or (meant.name == "multivitamin" and drug.name.endswith(meant.name))
                    )
                    if not same:
                        wrong.append((order.get("text"), order["drug"], drug))
    assert wrong == []
