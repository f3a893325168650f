"""What shows that a sentence is about taking two drugs together, asks for something, or is about something else.

All functions read one sentence in lower case, cross-references blanked.
"""

from __future__ import annotations

import re

from kb_builder.propose.reading.frames import frame_book
from ontology.text.sought import sought

_CO = r"concomitant\w*|concurrent\w*|co-?\s?administ\w*|co-?prescri\w*|together|simultaneous\w*|in association with|plus|in conjunction|add(?:ed|ing|ition) (?:to|of)"
_CO_USE = re.compile(
    rf"\b(?:{_CO}|(?:given|used|taken|administered|ingested) (?:\w+ )?with|(?:patients?|those|who are|are|also|women|individuals) (?:also )?(?:receiving|taking|using|on|treated with)|while (?:taking|receiving|on)|during (?:treatment|therapy))\b"
    r"|\b(?:who|patients) take [\w-]+(?: [\w-]+){0,2} with\b|\bavoid (?:\w+ )?use (?:of [\w-]+ )?with\b|\bwith (?:other|another|any other)\b|\bcombin\w+ (?:with|use|therapy|of)"
)
_FORBIDDEN = sought(r"\b(?:avoid|(?:do|should|must) not|never)\b")
_APART = sought(
    r"\b(?:at least|a minimum of) (?:\w+|\d+)(?: \(\d+\))? hours? (?:before|after|prior to|apart)\b|\bhours? (?:before|prior to) (?:or|and) (?:at least )?(?:\w+|\d+) hours? after\b"
)
_ONE_TREATMENT = sought(
    r"\b(?:pre-?medicat\w*|pre-?treat\w*|infus\w+|first dose|last dose|each dose|cycles?|discontinu\w*|stop\w*|switch\w*|initiat\w*|start\w*|samples?|assay\w*|levels?|concentrations?|ingestion|obtain\w*|overdos\w*)\b"
)
_WITH = re.compile(r"\b(?:with|within|taking|receiving|use of|contraindicated|in the presence of)\b")
_THEIR_DOSE = sought(r"\bdos(?:e|age)s? of (?:the )?[^.;]{3,80}? (?:may|might) (?:be (?:required|necessary|needed)|need)")
_TO_AVOID = re.compile(
    r"(?:^\W*|\bpatients (?:should |must |to )|[;,] )avoid (?:the )?(?:concomitant |concurrent )?(?:use of |using |taking |drinking |consum\w+ |consumption of )?(?:[\w-]+ )?$"
)
_TAKEN = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|taking|receiving)\b")
_CONCOMITANT = re.compile(r"\b(?:concomitant|concurrent) (?:therapy|use|administration|treatment)\b")
_REGIMEN = re.compile(
    r"\bin combination\b|\bregimen|\bcycles?\b|\bday 1\b|\bwith or without food\b|\badministered with\b|\bprior to\b|\bbefore the start\b|\bwithhold\b|\bplus\b|\bwith each\b"
)
_AS_ONE = re.compile(r"\bpatients (?:who are |are )?being treated with [\w-]+ in combination with\b")
_REFERS = re.compile(r"^\W*(?:[\w/ -]{2,60}:\s+)?(?:please )?(?:refer to|see|consult|for (?:further |more |additional )?information|for contra-?indicated)\b")
_CAPTION = re.compile(
    r"^\W*(?:table|figure)\s*\d|^\W*the (?:table|figure) (?:below |above |also )*(?:displays?|shows?|lists?|presents?|summari[sz]es?|provides?)\b"
)
_ALSO_TOLD = re.compile(r"\b(?:is|are) also (?:included|listed|shown|presented|displayed) in (?:the )?table\b")
"""Tells that a table holds more, and of nothing that stands here."""
_REVERSAL = re.compile(
    r"\b(?:after|if|when|upon|following|once)\b(?! (?:starting|initiating|adding|initiation|addition)\b)[^.;]{0,90}\b(?:discontinu\w+|stopp\w+|withdraw\w*|withdrawn|cessation)\b"
)
_BEGUN_OR_STOPPED = re.compile(r"\b(?:initiat|start|begin|add|institut)\w*(?: therapy| treatment)?,? (?:and/or|or|and) (?:discontinu|stop|withdraw)\w*")
"""The beginning of the other drug is meant as well as its end."""
_REQUIRED = sought(
    r"\b(?:should|must) (?:only )?be (?:given|used|administered|initiated|started)(?: only)? (?:in combination|concomitantly|together|concurrently|after)\b"
)
_ANTIDOTE = sought(r"\b(?:may|can|could|will|to) (?:help )?(?:reverse|overcome|treat) (?:it\b|this\b|these\b|the (?:block\w*|toxicit\w+|symptoms?)\b)")
_HARM_OF = sought(
    r"\b(?:toxicit\w+|injur\w+|damage|disease|reactions?|hepatitis|thrombocytopenia|bleeding|ulcers?|colitis)\b[^.;]{0,30}\b(?:related to|associated with|due to|caused by|induced by|following|after) (?:the )?(?:previous|prior|past|use of)\b"
)
_LAB_STUDY = re.compile(r"\b(?:chromosom\w+|lymphocytes obtained|mutagen\w+|carcinogen\w+|in cultured)\b")
_OTHERS_EFFECT = re.compile(
    r"\b(?:observed|reported|occurred|seen)\b[^.;]{0,30}\b(?:in|with) (?:patients )?(?:(?:treated with|receiving|taking|on) )?(?:the use of )?other (?!concomitant|co)"
)
"""What other drugs of the kind have done by themselves ("has been reported in patients treated with other drugs of this class")."""
_BEFELL = re.compile(r"\b(?:reported|observed|occurred|seen|experienced|developed)\b[^.;]{0,60}\b(?:treated with|receiving|taking)\b")
_BESIDE = re.compile(r"\b(?:concomitant\w*|concurrent\w*|co-?\s?administ\w*|together|combin\w+|in addition|also|other)\b")
_WERE_GIVEN = re.compile(r"\bsome patients (?:also |were |had )*(?:received|given|treated)\b")
_OFF_TOPIC = sought(
    r"\b(?:hypersensitiv|allerg|cross-?\s?react|anaphyla)\w*|\bintoleran\w+ (?:to|of)\b|\b(?:may|can|could|will|to) (?:reverse|antagonize the effects|be used to treat|treat)\b|\boverdos\w+"
)
_PURPOSE = re.compile(r"\b(?:intended|used|prescribed|indicated) to treat\b")
"""What other drugs are taken for ("MAOIs intended to treat psychiatric disorders")."""
_GENERAL = re.compile(r"\b(?:drugs?|foods?|agents?|medications?|products?|substances?|medicines?|following)\b")
_ANAPHORA = re.compile(
    r"\b(?:these|such|this|those|both|either|the (?:two|combination|other)|concomitant\w*|concurrent\w*|co-?\s?administ\w*|combin\w+|together|when (?:used|given|taken|administered|initiating|starting|stopping)|upon|following|after|if (?:used|given))\b"
)
_THOSE_ROLES = re.compile(r"\b(?:these|such|those) (?:inhibitors|inducers|substrates)\b")
_IN_STATES = re.compile(r"\bin (?:patients|those|individuals|persons|women|men|children) with\b")
_CONTRAST = re.compile(r"\W*(?:however|nevertheless|nonetheless|still|even so)\b,? ")
_THEIR_SUBSTRATES = re.compile(
    r"\b(?:metaboli[sz]ed|transported|eliminated) by (?:these|this|the same) (?:\w+ ){0,2}(?:enzymes?|pathways?|isozymes?|isoenzymes?|transporters?)\b"
)
_ALL_DRUGS = re.compile(
    r"(?<!the )(?<!these )(?<!such )(?<!both )(?<!those )\b(?:concomitant|co-?administered|concomitantly administered) (?:drugs|medications|agents|products|medicines)\b"
)
_UNSTUDIED = sought(r"\bno (?:\w+ ){0,4}stud(?:y|ies) (?:have|has) been\b|\b(?:have|has) not been (?:studied|evaluated|established|investigated)\b")
_BLOOD_TEST = sought(r"\b(?:coombs|anti-?globulin)\b|\bfalse[- ](?:positive|negative)s?\b")
_TESTS = sought(
    r"\b(?:these tests|assays?|laboratory tests?|urine (?:glucose )?tests?|test results?|false[- ]positives?|dipsticks?|(?:values?|levels?|determinations?|measurements?) (?:for|of) urinary|method is used)\b"
)
_SET_AGAINST = re.compile(r"^\W*(?:the use of )?[\w-]+(?: [\w-]+){0,2} (?:should|must|may|can|is|are)\b[^.;]*\bwith (?:the )?$")
_ANOTHER_PAIR = sought(
    r"\b(?:administration|use|coadministration) of (?:the )?[\w-]+(?: [\w-]+)? (?:with|and) (?:certain |some |many |any |several )?other (?:drugs|medications|medicines|agents)\b"
)
"""Speaks of a partner with yet other drugs."""
_POINTER = re.compile(r"\b(?:it|they|them|drugs?|agents?|medications?|therapy|treatment|patients?|caution|monitoring|dose|dosage|use|there)\b")
_REASON = sought(r"[,;]?\s*\b(?:because|since|due to|as (?:it|this|they|these)|owing to|in order to|so that|which may|which can|that may result|to avoid)\b")
_VERB = re.compile(r"\b(?:resulted in|led to|is|are|was|were|may|can|should|has|have|had|will|must|do|does|did|be|increase[sd]?|decrease[sd]?|reduce[sd]?)\b")
_ASIDE = re.compile(r"\([^()]*\)|\b(?:because|since|due to|who|that|which|whose)\b.*")
_NO_INTERACTION_WITH = sought(r"no (?!(?:\w+ )?(?:data|information|stud))(?:\w+ ){0,4}interactions?\b(?! (?:stud|trial))[^.]{0,40}\bwith\b")
_EVENTS = re.compile(r"\d\s?%|\d+/\d+|\bcompared (?:to|with)\b|\bversus\b|\bvs\b|\brandomi[sz]ed\b|\b(?:study|studies|trials?)\b")
_CHANGE = re.compile(r"[↑↓⇑⇓]")
_LEADS_PAIRS = sought(
    r"\b(?:with|combin\w+|together|concomitant\w*|concurrent\w*|co-?\s?administ\w*|taking|receiving|using)\b(?: (?:with|of|the|any|use|following|these|drugs?|agents?|medications?|medicines?|products?|substances?|classes|listed|below))*\s*:\s*$"
)
_COMPATIBLE = sought(r"\bno (?:\w+ ){0,2}incompatibilit\w+|\bincompatibilit\w+ (?:\w+ ){0,4}(?:was|were|have|has) not\b|\bnot (?:known to be )?incompatible\b")
_TITLE_WORDS = (3, 18)
_TITLE_SHARE = 0.8


