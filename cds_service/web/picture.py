"""The path of an argument as a small picture: boxes one below the other, arrows with the edge words between them.

The picture is narrow and tall so that it stays readable on a telephone. It is drawn without a browser's help, so the width of words is
estimated; boxes grow by lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from cds_service.audit.outcomes import PathStep
from cds_service.web.wording import words_for

WIDTH = 340
BOX = 260
LINE = 18
PADDING = 10
GAP = 58
LETTER = 7.6
ARC = 28


@dataclass(frozen=True, slots=True)
class Node:
    """A box: its words cut into lines, and where it stands."""

    words: str
    lines: tuple[str, ...]
    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> int:
        """The x of its centre."""
        return self.x + self.width // 2

    def baseline(self, index: int) -> int:
        """The y of a line's text."""
        return self.y + PADDING + LINE * index + 13


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge: an SVG path, the triangle at its end, its words and their place, and the claim it rests on."""

    path: str
    head: str
    words: str
    x: int
    y: int
    claim: str | None
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with the sentence that says the same to a reader who does not see it."""

    width: int
    height: int
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    description: str


def draw(steps: Sequence[PathStep]) -> tuple[Picture, ...]:
    """A picture for each argument of the path, in its order."""
    return tuple(_draw_one(argument) for argument in arguments(steps))


def arguments(steps: Sequence[PathStep]) -> tuple[tuple[PathStep, ...], ...]:
    """The path cut where a new argument begins: a step that says more of a thing already spoken of, or joins two that are joined."""
    cut: list[list[PathStep]] = []
    for step in steps:
        current = cut[-1] if cut else []
        repeats = any(step.start == s.start or {step.start, step.end} == {s.start, s.end} for s in current)
        if not current or repeats or not _touches(step, current):
            cut.append([step])
        else:
            current.append(step)
    return tuple(map(tuple, cut))


def _touches(step: PathStep, steps: Sequence[PathStep]) -> bool:
    return any({step.start, step.end} & {s.start, s.end} for s in steps)


def _draw_one(steps: Sequence[PathStep]) -> Picture:
    order = _order(steps)
    nodes: dict[str, Node] = {}
    y = 4
    for name in order:
        lines = wrap(name, BOX - 2 * PADDING)
        height = 2 * PADDING + LINE * len(lines)
        nodes[name] = Node(name, lines, 6, y, BOX, height)
        y += height + GAP
    arrows = tuple(
        _arrow(s, nodes[s.start], nodes[s.end]) if abs(order.index(s.start) - order.index(s.end)) == 1 else _arc(s, nodes[s.start], nodes[s.end]) for s in steps
    )
    lowest = max(y - GAP, *(arrow.y for arrow in arrows))
    return Picture(WIDTH, lowest + 4, tuple(nodes.values()), arrows, describe(steps))


def describe(steps: Sequence[PathStep]) -> str:
    """The steps as sentences."""
    return "; ".join(f"{s.start} {relation_words(s.relation)} {s.end}" for s in steps) + "."


def relation_words(relation: str) -> str:
    """A predicate's or action's name as words."""
    return words_for("relation", relation.replace("_", "-").replace(" ", "-").strip())


def wrap(text: str, width: float) -> tuple[str, ...]:
    """The text in lines of at most `width` units, broken at spaces or, in a script without them, between characters."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        for part in _parts(word, width):
            candidate = f"{line} {part}".strip()
            if line and _width(candidate) > width:
                lines.append(line)
                line = part
            else:
                line = candidate
    return (*lines, line) if line else tuple(lines) or ("",)


def _parts(word: str, width: float) -> list[str]:
    parts, part = [], ""
    for letter in word:
        if part and _width(part + letter) > width:
            parts.append(part)
            part = ""
        part += letter
    return [*parts, part]


def _width(text: str) -> float:
    return sum(LETTER * (1.9 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)


def _order(steps: Sequence[PathStep]) -> list[str]:
    """Names along the chain when the steps form one (read without direction), else in order of appearance."""
    names = list(dict.fromkeys(n for s in steps for n in (s.start, s.end)))
    neighbours: dict[str, list[str]] = {n: [] for n in names}
    for step in steps:
        if step.end not in neighbours[step.start]:
            neighbours[step.start].append(step.end)
        if step.start not in neighbours[step.end]:
            neighbours[step.end].append(step.start)
    ends = [n for n in names if len(neighbours[n]) == 1]
    if not ends or any(len(n) > 2 for n in neighbours.values()):
        return names
    chain = [ends[0]]
    while following := [n for n in neighbours[chain[-1]] if n not in chain]:
        chain.append(following[0])
    return chain if len(chain) == len(names) else names


def _arrow(step: PathStep, start: Node, end: Node) -> Arrow:
    """A straight line between two boxes that stand next to each other."""
    down = end.y > start.y
    x = start.middle
    y0, y1 = (start.y + start.height, end.y) if down else (start.y, end.y + end.height)
    tip = y1 - 8 if down else y1 + 8
    return Arrow(f"M {x} {y0} V {tip}", f"{x - 5},{tip} {x + 5},{tip} {x},{y1}", relation_words(step.relation), x + 10, (y0 + y1) // 2 + 4, step.claim)


def _arc(step: PathStep, start: Node, end: Node) -> Arrow:
    """A curve on the right-hand side, for two boxes that do not stand next to each other; its words stand under the upper box."""
    x = start.x + start.width
    y0, y1 = start.y + start.height // 2 + 4, end.y + end.height // 2 - 4
    bulge = x + ARC + abs(end.y - start.y) // 20
    upper = min((start, end), key=lambda node: node.y)
    path = f"M {x} {y0} C {bulge} {y0}, {bulge} {y1}, {x + 8} {y1}"
    head = f"{x + 8},{y1 - 5} {x + 8},{y1 + 5} {x},{y1}"
    return Arrow(path, head, relation_words(step.relation), WIDTH - 2, upper.y + upper.height + GAP - 8, step.claim, "end")
