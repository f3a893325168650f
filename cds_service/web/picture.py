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
APART = 22


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


def draw(steps: Sequence[PathStep]) -> Picture | None:
    """The picture of the steps, or None when there are none."""
    if not steps:
        return None
    order = _order(steps)
    place = {name: index for index, name in enumerate(order)}
    nodes: list[Node] = []
    y = 4
    for name in order:
        lines = wrap(name, BOX - 2 * PADDING)
        height = 2 * PADDING + LINE * len(lines)
        nodes.append(Node(name, lines, 6, y, BOX, height))
        y += height + GAP
    arrows = tuple(_arrow(step, nodes[place[step.start]], nodes[place[step.end]], _beside(steps, number)) for number, step in enumerate(steps))
    lowest = max(y - GAP, *(arrow.y for arrow in arrows))
    return Picture(WIDTH, lowest + 4, tuple(nodes), arrows, describe(steps))


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


def _beside(steps: Sequence[PathStep], number: int) -> int:
    """How many earlier steps join the same two boxes, in whatever direction: their arrows stand side by side."""
    ends = {steps[number].start, steps[number].end}
    return sum(1 for s in steps[:number] if {s.start, s.end} == ends)


def _arrow(step: PathStep, start: Node, end: Node, beside: int) -> Arrow:
    down = end.y > start.y
    near = abs(end.y - start.y) <= max(start.height, end.height) + GAP
    if start is end or not near:
        return _arc(step, start, end, beside)
    x = start.middle - APART * ((beside + 1) // 2) * (1 if beside % 2 else -1)
    y0, y1 = (start.y + start.height, end.y) if down else (start.y, end.y + end.height)
    tip = y1 - 8 if down else y1 + 8
    label, anchor = (x - 10, "end") if beside % 2 else (x + 10, "start")
    return Arrow(f"M {x} {y0} V {tip}", f"{x - 5},{tip} {x + 5},{tip} {x},{y1}", relation_words(step.relation), label, (y0 + y1) // 2 + 4, step.claim, anchor)


def _arc(step: PathStep, start: Node, end: Node, beside: int) -> Arrow:
    """A curve on the right-hand side, for two boxes that do not stand next to each other; its words stand under the upper box."""
    x = start.x + start.width
    y0, y1 = start.y + start.height // 2 + 4, end.y + end.height // 2 - 4
    bulge = x + ARC + 8 * (beside % 3)
    upper = min((start, end), key=lambda node: node.y)
    path = f"M {x} {y0} C {bulge} {y0}, {bulge} {y1}, {x + 8} {y1}"
    head = f"{x + 8},{y1 - 5} {x + 8},{y1 + 5} {x},{y1}"
    return Arrow(path, head, relation_words(step.relation), WIDTH - 2, upper.y + upper.height + GAP - 8, step.claim, "end")
