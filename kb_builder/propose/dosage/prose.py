"""The dose rules of one section's prose: every passage with its standing, its own conditions, and those it takes over from the sentence before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kb_builder.propose.conditions.reader import read_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.bands import narrowest, replaces, without_words_of_numbers
from kb_builder.propose.dosage.bare_bounds import bare_bounds, below_spared, either
from kb_builder.propose.dosage.company import company, is_for_a_partner_alone
from kb_builder.propose.dosage.firmness import firmness
from kb_builder.propose.dosage.grounds import LOOKED_BACK, grounds, resumption
from kb_builder.propose.dosage.groups import listed_groups
from kb_builder.propose.dosage.lesser import lesser_impairment
from kb_builder.propose.dosage.levels import adults_doses, is_of_a_dose
from kb_builder.propose.dosage.listed import cases_below, leads_to_list, listed
from kb_builder.propose.dosage.naming import named_condition, widened_use
from kb_builder.propose.dosage.owners import tells_of_another
from kb_builder.propose.dosage.pointers import POINTER, is_aside, other_state, points_back, without_pointers
from kb_builder.propose.dosage.regimens import Ruling, rulings
from kb_builder.propose.dosage.responses import asked, with_goal
from kb_builder.propose.dosage.scraps import settled
from kb_builder.propose.dosage.spread import spread
from kb_builder.propose.dosage.standing import EVERYONE, Passage, Scopes, Standing
from kb_builder.propose.dosage.starts import later_step
from kb_builder.propose.dosage.statements import instructions, reasons
from kb_builder.propose.dosage.timing import daily, part_of, tells_once_daily
from kb_builder.propose.dosage.tolerance import told_by_opioids
from kb_builder.propose.dosage.unread import unread_clauses
from kb_builder.propose.dosage.uses import opening_use, widened
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, uncoded
from ontology.model.dosing import Limit
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import AnyOf, Exposure, HasCondition, Opaque, leaves
from ontology.model.spans import SpanRole
from ontology.text.doses import DosePhrase

_FOR = re.compile(
    r"\b(?:for|in|of|with|to (?:treat|prevent|reduce|control))\s+(?:(?:the|an?|acute|chronic|severe|mild|moderate|active|initial|short-term|long-term|adjunctive)\s+|(?:treatment|management|prevention|prophylaxis|relief|control|maintenance|therapy)\s+(?:of\s+|for\s+)?|(?:adults?|adult patients|patients|pediatric patients|children)\s+with\s+)*$",
    re.IGNORECASE,
)
_RESPONSE = re.compile(r"(?:if|when|in the (?:case|event)|after|unless|once)\b", re.IGNORECASE)
_RESPONSE_BEFORE = re.compile(r"\b(?:if|when|unless|after|once|in case of)\s+$", re.IGNORECASE)
"""Openings of conditions on how a treatment goes: they end with their sentence."""
_ALL = re.compile(
    r"^\W*the (?:(?:usual )?maxim(?:um|al) (?:recommended|total|daily|dose|dosage|once)|total (?:daily )?(?:dose|dosage)|usual (?:maintenance )?(?:dose|dosage))\b|\b(?:all routes|all patients|regardless|any patient|either case)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(r"\bfurther (?:reduc|decreas|increas|lower)", re.IGNORECASE)
_ON_OTHERS = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?administ\w*|interact\w*|modif\w*|adjust\w*|reduc\w*)\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:combin\w*|monotherapy|single[- ]agent|alone|without|add-on|adjunct\w*)\b", re.IGNORECASE)
_THE_DOSE = re.compile(r"\W*(?:the|this|its)\s+(?:initial\s+|starting\s+)?(?:dose|dosage)\b", re.IGNORECASE)
_GIVE_AMOUNT = re.compile(r"\W*(?:administer|give|infuse|repeat)\s+\d", re.IGNORECASE)
"""Openings by which a sentence goes on about the drug of the one before it."""
_IN_A_STATE = re.compile(r"\W*(?:in|during)\s+(?:the (?:presence|case) of\s+)?", re.IGNORECASE)
"""All that stands before a state by which its sentence opens ("In anuria, ...")."""
_ROW_RUNS_ON = re.compile(
    r"\W*(?i:administer|give|reduce|double)\s+[^.;:()\d]{0,40}\b(?i:dose|dosage)(?=\s+(?:Known\s+|Strong\s+|Moderate\s+|Weak\s+|Mild\s+|Severe\s+|CYP\w+\s+)+(?:CYP|[A-Z(]))"
)
"""A share of a dose that runs on into the name of the next row: print has lost the cells, and what is named behind it gets another dose."""
_BESIDES = re.compile(r"\b(?:also|too|as well|additionally|in addition|further\w*)\b", re.IGNORECASE)
"""Words by which a sentence adds its state to the one before; without them it tells of other patients."""


@dataclass(slots=True)
class _Carried:
    """What the sentence before said of whom and for what, as long as the same headings stand."""

    standing: Standing | None = None
    conditions: tuple[Restriction, ...] = ()
    indication: Target | None = None


class ProseReader:
    """Reads one section. `uses` is the label's text on indications in lower case."""

    def __init__(self, reading: Reading, lexicon: Lexicon, uses: str) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._lexicon = lexicon
        self._uses = uses
        self._carried = _Carried()
        self._before: Passage | None = None
        self._silent: list[Passage] = []  # the sentences before that hold no dose, under the same headings
        self._once_daily: str | None = None  # the part of which a sentence said that its doses are given once a day
        self._others = False  # the last sentence told another drug's dose

    def drafts(self, scopes: Scopes) -> Iterator[Draft]:
        """The drafts of every passage, in order of print."""
        for i, passage in enumerate(scopes.passages):
            yield from self.passage(passage, [p for p in scopes.passages[i + 1 : i + 20] if p.block is passage.block])

    def passage(self, passage: Passage, below: Sequence[Passage] = ()) -> Iterator[Draft]:
        """The drafts of one passage; `below` are those that follow it in its block."""
        if _ROW_RUNS_ON.match(self._blank, passage.start, passage.end) is not None:
            return
        statement = passage.statement
        before, self._before = self._before, passage
        if self._carried.standing != passage.standing:
            self._carried = _Carried(passage.standing)
        phrases = instructions(self._blank, passage.start, passage.end, statement.things, passage.standing.topic)
        others, self._others = self._others, False
        if not phrases:
            if tells_once_daily(self._blank, passage):
                self._once_daily = part_of(passage)
            self._others = tells_of_another(self._blank, passage.start, passage.end, statement.things)
            self._silent = [*(p for p in self._silent[1 - LOOKED_BACK :] if p.standing == passage.standing), passage]
            return
        silent, self._silent = [p for p in self._silent if p.standing == passage.standing], []
        if (
            others
            and (_THE_DOSE.match(self._blank, passage.start) or _GIVE_AMOUNT.match(self._blank, passage.start))
            and not any(t.own for t in statement.things)
        ):
            self._others = True
            return
        own, uses = self._conditions(passage, phrases)
        own = listed_groups(self._blank, (passage.start, phrases[0].start), own)
        if not own and not passage.standing.conditions:
            own = [*grounds(self._blank, passage, silent)]
        own = lesser_impairment(self._blank, self._part_start(passage), passage.start, own or [*resumption(self._blank, passage)])
        lead = leads_to_list(self._blank, passage.start, passage.end)
        listing = listed(self._blank, lead, below, self._lexicon) if lead is not None else []
        own = [r for r in own if lead is None or r.end <= lead.start()]
        cases = cases_below(self._blank, phrases[-1].end, passage, below)
        wanted = [Restriction(Opaque(t.words or "use"), s, e) for t, s, e in uses]
        every = spread(self._blank, phrases, [*own, *wanted])
        held = [tuple(r for r in some if r not in wanted) for some in every]
        targets = [self._target(tuple(r for r in some if r in wanted), uses) for some in every]
        taken: tuple[Restriction, ...] = ()
        words = self._blank[passage.start : passage.end]
        if points_back(self._blank, passage.start, passage.end) or (
            (dosage_words().continues.match(words) or _FURTHER.search(words)) and _ALL.search(words) is None
        ):
            taken = self._pointed_at(passage, before) or self._carried.conditions
            targets = [t or self._carried.indication for t in targets]
        first = set(held[0]) if held else set()
        for some in held[1:]:
            first &= set(some)
        leading = tuple(
            r
            for r in own
            if r in first
            and not (isinstance(r.guard, Opaque) and (_RESPONSE.match(r.guard.text) or _RESPONSE_BEFORE.search(self._blank[max(0, r.start - 16) : r.start])))
        )
        if leading or not taken:
            self._carried = _Carried(passage.standing, leading, targets[0] if len(set(targets)) == 1 else None)
        if any(isinstance(leaf, Exposure) for r in (*taken, *own) for leaf in leaves(r.guard)):
            held = [without_pointers(some) for some in held]
            taken = without_pointers(taken)
        beside = points_back(self._blank, passage.start, passage.end) or _BESIDES.search(words) is not None
        held = [(*(r for r in taken if not self._excluded(r, h) and (beside or not other_state(r, h))), *h, *listing) for h in held]
        if cases is not None:
            held[-1] = (*held[-1], cases)
        for ruling in rulings(self._blank, (passage.start, passage.end), phrases, held, targets):
            yield self._draft(passage, ruling)

    def _conditions(self, passage: Passage, phrases: Sequence[DosePhrase]) -> tuple[list[Restriction], list[tuple[Target, int, int]]]:
        """The restrictions of a sentence, and the indications that it names with their places."""
        found = self._read(passage, [])
        if cuts := sorted({p.start for p in phrases for r in found if isinstance(r.guard, AnyOf) and r.start < p.start < r.end}):
            found = self._read(passage, cuts)
        own: list[Restriction] = []
        uses: list[tuple[Target, int, int]] = []
        for restriction in found:
            guard = restriction.guard
            if isinstance(guard, HasCondition) and guard.state is ConditionState.ACTIVE and guard.words.lower() in self._uses:
                uses.append(
                    (
                        Target(guard.concept, guard.words, next((e for e in restriction.entities if e.id == guard.concept), None)),
                        restriction.start,
                        restriction.end,
                    )
                )
            elif (use := self._several(restriction)) is not None:
                uses.append((use, restriction.start, restriction.end))
            elif not is_of_a_dose(self._blank, passage.start, passage.end, restriction, phrases):
                own.append(restriction)
        for thing in passage.statement.things:
            if thing.kind is not Kind.STATE or thing.type != EntityType.CONDITION or any(r.start < thing.end and thing.start < r.end for r in found):
                continue
            words = self._blank[thing.start : thing.end].lower()
            if self._uses and words not in self._uses and _IN_A_STATE.fullmatch(self._blank, passage.start, thing.start):
                own.append(Restriction(HasCondition(thing.targets[0].id, words), thing.start, thing.end))
            elif (words in self._uses or thing.targets[0].words.lower() in self._uses) and _FOR.search(
                self._blank, max(passage.start, thing.start - 90), thing.start
            ):
                uses.append((thing.targets[0], thing.start, thing.end))
        if not uses and not passage.standing.indications and (place := opening_use(self._blank, passage.start, passage.end, self._uses)) is not None:
            uses.append((named_condition(" ".join(self._blank[slice(*place)].split()), self._lexicon), *place))
        uses = [self._in_full(u, passage.start) for u in uses]
        own = [r for r in own if not (isinstance(r.guard, Opaque) and any(s <= r.start and r.end <= e for _, s, e in uses))]
        own = without_words_of_numbers(own)
        read = [(r.start, r.end) for r in found] + [(s, e) for _, s, e in uses]
        read += adults_doses(self._blank, passage.start, passage.end)
        beside = list(company(self._blank, passage.start, passage.statement.things, read))
        own += beside
        read += [(r.start, r.end) for r in beside]
        bare = list(bare_bounds(self._blank, passage.start, passage.end, self._part_start(passage), read))
        own = either(self._blank, bare, own)
        read += [(r.start, r.end) for r in bare]
        own += unread_clauses(self._blank, passage.start, passage.end, read, [(p.start, p.end) for p in phrases])
        because = [*reasons(self._blank, passage.start, passage.end), (later_step(self._blank, phrases[-1].end, passage.end), passage.end)]
        kept = asked(self._blank, [r for r in own if not any(s <= r.start < e for s, e in because) and not is_aside(self._blank, passage.start, r)])
        return settled(self._blank, passage.start, kept), uses

    def _read(self, passage: Passage, cuts: Sequence[int]) -> list[Restriction]:
        """The conditions of a sentence; `cuts` are the doses between groups that a joint "and" would else make one ("25% in A and 50% in B")."""
        things, places = passage.statement.things, pairwise([passage.start, *cuts, passage.end])
        return [r for s, e in places for r in read_conditions(self._blank, s, e, things, self._lexicon)]

    def _part_start(self, passage: Passage) -> int:
        """Where the block of a passage begins."""
        heading = passage.block.heading
        return heading[0] if heading is not None and heading[0] <= passage.start else 0

    def _several(self, restriction: Restriction) -> Target | None:
        """A choice of conditions that all are uses of the label, as one use in its words."""
        guard = restriction.guard
        members = leaves(guard) if isinstance(guard, AnyOf) else ()
        named = [leaf.words if isinstance(leaf, HasCondition) and leaf.state is ConditionState.ACTIVE else getattr(leaf, "text", "") for leaf in members]
        if not any(isinstance(leaf, HasCondition) for leaf in members) or not all(n and n.lower() in self._uses for n in named):
            return None
        return uncoded(EntityType.CONDITION, self._blank[restriction.start : restriction.end])

    def _in_full(self, use: tuple[Target, int, int], floor: int) -> tuple[Target, int, int]:
        """A use by its whole name, as the label's indications have it."""
        target, start, end = use
        at = widened(self._blank, start, end, floor, self._uses)
        return use if at == start else (widened_use(target, " ".join(self._blank[at:end].split()), self._lexicon), at, end)

    def _pointed_at(self, passage: Passage, before: Passage | None) -> tuple[Restriction, ...]:
        """Whom "such patients" are: those of the sentence before; the words where it names none and no heading does."""
        such = POINTER.search(self._blank, passage.start, passage.end)
        if such is None or ";" in self._blank[passage.start : such.start()]:
            return ()
        found: list[Restriction] = []
        if before is not None and before.standing == passage.standing:
            found = read_conditions(self._blank, before.start, before.end, before.statement.things, self._lexicon)
        held = tuple(r for r in found if not any(isinstance(leaf, Opaque) for leaf in leaves(r.guard)))
        return (
            held
            if held or passage.standing.conditions or self._carried.conditions
            else (Restriction(Opaque(" ".join(such[0].split())), such.start(), such.end()),)
        )

    def _target(self, wanted: tuple[Restriction, ...], uses: Sequence[tuple[Target, int, int]]) -> Target | None:
        return next((t for w in wanted for t, s, _ in uses if s == w.start), None)

    def _excluded(self, standing: Restriction, held: Sequence[Restriction]) -> bool:
        """True for a taken-over or standing condition that the sentence's own one replaces: another band of the same axis."""
        return any(replaces(standing, h) for h in held)

    def _is_title(self, standing: Restriction, scope: Standing, held: Sequence[Restriction]) -> bool:
        """True for a heading on other drugs in general where the sentence itself names the drug that its dose is for."""
        if not any(isinstance(leaf, Exposure) for r in held for leaf in leaves(r.guard)):
            return False
        if not all(isinstance(leaf, Exposure | Opaque) for leaf in leaves(standing.guard)):
            return False
        place = next((p for p, _ in scope.cited if p[0] <= standing.start < p[1]), (standing.start, standing.end))
        words = self._blank[slice(*place)]
        return _ON_OTHERS.search(words) is not None and _TOGETHER.search(words) is None

    def _draft(self, passage: Passage, ruling: Ruling) -> Draft:
        standing = passage.standing
        target = ruling.indication or (standing.indications[-1] if standing.indications else EVERYONE)
        kept = tuple(r for r in standing.conditions if not self._excluded(r, ruling.conditions) and not self._is_title(r, standing, ruling.conditions))
        kept = tuple(r for r in kept if not is_for_a_partner_alone(self._blank, passage.start, passage.end, r, ruling.conditions))
        payload, conditions = with_goal(ruling.payload, ruling.conditions)
        if self._once_daily is not None and self._once_daily == part_of(passage):
            payload = daily(payload)
        grounds = (standing.ground,) if standing.ground is not None and not kept and all(isinstance(r.guard, Opaque) for r in ruling.conditions) else ()
        routes = (ruling.route,) if ruling.route else standing.routes
        return Draft(
            self._reading,
            "has_limit" if isinstance(payload, Limit) else "has_dose_rule",
            target,
            (ruling.start, ruling.end),
            (passage.start, passage.end),
            limits=narrowest(told_by_opioids(self._blank, below_spared(self._blank, passage.start, (*grounds, *kept, *conditions)), self._lexicon)),
            strength=firmness(self._blank, (passage.start, passage.end), (ruling.start, ruling.end), payload),
            highlight=passage.statement.highlight,
            payload=payload,
            cited=(*standing.cited, *(((g.start, g.end), SpanRole.HEADING) for g in grounds)),
            routes=routes,
        )
