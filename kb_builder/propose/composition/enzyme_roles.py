"""Enzyme roles of a label's own drug: "X is a strong inhibitor of CYP2D6", "X is metabolized by CYP3A4".

A drug has a role only on its own evidence in people: what was seen in vitro, may be, or is a minor pathway gives no claim. What the label denies is a
claim of negative polarity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from kb_builder.propose.chinese import inserts as chinese
from kb_builder.propose.composition.role_book import role_book
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.blocks import sections_of
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.claims import Claim, Edge, Polarity, Provenance
from ontology.model.entities import EntityType
from ontology.model.errors import OntologyError
from ontology.model.identifiers import EntityId
from ontology.model.periods import ValidPeriod
from ontology.text.context import blank_references
from ontology.text.document import Document, Section
from ontology.text.offsets import fold
from ontology.text.roles import Role, RoleMention, find_roles
from ontology.text.sought import sought

SECTIONS = ("drug_interactions", "pharmacokinetics", "clinical_pharmacology", "warnings_and_cautions")
_ENZYMES = sought(r"CYP|P-?gp\b|glycoprotein|OATP|\bOAT\d|\bOCT\d|BCRP|UGT|\bMATEs?\b|MATE\d|P450", re.IGNORECASE)
_VERBS = re.compile(
    r"(?:\s*\([^()]{0,60}\))?\s*,?\s+(?:\w+ly\s+)?(?:is|are|inhibits|induces|undergoes|(?:does|do|did)\s+not\s+(?:\w+ly\s+)?(?:inhibit|induce))\b|\s*[,(]\s*an?\s",
    re.IGNORECASE,
)
_RESPONSIBLE = re.compile(r"\bzymes?\b|enzymes?\b[^.;]{0,90}\bof\s+$", re.IGNORECASE)
_STOP = re.compile(r"(?:(?<=[a-z0-9)\]])|(?<=3A)|(?<=CRP))\.\s+(?=[A-Z\[(])|[\n•]\s*|\]\s*\.?\s+(?=[A-Z])")
_CLAUSE = re.compile(
    r",\s+(?:which|and\s+(?!also\b|CYP|P-gp|BCRP|OAT|UGT)|when|so|but)\b|;|\s+and\s+(?=(?:this|these|its|has|have|increases?|when|therefore)\b)|\s+which\b"
)
_NEAR = 12  # characters behind the drug's name in which no clause ends
_LONGEST = 600
_HEADINGS = re.compile(
    r"(?P<vitro>\bIn[\s-][Vv]itro\s+(?:Studies|Assessments?|Data|Drug|Experiments|Evaluations?)\b)|\b(?:Clinical Studies|In Vivo|Metabolism|Specific Populations|Excretion|Elimination|Absorption|Distribution|Pharmacogenomics)\b"
)
_ADVERBS = {"strongly": "strong", "potently": "strong", "moderately": "moderate", "weakly": "weak"}


@dataclass(frozen=True, slots=True)
class Said:
    """A role of the drug, affirmed or denied."""

    role: Role
    polarity: Polarity


class EnzymeRoleProposer:
    """Proposes `has_role` claims of labels with one ingredient."""

    name = "enzyme-roles"
    version = f"1.{role_book().version}"

    def propose(self, document: Document, subject: Subject, lexicon: Lexicon) -> Iterator[Proposal]:
        """The roles that the document gives its subject or denies it, each once; a role both said and denied is left out, and one without its strength that is said with it."""
        if subject.id.type != EntityType.INGREDIENT.value:
            return
        own = _own_names(document, subject)
        found: dict[tuple[EntityId, Polarity], tuple[Section, tuple[int, int], Said]] = {}
        keys = {section.key for section in document.sections}
        for _, section in sections_of(document, (k for k in SECTIONS if k != "clinical_pharmacology" or "pharmacokinetics" not in keys)):
            if chinese.is_chinese(section.text) or _ENZYMES.search(section.text) is None or own is None:
                continue
            for start, end, said in find_own_roles(section.text, own):
                entity = lexicon.role(said.role)
                if entity is not None:
                    found.setdefault((entity, said.polarity), (section, (start, end), said))
        both = {entity for entity, polarity in found if (entity, Polarity.NEGATIVE if polarity is Polarity.POSITIVE else Polarity.POSITIVE) in found}
        told = {(s.role.enzyme, s.role.kind) for (_, polarity), (_, _, s) in found.items() if s.role.strength and polarity is Polarity.POSITIVE}
        for (entity, polarity), (section, place, said) in found.items():
            weaker = polarity is Polarity.POSITIVE and not said.role.strength and (said.role.enzyme, said.role.kind) in told
            if entity in both or weaker:
                continue
            try:
                span = document.span(section.key, *place)
                claim = Claim(
                    "has_role", subject.id, entity, Edge(), (span,), Provenance(self.name, self.version), polarity=polarity,
                    valid=ValidPeriod(document.version.effective), words=said.role.name,
                )  # fmt: skip
            except OntologyError:
                continue
            yield Proposal(claim)


def _own_names(document: Document, subject: Subject) -> re.Pattern[str] | None:
    """The names of the label's drug as a pattern, None without any."""
    names = {subject.name, *(i.name for i in subject.ingredients)}
    names |= {n for p in document.products for n in (*p.brand_names, p.generic_name, *(s.name for s in p.substances))}
    keys = sorted((re.escape(n.strip()) for n in names if len(n.strip()) > 2), key=lambda k: (-len(k), k))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(keys)})(?![\w-])", re.IGNORECASE) if keys else None


