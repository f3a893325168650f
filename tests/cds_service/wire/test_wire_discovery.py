import re

from flask.testing import FlaskClient

from cds_service.intake.prescription import KINDS
from cds_service.wire.hooks.registry import SERVICES

SUBSET = re.compile(r"(patient|category|status|_count|_sort)=[A-Za-z0-9,{}.\-]+")


def test_discovery_lists_both_services_with_all_members(client: FlaskClient) -> None:
    answer = client.get("/cds-services")
    services = answer.get_json()["services"]
    assert answer.content_type == "application/json; charset=utf-8"
    assert [s["hook"] for s in services] == ["order-sign", "order-select"]
    assert all(s["id"] and s["title"] and s["description"] and s["usageRequirements"] and s["version"] for s in services)


def test_prefetch_asks_exactly_for_the_kinds_of_data_that_are_read(client: FlaskClient) -> None:
    for service in client.get("/cds-services").get_json()["services"]:
        assert tuple(service["prefetch"]) == KINDS


def test_prefetch_queries_stay_within_the_recommended_subset() -> None:
    for service in SERVICES:
        for query in service.prefetch.values():
            assert query.count("{{") == query.count("{{context.patientId}}") == 1
            path, _, search = query.partition("?")
            assert path.isalpha() or path == "Patient/{{context.patientId}}"
            assert all(SUBSET.fullmatch(p) for p in search.split("&") if p)


def test_ids_are_unique_and_no_hook_is_answered_by_two_services() -> None:
    assert len({s.id for s in SERVICES}) == len(SERVICES)
    accepted = [hook for s in SERVICES for hook in s.accepts]
    assert len(set(accepted)) == len(accepted)
