"""Allergies of the record against what an order contains.

The label's own statement on hypersensitivity is the evidence where there is one; a class or cross-reaction without it rests on the released
edges and is weighed by the recorded reaction. An excipient counts where a label of the order tells it. Intolerance is never critical; refuted entries are no allergies; an unknown list is a gap, and
an empty one is never called "no known allergies".
"""

from __future__ import annotations

from collections.abc import Iterator

from cds_service.audit.checks.allergy_match import AllergyMatch, Way, allergy_matches, is_severe, is_side_effect, stale_years
from cds_service.audit.checks.protocol import Case, drug_ref
from cds_service.audit.clinical import words
from cds_service.audit.evidence import cite_path, composition, merge
from cds_service.audit.outcomes import (
    Category,
    Certainty,
    Clear,
    Counterpart,
    EvidenceRef,
    Finding,
    NotEvaluated,
    NotEvaluatedReason,
    PathStep,
    Result,
    RiskType,
)
from cds_service.audit.roster import Medication
from cds_service.intake.prescription import AllergyFact
from ontology.model.advice import ACTION_RANK, Action, Advice
from ontology.model.claims import Strength
from ontology.model.predicates import Stratum

_WORDS = {Way.LABEL: "must not follow an allergy to", Way.MEMBER: "belongs to", Way.EXCIPIENT: "contains", Way.CROSS: "cross-reacts with"}
_HOW = {"code": Certainty.CODED, "name": Certainty.STATED}


class AllergyCheck:
    """Every confirmed or unconfirmed allergy against every draft order."""

    name = "allergy"
    category = Category.ALLERGY
    stratum = Stratum.GRAPH
    kinds = ("allergies",)

    def judge(self, case: Case, medication: Medication) -> Iterator[Result]:
        """The allergy conflicts of a draft order."""
        facts = case.profile.at(medication)
        found = False
        for allergy in case.prescription.patient.allergies:
            if allergy.status == "refuted":
                continue
            matches = sorted(allergy_matches(medication, allergy, case.knowledge, facts), key=_nearness)
            if not matches:
                continue
            result = _result(case, medication, allergy, matches)
            if result is not None:
                found = True
                yield result
        if not found:
            yield Clear(self.name, drug_ref(medication))


def _result(case: Case, medication: Medication, allergy: AllergyFact, matches: list[AllergyMatch]) -> Result | None:
    lead = matches[0]
    weak = is_side_effect(allergy)
    if weak and lead.way is not Way.SAME:
        # A side effect of one drug says nothing about its relatives.
        return None
    evidence = merge([*(s.evidence() for m in matches for s in m.statements), *(_edges(case, medication, m) for m in matches)])
    if not evidence:
        return NotEvaluated(
            "allergy",
            Category.ALLERGY,
            drug_ref(medication),
            NotEvaluatedReason.NO_KNOWLEDGE,
            f"the record names an allergy to {allergy.text or lead.allergen.name}, but the release has no sentence to show for {medication.called}",
        )
    action, strength, qualifiers, cap = _weigh(case, medication, allergy, lead)
    advice = next((s.rule.payload for m in matches for s in m.statements if isinstance(s.rule.payload, Advice)), None)
    return Finding(
        check="allergy",
        category=Category.ALLERGY,
        risk=RiskType.ALLERGY_CONFLICT,
        drug=drug_ref(medication),
        other=Counterpart("allergen", allergy.text or lead.allergen.name, None if lead.way is Way.SAME else lead.target_name),
        action=action,
        hazard="allergy",
        certainty=_HOW.get(lead.allergen.how, Certainty.TEXT),
        evidence=evidence,
        rules=tuple(dict.fromkeys(e.claim for e in evidence if e.claim)),
        path=tuple(dict.fromkeys(step for m in matches[:2] for step in _path(medication, m))),
        data=(allergy.source, medication.order.source),
        subject_key=allergy.source.reference,
        qualifiers=tuple(qualifiers),
        cap=cap,
        strength=strength,
        effect=advice.effect if advice else None,
        orders=(medication.reference,),
    )


def _nearness(m: AllergyMatch) -> tuple[int, int, bool, int, str]:
    """The surest way first, on one way the strictest statement, then the meeting point that is nearest to what the record names."""
    payload = m.statements[0].rule.payload if m.way is Way.LABEL else None
    strict = ACTION_RANK.index(payload.strictest) if isinstance(payload, Advice) else 0
    return (m.way, strict, m.target != m.allergen.id, len(m.allergen_row.path) if m.allergen_row else 0, str(m.target))


