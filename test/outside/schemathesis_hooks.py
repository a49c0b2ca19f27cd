"""What schemathesis cannot know from the contract, because no schema can say it. Each rule is said there in words."""

import re

import schemathesis
from urllib3.util import SKIP_HEADER


def named(user):
    """RFC 8265: which characters a userName may have is a matter of tables."""
    name = user.get("userName")
    if isinstance(name, str) and 0 < len(name) <= 128:
        user["userName"] = re.sub("[^a-z0-9]", "x", name)


def visible(group):
    """The name of a group has no invisible characters, nor spaces at its ends."""
    name = group.get("displayName")
    if isinstance(name, str) and 0 < len(name) <= 256:
        group["displayName"] = re.sub("[^a-z0-9]", "x", name)


def harmless(user):
    """No URI has a scheme that can run scripts."""
    photos = user.get("photos")
    for holder, name in [(user, "profileUrl"), *((photo, "value") for photo in (photos if isinstance(photos, list) else []))]:
        uri = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(uri, str):
            holder[name] = re.sub("^(javascript|vbscript|data):", "x:", uri, flags=re.IGNORECASE)


def addressed(user):
    """The domain of an address has no special characters, nor dots without a label on both sides."""
    for email in user["emails"] if isinstance(user.get("emails"), list) else []:
        value = email.get("value") if isinstance(email, dict) else None
        if isinstance(value, str) and re.fullmatch(r"[^\s@]+@[^\s@]+", value):
            local, _, domain = value.rpartition("@")
            email["value"] = local + "@" + re.sub("[^a-z0-9]", "x", domain)


def no_repeats(user):
    """No role stands twice, also with other spaces at its ends. Empty ones count as left out, however many there are."""
    roles = user.get("roles")
    if isinstance(roles, list):
        plain = [role.replace("\ufeff", " ").strip() if isinstance(role, str) else role for role in roles]
        user["roles"] = [role for at, role in enumerate(roles) if plain[at] not in plain[:at]]


def shown(user):
    """The name to show does not consist of spaces only."""
    name = user.get("displayName")
    if isinstance(name, str) and 0 < len(name) <= 256:
        user["displayName"] = "x" + name[1:]


def one_primary(user):
    """At most one item of a list is primary."""
    for items in user.values():
        for item in items[1:] if isinstance(items, list) else []:
            if isinstance(item, dict):
                item.pop("primary", None)


def valid_now(user):
    """A validity ends after it begins, and only in between is a user active."""
    for name, year in (("validFrom", "2020"), ("validUntil", "2120")):
        if isinstance(user.get(name), str):
            user[name] = re.sub("^[0-9]{4}", year, user[name])


def findable(query):
    """Each term of a search has a letter or a digit, and there are up to eight; a cursor is the service's to make. No range ends
    before it begins. No userName or address has a space."""
    for name in ("after", "before"):
        query.pop(name, None)
    for name in [name for name in query if name == "to" or name.endswith(".to")]:
        if name[: -len("to")] + "from" in query:
            query.pop(name)
    for name in ("userName", "userName.not", "userName.in", "email", "email.not", "email.in"):
        if isinstance(query.get(name), str):
            query[name] = re.sub(r"[\s\ufeff]", "x", query[name])
        elif isinstance(query.get(name), list):
            query[name] = [re.sub(r"[\s\ufeff]", "x", value) if isinstance(value, str) else value for value in query[name]]
    for name in ("search", "label"):
        if isinstance(query.get(name), str):
            query[name] = re.sub("[^a-z0-9]", "x", query[name])


def sendable(case):
    """It draws texts from the code around it as well; with this one in a field urllib3 sends nothing."""
    for name, value in (case.headers or {}).items():
        if value == SKIP_HEADER:
            case.headers[name] = "0"


def prompt(case):
    """A request that waits for changes would hold up all that follow."""
    if case.query and re.fullmatch("[0-9]+", str(case.query.get("wait"))):
        case.query.pop("wait")


@schemathesis.hook
def before_call(context, case, kwargs):
    """What is right as far as the contract goes is made right in what goes beyond it; what is meant to be wrong stays so."""
    sendable(case)
    prompt(case)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # Its phase "coverage" sends a plain 0 where the contract wants entity tags.
    for name in ("If-Match", "If-None-Match"):
        if case.headers and case.headers.get(name) == "0":
            case.headers[name] = '"0"'
    if case.path == "/changes":
        # It may be left out where Last-Event-ID says the same.
        case.query = {**(case.query or {}), "since": "start"}
    if case.query:
        findable(case.query)
    body = case.body
    if isinstance(body, dict):
        if case.path.startswith("/groups"):
            visible(body)
        named(body)
        harmless(body)
        addressed(body)
        one_primary(body)
        no_repeats(body)
        shown(body)
        valid_now(body)
        # It must be that of the path.
        if case.method != "POST":
            body.pop("id", None)
