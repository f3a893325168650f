"""All services, in the order that discovery lists them: the signature first, because a client that takes one service takes that."""

from __future__ import annotations

from cds_service.errors import UnknownService
from cds_service.wire.hooks.order_select import ORDER_SELECT
from cds_service.wire.hooks.order_sign import ORDER_SIGN
from cds_service.wire.hooks.protocol import HookService

SERVICES: tuple[HookService, ...] = (ORDER_SIGN, ORDER_SELECT)


def service_by_id(service_id: str) -> HookService:
    """The service with this id. Raises UnknownService, which names those there are."""
    found = next((s for s in SERVICES if s.id == service_id), None)
    if found is None:
        raise UnknownService(f"no service {service_id[:60]!r}; discovery lists {', '.join(s.id for s in SERVICES)}")
    return found
