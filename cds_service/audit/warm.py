"""What an audit needs once a process, made before the first order comes: data files, names of conditions, entities the data files name."""

from __future__ import annotations

from cds_service.audit.antidote_pairs import antidote_pairs
from cds_service.audit.clinical import SECTION_FILES, analytes, lab_conditions, order_uses, table
from cds_service.audit.knowledge import Terms, entities_named
from cds_service.audit.profile.habits import food_names
from cds_service.audit.profile.notes import condition_names
from cds_service.audit.profile.patterns import compile_patterns
from cds_service.audit.states import populations
from ontology.model.entities import EntityType


def warm_up(terms: Terms) -> None:
    """Reads the audit's data files and indexes the names of conditions, so that no request pays for it; call it before workers fork."""
    for file in (
        *SECTION_FILES,
        "lab_conditions",
        "lab_limits",
        "stated_values",
        "genotype",
        "order_uses",
        "pairs",
        "foods",
        "class_duplicates",
        "drug_levels",
    ):
        table(file)
    analytes()
    populations()
    condition_names(terms)
    food_names(terms)
    compile_patterns()
    antidote_pairs(terms)
    entities_named(terms, order_uses().carriers, (EntityType.INGREDIENT,))
    for row in lab_conditions():
        for name in row.names:
            entities_named(terms, (name,), (EntityType.CONDITION,))
