"""Who may do what, and who sees which page: two tables, enforced below the windows."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.protocol import Protocol

ROLES = ("annotator", "verifier", "adjudicator", "physician", "experimenter", "researcher", "owner")
PARTICIPANT = "participant"  # kept beside the roles of a person who sits for studies: a mark that gives no right

_KEEPERS = frozenset({"researcher", "experimenter", "owner"})

# An owner has every right but two: signing (the protocol's role alone signs) and, where others are there for it,
# answering: see ``stages_of``.
RIGHTS: dict[str, frozenset[str]] = {
    "annotate": frozenset({"annotator"}),
    "verify": frozenset({"verifier"}),
    "adjudicate": frozenset({"adjudicator", "owner"}),      # and the protocol's adjudicate.role
    "sign": frozenset(),                                    # the protocol's sign.role only
    "flag": frozenset(ROLES),
    "query": frozenset(ROLES),
    "withdraw_own": frozenset(ROLES),
    "withdraw_others": frozenset({"researcher", "owner"}),
    "settle_stale": frozenset({"researcher", "owner"}),     # what was said of a text that changed since
    "import": _KEEPERS,
    "assign": _KEEPERS,
    "people": _KEEPERS,
    "roles": frozenset({"owner"}),
    "see_items": _KEEPERS,
    "see_agreement": _KEEPERS,
    "see_people": _KEEPERS,                                 # speed and competence of others
    "release": frozenset({"researcher", "owner"}),
    "export": _KEEPERS,
    "score": _KEEPERS,
    "study": _KEEPERS,
    "protocol": frozenset({"researcher", "owner"}),
    "audit": frozenset({"owner"}),
    "doctor": frozenset({"owner", "researcher"}),
    "backup": _KEEPERS,
}

_EVERYBODY = ("home", "work", "answers")
_KEPT = ("items", "agreement", "gold", "score", "studies", "people", "protocol")
PAGES: dict[str, tuple[str, ...]] = {
    "annotator": _EVERYBODY,
    "verifier": _EVERYBODY,
    "physician": _EVERYBODY,
    "adjudicator": (*_EVERYBODY, "adjudicate"),
    "experimenter": (*_EVERYBODY, *_KEPT),
    "researcher": (*_EVERYBODY, "adjudicate", *_KEPT),
    "owner": (*_EVERYBODY, "adjudicate", *_KEPT, "audit"),
}
ORDER = ("home", "work", "answers", "adjudicate", *_KEPT, "audit", "preferences")


def may(roles: Iterable[str], right: str, *, protocol: Protocol | None = None) -> bool:
    """Whether somebody with these roles has a right; adjudicating and signing also ask the protocol."""
    return not set(roles).isdisjoint(roles_for(right, protocol=protocol))


def roles_for(right: str, *, protocol: Protocol | None = None) -> tuple[str, ...]:
    """The roles that have a right, in the order of ROLES."""
    allowed = set(RIGHTS[right])
    if protocol is not None and right == "adjudicate":
        allowed.add(protocol.workflow.adjudicate.role)
    if protocol is not None and right == "sign":
        allowed.add(protocol.workflow.sign.role)
    return tuple(role for role in ROLES if role in allowed)


def pages(roles: Iterable[str], *, protocol: Protocol | None = None) -> tuple[str, ...]:
    """The pages of somebody with these roles, in the order of the rail."""
    held = set(roles)
    seen = {page for role in held for page in PAGES[role]} | {"home", "preferences"}
    if protocol is not None and may(held, "adjudicate", protocol=protocol):
        seen.add("adjudicate")
    return tuple(page for page in ORDER if page in seen)


def stages_of(roles: Iterable[str], protocol: Protocol, *, vacant: Iterable[str] = ()) -> tuple[str, ...]:
    """The stages at which somebody with these roles may work, in the protocol's order.

    ``vacant`` are roles that no active person has: there an owner stands in as annotator and verifier,
    so that one person alone can run a project. As soon as somebody is given the role, the owner's
    standing in ends (he may take the role himself).
    """
    held = set(roles)
    if "owner" in held:
        held |= {"annotator", "verifier"} & set(vacant)
    return tuple(stage for stage in protocol.workflow.stages if may(held, stage, protocol=protocol))
