"""Facts made by hand, and a release of two small labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kb_builder.assemble.policy import load_policy
from kb_builder.learn.flat import FlatFact, flat_fact
from kb_builder.learn.placed import LabelText, Said
from kb_builder.pipeline import build
from kb_builder.plan import BuildPlan
from kb_builder.progress import reporter_for
from ontology.store.release import Release
from ontology.terms.terminology import Terminology

DOC = "label-1"
TEXT = "7 DRUG INTERACTIONS Avoid ibuprofen. Give 5 mg once daily in renal impairment. Watch the INR when aspirin is added."
SECTION = "drug_interactions"

Make = Callable[..., FlatFact]
MakeSaid = Callable[..., Said]


@pytest.fixture
def fact() -> Make:
    """Makes a fact of `label-1`; members as in a gold file."""

    def make(kind: str, **members: Any) -> FlatFact:
        members = {"doc": DOC, "drug": "warfarin", "kind": kind, "section": SECTION, "quote": "Avoid ibuprofen.", **members}
        if isinstance(members.get("target"), str):
            members["target"] = {"name": members["target"]}
        return flat_fact(members)

    return make


@pytest.fixture
def said() -> MakeSaid:
    """Makes a said fact standing on a quote of the text, the whole text unless told."""

    def make(one: FlatFact, quote: str = TEXT, *, stands: bool = True, claim: str = "c1") -> Said:
        start = TEXT.index(quote)
        return Said(one, claim, one.predicate, "by-hand 1", ((SECTION, start, start + len(quote)),), stands)

    return make


@pytest.fixture
def text() -> LabelText:
    """The text of `label-1`."""
    return LabelText([(SECTION, TEXT)])


@pytest.fixture(scope="session")
def small_release(tmp_path_factory: pytest.TempPathFactory, monograph: str, few_terms: Terminology) -> Iterator[Release]:
    """A release of one label with one interaction, an unread dose and text that says nothing."""
    folder = tmp_path_factory.mktemp("learn")
    more = """
## Dosage and administration

Patients with strong bones walk. The quick brown fox recommends 5 mg of porridge after the second full moon.

## Boxed warning

Avoid ibuprofen. Monitor aspirin users on long journeys by sea with a sextant of 40 mg.
"""
    (folder / "a.md").write_text(monograph + more)
    plan = BuildPlan((folder / "a.md",), folder / "release", load_policy("default"), terms=lambda: few_terms)
    build(plan, reporter_for())
    with Release.open(folder / "release") as release:
        yield release


@pytest.fixture(scope="session")
def release_path(small_release: Release) -> Path:
    """The folder of the small release."""
    return small_release.path
