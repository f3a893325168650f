"""The proposers of a build, in order. A newcomer adds a file and a line."""

from __future__ import annotations

from kb_builder.propose.boxed.proposer import BoxedWarningProposer
from kb_builder.propose.composition.enzyme_roles import EnzymeRoleProposer
from kb_builder.propose.composition.excipients import ExcipientProposer
from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.drug_facts.proposer import DrugFactsProposer
from kb_builder.propose.indications.proposer import IndicationProposer
from kb_builder.propose.interactions.incompatibilities import IncompatibilityProposer
from kb_builder.propose.interactions.proposer import InteractionProposer
from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.protocol import Proposer
from kb_builder.propose.watching.monitoring import MonitoringProposer
from kb_builder.propose.watching.prerequisites import PrerequisiteProposer

PROPOSERS: tuple[Proposer, ...] = (
    IndicationProposer(),
    ContraindicationProposer(),
    InteractionProposer(),
    PopulationProposer(),
    DrugFactsProposer(),
    DosageProposer(),
    BoxedWarningProposer(),
    MonitoringProposer(),
    PrerequisiteProposer(),
    IncompatibilityProposer(),
    ExcipientProposer(),
    EnzymeRoleProposer(),
)
"""Earlier proposers win where two give the same claim: contraindications read their own section more closely than the others do."""
