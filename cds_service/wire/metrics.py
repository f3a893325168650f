"""Counters for Prometheus, without a label that could name a patient, an order or a drug."""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

REQUESTS = Counter("pharmgraph_requests_total", "Answers, by service and status.", ("service", "status"))
DURATION = Histogram("pharmgraph_request_seconds", "Time to the answer, by service.", ("service",), buckets=SECONDS)
CARDS = Counter("pharmgraph_cards_total", "Cards, by indicator.", ("indicator",))
RESULTS = Counter("pharmgraph_results_total", "Findings, gaps and checks not evaluated, by kind and category.", ("kind", "category"))
INTAKE_ISSUES = Counter("pharmgraph_intake_issues_total", "Received and not used, by kind of data.", ("kind",))
STATE_FAULTS = Counter("pharmgraph_state_faults_total", "Writes and reads of the state store that failed.")
FEEDBACK = Counter("pharmgraph_feedback_total", "Feedback on cards, by outcome.", ("outcome",))
DROPPED = Counter("pharmgraph_background_dropped_total", "Background tasks that found the queue full or the broker away.")


def exposition() -> tuple[bytes, str]:
    """The metrics of all workers as text, and its content type."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST
    return generate_latest(), CONTENT_TYPE_LATEST