def is_co_use(lower: str) -> bool:
    """True when the sentence speaks of taking something beside the product."""
    return _CO_USE.search(lower) is not None


def is_forbidden(lower: str) -> bool:
    """True when the sentence forbids something."""
    return _FORBIDDEN.search(lower) is not None


def is_apart(lower: str) -> bool:
    """True when two things are to be taken hours apart, and not one after the other as one treatment."""
    return _APART.search(lower) is not None and _ONE_TREATMENT.search(lower) is None


def is_with_another(lower: str) -> bool:
    """True in a contraindications section when another drug is what the product may not be taken with, not what patients are allergic to."""
    if is_off_topic(_PURPOSE.sub(" ", lower)) or _HARM_OF.search(lower) is not None:
        return _TAKEN.search(lower) is not None
    return is_co_use(lower) or _WITH.search(lower) is not None


def is_mixing(lower: str) -> bool:
    """True for a sentence about solutions that may not be mixed or share a line; "no incompatibilities were observed" is none."""
    return frame_book().mixing.search(lower) is not None and _COMPATIBLE.search(lower) is None


def leads_pairs(lower: str) -> bool:
    """True for a sentence that says of the list behind it what may not be taken with the product ("... is contraindicated with:")."""
    return _LEADS_PAIRS.search(lower) is not None


