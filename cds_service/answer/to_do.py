"""What a card asks to be done, in one line."""

from __future__ import annotations

from cds_service.answer.corrected_orders import sig
from cds_service.answer.markdown import escape
from cds_service.audit.outcomes import Category, Finding
from ontology.model.advice import Action

_TO_DO: dict[Action, str] = {
    Action.CONTRAINDICATED: "do not sign the order as it stands; choose an alternative",
    Action.STOP: "stop the drug, or record why it goes on",
    Action.AVOID: "choose an alternative, or record why the benefit outweighs the risk",
    Action.NOT_RECOMMENDED: "choose an alternative, or record why the benefit outweighs the risk",
    Action.ADJUST_DOSE: "change the dose as the label says, or record why not",
    Action.SEPARATE: "set the times of the two apart as the label says",
}
_TO_DO_OF: dict[Category, str] = {
    Category.ALLERGY: "verify the recorded reaction; choose an alternative unless it is no true allergy",
    Category.DUPLICATE: "keep one of the two orders, or confirm that both are meant",
    Category.INDICATION: "confirm what the order is for, or choose a drug that is labelled for it",
}


def to_do(f: Finding) -> str:
    """What to do, in one line; nothing for what only is to be watched."""
    words = _TO_DO.get(f.action, "")
    if f.category in _TO_DO_OF and words:
        words = _TO_DO_OF[f.category]
    elif f.category is Category.DOSAGE and f.corrected is not None:
        words = f"order {sig(f.corrected, None)}, or record why not"
    elif f.category is Category.DOSAGE and f.ordered:
        words = f"order what the label allows ({f.allowed}), or record why not"
    return f"What to do: {escape(words)}." if words else ""
