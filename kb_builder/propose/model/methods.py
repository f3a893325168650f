"""Ways of asking: two passes, and two baselines to compare them with, schema-free triples and one question for the whole document.

Each is a set of conversations about one document; whoever drives them puts the requests to a server or a recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from kb_builder.propose.model.exchange import Conversation
from kb_builder.propose.model.passages import Passage, passages
from kb_builder.propose.model.prompts import ask_mentions, ask_relations, ask_triples
from kb_builder.propose.model.relations import Found, find_mentions, find_relation
from kb_builder.propose.model.replies import read_items
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.propose.model.slices import whole_slice
from kb_builder.propose.model.triples import as_relation
from ontology.text.document import Document

Method = Callable[[Document, str, ModelSettings], Iterator[Conversation[Found]]]
"""The conversations about a document of a drug with this name."""

_WHOLE = 60_000
"""Characters of a document that the one-shot baseline sends; longer ones lose their tail, which is part of what the baseline shows."""
NOTHING_NAMED = "passage without a mention that was found"


def two_passes(document: Document, drug: str, settings: ModelSettings) -> Iterator[Conversation[Found]]:
    """For each passage: which things does it name; then, of those that were found in it, what does it say."""
    return (_two_passes(passage, drug, settings.reply_tokens) for passage in passages(document, settings.passage))


def schema_free(document: Document, drug: str, settings: ModelSettings) -> Iterator[Conversation[Found]]:
    """For each passage: its facts as free triples, mapped to the registry afterwards."""
    return (_triples(passage, drug, settings.reply_tokens) for passage in passages(document, settings.passage))


def one_shot(document: Document, drug: str, settings: ModelSettings) -> Iterator[Conversation[Found]]:
    """One question: the whole document, the whole schema."""
    window = list(passages(document, settings.passage))
    if window:
        yield _one_shot(document, window, drug, settings.reply_tokens)


METHODS: dict[str, Method] = {"two-pass": two_passes, "schema-free": schema_free, "one-shot": one_shot}


def _two_passes(passage: Passage, drug: str, reply_tokens: int) -> Conversation[Found]:
    title = passage.section.title or passage.section.key
    items = read_items((yield ask_mentions(drug, passage.place, title, passage.text, passage.slice, reply_tokens)), "mentions")
    dropped = Counter(items.dropped)
    listed = find_mentions(items.read, passage, dropped)
    if not listed:
        dropped[NOTHING_NAMED] += 1
        return Found(dropped=dropped)
    words = [f"{passage.shadow.text[m.start : m.end]} ({m.type.value})" for m in listed]
    answer = yield ask_relations(drug, passage.place, title, passage.text, passage.slice, words, reply_tokens)
    said = read_items(answer, "relations")
    dropped.update(said.dropped)
    relations = (find_relation(item, (passage,), passage.slice, listed, dropped) for item in said.read)
    return Found([r for r in relations if r is not None], dropped)


def _triples(passage: Passage, drug: str, reply_tokens: int) -> Conversation[Found]:
    said = read_items((yield ask_triples(drug, passage.place, passage.section.title or passage.section.key, passage.text, reply_tokens)), "triples")
    dropped = Counter(said.dropped)
    mapped = (as_relation(item, passage, drug, dropped) for item in said.read)
    relations = (find_relation(item, (passage,), passage.slice, None, dropped) for item in mapped if item is not None)
    return Found([r for r in relations if r is not None], dropped)


def _one_shot(document: Document, window: list[Passage], drug: str, reply_tokens: int) -> Conversation[Found]:
    text = "\n\n".join(_under_headings(window))[:_WHOLE]
    part = whole_slice()
    answer = yield ask_relations(drug, f"{document.set_id} whole", "all sections", text, part, None, reply_tokens * 4)
    said = read_items(answer, "relations")
    dropped = Counter(said.dropped)
    relations = (find_relation(item, window, part, None, dropped) for item in said.read)
    return Found([r for r in relations if r is not None], dropped)


def _under_headings(window: Iterable[Passage]) -> Iterator[str]:
    shown: set[str] = set()
    for passage in window:
        yield passage.text if passage.section.key in shown else f"{passage.section.title or passage.section.key}\n{passage.text}"
        shown.add(passage.section.key)
