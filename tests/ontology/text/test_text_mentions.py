import pytest

from ontology.model.identifiers import EntityId
from ontology.text.mentions import MentionIndex, singular, words_key
from ontology.text.offsets import fold

WARFARIN = EntityId("Ingredient", "rxnorm", "11289")
VITAMIN_K = EntityId("Ingredient", "rxnorm", "8308")
VKA = EntityId("DrugClass", "pharmgraph", "vka")
NSAID = EntityId("DrugClass", "pharmgraph", "nsaid")
WORT = EntityId("Herb", "pharmgraph", "st-johns-wort")
AZOLE = EntityId("DrugClass", "pharmgraph", "azole")
PENICILLIN = EntityId("DrugClass", "pharmgraph", "penicillins")

INDEX = MentionIndex(
    [
        ("warfarin", WARFARIN),
        ("华法林", WARFARIN),
        ("vitamin K", VITAMIN_K),
        ("vitamin K antagonist", VKA),
        ("nonsteroidal anti-inflammatory drugs", NSAID),
        ("NSAID", NSAID),
        ("St. John's wort", WORT),
        ("azole antifungals", AZOLE),
        ("青霉素类", PENICILLIN),
        ("K", VITAMIN_K),
    ]
)


def found(raw: str) -> list[tuple[str, EntityId]]:
    shadow = fold(raw)
    return [(shadow.text[m.start : m.end], m.ids[0]) for m in INDEX.find(shadow)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Warfarin and NSAIDs", [("Warfarin", WARFARIN), ("NSAIDs", NSAID)]),
        ("a vitamin K antagonist, vitamin K", [("vitamin K antagonist", VKA), ("vitamin K", VITAMIN_K)]),
        ("non-steroidal antiinflammatory drug", [("non-steroidal antiinflammatory drug", NSAID)]),
        ("St John’s-wort", [("St John's-wort", WORT)]),
        ("select azole anti-fungals", [("azole anti-fungals", AZOLE)]),
        ("warfarinlike, prewarfarin", []),
        ("与华法林合用，对青霉素类药物过敏", [("华法林", WARFARIN), ("青霉素类", PENICILLIN)]),
    ],
)
def test_names_in_text(raw, expected):
    assert found(raw) == expected


def test_a_mention_ends_where_the_sentence_ends():
    assert found("Avoid warfarin.")[0][0] == "warfarin"


@pytest.mark.parametrize(
    ("many", "one"),
    [("therapies", "therapy"), ("statins", "statin"), ("viruses", "viruse"), ("doses", "dose"), ("diuresis", "diuresis"), ("penicillins", "penicillin")],
)
def test_singular_by_spelling(many, one):
    assert singular(many) == one


def test_words_key_is_what_names_are_compared_by():
    assert words_key("P-gp/CYP3A4  inhibitor®") == "p gp cyp3a4 inhibitor"


def test_an_index_without_names_finds_nothing():
    assert MentionIndex([]).find(fold("warfarin")) == []
