"""How the words of a statement on two drugs weigh: what asks for nothing yet, what is left open, and whom a class stands for.

Every rule lowers what a statement may be shown as and says why; none raises it. The word lists and classes stand in `data/pairs.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from cds_service.audit.clinical import table, words
from cds_service.audit.evidence import Statement
from cds_service.audit.knowledge import DossierView, Knowledge, entities_named, once_a_view
from cds_service.audit.roster import Medication
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque, leaves
from ontology.model.identifiers import EntityId
from ontology.model.spans import Span
from ontology.store.records import Rule

FIRM = frozenset({Strength.MUST, Strength.SHOULD})
"""Strengths with which a label asks; the others leave it to the prescriber."""

_NUMBER = re.compile(r"\d")
_LATER = re.compile(r"\band (?=(?:[\w-]+ ){0,3}(?:levels?|concentrations?|monitor\w*|observ\w*|watch\w*)\b)")
"""Before what is watched once the dose is changed ("should be reduced and serum levels may need to be monitored")."""
_SUBSTRATE, _MODULATORS = "-substrate", ("-inhibitor", "-inducer")
_MOST_NAMES = 4
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_TOGETHER = re.compile(
    r"(?<!\bnot )\b(?:in (?:conjunction|combination) with|together with|(?:concurrent|concomitant)ly (?:(?:administered|given|used) )?with)\b.*"
)
_BETWEEN = re.compile(r"\b(?:concomitant|concurrent|coadministered|other|oral) ")


def lowered(statement: Statement, partner: Medication, target: EntityId, action: Action, knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """The caps that a statement's words put on it for this partner, each with the reason that the card adds."""
    payload = statement.rule.payload
    said = statement.evidence()[0]
    quote = said.span.quote.casefold()
    if action is Action.ADJUST_DOSE and isinstance(payload, Advice) and follows_watching(payload, quote) and not _boxed(statement, partner):
        yield "info", "the label asks to watch and to adjust by what is seen"
    if action is Action.AVOID and _says(statement, "minimised"):
        yield "info", "the label asks to avoid the combination or to keep it small"
    if _says(statement, "large_amounts"):
        yield "info", "the label speaks of large amounts"
    meant = statement.rule.words or statement.rule.object_name
    around = " ".join((quote, *said.context)).casefold()
    if target.type in _GROUPS and not asks_for_another_method(statement) and _is_of_some(meant.casefold(), _BETWEEN.sub("", around)):
        yield "info", f"the label means some {meant} only and does not name {partner.called}"
    if target.type == EntityType.DRUG_CLASS and action is not Action.CONTRAINDICATED and _is_of_own_use(statement.view, partner):
        yield "info", f"the label's own uses give it together with {partner.called}"
    if target.type == EntityType.ENZYME_ROLE and _says(statement, "joined"):
        yield "info", f"the label means two roles at a time; {partner.called} is here for one"
    if _is_milder(around, target, partner):
        yield "info", f"the label means strong ones; {partner.called} is not known to be"
    if named := named_members(statement, partner, target, knowledge):
        yield "info", f"the label speaks of {meant} and names {', '.join(named)}, not {partner.called}"
    elif action is Action.CONTRAINDICATED and _is_open(statement, partner, target, knowledge):
        yield "warning", f"the label speaks of {meant} in general and gives examples; {partner.called} is none of them"


def _is_of_own_use(view: DossierView, partner: Medication) -> bool:
    """True for a drug that the label's own uses are together with ("when administered in conjunction with warfarin sodium")."""
    together = _given_with(view)
    return bool(together) and any(re.search(rf"\b{re.escape(i.name.casefold())}\b", together) is not None for i in partner.drug.ingredients)


@once_a_view
def _given_with(view: DossierView) -> str:
    """What the uses of a label say of drugs that are given with it."""
    uses = (rule for rule in view.indications if rule.polarity is Polarity.POSITIVE)
    said = (leaf.text.casefold() for rule in uses for leaf in leaves(rule.guard) if isinstance(leaf, Opaque))
    return " | ".join(m[0] for text in said if (m := _TOGETHER.search(text)) is not None)


