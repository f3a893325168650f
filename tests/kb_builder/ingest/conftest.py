"""Small SPL documents, written element by element."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PRODUCT = """<section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/><subject><manufacturedProduct><manufacturedProduct>
<code code="0000-0001" codeSystem="2.16.840.1.113883.6.69"/><name>Calmex</name>
<formCode code="C42998" codeSystem="2.16.840.1.113883.3.26.1.1" displayName="TABLET"/>
<asEntityWithGeneric><genericMedicine><name>calmazine hydrochloride</name></genericMedicine></asEntityWithGeneric>
<ingredient classCode="ACTIB"><quantity><numerator value="25" unit="mg"/><denominator value="1" unit="1"/></quantity>
<ingredientSubstance><code code="AAAAAAAAAA" codeSystem="2.16.840.1.113883.4.9"/><name>CALMAZINE HYDROCHLORIDE</name></ingredientSubstance></ingredient>
<ingredient classCode="IACT"><ingredientSubstance><code code="BBBBBBBBBB" codeSystem="2.16.840.1.113883.4.9"/><name>LACTOSE MONOHYDRATE</name>
</ingredientSubstance></ingredient></manufacturedProduct>
<consumedIn><substanceAdministration><routeCode code="C38288" codeSystem="2.16.840.1.113883.3.26.1.1" displayName="ORAL"/></substanceAdministration></consumedIn>
</manufacturedProduct></subject></section>"""

HEAD = """<code code="34391-3" codeSystem="2.16.840.1.113883.6.1" displayName="HUMAN PRESCRIPTION DRUG LABEL"/><title/>
<effectiveTime value="20240131"/><setId root="aaaa-1"/><versionNumber value="3"/>
<author><assignedEntity><representedOrganization><name>A maker</name></representedOrganization></assignedEntity></author>"""


def spl_section(code: str, title: str | None, text: str = "", nested: str = "", *, extra: str = "") -> str:
    """One section; `text` is the inside of its text element, `nested` its subsections."""
    coded = f'<code code="{code}" codeSystem="2.16.840.1.113883.6.1"/>' if code else ""
    titled = f"<title>{title}</title>" if title is not None else ""
    return f"<section>{coded}{titled}{f'<text>{text}</text>' if text else ''}{extra}{f'<component>{nested}</component>' if nested else ''}</section>"


def spl_document(*sections: str, head: str = HEAD, product: str = PRODUCT) -> bytes:
    """A whole SPL document of these sections."""
    body = "".join(f"<component>{section}</component>" for section in (product, *sections) if section)
    return f'<document xmlns="urn:hl7-org:v3">{head}<component><structuredBody>{body}</structuredBody></component></document>'.encode()


@pytest.fixture(scope="session")
def section() -> Callable[..., str]:
    """Makes one SPL section: code, title, inside of its text, nested sections."""
    return spl_section


@pytest.fixture(scope="session")
def spl() -> Callable[..., bytes]:
    """Makes the bytes of an SPL document of sections; `head` and `product` may be replaced."""
    return spl_document


@pytest.fixture(scope="session")
def spl_head() -> str:
    """The head of the SPL documents made here."""
    return HEAD


@pytest.fixture(scope="session")
def spl_product() -> str:
    """The product section of the SPL documents made here."""
    return PRODUCT
