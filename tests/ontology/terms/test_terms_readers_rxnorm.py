"""RxNorm releases as records: compositions that are whole or refused, packs, brands that changed, retired codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_files import RXNCONSO, RXNREL, atom, relation, write_rxnorm

from ontology.model.errors import TerminologyError
from ontology.terms.readers.records import BrandRecord, DrugRecord, IngredientRecord, Item, LineRefused, SourceVersion
from ontology.terms.readers.rxnorm import read_rxnorm

Compositions = dict[str, set[tuple[str, ...]]]


def compositions(items: list[Item], system: str = "rxnorm") -> Compositions:
    found: Compositions = {}
    for item in items:
        if isinstance(item, DrugRecord) and item.system == system:
            found.setdefault(item.code, set()).add(tuple(name for name, _, _ in item.substances))
    return found


def refused(items: list[Item]) -> list[str]:
    return [f"{item.place}: {item.what}" for item in items if isinstance(item, LineRefused)]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return list(read_rxnorm(write_rxnorm(tmp_path_factory.mktemp("rxnorm"))))


def test_clinical_and_branded_drugs_have_all_their_ingredients(release: list[Item]) -> None:
    found = compositions(release)
    assert found["7999020"] == found["7999021"] == {("zembramib",)}
    assert found["7999022"] == found["7999023"] == found["7999030"] == {("zembramib", "quollidine")}


def test_salts_and_their_drugs_are_of_the_base(release: list[Item]) -> None:
    assert compositions(release)["7999026"] == compositions(release)["114194"] == {("warfarin",)}
    names = {i.name: i.names for i in release if isinstance(i, IngredientRecord)}
    assert names["quollidine"] == ("quollidine tartrate",)
    assert names["zembramib"] == ("zembramibum",)


def test_a_pack_holds_what_its_drugs_hold_without_the_inert_ones(release: list[Item]) -> None:
    assert compositions(release)["7999040"] == {("quollidine",)}


def test_a_brand_that_was_two_compositions_comes_with_both(release: list[Item]) -> None:
    sold = [tuple(n for n, _, _ in i.substances) for i in release if isinstance(i, BrandRecord) and i.name == "Doublix"]
    assert sorted(sold) == [("quollidine",), ("zembramib", "quollidine")]
    assert compositions(release)["7999005"] == set(sold)


def test_a_product_whose_relations_lack_an_ingredient_is_refused(release: list[Item]) -> None:
    assert "7999027" not in compositions(release)
    assert refused(release) == ["RxCUI 7999027 (SCD): quollidine 5 MG / zembramib 40 MG Oral Tablet: the name has 2 parts, the relations 1"]


def test_suppressed_rows_and_other_sources_do_not_count(release: list[Item]) -> None:
    assert not {"7999060", "7999061"} & compositions(release).keys()


def test_form_strength_and_product_codes_come_along(release: list[Item]) -> None:
    by_code = {(i.system, i.code): i for i in release if isinstance(i, DrugRecord)}
    assert by_code["rxnorm", "7999022"].form == "Oral Tablet"
    assert by_code["rxnorm", "7999022"].strength == "5 MG / 20 MG"
    assert [s[0] for s in by_code["ndc", "99999000101"].substances] == ["warfarin"]


def test_a_retired_code_is_its_one_successor_and_nothing_when_it_had_two(release: list[Item]) -> None:
    assert compositions(release)["7999009"] == {("zembramib",)}
    assert "7999008" not in compositions(release)


def test_an_archive_gives_the_same_records_and_its_version(tmp_path: Path, release: list[Item]) -> None:
    zipped = list(read_rxnorm(write_rxnorm(tmp_path, zipped=True)))
    assert SourceVersion("11022026") in zipped
    assert [i for i in zipped if not isinstance(i, SourceVersion)] == [i for i in release if not isinstance(i, SourceVersion)]


def test_the_subset_in_a_deeper_folder_is_not_taken_for_the_release(tmp_path: Path, release: list[Item]) -> None:
    inner = tmp_path / "prescribe"
    inner.mkdir()
    write_rxnorm(inner, conso=RXNCONSO[:5])
    write_rxnorm(tmp_path)
    assert list(read_rxnorm(tmp_path)) == release


def test_truncated_lines_are_refused_by_number_and_the_others_land(tmp_path: Path) -> None:
    rows = [*RXNCONSO[:3], "7999099|ENG||", *RXNCONSO[3:], atom("x1", "IN", "nothing")]
    items = list(read_rxnorm(write_rxnorm(tmp_path, conso=rows)))
    assert "RXNCONSO.RRF, line 4: 4 columns instead of 18" in refused(items)
    assert any("RxCUI 'x1'" in line for line in refused(items))
    assert "7999020" in compositions(items)


def test_a_pack_with_a_drug_of_unknown_composition_is_refused(tmp_path: Path) -> None:
    conso = [*RXNCONSO, atom(7999070, "GPCK", "{1 (quollidine 5 MG / zembramib 40 MG Oral Tablet) / 2 (quollidine 5 MG Oral Tablet) } Pack")]
    rel = [*RXNREL, relation(7999070, "contains", 7999027), relation(7999070, "contains", 7999025)]
    items = list(read_rxnorm(write_rxnorm(tmp_path, conso=conso, rel=rel)))
    assert "7999070" not in compositions(items)
    assert any("7999070" in line and "not known" in line for line in refused(items))


def test_relations_in_a_circle_end(tmp_path: Path) -> None:
    rel = [*RXNREL, relation(7999020, "tradename_of", 7999021), relation(7999010, "consists_of", 7999020)]
    assert compositions(list(read_rxnorm(write_rxnorm(tmp_path, rel=rel))))["7999020"] == {("zembramib",)}


def test_a_release_without_its_files_says_which_is_missing(tmp_path: Path) -> None:
    rrf = write_rxnorm(tmp_path)
    (rrf / "RXNREL.RRF").unlink()
    with pytest.raises(TerminologyError, match=r"holds no RXNREL\.RRF"):
        list(read_rxnorm(rrf))