def _is_of_some(meant: str, around: str) -> bool:
    """True where the words around a group say that some of it are meant, right before it or before another group that is named with it."""
    words = [w for w in _words("certain", "words") if w in around] if meant in around else []
    return any(re.search(rf"\b{w} (?:[\w/-]+(?:, | (?:or|and) |, (?:or|and) )){{0,3}}{re.escape(meant)}", around) for w in words)


def spoken_action(statement: Statement, action: Action) -> Action:
    """The action that the words ask for: what to watch if a combination cannot be avoided presumes that it is avoided, and so does another method for
    a contraceptive.
    """
    if action not in (Action.MONITOR, Action.CAUTION):
        return action
    presumed = statement.rule.strength in FIRM and _says(statement, "presumed")
    return Action.AVOID if presumed or (_is_contraceptive(statement) and asks_for_another_method(statement)) else action


def _is_contraceptive(statement: Statement) -> bool:
    named = f"{statement.rule.words or ''} {statement.rule.object_name}".casefold()
    return any(w in named for w in _words("contraception", "objects"))


def asks_for_another_method(statement: Statement) -> bool:
    """True for advice to use another method of contraception, put as an instruction."""
    quote = statement.evidence()[0].span.quote.casefold()
    named = _has(quote, "contraception") and any(w in quote for w in _words("contraception", "method"))
    return named and not any(w in quote for w in _words("contraception", "hesitant"))


def is_on_allergy(rule: Rule) -> bool:
    """True for a statement on an allergy to a class, which says nothing of taking a drug of the class."""
    return bool(rule.words) and _has((rule.words or "").casefold(), "no_partner")


def is_for_other_purpose(statement: Statement, partner: Medication, target: EntityId, knowledge: Knowledge) -> bool:
    """True for a statement on members of a class that are taken for a purpose, where the partner is one that nobody takes for it."""
    if target.type != EntityType.DRUG_CLASS or not _says(statement, "purpose"):
        return False
    return partner.ingredients <= entities_named(knowledge.terminology, _names("purpose", "spared"), (EntityType.INGREDIENT,))


def listed_for(role: EntityId, knowledge: Knowledge) -> frozenset[EntityId]:
    """The drugs that count for a rule on a role at a transporter that names no grade; empty for other roles."""
    if role.code not in table("pairs")["transporters"]:
        return frozenset()
    return entities_named(knowledge.terminology, _names("transporters", role.code), (EntityType.INGREDIENT, EntityType.HERB))


def works_against(statement: Statement) -> bool:
    """True when the words say that one of the two takes away what the other does."""
    return _says(statement, "antagonism")


def follows_watching(advice: Advice, quote: str) -> bool:
    """True for an adjustment without an amount that follows what is monitored, or that the label leaves open."""
    adjusts = [s for s in advice.steps if s.action is Action.ADJUST_DOSE]
    watches = any(s.action is Action.MONITOR for s in advice.steps) or any(w in quote for w in _words("watched", "monitors"))
    return bool(adjusts) and all(_as_seen(s, quote, watches=watches) for s in adjusts)


def _as_seen(step: Step, quote: str, *, watches: bool) -> bool:
    said = _LATER.split((step.parameter or quote).casefold())[0]
    for fixed in _words("watched", "of_record"):
        said = said.replace(fixed, "")
    if _NUMBER.search(said):
        return False
    if any(w in said for w in _words("watched", "follows")) or quote.startswith(tuple(w for w in _words("watched", "follows") if w.startswith("consider"))):
        return True
    return watches and not any(w in said for w in _words("watched", "reduces"))


def _boxed(statement: Statement, partner: Medication) -> bool:
    """True when a boxed warning of the same labels speaks of the partner: what it asks to watch is not left to later."""
    return any(
        span.section == "boxed_warning"
        for target in statement.view.partners.keys() & partner.closure.keys()
        for rule in statement.view.partners[target]
        for claim in rule.claims[:1]
        for span in claim.evidence
    )


