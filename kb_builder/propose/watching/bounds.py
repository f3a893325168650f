"""Where the phrases of a request begin and end: clauses, lists of things, examples, and the words that only narrow how they are watched."""

from __future__ import annotations

import re

_STOP = re.compile(
    r"(?<=[^|\s])\s*\||[.;:\x01]|(?<!antibodies)(?<!antibody)\s(?:to|because|due|since|as(?! well as)|if|when|whenever|while|where|which|that|who|whose|by|using|so|until|unless|based|especially|particularly"
    r"|regardless|including|such|with|without|from|at|near|on|resulting|associated|according|per|via|e\.g|than|can|may|is|are|should|must|will|has|have|more often|through|related(?!\s+(?:reactions?|events?|adverse|toxicit))|given|prior to|before|after|following|during|throughout|recommended|necessary|required|advised)\b"
    r"|\s(?:in|for|among)\s|\sof\s(?=(?:all\s|adult\s)?(?:females|women|patients)\b)|,?\s+(?:and|or)\s+(?:then\s+|also\s+)?(?:\w+ly\s+)?(?:adjust|discontinue|withhold|interrupt|reduce|treat|manage|stop|initiate|institute|modify|titrate|replace|suspend|consider|provide|administer|take|use|correct|maintain|give|start|begin|increase|decrease|evaluate|assess|monitor|obtain|perform|test|check|measure|permanently|do|avoid|ensure|refer|dose|follow|document|repeat|optimize|supplement|advise|tested|treated|managed|screened|evaluated|monitored|should|must)\b"
    r"|,\s+(?:and\s+)?(?:promptly\s+|immediately\s+)?(?:adjust|discontinue|withhold|interrupt|reduce|treat|manage|stop|initiate|institute|modify|consider|provide|administer|obtain|perform|evaluate|assess|monitor|test|check|measure|perform|then|but|because|regardless)\b"
)
_FOR = re.compile(
    r"\bfor\s+(?!at least|up to|\d|the (?:first|duration)|(?:one|two|three|several|\w+) (?:days|weeks|hours|months|years)\b|use\b|any indication|whom|treatment|therapy|long|adjuvant)"
)
UNTIL = re.compile(r"\b(?:until|through)\b[^,.;:]*")
_NOT_FOR = re.compile(
    r"\b(?:risk|risks|treated|indicated|candidates?|therapy|scheduled|positive|need|factors?|tested|used|treatment|predispos\w+|responsible|potential|allow\w*|hospitali[sz]ed)\s+$"
)
_BOUNDARY = re.compile(
    r"[.;:\x01•]|\bthat\s|\bthus,?\s|\btherefore,?\s|\bhowever,?\s|\)\s|(?:^|,\s*)(?:and\s+)?(?=it is )|(?:^|\s)(?:recommended|advised|suggested|advisable|important|essential) (?:that )"
)
SUCH_AS = re.compile(
    r"[\s,(]*(?:including|especially|most of all|above all|in particular|particularly|even (?:if|in|when|though))\s(?:[^.;\x01,]|,(?!\s(?:in|for)\s))*|[\s,(]*(?:such as|e\.g\.,?|related to|associated with|indicative of|suggestive of|consistent with|like)\s[^.;\x01]*?(?=\s(?:in|for|who)\s(?:\w+\s)?(?:patients|females|women|infants|children)|[.;)\x01]|,?\s+and\s+(?:\w+ly\s+)?(?:treat|manage|discontinue|adjust|withhold|interrupt|institute|initiate)|$)"
)
EVEN = re.compile(
    r"[\s,]*\b(?:including|along with|as a guide\b|with (?:special |particular |careful )?attention to|especially|most of all|above all|in particular|particularly|(?:and|or) (?:again )?(?:whenever|when|if|at any time)|even (?:if|in|when|though)|regardless of|whether or not)\s(?:[^.;\x01,]|,(?!\s(?:in|for)\s))*"
)


def opening(work: str, end: int) -> int:
    """Where the clause begins whose subject ends at `end`."""
    return max((m.end() for m in _BOUNDARY.finditer(work, 0, end)), default=0)


def for_place(work: str, at: int) -> int | None:
    """Where the things begin that patients are watched for, in the same clause."""
    stop = re.search(r"[.;:\x01]|\b(?:and|or)\s+(?:\w+ly\s+)?(?:discontinue|withhold|interrupt|stop|reduce|treat|adjust)\b", work[at:])
    until = at + stop.start() if stop is not None else len(work)
    return next((m.end() for m in _FOR.finditer(work, at, until) if not _NOT_FOR.search(work[max(0, m.start() - 20) : m.start()])), None)


def phrase_end(work: str, at: int) -> int:
    """Where a phrase of things stops."""
    behind = re.match(r"[\s|]*", work[at:])
    start = at + (behind.end() if behind is not None else 0)
    lead = re.match(
        r"(?:(?:any|clinical|laboratory)\s+)*(?:signs?|symptoms?|findings|evidence)[\w\s/,]{0,30}?(?:consistent|associated|compatible) with\s+|(?:[\w-]+\s+){0,2}?(?:changes?|increases?|decreases?|elevations?|reductions?|alterations?|rises?|declines?|deterioration|worsening|abnormalities|fluctuations?)\s+in\s+",
        work[start:],
    )
    start += lead.end() if lead is not None else 0
    depth = 0
    for m in _STOP.finditer(work, start):
        depth = work.count("(", start, m.start()) - work.count(")", start, m.start())
        if depth <= 0 and m.start() > start:
            return m.start()
    return len(work)