def changes_their_dose(lower: str) -> bool:
    """True when the dose of what the sentence names may have to change: of another drug, outside the product's own dosing."""
    return _THEIR_DOSE.search(lower) is not None


def is_to_be_avoided(before: str) -> bool:
    """True when the words before a name say that patients are to avoid it."""
    return _TO_AVOID.search(before) is not None


def is_concomitant(lower: str) -> bool:
    """True when the sentence says that both drugs are given to one patient."""
    return _CONCOMITANT.search(lower) is not None


def is_regimen(lower: str) -> bool:
    """True when the drugs of the sentence are given together on purpose, as one treatment."""
    return _REGIMEN.search(lower) is not None


def is_given_as_one(lower: str) -> bool:
    """True for patients who are treated with the product in combination with others: a regimen, outside the section on interactions."""
    return _AS_ONE.search(lower) is not None


def befell_others(lower: str) -> bool:
    """True when the sentence reports what happened to patients on a drug, and nothing of its use beside another."""
    return _BEFELL.search(lower) is not None and _BESIDE.search(lower) is None


def is_required(lower: str) -> bool:
    """True when the label asks for the other drug ("should only be given in combination with")."""
    return _REQUIRED.search(lower) is not None


def is_off_topic(lower: str) -> bool:
    """True for allergy, antidotes and overdose."""
    return _OFF_TOPIC.search(lower) is not None


def is_antidote(lower: str) -> bool:
    """True when another drug is said to reverse an effect of the product: a treatment, no interaction."""
    return _ANTIDOTE.search(lower) is not None