def _is_open(statement: Statement, partner: Medication, target: EntityId, knowledge: Knowledge) -> bool:
    by_use = entities_named(knowledge.terminology, words("allergy", "by_use"), (EntityType.DRUG_CLASS,))
    quote = statement.evidence()[0].span.quote.casefold()
    return target in by_use and _says(statement, "open_class") and not any(i.name.casefold() in quote for i in partner.drug.ingredients)


def named_members(statement: Statement, partner: Medication, target: EntityId, knowledge: Knowledge) -> tuple[str, ...]:
    """The drugs for which a class by use, or the substrates of an enzyme, stand in a statement, where the partner is none of them; empty where all are meant."""
    terms = knowledge.terminology
    by_use = target.type == EntityType.DRUG_CLASS and target in entities_named(terms, _names("examples", "classes"), (EntityType.DRUG_CLASS,))
    forbids = isinstance(statement.rule.payload, Advice) and statement.rule.payload.strictest is Action.CONTRAINDICATED
    if not by_use and not (forbids and target.type == EntityType.ENZYME_ROLE and target.code.endswith(_SUBSTRATE)):
        return ()
    ref = statement.evidence()[0]
    said = " ".join((ref.span.quote, *ref.context)).casefold()
    named: dict[str, EntityId] = {}
    for entity, rules in statement.view.partners.items():
        if entity.type not in (EntityType.INGREDIENT, EntityType.DRUG):
            continue
        meant = target in terms.ancestors(entity) and any(n.casefold() in said for n in _spoken(rules)) if by_use else _says_the_same(ref.span, rules)
        if meant:
            named[rules[0].object_name] = entity
    if any(e in partner.closure for e in named.values()):
        return ()
    return tuple(sorted(named))[:_MOST_NAMES]


def _says_the_same(span: Span, rules: Iterable[Rule]) -> bool:
    """True when one of the rules rests on the very sentence."""
    place = (span.document, span.section, span.start)
    return any((e.document, e.section, e.start) == place for rule in rules for e in rule.claims[0].evidence[:1])


def _is_milder(around: str, target: EntityId, partner: Medication) -> bool:
    """True for a statement that grades a role as strong, where the partner is not known to have it so."""
    if target.type != EntityType.ENZYME_ROLE or not target.code.endswith(_MODULATORS) or any(w in around for w in _words("grades", "other")):
        return False
    strong = (m[0] for pattern in _graded_as_strong() for m in pattern.finditer(around))
    graded = any(_grades(words, target) for words in strong)
    return graded and not any(e.type == EntityType.ENZYME_ROLE and e.code == f"{target.code}-strong" for e in partner.closure)


@cache
def _graded_as_strong() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"\b{w}\b[^.;]{{0,40}}?\b(?:inhibit|induc)") for w in _words("grades", "strong"))


def _grades(words: str, target: EntityId) -> bool:
    """False for words that grade an enzyme, where the role is at a transporter that they do not name: those have no grades of their own."""
    names = next((n.split("|") for n in _words("grades", "transporters") if target.code.startswith(n.split("|")[0])), None)
    return names is None or any(n in words for n in names) or not any(e in words for e in _words("grades", "enzymes"))


def _spoken(rules: Iterable[Rule]) -> set[str]:
    return {n for r in rules for n in (r.words, r.object_name) if n}


def _says(statement: Statement, section: str) -> bool:
    """True when the statement's sentence has one of the words of a section; read once a claim of the view."""
    read, key = _read_before(statement.view), (statement.claims[0].id, section)
    if key not in read:
        read[key] = _has(statement.evidence()[0].span.quote.casefold(), section)
    return read[key]


@once_a_view
def _read_before(_view: DossierView) -> dict[tuple[str, str], bool]:
    """What the claims of a view were found to say, by claim and section."""
    return {}


def _has(quote: str, section: str) -> bool:
    return any(w in quote for w in _words(section, "words"))


@cache
def _words(section: str, key: str) -> tuple[str, ...]:
    return tuple(w.casefold() for w in table("pairs")[section][key])


@cache
def _names(section: str, key: str) -> tuple[str, ...]:
    return tuple(table("pairs")[section][key])
