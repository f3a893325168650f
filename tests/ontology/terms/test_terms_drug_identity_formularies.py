"""Every line of the two formularies names a drug, and the drug that the line says."""

import csv
from pathlib import Path

import pytest

from ontology.terms.identity import DrugIdentity
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()


@pytest.mark.parametrize("setting", ["inpatient", "outpatient"])
def test_every_line_of_a_formulary_is_identified_by_words_that_stand_in_it(repository: Path, setting: str) -> None:
    with (repository / "fixtures" / "formularies" / f"{setting}.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(lines) >= 200
    unread, strange = [], []
    for line in lines:
        drug = TERMS.identify_drug((), line["name"])
        if not isinstance(drug, DrugIdentity):
            unread.append((line["name"], drug.reason))
        elif missing := [i.name for i in drug.ingredients if i.name.split()[0].casefold() not in line["name"].casefold()]:
            strange.append((line["name"], missing))
    assert unread == []
    # Divalproex is valproate with its acid; the table names the base after the latter.
    assert {name for _, names in strange for name in names} <= {"valproate"}