def is_aside(lower: str, *, own: bool) -> bool:
    """True for a sentence that tells of no effect of the pair: of a test, a treatment, another text or the time after; outside the `own` section of trials too."""
    elsewhere = not own and (counts_events(lower) or is_off_topic(lower) or any(p.search(lower) for p in (_LAB_STUDY, _OTHERS_EFFECT, _WERE_GIVEN)))
    return elsewhere or is_of_tests(lower) or is_antidote(lower) or refers(lower) or is_reversal(lower, from_start=True)


def is_reversal(lower: str, *, from_start: bool = False) -> bool:
    """True when the sentence is about the time after one of the drugs has been stopped."""
    return (_REVERSAL.match(lower) if from_start else _REVERSAL.search(lower)) is not None and _BEGUN_OR_STOPPED.search(lower) is None


def refers(lower: str) -> bool:
    """True for a sentence that only sends the reader elsewhere ("refer to the prescribing information of ...")."""
    return _REFERS.match(lower) is not None


def is_caption(lower: str) -> bool:
    """True for a table's caption or a sentence that only points to one."""
    return _CAPTION.match(lower) is not None or _ALSO_TOLD.search(lower) is not None


def is_title(text: str) -> bool:
    """True for a line in title case (in its own letters): a heading, not a statement."""
    words = [w for w in re.findall(r"[A-Za-z][\w'-]+", text) if len(w) > 3]
    low, high = _TITLE_WORDS
    return low <= len(words) <= high and sum(w[0].isupper() for w in words) / len(words) > _TITLE_SHARE and not text.rstrip().endswith(".")


def is_general(lower: str) -> bool:
    """True when the sentence speaks of drugs or foods in general: what follows may name them."""
    return _GENERAL.search(lower) is not None


def is_anaphoric(lower: str) -> bool:
    """True when the sentence points back ("these drugs", "the combination")."""
    return _ANAPHORA.search(lower) is not None


def is_of_those_roles(lower: str) -> bool:
    """True when the sentence points to the inhibitors, inducers or substrates that the one before it names."""
    return _THOSE_ROLES.search(lower) is not None


def is_of_states_alone(lower: str) -> bool:
    """True when the sentence is about patients with a state and of nothing that is taken besides ("is not recommended in patients with glaucoma")."""
    return _IN_STATES.search(lower) is not None and not is_co_use(lower) and not is_anaphoric(lower)


def is_contrast(lower: str) -> bool:
    """True when the sentence takes back what the one before it denied ("However, monitor ...")."""
    return _CONTRAST.match(lower) is not None


def is_of_their_substrates(lower: str) -> bool:
    """True when the sentence is about all drugs that enzymes named earlier metabolise: no partner named earlier is meant."""
    return _THEIR_SUBSTRATES.search(lower) is not None


def is_of_all_drugs(lower: str) -> bool:
    """True when the sentence is about whatever else is taken ("adjust dosages of concomitant drugs")."""
    return _ALL_DRUGS.search(lower) is not None


def is_unstudied(lower: str) -> bool:
    """True when nothing has been studied of the pair: what the next sentence asks for is of that pair."""
    return _UNSTUDIED.search(lower) is not None


def is_of_tests(lower: str) -> bool:
    """True when the sentence is about a laboratory test, not about what is taken."""
    return _TESTS.search(lower) is not None


def is_of_test_results(lower: str) -> bool:
    """True when the sentence tells how a test may come out."""
    return _BLOOD_TEST.search(lower) is not None


def sets_against(before: str) -> bool:
    """True when the words before the product make it the partner of something named first, and do not point back."""
    return _SET_AGAINST.search(before) is not None and _ANAPHORA.search(before) is None and _POINTER.search(before) is None


def is_of_another_pair(lower: str) -> bool:
    """True when the sentence is about some drug together with other ones ("administration of X with other drugs"); the product may be that drug."""
    return _ANOTHER_PAIR.search(lower) is not None


def has_verb(lower: str) -> bool:
    """True for a sentence; False for a list of names."""
    return _VERB.search(lower) is not None


def is_fragment(lower: str) -> bool:
    """True for a list item without a verb of its own; brackets, clauses and reasons aside."""
    return _VERB.search(_ASIDE.sub(" ", lower)) is None


def shows_change(lower: str) -> bool:
    """True for a cell that shows by an arrow that a level rises or falls."""
    return _CHANGE.search(lower) is not None


def denies_interaction(lower: str) -> bool:
    """True for "no clinically significant interaction ... with"."""
    return _NO_INTERACTION_WITH.search(lower) is not None


def counts_events(lower: str) -> bool:
    """True when the sentence reports numbers of a trial ("5 % of patients receiving", "compared to placebo")."""
    return _EVENTS.search(lower) is not None


def reason_start(lower: str, start: int = 0) -> int | None:
    """Where the sentence begins to say why ("because", "due to"), or None."""
    m = _REASON.search(lower, start)
    return m.start() if m is not None else None
