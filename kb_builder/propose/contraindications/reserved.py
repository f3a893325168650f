"""Patients allergic to something else whom a label keeps its product from unless the benefit justifies it.

"Patients with a history of hypersensitivity reactions to carbamazepine should ordinarily be treated with X only if the benefit justifies the risk."
Without the reaction such sentences are on uses (pregnancy) that other proposers read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.contraindications.advised import state_draft
from kb_builder.propose.contraindications.allergens import find_reaction
from kb_builder.propose.contraindications.states import StateReader
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType

_ONLY_IF = re.compile(
    r"\b(?:should|must)\s+(?:\w+\s+)?(?:be\s+(?:treated|given|used|prescribed|administered)|receive)\b[^.;]{0,80}?\bonly\s+(?:if|when)\b"
    r"[^.;]{0,60}?\bbenefits?\b[^.;]{0,40}?\b(?:justif\w+|outweigh\w*)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:patients|individuals|persons|those)\s+(?:with|who\s+(?:have|had|has|are))\s+(?P<who>[^.;]{3,160})$", re.IGNORECASE)
_ALLERGENS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.ALLERGEN})


def kept_for_need(reading: Reading, states: StateReader, block: Block, statement: Statement) -> Iterator[Draft]:
    """The allergens, other than the product's own, whose patients a sentence gives the product only where the benefit justifies it."""
    blank = reading.blank
    cue = _ONLY_IF.search(blank, statement.start, statement.end) if blank.find("only", statement.start, statement.end) >= 0 else None
    people = list(_WHO.finditer(blank, statement.start, cue.start())) if cue is not None else []
    if not people or find_reaction(people[-1]["who"]) is None:
        return
    own = {t.targets[0].id for t in statement.things if t.own}
    for state in states.read(*people[-1].span("who")):
        if EntityType(state.target.id.type) in _ALLERGENS and state.target.id not in own and state.target.entity is None:
            yield state_draft(reading, block, statement, state, Action.NOT_RECOMMENDED, Strength.SHOULD)
