"""What identification never does, over all names of the tables: it answers with what was written, or it refuses."""

import random
import string
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.model.entities import EntityType
from ontology.model.identifiers import Code, EntityId
from ontology.terms.drug_names import DrugNames, collect_names
from ontology.terms.drug_text import BY_WORDS
from ontology.terms.drugs import SUBSTANCES
from ontology.terms.identity import DrugIdentity
from ontology.terms.phrases import phrase_key
from ontology.terms.shipped import shipped_data
from ontology.terms.terminology import Terminology

DATA = shipped_data()
TERMS = Terminology(DATA)
ENTITIES = {e.id: e for e in DATA.entities if e.id.type in SUBSTANCES}
NAMES: DrugNames = collect_names(DATA, ENTITIES)
PASSED_OVER = {phrase_key(w.text) for w in DATA.words if w.table in BY_WORDS | {"salt", "clause"}}

ENGLISH = sorted(
    e.name for e in ENTITIES.values() if e.type == EntityType.INGREDIENT and e.name.isascii() and e.name.replace(" ", "").isalpha() and NAMES.one(e.name)
)
CHINESE = sorted(
    label.text
    for e in ENTITIES.values()
    for label in e.labels
    if e.type == EntityType.INGREDIENT and label.language == "zh" and len(label.text) > 2 and not label.text.isascii() and NAMES.one(label.text)
)
BRANDS = sorted({b.name for b in DATA.brands if NAMES.one(b.name) == b.ingredients and b.name.isascii()})
SEPARATORS = (" / ", "-", " + ", " and ", "/", " & ", ", ", " with ")
SPELLINGS_OF_ONE_PRODUCT = (" / ", "-", "/")
SALTS = ("hydrochloride", "HCl", "sulfate", "maleate", "sodium", "tartrate", "mesylate", "monohydrate")
FORMS = ("", " tablet", " TAB", " oral capsule", " 24 HR Extended Release Oral Tablet", " injection", " (PF) injection", " PO TABS")
CHINESE_SALTS = ("", "盐酸", "硫酸", "马来酸")
CHINESE_FORMS = ("", "片", "胶囊", "注射液", "缓释片", "片 10mg*30片", "颗粒(10g)")


def ingredients(text: str, *codes: Code) -> tuple[EntityId, ...] | None:
    drug = TERMS.identify_drug(codes, text)
    return tuple(sorted(i.id for i in drug.ingredients)) if isinstance(drug, DrugIdentity) else None


def tall_man(name: str, rng: random.Random) -> str:
    at = rng.randrange(len(name) + 1)
    return name[:at].lower() + name[at:].upper() if rng.random() < 0.5 else name


def english(rng: random.Random) -> tuple[str, tuple[EntityId, ...]]:
    parts = rng.sample(ENGLISH, rng.choice((1, 1, 2, 3)))
    salted = [p + (" " + rng.choice(SALTS) if rng.random() < 0.4 and " " not in p else "") for p in parts]
    strong = [tall_man(p, rng) + (f" {rng.randrange(1, 900)} mg" if rng.random() < 0.5 else "") for p in salted]
    form = rng.choice(FORMS)
    return rng.choice(SEPARATORS if form else SPELLINGS_OF_ONE_PRODUCT).join(strong) + form, union(parts)


def branded(rng: random.Random) -> tuple[str, tuple[EntityId, ...]]:
    brand = rng.choice(BRANDS)
    contents = NAMES.one(brand) or ()
    generic = rng.choice((" / ", "-")).join(ENTITIES[i].name for i in contents)
    shapes = (f"{brand} 5 mg", f"{generic} ({brand})", f"{generic} 5 mg Oral Tablet [{brand}]", f"{brand} ({generic}) tablet", f"{brand} tab")
    return rng.choice(shapes), tuple(sorted(contents))


def chinese(rng: random.Random) -> tuple[str, tuple[EntityId, ...]]:
    name = rng.choice(CHINESE)
    return rng.choice(CHINESE_SALTS) + name + rng.choice(CHINESE_FORMS), union([name])


def union(names: list[str]) -> tuple[EntityId, ...]:
    return tuple(sorted({i for name in names for i in NAMES.one(name) or ()}))


@pytest.mark.parametrize(("render", "refused_in_a_thousand"), [(english, 5), (branded, 25), (chinese, 5)])
def test_what_is_written_in_any_usual_way_is_read_exactly_or_refused_and_seldom_refused(
    render: Callable[[random.Random], tuple[str, tuple[EntityId, ...]]], refused_in_a_thousand: int
) -> None:
    rng = random.Random(7)
    rendered = [render(rng) for _ in range(3000)]
    answers = [(text, meant, ingredients(text)) for text, meant in rendered]
    assert [(t, m, a) for t, m, a in answers if a is not None and a != m] == []
    refused = [t for t, _, a in answers if a is None]
    print(f"{render.__name__}: {len(refused)} of {len(answers)} refused", refused[:10])
    assert len(refused) * 1000 <= refused_in_a_thousand * len(answers), refused


