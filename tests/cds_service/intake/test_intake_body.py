from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.errors import BodyTooDeep, BodyTooLarge, NotJson
from cds_service.intake.body import decode_body, deeper_than


def nested(depth: int, kinds: str) -> bytes:
    """Lists (l), objects (o) and lists with an empty sibling before the next level (s), this deep."""
    opens = "".join({"l": "[", "o": '{"a]}":', "s": "[{},"}[kinds[i % len(kinds)]] for i in range(depth))
    closes = "".join("}" if kinds[i % len(kinds)] == "o" else "]" for i in reversed(range(depth)))
    return f"{opens}0{closes}".encode()


@given(st.integers(2, 40), st.text("los", min_size=1, max_size=5))
def test_depth_is_counted_exactly(depth: int, kinds: str) -> None:
    raw = nested(depth, kinds)
    deepest = depth + 1 if kinds[(depth - 1) % len(kinds)] == "s" else depth
    assert not deeper_than(raw, deepest)
    assert deeper_than(raw, deepest - 1)


def test_brackets_and_escapes_inside_strings_do_not_count() -> None:
    assert not deeper_than(rb'{"a": "[[[[\"[[[[\\", "b": [1]}', 2)


@pytest.mark.parametrize("raw", [b"[" * 10_000, nested(10_000, "l"), nested(10_000, "o"), nested(65, "ol"), nested(65, "s")])
def test_too_deep_is_refused_before_it_is_parsed(raw: bytes) -> None:
    with pytest.raises(BodyTooDeep, match="64 levels"):
        decode_body(raw)


def test_too_large_names_both_numbers() -> None:
    with pytest.raises(BodyTooLarge, match=r"11 bytes.* 10"):
        decode_body(b'{"a": 1}   ', max_bytes=10)


@pytest.mark.parametrize("raw", [b"", b"nonsense", b'{"a": 1} trailing', b'{"a": "\xff"}', b'"\\ud800"', b"[1, 2]", b"3", b"null", b'{"a": NaN}'])
def test_what_is_no_json_object_is_refused(raw: bytes) -> None:
    with pytest.raises(NotJson):
        decode_body(raw)


@pytest.mark.parametrize("raw", [b'{"a"', b'{"a": [1, 2', b'{"a": {"b": 1}', b'{"a": "x'])
def test_a_body_that_breaks_off_is_truncated_and_not_deep(raw: bytes) -> None:
    with pytest.raises(NotJson, match="truncated"):
        decode_body(raw)


def test_numbers_keep_what_was_written() -> None:
    body = decode_body(b'{"a": 1.50, "b": 19, "c": 1.2E+2}')
    assert body == {"a": Decimal("1.50"), "b": 19, "c": Decimal("1.2E+2")}
    assert str(body["a"]) == "1.50"


def test_a_number_beyond_all_decimals_becomes_no_value_and_no_error() -> None:
    assert decode_body(b'{"a": 1e99999999999999999999}') == {"a": "1e99999999999999999999"}


def test_a_byte_order_mark_is_passed_over() -> None:
    assert decode_body(b"\xef\xbb\xbf{}") == {}
