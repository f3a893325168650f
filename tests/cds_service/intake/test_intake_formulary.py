import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.errors import FormularyUnreadable
from cds_service.intake.formulary import FormularyLine, read_formulary
from ontology.model.identifiers import Code


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_are_found_by_their_names_in_any_order(separator: str) -> None:
    rows = (("Route", "RxCUI", "Price", "NAME", "form"), ("oral", "11289", "3.20", "warfarin 5 mg", "tablet"))
    read = read_formulary("\r\n".join(separator.join(row) for row in rows).encode("utf-8-sig"))
    assert read.lines == (FormularyLine(2, "warfarin 5 mg", (Code("rxnorm", "11289"),), "oral", "tablet"),)
    assert read.unread == ("price",)


def test_a_name_may_hold_the_separator_in_quotes() -> None:
    assert read_formulary(b'name,route\n"sodium chloride 0.9 %, 1,000 mL",intravenous\n').lines[0].name == "sodium chloride 0.9 %, 1,000 mL"


def test_lines_are_counted_over_a_name_that_goes_over_two() -> None:
    assert [line.number for line in read_formulary(b'name\n"warfarin\n5 mg"\nlisinopril\n').lines] == [2, 4]


def test_the_first_line_of_a_spreadsheet_that_names_the_separator_is_passed_over() -> None:
    read = read_formulary("\ufeffsep=;\r\nname;route\r\nwarfarin, 5 mg;oral\r\n".encode())
    assert read.lines == (FormularyLine(3, "warfarin, 5 mg", (), "oral"),)


def test_a_drug_may_stand_by_code_alone_and_blank_lines_are_none() -> None:
    read = read_formulary("code,批准文号\nrxnorm:11289,\n,\n\nhttp://hl7.org/fhir/sid/ndc:0069-4200,H20051234\n".encode())
    assert [(line.number, line.codes) for line in read.lines] == [
        (2, (Code("rxnorm", "11289"),)),
        (5, (Code("nmpa", "H20051234"), Code("http://hl7.org/fhir/sid/ndc", "0069-4200"))),
    ]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "line 1: no column names the drug; the header needs one of name"),
        (b"product,route\nwarfarin,oral\n", "line 1: no column names the drug"),
        (b"name,route\n", "no line names a drug below the header"),
        (b"name,name\nwarfarin,lisinopril\n", "line 1: the column 'name' stands there 2 times"),
        (b"name\nwarfarin\n\xc4\xe3\n", "line 3: byte 0xc4 is not UTF-8; save the file as CSV in UTF-8"),
        (b"name,route\namoxicillin, clavulanate,oral\n", "line 2: 3 cells under 2 columns"),
        (b"code\n11289\n", "line 2, column code: '11289' is not written system:value"),
        (b"code\nsnomd:11289\n", "line 2, column code: 'snomd' is no code system"),
        (b'name\n"warfarin\n', "line 2: unexpected end of data"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_why(data: bytes, says: str) -> None:
    with pytest.raises(FormularyUnreadable) as caught:
        read_formulary(data)
    assert says in str(caught.value)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        lines = read_formulary(b"name,code\n" + data).lines
    except FormularyUnreadable:
        return
    assert all(line.name or line.codes for line in lines)
