"""Guards and payloads as plain data, and back.

Plain data is JSON without numbers: decimals are strings, enums their values, entity ids `Type:system:code`; a dataclass is an object with
its class name under `is` and only the members that differ from their default. The form is canonical: equal values encode equally.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache, lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from ontology.model import advice, dosing, facts, guards
from ontology.model.errors import OntologyError
from ontology.model.guards import AllOf, AnyOf, Guard, Not
from ontology.model.identifiers import EntityId


class CannotDecode(OntologyError):
    """Plain data that no type of the model can be made from."""


def encode(value: object) -> Any:
    """The plain form of a guard, payload or any part of one. Raises TypeError on a type the model does not have."""
    if value is None or (isinstance(value, bool | str | int) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return str(value.normalize()) if value == 0 else format(value.normalize(), "f")
    if isinstance(value, EntityId):
        return str(value)
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        out: dict[str, Any] = {"is": type(value).__name__}
        for name, default in _members(type(value)):
            member = getattr(value, name)
            if member != default:
                out[name] = encode(member)
        return out
    raise TypeError(f"cannot encode {type(value).__name__}")


def decode(plain: Any) -> Any:
    """The model value a plain form stands for. Raises CannotDecode with the class and member that do not fit."""
    if isinstance(plain, dict):
        cls = _classes().get(plain.get("is", ""))
        if cls is None:
            raise CannotDecode(f"{plain.get('is')!r} is not a type of the model")
        return _decode_as(cls, plain)
    raise CannotDecode(f"expected an object, got {type(plain).__name__}")


@lru_cache(maxsize=4096)
def normal_guard(guard: Guard | None) -> Any:
    """The canonical plain form of a guard: nested conjunctions and disjunctions flat, parts sorted, doubles gone.

    The forms of the last guards are kept, because a claim is rebuilt at every stage; nobody may change one.
    """
    if guard is None:
        return None
    if isinstance(guard, Not):
        return {"is": "Not", "part": normal_guard(guard.part)}
    if isinstance(guard, AllOf | AnyOf):
        kind = type(guard).__name__
        parts: dict[str, Any] = {}
        for part in guard.parts:
            plain = normal_guard(part)
            for inner in plain["parts"] if plain["is"] == kind else [plain]:
                parts[json.dumps(inner, sort_keys=True, ensure_ascii=False)] = inner
        ordered = [parts[k] for k in sorted(parts)]
        return ordered[0] if len(ordered) == 1 else {"is": kind, "parts": ordered}
    return encode(guard)


@cache
def _classes() -> dict[str, type]:
    from ontology.model.claims import Edge

    found = {c.__name__: c for m in (advice, dosing, facts, guards) for c in vars(m).values() if isinstance(c, type) and is_dataclass(c)}
    return {**found, "Edge": Edge}


@cache
def _readers(cls: type) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(cls)
    return {f.name: _reader(hints[f.name]) for f in fields(cls) if f.init}


def _decode_as(cls: type, plain: dict[str, Any]) -> Any:
    readers = _readers(cls)
    try:
        return cls(**{name: readers[name](v) for name, v in plain.items() if name != "is"})
    except (KeyError, TypeError, ValueError, ArithmeticError) as e:
        raise CannotDecode(f"{cls.__name__}: {e}") from e


def _reader(hint: Any) -> Callable[[Any], Any]:
    """How a member with this type hint is read from plain data."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        readers = [_reader(a) for a in get_args(hint) if a is not type(None)]
        return lambda v: None if v is None else (decode(v) if isinstance(v, dict) else readers[0](v))
    if origin is tuple:
        item = _reader(get_args(hint)[0])
        return lambda v: tuple(item(x) for x in v)
    if hint is Decimal:
        return Decimal
    if hint is EntityId:
        return EntityId.parse
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if isinstance(hint, type) and is_dataclass(hint):
        return decode
    return lambda v: v


@cache
def _members(cls: type) -> tuple[tuple[str, Any], ...]:
    """The members that a class is made with, each with its default; MISSING, which no member equals, where it has none."""
    return tuple((f.name, f.default) for f in fields(cls) if f.init)