@settings(deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([english, branded, chinese]))
def test_no_rendering_is_read_as_another_composition(seed: int, render: Callable[[random.Random], tuple[str, tuple[EntityId, ...]]]) -> None:
    text, meant = render(random.Random(seed))
    assert ingredients(text) in (meant, None), text


def whole_names_in(text: str) -> set[EntityId]:
    """Every ingredient of every name that stands in the text token by token; found without the reader."""
    written = phrase_key(text)
    spans = {written[a:b] for a in range(len(written)) for b in range(a + 1, min(len(written), a + 14) + 1)}
    return {i for span in spans for options in (NAMES.meanings.get(span, ()),) for c in options for i in c}


EDITS = st.lists(
    st.tuples(st.sampled_from(["drop", "insert", "double", "swap"]), st.integers(0, 60), st.sampled_from(string.ascii_lowercase + " -")), min_size=1, max_size=3
)


def edited(text: str, edits: list[tuple[str, int, str]]) -> str:
    for kind, place, letter in edits:
        at = place % (len(text) + 1)
        head, here, tail = text[:at], text[at : at + 1], text[at + 1 :]
        text = {"drop": head + tail, "insert": head + letter + here + tail, "double": head + here * 2 + tail, "swap": head + tail[:1] + here + tail[1:]}[kind]
    return text


@settings(deadline=None, max_examples=400)
@given(name=st.sampled_from(ENGLISH + BRANDS), edits=EDITS)
def test_a_misspelled_name_is_refused_or_is_a_name_of_the_tables(name: str, edits: list[tuple[str, int, str]]) -> None:
    text = edited(name, edits)
    found = ingredients(text)
    assert found is None or set(found) <= whole_names_in(text), text


@pytest.mark.parametrize("place", [0, 1, -1])
def test_one_letter_left_out_never_names_another_drug(place: int) -> None:
    wrong = []
    for name in ENGLISH:
        at = place if place >= 0 else len(name) // 2
        text = name[:at] + name[at + 1 :]
        if phrase_key(text) not in NAMES.meanings and (found := ingredients(text)) is not None:
            wrong.append((text, found))
    assert wrong == []


UNKNOWN_WORDS = (
    "zolamide",
    "statin",
    "plus",
    "cold",
    "duo",
    "ultra",
    "compound",
    "pm",
    "complex",
    "unobtainium",
    "flu",
    "sinus",
    "antihistamine",
    "nsaid",
    "complete",
)


@settings(deadline=None, max_examples=400)
@given(name=st.sampled_from(ENGLISH + BRANDS), word=st.sampled_from(UNKNOWN_WORDS), front=st.booleans(), link=st.sampled_from([" ", " with ", "/", "-", " + "]))
def test_a_word_that_may_be_a_drug_is_never_passed_over(name: str, word: str, *, front: bool, link: str) -> None:
    text = f"{word}{link}{name}" if front else f"{name}{link}{word}"
    assert (word,) not in PASSED_OVER
    known = any(word in key for key in NAMES.meanings if set(key) <= set(phrase_key(text)))
    assert known or ingredients(text) is None, text


@settings(deadline=None, max_examples=300)
@given(one=st.sampled_from(ENGLISH), other=st.sampled_from(ENGLISH))
def test_two_names_run_together_are_refused_or_a_name_of_the_tables(one: str, other: str) -> None:
    found = ingredients(one + other)
    assert found is None or set(found) <= whole_names_in(one + other)


def test_every_name_of_the_tables_is_read_as_its_row_says_or_refused() -> None:
    wrong, refused = [], []
    for text, meant in [(b.name, b.ingredients) for b in DATA.brands] + [
        (t, (e.id,)) for e in ENTITIES.values() for t in (e.name, *(x.text for x in e.labels))
    ]:
        options = NAMES.meanings[phrase_key(text)]
        found = ingredients(text)
        if len(options) > 1:
            assert found is None, text
        elif found is None:
            refused.append(text)
        elif found != tuple(sorted(meant)):
            wrong.append((text, found))
    assert wrong == []
    assert refused == []


def test_names_that_mean_several_drugs_name_none_and_say_which() -> None:
    for word in DATA.words:
        if word.table == "several":
            drug = TERMS.identify_drug((), word.text)
            assert not isinstance(drug, DrugIdentity), word.text
            assert (drug.reason, bool(drug.candidates)) == ("ambiguous", True), word.text


@settings(deadline=None, max_examples=200)
@given(one=st.sampled_from(ENGLISH), other=st.sampled_from(ENGLISH))
def test_a_code_and_a_name_that_differ_are_a_conflict(one: str, other: str) -> None:
    first, second = (NAMES.one(one) or ())[0], (NAMES.one(other) or ())[0]
    rxcui = next((c for e in (ENTITIES[first],) for c in e.codes if c.system == "rxnorm"), None)
    if rxcui is None or first == second:
        return
    drug = TERMS.identify_drug([rxcui], other)
    assert not isinstance(drug, DrugIdentity)
    assert drug.reason == "conflict"
