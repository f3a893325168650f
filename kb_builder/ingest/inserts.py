"""Identity of a Chinese package insert (药品说明书): names, composition, approval number, form, route, dates, maker, as its sections print them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from kb_builder.ingest.fields import table_rows
from kb_builder.ingest.insert_composition import Composition, read_composition
from kb_builder.ingest.label_dates import latest_chinese
from ontology.model.identifiers import Code
from ontology.text.document import ProductInfo, Section, SubstanceInfo

HEAD = 3_000
"""Code points at the head of an insert in which its names stand."""
_LABELS = "通用名称|通用名|商品名称|商品名|英文名称|英文名|汉语拼音|曾用名|化学名称|药品名称"
_FIELD = re.compile(
    rf"(?:【\s*)?(?P<label>{_LABELS})\s*(?:】|[:：]|】\s*[:：])\s*(?P<value>[^\n]{{0,200}}?)(?=\s*(?:【\s*)?(?:{_LABELS})\s*(?:[:：]|】)|\s*(?:\n|$))"
)
_TITLE = re.compile(r"^[#\s*]*(?P<name>[^\s#*][^\n]{0,60}?)\s*(?:使用)?说\s*明\s*书[\s*]*$", re.MULTILINE)
_APPROVAL = re.compile(r"(?:国药准字|注册证号|批准文号|药品注册证书编号)\s*[:：]?\s*(?:国药准字)?\s*([A-Z]{1,2}\s?(?:19|20)?\d{6,8})(?!\d)")
_MAKER = re.compile(r"(?:企业名称|生产企业|上市许可持有人|名\s*称|生产厂家)\s*[:：]\s*([^\n]{2,60})")
_COMPANY = re.compile(r"[^\n:：#【】]{2,40}(?:公司|药厂|制药厂|集团)")
_DATES = ("approval_date", "revision_date")
_DATED = re.compile(r"[【\[]?(?:核准|修改|修订)日期[】\]]?\s*[:：]?[ \t]*[^\n]{0,200}")
_ABSENT = re.compile(r"[\s/\-—无未]*")
_FOR_INJECTION = "注射用"


@dataclass(frozen=True, slots=True)
class Insert:
    """What an insert says of itself; `notes` are (field, reservation) pairs."""

    set_id: str | None
    effective: date | None
    title: str | None
    publisher: str | None
    products: tuple[ProductInfo, ...]
    notes: tuple[tuple[str, str], ...]


def read_insert(text: str, sections: Mapping[str, Section]) -> Insert:
    """The identity of an insert. Products are left empty when its composition cannot be read whole."""
    named = _names(text, sections)
    generic, brand = named.get("通用名称"), named.get("商品名称")
    numbers = _approval_numbers(text, sections)
    effective, notes = latest_chinese(_dated(text, sections))
    composition = read_composition(sections["description"].text) if "description" in sections else Composition((), None)
    substances = composition.substances
    if composition.unread:
        notes = (*notes, ("description", f"the composition was not read whole ({composition.unread[:60]!r}): which substances the product holds is unknown"))
        substances = ()
    elif not substances and generic:
        substances = _of_name(generic, numbers)
    form = form_of_name(generic) if generic else None
    product = ProductInfo(
        generic_name=generic or " / ".join(s.name for s in substances),
        substances=substances,
        brand_names=(brand,) if brand and brand != generic else (),
        codes=tuple(Code("nmpa", number) for number in numbers),
        routes=_routes(sections),
        form=form,
    )
    title = f"{brand} ({generic})" if brand and generic and brand != generic else generic
    return Insert(f"nmpa-{numbers[0]}" if numbers else None, effective, title, _maker(sections), (product,) if substances else (), notes)


@cache
def _forms() -> tuple[str, ...]:
    return tuple(sorted((row["suffix"] for row in table_rows("insert_forms.tsv")), key=len, reverse=True))


def form_of_name(generic: str) -> str | None:
    """The dose form that ends a Chinese generic name; `注射用` before it says an injection."""
    base = re.sub(r"[（(][^（）()]*[)）]$", "", generic).strip()
    if base.startswith(_FOR_INJECTION):
        return "注射剂"
    return next((form for form in _forms() if base.endswith(form) and base != form), None)


def _names(text: str, sections: Mapping[str, Section]) -> dict[str, str]:
    """The names of the insert by their label, spelled out (`通用名称`, `商品名称` ...)."""
    found: dict[str, str] = {}
    section = sections.get("product_names")
    for part in (section.text if section else "", text[:HEAD]):
        for match in _FIELD.finditer(part):
            label = match["label"] if match["label"].endswith("名称") or match["label"] == "汉语拼音" else f"{match['label']}称"
            value = re.sub(r"[®™*]", "", match["value"]).strip(" \t。,，;；")
            if value and not _ABSENT.fullmatch(value):
                found.setdefault(label, value)
    if "通用名称" not in found:
        titled = _TITLE.search(text[:HEAD])
        bare = section.text.strip() if section else ""
        if bare and "\n" not in bare and len(bare) <= 40 and not re.search(r"[:：]", bare):
            found["通用名称"] = bare
        elif titled and not re.fullmatch(r"(?:药品|产品)?", titled["name"].strip()):
            found["通用名称"] = titled["name"].strip()
    return found


def _approval_numbers(text: str, sections: Mapping[str, Section]) -> tuple[str, ...]:
    section = sections.get("approval_number")
    printed = unicodedata.normalize("NFKC", f"批准文号:{section.text.strip()}\n{text}" if section else text)
    return tuple(dict.fromkeys(m[1].replace(" ", "") for m in _APPROVAL.finditer(printed)))


def _dated(text: str, sections: Mapping[str, Section]) -> str:
    own = [sections[key].text[:300] for key in _DATES if key in sections]
    return "\n".join((*own, *(m.group() for m in _DATED.finditer(text))))


def _routes(sections: Mapping[str, Section]) -> tuple[str, ...]:
    """The routes that the first sentence on dosing names."""
    section = sections.get("dosage_and_administration")
    if section is None:
        return ()
    first = re.split(r"[。;；\n]", section.text.lstrip()[:200], maxsplit=1)[0]
    at = [(first.find(row["words"]), row["words"]) for row in table_rows("insert_routes.tsv") if row["words"] in first]
    words = [word for _, word in sorted(at)]
    routes = [w for w in words if not any(w != other and w in other for other in words)]
    return tuple(dict.fromkeys("口服" if w.endswith(("送服", "冲服", "嚼服")) else w for w in routes))


def _maker(sections: Mapping[str, Section]) -> str | None:
    section = sections.get("manufacturer")
    if section is None:
        return None
    found = _MAKER.search(section.text)
    company = _COMPANY.search(section.text)
    return found[1].strip() if found else company.group().strip() if company else None


def _of_name(generic: str, numbers: tuple[str, ...]) -> tuple[SubstanceInfo, ...]:
    """The one substance that a plain generic name holds; nothing for compounds and traditional medicines, whose names do not tell."""
    base = re.sub(r"[（(][^（）()]*[)）]", "", generic).strip().removeprefix(_FOR_INJECTION)
    form = next((f for f in _forms() if base.endswith(f)), "")
    name = base.removesuffix(form) if form else base
    western = bool(numbers) and all(n[0] in "HJS" for n in numbers)
    return (SubstanceInfo(name),) if western and len(name) >= 2 and not re.search(r"复方|复合|[/和与]", name) else ()
