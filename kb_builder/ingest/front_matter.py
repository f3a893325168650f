"""The metadata block of a Markdown label: YAML between two lines of `---`, every scalar kept as the text that was written.

Numbers and dates are not converted, so that a version `1.10` stays `1.10`. Anchors and aliases are refused: a few lines of them can stand
for gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import yaml

from kb_builder.ingest.stated import NO_SET_ID, plausible, read_set_id
from kb_builder.ingest.substances import MAX_SUBSTANCES
from ontology.model.identifiers import SYSTEMS, Code
from ontology.text.document import ProductInfo, SubstanceInfo

MAX_BLOCK = 256 * 1024
_BLOCK = re.compile(r"\A\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
KEYS = frozenset({"set_id", "version", "effective", "title", "language", "product_type", "publisher", "url", "products", "classes", "sources"})


class FrontMatterError(Exception):
    """A metadata block that cannot be read: where, and why."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(reason)
        self.where = where
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A metadata block: `text` verbatim, `body_start` where the label begins, and what the block says."""

    text: str
    body_start: int
    set_id: str
    version: str | None
    effective: date | None
    title: str
    language: str
    product_type: str | None
    publisher: str | None
    url: str | None
    products: tuple[ProductInfo, ...]
    classes: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]


class _PlainLoader(yaml.BaseLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        taken: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in taken:
                raise FrontMatterError("metadata block", f"line {key.start_mark.line + 2}: {name[:40]} comes twice; keep one of them")
            taken.add(name)
        return super().construct_mapping(node, deep)

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise FrontMatterError("metadata block", f"line {mark.line + 2}: aliases (*name) are not read; write the value out")
        return super().compose_node(parent, index)


def split_front_matter(text: str) -> tuple[str, int] | None:
    """The block's text and the offset after it, or None when the text does not start with one."""
    match = _BLOCK.match(text)
    return (match.group(1), match.end()) if match else None


def read_front_matter(text: str) -> FrontMatter:
    """What the metadata block at the head of a text says. Raises FrontMatterError with the key at fault."""
    block = split_front_matter(text)
    if block is None:
        raise FrontMatterError("metadata block", "missing: a Markdown label starts with `---`, its metadata (set_id, products ...) and `---`")
    source, body_start = block
    if len(source) > MAX_BLOCK:
        raise FrontMatterError("metadata block", f"{len(source):,} characters, more than {MAX_BLOCK:,}")
    members = _mapping(_load(source), "metadata block")
    set_id = _text(members, "set_id")
    if set_id is None:
        raise FrontMatterError("set_id", "missing: a label without a set id has no identity")
    known = read_set_id(set_id)
    if known is None:
        raise FrontMatterError("set_id", f"{set_id[:40]!r} {NO_SET_ID}")
    set_id = known
    products = tuple(_product(set_id, item, f"products[{n}]") for n, item in enumerate(_items(members, "products", "products")))
    return FrontMatter(
        text=source,
        body_start=body_start,
        set_id=set_id,
        version=_text(members, "version"),
        effective=_date(members),
        title=_text(members, "title") or set_id,
        language=_text(members, "language") or "en",
        product_type=_text(members, "product_type"),
        publisher=_text(members, "publisher"),
        url=_text(members, "url"),
        products=products,
        classes=_classes(members),
        unknown=tuple(sorted(str(key) for key in members if key not in KEYS)),
    )


def _load(source: str) -> object:
    try:
        return yaml.load(source, Loader=_PlainLoader)  # noqa: S506 - a BaseLoader: makes strings, lists and dictionaries only
    except yaml.MarkedYAMLError as e:
        line = f"line {e.problem_mark.line + 2}: " if e.problem_mark else ""
        raise FrontMatterError("metadata block", f"{line}not YAML: {e.problem or e.context}") from e
    except yaml.YAMLError as e:
        raise FrontMatterError("metadata block", f"not YAML: {str(e).splitlines()[0]}") from e
    except RecursionError as e:
        raise FrontMatterError("metadata block", "nested too deeply") from e


def _mapping(value: object, where: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise FrontMatterError(where, "expected `key: value` lines")
    return value


def _text(members: dict[Any, Any], key: str, where: str = "") -> str | None:
    value = members.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise FrontMatterError(where or key, f"expected text, found {'a list' if isinstance(value, list) else 'a block'}")
    return value.strip() or None


def _items(members: dict[Any, Any], key: str, where: str) -> list[Any]:
    value = members.get(key)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        raise FrontMatterError(where, "expected a list")
    return value


def _texts(members: dict[Any, Any], key: str, where: str) -> tuple[str, ...]:
    items = _items(members, key, where)
    if not all(isinstance(item, str) for item in items):
        raise FrontMatterError(where, "expected a list of texts")
    return tuple(item.strip() for item in items if item.strip())


def _date(members: dict[Any, Any]) -> date | None:
    text = _text(members, "effective")
    if text is None:
        return None
    try:
        return plausible(date.fromisoformat(text))
    except ValueError as e:
        raise FrontMatterError("effective", f"{text[:40]!r} is not a date YYYY-MM-DD of a label") from e


def _classes(members: dict[Any, Any]) -> tuple[tuple[str, str], ...]:
    if not members.get("classes"):
        return ()
    block = _mapping(members["classes"], "classes")
    return tuple((name, kind) for kind in ("epc", "moa") for name in _texts(block, kind, f"classes.{kind}"))


def _product(set_id: str, item: object, where: str) -> ProductInfo:
    members = _mapping(item, where)
    listed = _items(members, "substances", f"{where}.substances")
    if not listed:
        raise FrontMatterError(f"{where}.substances", "missing: name the active substances")
    if len(listed) > MAX_SUBSTANCES:
        raise FrontMatterError(f"{where}.substances", f"{len(listed)} substances in one product, more than {MAX_SUBSTANCES}")
    substances = tuple(_substance(s, f"{where}.substances[{n}]") for n, s in enumerate(listed))
    codes = tuple(_code(c, f"{where}.codes") for c in _texts(members, "codes", f"{where}.codes"))
    return ProductInfo(
        generic_name=_text(members, "generic_name", f"{where}.generic_name") or " / ".join(s.name for s in substances),
        substances=substances,
        brand_names=_texts(members, "brand_names", f"{where}.brand_names"),
        codes=tuple(dict.fromkeys((Code("setid", set_id), *codes))),
        routes=_texts(members, "routes", f"{where}.routes"),
        form=_text(members, "form", f"{where}.form"),
    )


def _substance(item: object, where: str) -> SubstanceInfo:
    members: dict[Any, Any] = {"name": item} if isinstance(item, str) else _mapping(item, where)
    read: Callable[[str], str | None] = lambda key: _text(members, key, f"{where}.{key}")  # noqa: E731
    name = read("name")
    if name is None:
        raise FrontMatterError(f"{where}.name", "missing")
    return SubstanceInfo(name, read("unii"), read("rxcui"), read("strength"))


def _code(text: str, where: str) -> Code:
    system, _, value = text.partition(":")
    if system not in SYSTEMS or not value.strip():
        raise FrontMatterError(where, f"{text!r} is not system:code with a system of {', '.join(SYSTEMS)}")
    return Code(system, value.strip())
