"""Foods, habits and herbs by the names that labels, inserts and patients use."""

from __future__ import annotations

from collections import Counter

import pytest

from ontology.model.entities import EntityType
from ontology.terms.tables import read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()
FOODS = (EntityType.FOOD, EntityType.LIFESTYLE)


def test_enough_foods_and_herbs_are_known() -> None:
    kinds = Counter(e.id.type for e in TERMS.entities())
    assert kinds["Food"] >= 40
    assert kinds["Herb"] >= 150
    assert all(row["zh"] for row in read_table("foods").rows)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("grapefruit juice", "grapefruit"),
        ("西柚汁", "grapefruit"),
        ("pomelo", "pomelo"),
        ("Seville oranges", "seville-orange"),
        ("milk", "dairy"),
        ("calcium-fortified juices", "calcium-fortified-foods"),
        ("aged cheese", "tyramine-foods"),
        ("green leafy vegetables", "vitamin-k-foods"),
        ("coffee", "caffeine-foods"),
        ("high-fat meal", "high-fat-meal"),
        ("alcoholic beverages", "alcohol"),
        ("饮酒", "alcohol"),
        ("cigarette smoking", "smoking"),
        ("salt substitutes", "potassium-foods"),
        ("dietary fiber", "fiber"),
        ("辛辣", "spicy-food"),
        ("萝卜", "radish"),
    ],
)
def test_foods_and_habits_are_found_by_name(name: str, key: str) -> None:
    assert [e.code for e in TERMS.lookup(name, FOODS)] == [key]


@pytest.mark.parametrize(
    ("latin", "english", "chinese"),
    [
        ("Ginkgo biloba", "ginkgo", "银杏叶"),
        ("Panax ginseng", "ginseng", "人参"),
        ("Salvia miltiorrhiza", "danshen", "丹参"),
        ("Angelica sinensis", "dong quai", "当归"),
        ("Ephedrae Herba", "ma huang", "麻黄"),
        ("Aconiti Lateralis Radix Praeparata", "aconite", "附子"),
        ("Curcuma longa", "turmeric", "姜黄"),
        ("Zingiber officinale", "ginger", "生姜"),
        ("Glycyrrhizae Radix et Rhizoma", "licorice root", "甘草"),
        ("Tripterygium wilfordii", "thunder god vine", "雷公藤"),
    ],
)
def test_a_herb_is_one_by_its_latin_english_and_chinese_name(latin: str, english: str, chinese: str) -> None:
    found = {TERMS.lookup(name, (EntityType.HERB,)) for name in (latin, english, chinese)}
    assert len(found) == 1
    assert all(len(entities) == 1 for entities in found)


def test_chinese_words_that_mean_something_else_in_most_texts_are_not_looked_for() -> None:
    scanned = {name for name, entity in TERMS.mention_names((EntityType.HERB,))}
    assert not scanned & {"白及", "防风", "没药", "续断"}
    assert {"甘草", "藜芦", "白芨"} <= scanned
