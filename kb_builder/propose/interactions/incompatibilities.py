"""Physical incompatibility: what may not be mixed with the product, or run through one line with it, in the label's words.

It is about solutions, not about patients: two drugs that may not share a syringe may well be given to one patient. Therefore the predicate is
`incompatible_with`, and the interaction proposer leaves such sentences alone. "Other medicinal products" name nothing that an order could be
compared with and give no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.drafts import Draft, propose_draft
from kb_builder.propose.interactions.partners import cast
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading import cues
from kb_builder.propose.reading.blocks import Block, Reading, Statement, read_section, sections_of
from kb_builder.propose.reading.frames import frame_book
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing, thing_finder, uncoded
from ontology.model.advice import Action, Step
from ontology.model.claims import Basis, Provenance, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Whose
from ontology.text.document import Document

SECTIONS = (
    "dosage_and_administration",
    "drug_interactions",
    "contraindications",
    "boxed_warning",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "general_precautions",
)
_INCOMPATIBLE = re.compile(r"\bincompatib(?:le|ilit\w+)\b|\bnot (?:\w+ )?compatible\b")
_LEADS = re.compile(r"(?: \w+){0,6}? (?:with|when|as)\b|(?: \w+){0,3}\s*:")
_ALLOWED = re.compile(r"\b(?:other than|except(?: for| in)?|excluding|only|(?<!not )(?<!in)compatible (?:with|in)|in)\s+(?:the |an? )?(?:[\d.,]+\s?%\s+)?$")
_NAMED = re.compile(r"(?:\b(?:with|containing|to|of|and|or|as|including)|,|\(e\.g\.,?)\s+(?:(?:any|other|some)\s+)*$")
_WITH = re.compile(r"\b(?:with|to|as|and)\s+[\w-]+(?: [\w-]+)?\W*$")
_MIXED_ITSELF = re.compile(r"\b(?:mix|admix|dilute|combine)(?: or \w+)?\s+$")
_GENERAL = re.compile(
    r"\b(?:parenteral|intravenous|medicinal|pharmaceutical|supplementary|contrast|dilute|products?|solutions?|preparations?|drugs?|prevent\w*|reduce|age|older)\b",
    re.IGNORECASE,
)
_KIND = re.compile(r"\b(?:alkaline|acidic|basic|oxidi[sz]ing|reducing|divalent|polyvalent|calcium|chloride|lipid)\b", re.IGNORECASE)
"""What makes even "solutions" a kind that an order can be compared with."""
_REACTION = re.compile(r"\b(?:strongly )?(?:alkaline|acidic)\s+(?:solutions?|drugs?|medications?|agents?)\b", re.IGNORECASE)
_DENIED_IN = re.compile(
    r"\b(?:not|never)\s+(?:be\s+)?(?:further\s+)?(?:dilut\w+|reconstitut\w+|mix\w*|dissolv\w+)[^.;]*\bin\s+(?:the |an? )?(?:[\d.,]+\s?%\s+)?$"
)
_TWO = re.compile(r"\bmix(?:ed)?\s*(?:them|the two|both|together)?\W*$")
_OBJECTS = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.HERB})


class IncompatibilityProposer:
    """Proposes `incompatible_with` claims."""

    name = "incompatibilities"
    version = f"1.{frame_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """What the document says may not be mixed with its subject; each thing once, where it is said first."""
        finder = thing_finder(lexicon, document, subject.id, subject.ingredients)
        provenance = Provenance(self.name, self.version)
        said: set[object] = set()
        for _, section in sections_of(document, SECTIONS):
            if chinese.is_chinese(section.text):
                continue
            for draft in _drafts(read_section(section, finder)):
                proposal = propose_draft(draft, document, subject, provenance) if draft.target.id not in said else None
                if proposal is not None:
                    said.add(draft.target.id)
                    yield proposal


def _drafts(reading: Reading) -> Iterator[Draft]:
    over: Statement | None = None
    for block in reading.blocks:
        if block.table and over is not None:
            yield from _listed(reading, block, over)
            continue
        over = None
        for statement in block.statements:
            lower = reading.blank[statement.start : statement.end].lower()
            if not cues.is_mixing(lower):
                over = over if over is not None and cues.is_caption(lower) else None
                continue
            things = [t for t in cast(reading.blank, statement.start, statement.things).partners if t.type in _OBJECTS]
            things += [t for t in _kinds(reading, statement) if not any(t.start < o.end and o.start < t.end for o in things)]
            yield from (_draft(reading, block, statement, t) for t in _mixed(statement, things, lower))
            over = None if things or block.table else statement


def _kinds(reading: Reading, statement: Statement) -> Iterator[Thing]:
    """Kinds of solution by their reaction, which no vocabulary names: "alkaline solutions"."""
    for m in _REACTION.finditer(reading.blank, statement.start, statement.end):
        yield Thing(m.start(), m.end(), Kind.PARTNER, (uncoded(EntityType.DRUG_CLASS, m[0]),))


def _mixed(statement: Statement, things: list[Thing], lower: str) -> list[Thing]:
    """The things that may not be mixed: not what follows "other than" or a clause on what may, and on the side where "incompatible" leads."""
    start = statement.start
    allowed = frame_book().mixable.search(lower)
    kept = [t for t in things if (allowed is None or t.start < start + allowed.start()) and not _is_allowed(lower[: t.start - start])]
    kept = [t for t in kept if t.targets[0].entity is None or (_NAMED.search(lower[: t.start - start]) and _is_of_a_kind(t.targets[0].words))]
    cue = _INCOMPATIBLE.search(lower)
    if cue is None:
        mixing = frame_book().mixing.search(lower)
        at = start + (mixing.start() if mixing is not None else 0)
        with_own = _WITH.search(lower) is not None and any(t.own and t.start >= at for t in statement.things)
        with_own = with_own or (_TWO.search(lower) is not None and any(t.own and t.start < at for t in statement.things))
        behind = [t for t in kept if t.start >= at]
        return [t for t in behind or (kept if with_own else []) if not _MIXED_ITSELF.search(lower[: t.start - start])]
    at = start + cue.end()
    own_behind = any(t.own and t.start >= at for t in statement.things)
    leads = _LEADS.match(lower, cue.end()) is not None and not own_behind
    return [t for t in kept if (t.start >= at) is leads]


def _is_allowed(before: str) -> bool:
    """True where the words before a name say that it may be used after all; what one may not dilute in is not."""
    return _ALLOWED.search(before) is not None and _DENIED_IN.search(before) is None


def _is_of_a_kind(words: str) -> bool:
    return _GENERAL.search(words) is None or _KIND.search(words) is not None


def _listed(reading: Reading, block: Block, over: Statement) -> Iterator[Draft]:
    """The names in a table under a sentence that says they are incompatible."""
    named = [*block.topics, *(t for s in block.statements for t in s.things)]
    yield from (_draft(reading, block, over, t) for t in dict.fromkeys(named) if not t.own and t.type in _OBJECTS)


def _draft(reading: Reading, block: Block, statement: Statement, thing: Thing) -> Draft:
    return Draft(
        reading,
        "incompatible_with",
        thing.targets[0],
        (thing.start, thing.end),
        (statement.start, statement.end),
        (Step(Action.AVOID, Whose.EITHER),),
        heading=block.heading,
        strength=Strength.MUST,
        basis=Basis.ESTABLISHED,
        highlight=statement.highlight,
    )
