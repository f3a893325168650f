"""What a Chinese insert says patients are allergic to: the product and its parts, other drugs and classes.

"对A或其他B类药物过敏者", "曾因C发生过敏性休克者", "D过敏史". Only what is named counts: of a product with eight substances, the two that are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kb_builder.propose.chinese.lists import Member, split_list
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.found import State
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.guards import Opaque

_REACTION = r"(?:(?:严重|重度|速发型|急性)?的?(?:过敏(?!性(?:疾|鼻|哮喘|皮|紫癜|结肠|肺|湿疹|结膜))(?:性)?(?:反应|休克)?|超敏(?:反应)?|变态反应|高敏(?:反应)?|特异质反应|血管神经性水肿))"
_ALLERGY = re.compile(
    rf"(?:(?:已知|确知|明确|曾经?|既往)*对(?P<to>[^,。;]{{1,120}}?)(?:(?:曾经?|有过?|发生过?|出现过?|产生|存在|具有|已知)*)(?P<a>{_REACTION})"
    rf"|(?:已知|曾经?|既往)*(?:因|由于|在?(?:使用|服用|应用|接受))(?P<by>[^,。;]{{1,80}}?)(?:治疗)?(?:后|而|时)?(?:曾经?)?(?:诱发|发生|出现|引起|产生|导致|引发)过?(?P<b>[^,。;]{{0,40}}?{_REACTION})"
    rf"|(?:已知|曾经?|既往|有)*(?P<of>(?:[^,。;、及和或者有对因]|(?<=白)及){{2,20}}?(?:类药物|类)?)(?P<c>{_REACTION})(?=史|者|患者|病史))(?:的?(?:病史|史))?"
)
_SEVERE = re.compile(r"严重|重度|休克|速发|[、或].*过敏|Stevens")
_PRODUCT = re.compile(r"^(?:本品|该药|此药|本药|该品|本产品|本制剂|药物本身|活性(?:成份|成分|物质))$")
_COMPONENT = re.compile(r"(?:成份|成分|辅料|组份|组分|赋形剂|附加剂|添加剂|原料|赋型剂)$")
_TAIL = re.compile(r"(?:等|类)?(?:药物|药品|药|抗生素|制剂|衍生物|产品)?$")
_GROUP = re.compile(r"(?:抗生素|抗菌药物?|药物|药品)$")
"""Behind the name of a class it is only what the class is of ("头孢菌素类抗生素")."""
_NAMED = frozenset({EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.INGREDIENT, EntityType.HERB})
_ALLERGEN_TYPES = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.ALLERGEN})
_ALLERGENS = (Kind.PARTNER, Kind.ALLERGEN)


def find_allergies(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The phrases of an allergy within `[start, end)`."""
    return list(_ALLERGY.finditer(text, start, end))


class ChineseAllergens:
    """Reads what stands before 过敏. Places are offsets in the folded text of one section."""

    def __init__(self, reading: Reading, own: Sequence[Target], lexicon: Lexicon) -> None:
        """`own` are the label's ingredients: what an allergy to the product means."""
        self._reading = reading
        self._own = own
        self._own_ids = frozenset(t.id for t in own)
        self._lexicon = lexicon

    def read(self, allergy: re.Match[str]) -> Iterator[State]:
        """The allergens of a phrase that `find_allergies` found."""
        group = next(g for g in ("to", "by", "of") if allergy[g])
        start, end = allergy.span(group)
        reaction = {"to": "a", "by": "b", "of": "c"}[group]
        severe = _SEVERE.search(allergy[reaction])
        start = self._with_prefix(start, end, group)
        things = self._reading.things_in(start, end)
        members = split_list(self._reading.blank, start, end, self._known, [(t.start, t.end) for t in things])
        for member in members:
            for state in self._allergens(self._without_to(member)):
                limited = severe is not None and state.target.id not in self._own_ids and not self._is_own_class(state)
                limit = (Restriction(Opaque(allergy[reaction]), *allergy.span(reaction)),) if limited else ()
                yield State(state.target, state.start, state.end, limit, state.member)

    def _with_prefix(self, start: int, end: int, group: str) -> int:
        """The start one character earlier where 对 is the first of the name itself ("对乙酰氨基酚过敏")."""
        text = self._reading.blank
        if group != "to" or text[start - 1] != "对":
            return start
        first = re.split(r"[、,]|或|及|和|以及", text[start:end])[0]
        return start - 1 if not self._known(first) and self._known("对" + first) else start

    def _without_to(self, member: Member) -> Member:
        """The member without a 对 of its own ("对本品或对其他C")."""
        if not member.words.startswith("对") or self._known(member.words):
            return member
        at = 3 if member.words.startswith(("对其他", "对其它")) else 1
        return replace(member, start=member.start + at, words=member.words[at:])

    def _known(self, words: str) -> bool:
        return bool(self._lexicon.lookup(words, frozenset({EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.HERB})))

    def _is_own_class(self, state: State) -> bool:
        """True for a class of the product's own, unless it is the others of it ("其他β-内酰胺类")."""
        others = self._reading.blank[max(0, state.start - 3) : state.start].endswith(("其他", "其它"))
        return not others and any(t.own for t in self._reading.things_in(state.start, state.end))

    def _allergens(self, member: Member) -> Iterator[State]:
        start, end = member.start, member.start + len(member.words)
        words = re.sub(r"\([^()]*\)", "", member.words)
        words = re.sub(r"^(?:本品的?|所含的?|其|中的?|的|及|或)+(?=.)", "", words) if not _PRODUCT.match(words) else words
        bare = _TAIL.sub("", words) or words
        if _PRODUCT.match(member.words) or _PRODUCT.match(bare):
            yield from (State(t, start, end) for t in self._own)
            return
        if _COMPONENT.search(bare) and not self._known(bare):
            yield State(uncoded(EntityType.ALLERGEN, bare), start, end)
            yield from (State(t, start, end) for t in self._own)
            return
        whole = next((found for name in (words, _GROUP.sub("", words)) if name and (found := self._lexicon.lookup(name, _NAMED))), ())
        things = [
            t for t in self._reading.things_in(start, end) if t.kind in _ALLERGENS and not (whole and _GROUP.fullmatch(self._reading.blank[t.start : t.end]))
        ]
        if not things and whole:
            target = Target(whole[0], words) if whole[0].type in _ALLERGEN_TYPES else uncoded(EntityType.ALLERGEN, words)
            yield State(target, start, end, member=member.example)
        for thing in things:
            named = self._lexicon.lookup(self._reading.blank[thing.start : thing.end], frozenset({EntityType.INGREDIENT, EntityType.HERB}))
            own = [t for t in self._own if t.id in named]
            if thing.type not in _ALLERGEN_TYPES and not thing.own:
                yield State(uncoded(EntityType.ALLERGEN, self._reading.blank[thing.start : thing.end]), thing.start, thing.end, member=member.example)
            elif thing.own and thing.type != EntityType.DRUG_CLASS:
                yield from (State(t, thing.start, thing.end) for t in (own or self._own))
            else:
                yield from (State(t, thing.start, thing.end, member=member.example) for t in thing.targets)
        if not things and not whole and re.search(r"[一-鿿A-Za-z]{2}", bare):
            yield State(uncoded(EntityType.ALLERGEN, bare), start, end, member=member.example)
