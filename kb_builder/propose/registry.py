"""The proposers of a build, in order. A newcomer adds a file and a line."""

from __future__ import annotations

from kb_builder.propose.contraindications import ContraindicationProposer
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.enzyme_roles import EnzymeRoleProposer
from kb_builder.propose.excipients import ExcipientProposer
from kb_builder.propose.incompatibilities import IncompatibilityProposer
from kb_builder.propose.indications import IndicationProposer
from kb_builder.propose.interactions import InteractionProposer
from kb_builder.propose.monitoring import MonitoringProposer
from kb_builder.propose.populations import PopulationProposer
from kb_builder.propose.prerequisites import PrerequisiteProposer
from kb_builder.propose.protocol import Proposer

PROPOSERS: tuple[Proposer, ...] = (
    IndicationProposer(),
    ContraindicationProposer(),
    InteractionProposer(),
    PopulationProposer(),
    DosageProposer(),
    MonitoringProposer(),
    PrerequisiteProposer(),
    IncompatibilityProposer(),
    ExcipientProposer(),
    EnzymeRoleProposer(),
)
"""Earlier proposers win where two give the same claim: contraindications read their own section more closely than the others do."""
