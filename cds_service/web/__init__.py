"""Pages for people: the evidence behind a card, and the demonstration of a signed order."""

from cds_service.web.pages import blueprint
from cds_service.web.ports import DemoPort, EvidenceBase, Recall, Replay, Reply

__all__ = ["DemoPort", "EvidenceBase", "Recall", "Replay", "Reply", "blueprint"]
