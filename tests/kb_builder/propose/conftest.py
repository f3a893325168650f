"""A vocabulary of a few dozen names, so that these tests fail only when the proposers change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import pytest

from kb_builder.propose.contraindications.proposer import ContraindicationProposer
from kb_builder.propose.interactions.proposer import InteractionProposer
from kb_builder.propose.protocol import Proposal, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import Code, EntityId
from ontology.terms.identity import DrugIdentity, IngredientRef, UnidentifiedDrug
from ontology.text.document import Document, DocumentVersion, ProductInfo, Section, SubstanceInfo
from ontology.text.mentions import singular, words_key

NAMES: dict[EntityType, tuple[str, ...]] = {
    EntityType.INGREDIENT: (
        "warfarin|华法林", "aspirin|阿司匹林", "ibuprofen|布洛芬", "ketoconazole|酮康唑", "itraconazole", "rifampin", "digoxin|地高辛", "simvastatin|辛伐他汀", "gemfibrozil", "verapamil", "metoprolol", "niacin", "phenytoin", "colestipol", "levothyroxine", "furosemide",
        "gentamicin", "amoxicillin|阿莫西林", "probenecid|丙磺舒", "methotrexate|甲氨蝶呤", "allopurinol|别嘌醇", "fluconazole", "midazolam", "linezolid", "lisinopril", "aliskiren", "sacubitril", "famotidine", "colchicine", "pimozide", "heparin",
        "calcium carbonate", "potassium", "acetaminophen|对乙酰氨基酚", "acetaminophen and niacin", "chlorpheniramine|氯苯那敏", "calcium gluconate|葡萄糖酸钙", "choline|胆碱", "amiodarone|胺碘酮", "ritonavir", "cobicistat",
    ),
    EntityType.DRUG_CLASS: (
        "nonsteroidal anti-inflammatory drugs|NSAIDs|非甾体抗炎药", "statins|HMG-CoA reductase inhibitors", "beta-blockers", "antacids|抗酸药", "magnesium antacids|含镁抗酸药", "calcium salts|钙剂", "antiarrhythmics|抗心律失常药", "cephalosporins|头孢菌素类", "bile acid sequestrants", "MAO inhibitors|MAOIs|monoamine oxidase inhibitors|单胺氧化酶抑制剂", "penicillins|青霉素类", "ACE inhibitors",
        "thiazide diuretics", "diuretics", "anticoagulants", "azole antifungals", "fibrates", "drugs that prolong the QT interval", "sulfonylureas|磺酰脲类",
    ),
    EntityType.ENZYME_ROLE: ("strong CYP3A4 inhibitor", "moderate CYP3A4 inhibitor", "CYP3A4 inhibitor", "strong CYP3A4 inducer", "moderate CYP3A4 inducer", "CYP2C9 inhibitor", "CYP3A4 substrate", "P-gp inhibitor", "P-gp inducer", "P-gp substrate", "strong CYP2D6 inhibitor"),
    EntityType.CONDITION: (
        "pregnancy|孕妇|妊娠", "bradycardia", "anuria", "hyperkalemia", "active liver disease", "hepatic impairment|肝功能不全", "renal impairment|肾功能不全", "angioedema", "peptic ulcer|消化性溃疡", "varicella|水痘", "influenza|流感", "viral infection|病毒感染", "hypertension|高血压", "adrenal insufficiency|肾上腺皮质功能减退", "hypopituitarism|垂体前叶功能减退", "type 2 diabetes mellitus|2型糖尿病", "myocardial infarction|心肌梗死", "hyperthyroidism|甲状腺功能亢进", "epilepsy|癫痫", "AV block|III度房室传导阻滞", "congenital long QT syndrome", "heart failure", "type 1 diabetes mellitus|1型糖尿病",
        "diabetic ketoacidosis|酮症酸中毒", "diabetes", "seizure disorder|convulsive disorder", "asthma|哮喘", "breastfeeding|哺乳期|哺乳", "tobacco use|smokers",
    ),
    EntityType.FOOD: ("grapefruit juice|葡萄柚汁", "food|食物", "spicy food|辛辣", "greasy food|油腻"),
    EntityType.LIFESTYLE: ("alcohol|饮酒",),
    EntityType.HERB: ("St. John's wort", "veratrum|藜芦", "pinellia|半夏", "bletilla|白及"),
    EntityType.PROCEDURE: ("surgery",),
    EntityType.LAB_TEST: ("serum potassium|potassium|血钾", "blood pressure|血压", "complete blood count|血常规", "liver function tests|肝功能", "creatinine|肌酐", "electrocardiogram|心电图", "INR"),
}  # fmt: skip
CLASS_OF = {
    "simvastatin": "statins",
    "metoprolol": "beta-blockers",
    "lisinopril": "ACE inhibitors",
    "ibuprofen": "nonsteroidal anti-inflammatory drugs",
    "warfarin": "anticoagulants",
}


@dataclass(frozen=True, slots=True)
class BelongsTo:
    subject: EntityId
    object: EntityId
    predicate: str = "belongs_to"


class SmallVocabulary:
    """The seam of a terminology that a lexicon needs, over NAMES."""

    def __init__(self) -> None:
        self._names = {
            EntityId(kind.value, "pharmgraph", words_key(row.split("|")[0]).replace(" ", "-")): row.split("|") for kind, rows in NAMES.items() for row in rows
        }
        self._by_key: dict[str, list[EntityId]] = {}
        for entity, names in self._names.items():
            for name in names:
                self._by_key.setdefault(singular(words_key(name)), []).append(entity)

    def entity(self, entity: EntityId) -> Entity | None:
        names = self._names.get(entity)
        return Entity(entity, EntityType(entity.type), names[0]) if names else None

    def name(self, entity: EntityId) -> str:
        return self._names[entity][0] if entity in self._names else str(entity)

    def lookup(self, name: str, types: Collection[EntityType] | None = None) -> tuple[EntityId, ...]:
        return tuple(e for e in self._by_key.get(singular(words_key(name)), ()) if types is None or EntityType(e.type) in types)

    def mention_names(self, types: Collection[EntityType] | None = None) -> Iterator[tuple[str, EntityId]]:
        return ((n, e) for e, names in self._names.items() for n in names if types is None or EntityType(e.type) in types)

    def identify_drug(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug:
        return UnidentifiedDrug(text or "", "unknown")

    def edge_rows(self) -> Iterator[BelongsTo]:
        return (BelongsTo(self.lookup(drug)[0], self.lookup(group)[0]) for drug, group in CLASS_OF.items())


@dataclass(frozen=True, slots=True)
class Label:
    """A label of one drug, and what the proposers say of it."""

    document: Document
    subject: Subject
    lexicon: Lexicon

    def proposals(self) -> list[Proposal]:
        return [p for proposer in (ContraindicationProposer(), InteractionProposer()) for p in proposer.propose(self.document, self.subject, self.lexicon)]

    def said(self, predicate: str | None = None) -> set[tuple[str, str]]:
        """(name of the object, actions joined by +) of every claim."""
        return {
            (self.name(p), "+".join(s.action.value for s in p.claim.payload.steps))
            for p in self.proposals()
            if predicate is None or p.claim.predicate == predicate
        }

    def name(self, proposal: Proposal) -> str:
        return proposal.entities[0].name.lower() if proposal.entities else self.lexicon.name(proposal.claim.object).lower()

    def claim(self, name: str):
        """The one claim about an object of this name."""
        (found,) = [p.claim for p in self.proposals() if self.name(p) == name]
        return found


Make = Callable[..., Label]


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return Lexicon(SmallVocabulary())


@pytest.fixture(scope="session")
def label(lexicon: Lexicon) -> Make:
    """Makes a label: `label("text", drug="warfarin", brand="Coumadin")`; sections are `drug_interactions` unless named."""

    def make(text: str, key: str = "drug_interactions", *, drug: str = "simvastatin", brand: str = "ZOCOR", tables: tuple[str, ...] = (), **more: str) -> Label:
        sections = tuple(Section(k, t, tables=tables) for k, t in {key: text, **more}.items())
        product = ProductInfo(drug, (SubstanceInfo(drug),), (brand,), routes=("oral",), form="tablet")
        document = Document("set-1", DocumentVersion("1", None, "0" * 64), brand, "openfda", "en", sections, (product,))
        ingredient = SmallVocabulary().lookup(drug)[0]
        return Label(document, Subject(ingredient, drug, (IngredientRef(ingredient, drug),)), lexicon)

    return make
