from hypothesis import given
from hypothesis import strategies as st

from ontology.terms.names import name_key, plural_key, singular_key, slug, tokens, without_suffix


def test_separators_case_and_width_do_not_distinguish_names() -> None:
    assert name_key("St. John's-Wort") == name_key("ST  JOHN S WORT") == "st john s wort"
    assert name_key("ＣＹＰ３Ａ４") == "cyp3a4"
    assert name_key("hydrOXYzine") == "hydroxyzine"


def test_plural_and_singular_meet() -> None:
    for one, many in [("azole antifungal", "azole antifungals"), ("allergy", "allergies"), ("statin", "statins"), ("thrombosis", "thrombosis")]:
        assert singular_key(many) == singular_key(one)
    assert plural_key("tricyclic antidepressant") == "tricyclic antidepressants"
    assert plural_key("mg") == "mg"


def test_letters_digits_and_chinese_characters_are_apart() -> None:
    assert tokens("Warfarin5mg") == ("warfarin", "5", "mg")
    assert tokens("华法林钠片 2.5mg") == ("华", "法", "林", "钠", "片", "2.5", "mg")
    assert tokens("1,000 mL") == ("1,000", "ml")


def test_only_biosimilar_suffixes_are_dropped() -> None:
    assert without_suffix("adalimumab-aacf 40 mg") == "adalimumab 40 mg"
    assert without_suffix("insulin glargine-yfgn") == "insulin glargine"
    assert without_suffix("trastuzumab deruxtecan-nxki") == "trastuzumab deruxtecan"
    for whole in ("codeine-apap", "infliximab-zinc", "denosumab-plus", "insulin aspart-mix 30"):
        assert without_suffix(whole) == whole


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert name_key("單硝酸異山梨酯緩釋片") == name_key("单硝酸异山梨酯缓释片")
    assert tokens("阿莫西林膠囊") == tokens("阿莫西林胶囊")
    assert slug("華法林") == slug("华法林")


def test_slugs_keep_chinese_names_apart() -> None:
    assert slug("Chinese yam") == "chinese-yam"
    assert slug("葛根") != slug("地黄")


@given(st.text())
def test_keys_are_stable(text: str) -> None:
    key = name_key(text)
    assert name_key(key) == key
    assert singular_key(key) == singular_key(name_key(key.upper())) or not key.isascii()
