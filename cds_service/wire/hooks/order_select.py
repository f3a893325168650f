"""order-select: the same audit while an order is being written, focused on what was just selected."""

from cds_service.wire.hooks.protocol import PREFETCH, HookService

ORDER_SELECT = HookService(
    id="pharmgraph-order-select",
    hook="order-select",
    title="PharmGraph prescription audit while ordering",
    description=(
        "Audits the medication orders that were just selected against the patient's record and the other orders being written. "
        "Every finding quotes the drug label it rests on; what could not be checked is said."
    ),
    accepts=("order-select",),
    hook_version="1.0",
    prefetch=PREFETCH,
)