def find_own_roles(text: str, own: re.Pattern[str]) -> Iterator[tuple[int, int, Said]]:
    """The sentences of a section's text that give the drug of these names a role, with the role; none under a heading "In Vitro Studies"."""
    last = -1
    for m in own.finditer(text):
        if m.start() < last or (_VERBS.match(text, m.end()) is None and _RESPONSIBLE.search(text, max(0, m.start() - 130), m.start()) is None):
            continue
        start, end = _sentence(text, m)
        sentence = role_book().lesser.sub("", blank_references(fold(text[start:end]).text))
        if _ENZYMES.search(sentence) is None or role_book().laboratory.search(sentence) is not None:
            continue
        roles = find_roles(sentence)
        for drug in own.finditer(sentence):
            clause = _CLAUSE.search(sentence, drug.end() + _NEAR)
            if role_book().doubt.search(sentence, drug.end(), clause.start() if clause is not None else len(sentence)):
                continue
            for said in (
                *_named(sentence, drug.end(), roles),
                *_of_verb(sentence, drug.end()),
                *_of_two(sentence, drug.end()),
                *_of_major(sentence, drug.start()),
            ):
                if not _in_laboratory(text, start):
                    last = end
                    yield start, end, said


def _sentence(text: str, around: re.Match[str]) -> tuple[int, int]:
    """The sentence around a place, cut at stops before capitals."""
    first = max(0, around.start() - _LONGEST)
    start = max((m.end() for m in _STOP.finditer(text, first, around.start() + 1) if m.end() <= around.start()), default=first)
    behind = _STOP.search(text, around.end(), around.end() + _LONGEST)
    end = behind.start() + 1 if behind is not None else min(len(text), around.end() + _LONGEST)
    return start, end


def _named(sentence: str, at: int, roles: list[RoleMention]) -> Iterator[Said]:
    """The roles of "is a ... inhibitor of X and a substrate of Y" behind the drug's name."""
    after = [r for r in roles if r.start >= at]
    polarity = _polarity(sentence[at : after[0].start]) if after else None
    if polarity is None:
        return
    yield from (Said(role, polarity) for role in after[0].roles)
    yield from _more(sentence, after[0], polarity)
    for before, second in pairwise(after):
        if role_book().also.match(sentence[before.end : second.start]) is None:
            return
        yield from (Said(role, polarity) for role in second.roles)


def _more(sentence: str, first: RoleMention, polarity: Polarity) -> Iterator[Said]:
    """What stands behind a role as a further one: "and also inhibits CYP2C9", "and of the transport protein OATP1B1"."""
    tail = sentence[first.end : first.end + 200]
    book = role_book()
    if (verb := book.more_verb.match(tail)) is not None and polarity is Polarity.POSITIVE:
        yield from (Said(role, polarity) for role in _at(f"drugs that {verb['verb'].lower()[:-1]} ", tail[verb.end() :]))
    elif (transporter := book.more_of.match(tail)) is not None:
        kind = first.roles[0].kind
        yield from (Said(role, polarity) for role in _at(f"{kind}s of ", tail[transporter.end() :]))


def _at(lead: str, enzymes: str) -> tuple[Role, ...]:
    """The roles of the lead at the enzymes named."""
    mention = next((m for m in find_roles(lead + enzymes) if m.start <= len(lead)), None)
    return tuple(mention.roles) if mention is not None else ()


def _of_two(sentence: str, at: int) -> Iterator[Said]:
    """The roles of "is both a substrate and an inhibitor of CYP3A4"."""
    m = role_book().both.match(sentence[at : at + 200])
    if m is None:
        return
    enzymes = sentence[at + m.end() : at + 200]
    for kind, strength in ((m["first"], m["strength"]), (m["second"], m["strength2"])):
        lead = f"{strength} {kind.lower()}s of " if strength else f"{kind.lower()}s of "
        yield from (Said(role, Polarity.POSITIVE) for role in _at(lead, enzymes))


def _of_major(sentence: str, start: int) -> Iterator[Said]:
    """The enzymes of "CYP3A is the major enzyme responsible for the metabolism of" before the drug."""
    m = role_book().major.search(sentence[:start])
    if m is not None:
        yield from (Said(role, Polarity.POSITIVE) for role in _at("drugs metabolized by ", m["enzymes"]))


def _in_laboratory(text: str, at: int) -> bool:
    """True for a place under a heading of studies in vitro."""
    last = None
    for m in _HEADINGS.finditer(text, 0, at):
        last = m
    return last is not None and last["vitro"] is not None


def _polarity(between: str) -> Polarity | None:
    """Whether the words between a drug and a role affirm or deny it; None where they do neither."""
    if role_book().being.match(between) is not None:
        return Polarity.POSITIVE
    return Polarity.NEGATIVE if role_book().not_being.match(between) is not None else None


def _of_verb(sentence: str, at: int) -> Iterator[Said]:
    """Roles that a verb gives: "is metabolized by CYP3A4", "strongly inhibits CYP2D6"."""
    tail = sentence[at : at + 200]
    book = role_book()
    denied = book.not_doing.match(tail)
    if denied is not None:
        yield from (Said(role, Polarity.NEGATIVE) for role in _at(f"drugs that {denied['verb'].lower()} ", tail[denied.end() :]))
        return
    cleared, acts = book.metabolised.match(tail), book.inhibits.match(tail)
    verb = cleared or acts
    if verb is None:
        return
    lead = "drugs metabolized by " if acts is None else f"drugs that {'inhibit' if verb['verb'].lower() == 'inhibits' else 'induce'} "
    strength = _ADVERBS.get((verb.groupdict().get("adverb") or "").strip().lower())
    for role in _at(lead, tail[verb.end() :]):
        yield Said(Role(role.enzyme, role.kind, strength or role.strength), Polarity.POSITIVE)