def _weigh(case: Case, medication: Medication, allergy: AllergyFact, lead: AllergyMatch) -> tuple[Action, Strength, list[str], str | None]:
    """What the card asks for: by the way the two meet, the reaction, its kind and its age."""
    severe = is_severe(allergy)
    action, strength = Action.CONTRAINDICATED, Strength.MUST
    qualifiers: list[str] = []
    cap: str | None = None
    if lead.way is Way.LABEL:
        action, strength = _weigh_label(lead, severe=severe)
    elif lead.way is Way.MEMBER and not lead.statements:
        action, strength = (Action.CONTRAINDICATED, Strength.MUST) if severe else (Action.AVOID, Strength.SHOULD)
    elif lead.way is Way.EXCIPIENT:
        action, strength = _weigh_excipient(medication, lead, severe=severe)
        if lead.statements[0].claims[0].document not in medication.drug.documents:
            qualifiers.append(f"not every product contains {lead.target_name}: check the one that is dispensed")
    elif lead.way is Way.CROSS:
        action, strength = (Action.AVOID, Strength.SHOULD) if severe else (Action.CAUTION, Strength.CONSIDER)
        qualifiers.append(f"cross-reaction of {medication.called} with {lead.target_name}: weigh the recorded reaction")
    if is_side_effect(allergy):
        cap = "warning" if lead.way is Way.SAME and allergy.kind != "intolerance" else "info" if not severe and allergy.reactions else "warning"
        qualifiers.append("recorded as an intolerance or a side effect, not as an allergy")
    if allergy.status == "unconfirmed":
        cap = cap or "warning"
        qualifiers.append("the entry is not confirmed")
    if allergy.reactions:
        qualifiers.append(f"recorded reaction: {', '.join(allergy.reactions)}")
    day = allergy.source.date
    if day is not None and (case.prescription.reference_time.date() - day).days > 365 * stale_years():
        qualifiers.append(f"recorded {day.year}: an old entry, testing may clear it")
    return action, strength, qualifiers, cap


def _weigh_label(lead: AllergyMatch, *, severe: bool) -> tuple[Action, Strength]:
    """What the label itself asks for after the other reaction; where that is caution only, a severe reaction asks for another drug."""
    rule = lead.statements[0].rule
    asked = rule.payload.strictest if isinstance(rule.payload, Advice) else Action.CONTRAINDICATED
    if ACTION_RANK.index(asked) <= ACTION_RANK.index(Action.NOT_RECOMMENDED):
        return asked, rule.strength
    return (Action.AVOID, Strength.SHOULD) if severe else (Action.CAUTION, Strength.CONSIDER)


def _weigh_excipient(medication: Medication, lead: AllergyMatch, *, severe: bool) -> tuple[Action, Strength]:
    """A severe reaction forbids the very product; a listed excipient that is all but free of the allergen is worth a remark."""
    statement = lead.statements[0]
    if severe and statement.claims[0].document in medication.drug.documents:
        return Action.CONTRAINDICATED, Strength.MUST
    warned = any(e.span.section in words("excipients", "warned_in") for e in statement.evidence())
    if severe or warned or lead.target_name.casefold() not in words("excipients", "refined"):
        return Action.AVOID, Strength.SHOULD
    return Action.CAUTION, Strength.CONSIDER


def _edges(case: Case, medication: Medication, match: AllergyMatch) -> tuple[EvidenceRef, ...]:
    """The released edges by which the order and the allergen meet; where they are one, the label's line on what is in the product."""
    if match.way is Way.SAME:
        return composition(medication, match.target, match.target_name, case.knowledge) if not match.statements else ()
    if match.way in (Way.LABEL, Way.EXCIPIENT):
        return ()
    path = (*(match.reach.row.path if match.reach and match.reach.row else ()), *(match.allergen_row.path if match.allergen_row else ()))
    return cite_path(path, case.knowledge)


def _path(medication: Medication, match: AllergyMatch) -> Iterator[PathStep]:
    drug, allergen = medication.called, match.allergen.name
    if match.way is Way.SAME:
        yield PathStep(drug, "contains", allergen)
        return
    claim = (
        match.statements[0].claims[0].id
        if match.statements
        else (match.reach.row.path[0] if match.reach and match.reach.row and match.reach.row.path else None)
    )
    word = _WORDS[match.way]
    yield PathStep(drug, word, match.target_name, claim)
    if match.target != match.allergen.id:
        row = match.allergen_row
        yield PathStep(allergen, "belongs to", match.target_name, row.path[0] if row and row.path else None)
