import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]


def lines(result: Result) -> dict[str, dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return {line["name"] or line["codes"][0]: line for line in json.loads(result.stdout)["lines"]}


@pytest.fixture
def formulary(tmp_path: Path) -> Callable[[str], Path]:
    def make(text: str) -> Path:
        path = tmp_path / "formulary.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_each_line_says_what_an_order_of_it_would_be_judged_by(run: Run, starter: Path, formulary: Callable[[str], Path]) -> None:
    path = formulary(
        "name,rxnorm,route\nwarfarin 5 mg tablet,,oral\n,21212,\nwarfarin vial,,intravenous\nunobtainium 5 mg,,oral\nLisinopril 10 mg,11289,oral\n消渴丸,,\n"
    )
    found = lines(run("coverage", path, "--release", starter, "--json"))
    warfarin = found["warfarin 5 mg tablet"]
    assert (warfarin["drug"], warfarin["labelled"], warfarin["labels"][0]["document"]) == ("warfarin", True, "pharmgraph-warfarin-tablets")
    assert warfarin["statements"] > 20
    assert warfarin["read_by_a_person"] == 0
    assert found["rxnorm:21212"]["drug"] == "clarithromycin"
    assert found["warfarin vial"]["why_not"] == "labels of these ingredients are for oral, the order is for intravenous"
    assert found["unobtainium 5 mg"]["drug"] == "not identified: no such name or code"
    assert found["Lisinopril 10 mg"]["drug"] == "not identified: name and code differ, lisinopril or warfarin"
    assert found["消渴丸"]["labels"][0]["document"] == "pharmgraph-xiaoke-pills-zh"


def test_the_summary_counts_and_missing_lists_only_what_lacks_something(run: Run, starter: Path, formulary: Callable[[str], Path]) -> None:
    path = formulary("name,price\nwarfarin 5 mg tablet,1\nunobtainium,2\n")
    result = run("coverage", path, "--release", starter, "--missing")
    assert result.exit_code == 0
    assert "unobtainium" in result.stdout
    assert result.stdout.split("identified  ")[-1].split("\n")[0].split() == ["1", "of", "2", "50.0", "%"]
    assert "columns not read: price" in result.stderr


def test_a_combination_without_a_label_is_judged_by_its_parts_or_not_at_all(run: Run, starter: Path, formulary: Callable[[str], Path]) -> None:
    found = lines(run("coverage", formulary("name\nwarfarin / ibuprofen\nwarfarin / procyclidine\n"), "--release", starter, "--json"))
    both = found["warfarin / ibuprofen"]
    assert (both["labelled"], both["by_parts"], len(both["labels"])) == (True, True, 2)
    one = found["warfarin / procyclidine"]
    assert (one["labelled"], one["labels"], one["why_not"]) == (False, [], "no label of the combination, and none of procyclidine")


def test_names_are_shown_as_written_and_never_as_markup_or_control_characters(run: Run, starter: Path, formulary: Callable[[str], Path]) -> None:
    result = run("coverage", formulary("name\n[/x] unobtainium\nwarfarin [Coumadin]\n\x1b[31mred\n"), "--release", starter)
    assert result.exit_code == 0, result.output
    assert "[/x] unobtainium" in result.stdout
    assert "warfarin [Coumadin]" in result.stdout
    assert "\x1b" not in result.stdout
    assert "?[31mred" in result.stdout


def test_a_file_or_release_that_cannot_be_read_is_one_sentence(run: Run, starter: Path, formulary: Callable[[str], Path], tmp_path: Path) -> None:
    refused = run("coverage", formulary("product\nx\n"), "--release", starter)
    assert (refused.exit_code, refused.stderr.count("\n")) == (9, 1)
    assert "formulary.csv: line 1: no column names the drug" in refused.stderr
    absent = run("coverage", tmp_path / "none.csv", "--release", starter)
    assert (absent.exit_code, "none.csv: No such file" in absent.stderr) == (9, True)
    assert run("coverage", formulary("name\nx\n"), "--release", tmp_path / "none").exit_code == 3
