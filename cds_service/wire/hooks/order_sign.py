"""order-sign: the audit of orders at the signature."""

from cds_service.wire.hooks.protocol import PREFETCH, HookService

ORDER_SIGN = HookService(
    id="pharmgraph-order-sign",
    hook="order-sign",
    title="PharmGraph prescription audit",
    description=(
        "Audits medication orders as they are signed: interactions, allergies, contraindications, duplicates. "
        "Every finding quotes the drug label it rests on; what could not be checked is said."
    ),
    accepts=("order-sign", "medication-prescribe"),
    hook_version="1.0",
    prefetch=PREFETCH,
)
