"""A model that copies its passage faithfully and says anything about what it copied: right words, right shape, chance meaning."""

from __future__ import annotations

import json
import random
import re

from kb_builder.propose.model.exchange import Reply, Request

_DOSE = re.compile(r"(\d+(?:\.\d+)?) ?(mg|mcg|g)\b")


class Parrot:
    """Replies by chance, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def answer(self, request: Request) -> Reply:
        passage = request.user.split('"""')[1].strip()
        members = request.schema["properties"][request.step]["items"]["properties"]
        sentences = [s.strip() for s in re.split(r"(?<=\.)\s", passage) if len(s.split()) > 3]
        made = self._mentions(members, sentences) if request.step == "mentions" else self._relations(members, sentences, request.user)
        return Reply(json.dumps({request.step: made}))

    def _mentions(self, members: dict, sentences: list[str]) -> list[dict]:
        out = []
        for sentence in (self._chance.choice(sentences) for _ in range(40 if sentences else 0)):
            words = sentence.split()
            size = self._chance.choice([1, 1, 2, 2, 3, 4])
            at = self._chance.randrange(max(1, len(words) - size))
            out.append({"text": " ".join(words[at : at + size]).strip(".,;:()"), "type": self._chance.choice(members["type"]["enum"]), "sentence": sentence})
        return out

    def _relations(self, members: dict, sentences: list[str], user: str) -> list[dict]:
        out = []
        for number, words in re.findall(r"^(\d+)\. (.*) \(\w+\)$", user, re.MULTILINE):
            for sentence in [s for s in sentences if words in s][:1]:
                said = {name: self._chance.choice(members[name]["enum"]) for name in ("predicate", "action", "whose", "polarity", "strength")}
                if said["predicate"] in ("indicated_for", "requires_monitoring", "has_prerequisite"):
                    said |= {"polarity": "positive", "action": "monitor"}
                doses = [{"low": a, "high": a, "unit": u, "basis": "flat", "per": "dose"} for a, u in _DOSE.findall(sentence)[:2]]
                out.append({**said, "object": int(number), "effect": "", "conditions": [], "quote": sentence, "doses": doses})
        return out
