"""The axes of the populations that labels give advice for."""

from __future__ import annotations

from ontology.model.facts import Axis

OWN_AXES: dict[str, frozenset[Axis]] = {
    "renal": frozenset({Axis.RENAL, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.DIALYSIS}),
    "hepatic": frozenset({Axis.HEPATIC, Axis.CHILD_PUGH}),
    "pregnancy": frozenset({Axis.PREGNANCY, Axis.GESTATIONAL_AGE}),
    "lactation": frozenset({Axis.LACTATION}),
    "pediatric": frozenset({Axis.AGE, Axis.GESTATIONAL_AGE, Axis.POSTNATAL_AGE}),
    "geriatric": frozenset({Axis.AGE}),
    "genotype": frozenset({Axis.GENOTYPE, Axis.ANCESTRY}),
    "reproductive": frozenset({Axis.SEX}),
}
"""The axes on which a population's own bands stand."""
