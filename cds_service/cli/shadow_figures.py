"""Figures of a shadow report, and the sheet on which pharmacists judge would-be cards."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

import msgspec

from cds_service.answer.outlook import safe_summary
from cds_service.answer.policy_modes import CHECK_NAMES
from cds_service.answer.problems import Problem
from cds_service.answer.severity import Indicator
from cds_service.state.protocol import Feedback

LEVELS = tuple(reversed(Indicator))
JUDGEMENT = ("agree", "disagree", "comment")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class Row:
    """A would-be card on the sheet. `shown` is the level it was shown at, `acknowledged` or `silent`."""

    trace: str
    hook: str
    check: str
    level: str
    shown: str
    drug: str
    summary: str
    quote: str
    label: str
    practice: str
    link: str


@dataclass(slots=True)
class Figures:
    """Counts over all requests: would-be cards, those shown, feedback on these, missing data, and cards by the claim they rest on."""

    orders: int = 0
    would_be: Counter[tuple[str, Indicator]] = field(default_factory=Counter)
    shown: Counter[tuple[str, Indicator]] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    overridden: Counter[str] = field(default_factory=Counter)
    told: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def count(self, problem: Problem, at: Indicator | None, feedback: Sequence[Feedback], *, acknowledged: bool) -> None:
        """Takes a would-be card into account, the level it was shown at, whether an acknowledgement quieted it, and what its users reported."""
        check, rules = problem.lead.check, tuple(dict.fromkeys(r for f in problem.findings for r in f.rules))
        self.would_be[check, problem.indicator] += 1
        self.acknowledged[check] += acknowledged
        if at is not None:
            self.shown[check, at] += 1
        for rule in rules:
            self.rules[rule] += 1
            self.told.setdefault(rule, _told(problem, rule))
        for item in feedback[-1:]:
            outcome, reason = _outcome(item)
            self.outcomes[check, outcome] += 1
            if outcome == "overridden":
                self.overridden.update(rules)
                self.reasons[check, reason] += 1

    def per_100(self, count: int) -> float | None:
        """A count per 100 orders, None where there were no orders."""
        return round(100 * count / self.orders, 1) if self.orders else None

    def checks(self) -> Iterator[dict[str, Any]]:
        """A line a check that has anything to say."""
        for check in CHECK_NAMES:
            would = {level.value: self.would_be[check, level] for level in LEVELS}
            if not any(would.values()) and not self.missing[check]:
                continue
            yield {
                "check": check,
                **would,
                **{f"{level}_per_100": self.per_100(n) for level, n in would.items()},
                **{f"{level.value}_shown": self.shown[check, level] for level in LEVELS},
                "missing_data": self.missing[check],
                "acknowledged": self.acknowledged[check],
                "accepted": self.outcomes[check, "accepted"],
                "overridden": self.outcomes[check, "overridden"],
                "reasons": "; ".join(f"{reason} {n}" for (c, reason), n in self.reasons.most_common() if c == check),
            }

    def top(self) -> Iterator[dict[str, Any]]:
        """A line a rule, the most frequent first."""
        for rule, n in sorted(self.rules.items(), key=lambda kv: (-kv[1], kv[0])):
            check, summary, quote = self.told[rule]
            yield {"cards": n, "overridden": self.overridden[rule], "check": check, "summary": summary, "quote": quote, "rule": rule}

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {"orders": self.orders, "checks": list(self.checks()), "rules": list(self.top())}

    def lines(self, most: int) -> list[str]:
        """The figures for a terminal."""
        lines = [f"{self.orders} orders; would-be cards per 100 orders, were every check live (number, and number shown now)"]
        for row in self.checks():
            cells = "  ".join(f"{level.value} {row[f'{level.value}_per_100'] or 0:>5} ({row[level.value]}, {row[f'{level.value}_shown']})" for level in LEVELS)
            lines.append(f"  {row['check']:<20} {cells}  missing data {row['missing_data']}, acknowledged {row['acknowledged']}")
        answered: dict[str, list[str]] = defaultdict(list)
        for (check, outcome), n in sorted(self.outcomes.items()):
            answered[check].append(f"{outcome} {n}")
        lines.append("feedback" if answered else "no feedback on these cards")
        lines.extend(f"  {check:<20} {', '.join(said)}{self._why(check)}" for check, said in answered.items())
        lines.append("rules by number of cards")
        lines.extend(f"  {r['cards']:>6}  {r['check']:<20} {r['summary']}  ({r['rule']})" for r in list(self.top())[:most])
        return lines

    def _why(self, check: str) -> str:
        said = ", ".join(f"{reason} {n}" for (c, reason), n in self.reasons.most_common() if c == check)
        return f" ({said})" if said else ""


def write_sheet(file: Path, rows: Iterable[Row]) -> None:
    """The sheet in UTF-8 that spreadsheets open, the loudest first; nothing in it is taken for a formula."""
    order = {level.value: i for i, level in enumerate(LEVELS)}
    listed = sorted(rows, key=lambda r: (order[r.level], r.check, r.drug, r.trace))
    _write(file, (*(f.name for f in fields(Row)), *JUDGEMENT), ((*astuple(r), *("" for _ in JUDGEMENT)) for r in listed))


def write_figures(folder: Path, figures: Figures) -> None:
    """`checks.csv` and `rules.csv`."""
    for name, rows in (("checks.csv", list(figures.checks())), ("rules.csv", list(figures.top()))):
        _write(folder / name, tuple(rows[0]) if rows else (), (tuple(row.values()) for row in rows))


def _write(file: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(head)
        writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _told(problem: Problem, rule: str) -> tuple[str, str, str]:
    finding = next(f for f in problem.findings if rule in f.rules)
    quote = next((e.span.quote for e in finding.evidence if e.claim == rule), finding.evidence[0].span.quote)
    return finding.check, safe_summary(finding), " ".join(quote.split())


def _outcome(item: Feedback) -> tuple[str, str]:
    """The outcome of an item and the code of its reason; what the user wrote stays unread."""
    body = msgspec.json.decode(item.body)
    reason = body.get("overrideReason")
    inner = reason.get("reason") if isinstance(reason, dict) else None
    code = inner.get("code") if isinstance(inner, dict) else None
    return str(body.get("outcome")), code if isinstance(code, str) and len(code) <= 60 else "no coded reason"  # fmt: skip
