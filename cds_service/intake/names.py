"""What the intake asks of the terminology."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ontology.model.identifiers import Code
from ontology.terms.identity import ConceptMatch, DrugIdentity, UnidentifiedDrug


class Names(Protocol):
    """Codes and names to concepts; `ontology.terms.terminology.Terminology` is the one in use."""

    def identify_drug(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug:
        """The drug that codes, else the whole name, denote."""
        ...

    def match_conditions(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The conditions that codes or the text name."""
        ...

    def match_allergens(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The ingredients, classes or allergens that codes or the text name."""
        ...

    def standard_codes(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """The codes, and the standard codes that a site's own ones among them mean."""
        ...

    def route(self, text: str) -> str | None:
        """The canonical route of a route's name."""
        ...

    def form(self, text: str) -> str | None:
        """The canonical dose form of a form's name."""
        ...
