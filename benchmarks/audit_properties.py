"""Properties of the audit over benchmark cases and a real release: what must not change a verdict, and what must not silence one.

    python benchmarks/audit_properties.py --release RELEASE --cases ../shared/benchmark/cases-dev/*.json [--runner ../shared/benchmark/run_cases.py]

For every case: the entries shuffled, amounts in smaller and larger units, other ids, one unrelated drug more; then each datum taken away. Prints what
differs, and each loud finding of which nothing is said any more. Prints, never asserts. Stops and says so when the runner is absent.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cases"))

from case_changes import DATA, Body, faults, in_other_units, renamed, shuffled, silenced, verdicts, with_current, without

from cds_service.answer.policy import Policy
from cds_service.answer.severity import Indicator
from cds_service.audit.chain import run_chain
from cds_service.audit.outcomes import AuditResult, Finding
from cds_service.intake.request import read_request
from ontology.store.release import Release

UNRELATED = "docusate sodium 100 mg oral capsule"
SAME: tuple[tuple[str, Callable[[Body], Body]], ...] = (
    ("shuffled", lambda body: shuffled(body, 1)),
    ("smaller units", lambda body: in_other_units(body, larger=False)),
    ("larger units", lambda body: in_other_units(body, larger=True)),
    ("other ids", renamed),
)


def main(arguments: list[str] | None = None) -> None:
    """Prints what differs, a line a case and change, and the counts."""
    options = _options(arguments)
    runner = _runner(options.runner)
    release, policy, now = Release.open(options.release), Policy.shipped(), datetime.now(UTC)

    def audit(body: Body) -> AuditResult:
        read = json.loads(json.dumps(body, default=float), parse_float=Decimal, parse_int=Decimal)
        return run_chain(read_request(read, release.terminology, received=now, use_request_time=True), release, policy)

    def loud(finding: Finding) -> bool:
        return policy.indicator(finding) not in (None, Indicator.INFO)

    begun, asked, broken = time.monotonic(), 0, 0
    for case in runner.load(options.cases):
        for what in _broken(runner.compile_case(case), audit, loud):
            broken += 1
            print(f"{case['id']}: {what}")
        asked += 1
    print(f"{asked} cases, {broken} properties broken, {time.monotonic() - begun:.0f} s")


def _broken(body: Body, audit: Callable[[Body], AuditResult], loud: Callable[[Finding], bool]) -> Iterator[str]:
    before = audit(body)
    said = verdicts(before)
    for name, change in SAME:
        after = verdicts(audit(change(body)))
        if after != said:
            yield f"{name}: lost {sorted(map(str, said - after))[:2]}, new {sorted(map(str, after - said))[:2]}"
    if (body["prefetch"].get("medications") or {}).get("resourceType") == "Bundle":
        lost = said - verdicts(audit(with_current(body, UNRELATED)))
        if lost:
            yield f"{UNRELATED} added: lost {sorted(map(str, lost))[:2]}"
    for datum in DATA:
        result = audit(without(body, datum))
        yield from (f"silenced: {what}" for what in silenced(before, result, datum, loud))
        yield from (f"without {datum}: {what}" for what in faults(result))


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--release", type=Path, required=True)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--runner", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "benchmark" / "run_cases.py")
    return parser.parse_args(arguments)


def _runner(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_cases", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        sys.exit(f"absent: the benchmark's runner {path}; name it with --runner")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
