"""usage: TOKEN=... python3 main.py BASE_URL, on a service without users. Prints a line for each thing that went as it should."""

import os
import re
import sys

from user_management_client import AuthenticatedClient
from user_management_client.api.users import create_user, list_users, patch_user, read_user, replace_user
from user_management_client.models import Problem, UserInput, UserPatch

url, token = sys.argv[1], os.environ["TOKEN"]

# docs/clients.md
client = AuthenticatedClient(base_url=url, token=token)

ada = UserInput(user_name="ada", title="Analyst", roles=["engineer"])
created = create_user.sync_detailed(client=client, body=ada)
user, tag = created.parsed, created.headers["ETag"]

page = list_users.sync_detailed(client=client, role="engineer", limit=1, total=True)
after = re.search(r'[?&]after=([^&>]+)[^>]*>; rel="next"', page.headers.get("Link", ""))
print(len(page.parsed.users), "of", page.parsed.total, "more" if after else "no more")

whole = UserInput.from_dict(user.to_dict())
whole.title = "Countess"
replaced = replace_user.sync(user.id, client=client, body=whole, if_match=tag)
patched = patch_user.sync(user.id, client=client, body=UserPatch(display_name="Ada Lovelace"))

late = replace_user.sync(user.id, client=client, body=whole, if_match=tag)
if isinstance(late, Problem):
    print(late.status, late.detail)
# end


def expect(what, got, wanted):
    assert got == wanted, f"{what}: {got} instead of {wanted}"
    print(what)


def refusal(problem):
    assert isinstance(problem, Problem), "it was not refused"
    return [problem.status, problem.type_, *[one.pointer for one in problem.errors or []]]


def without_meta(one):
    return {name: value for name, value in one.to_dict().items() if name != "meta"}


expect("created", [user.user_name, user.title, user.roles], ["ada", "Analyst", ["engineer"]])
expect("read", read_user.sync(user.id, client=client).to_dict(), patched.to_dict())
expect("total", [page.parsed.total, len(page.parsed.users), after], [1, 1, None])
expect("replaced", replaced.title, "Countess")
expect("patched", without_meta(patched), {**without_meta(replaced), "displayName": "Ada Lovelace"})
cleared = patch_user.sync(user.id, client=client, body=UserPatch(title="", roles=[])).to_dict()
expect("cleared", [cleared.get("title"), cleared.get("roles"), cleared["displayName"]], [None, None, "Ada Lovelace"])

for name in ["grace", "edsger", "barbara", "donald"]:
    body = UserInput.from_dict({"userName": name, "emails": [{"value": f"{name}@example.com"}]})
    create_user.sync(client=client, body=body)
names, more = [], {}
while True:
    one = list_users.sync_detailed(client=client, limit=2, **more)
    names += [each.user_name for each in one.parsed.users]
    found = re.search(r'[?&]after=([^&>]+)[^>]*>; rel="next"', one.headers.get("Link", ""))
    if not found:
        break
    more = {"after": found[1]}
expect("listed", names, ["ada", "grace", "edsger", "barbara", "donald"])

nobody = "00000000-0000-7000-8000-000000000000"
expect("404", refusal(read_user.sync(nobody, client=client)), [404, "/problems/user-not-found"])
expect("409", refusal(create_user.sync(client=client, body=ada)), [409, "/problems/user-name-taken", "/userName"])
expect("412", refusal(late), [412, "/problems/precondition-failed"])
wrong = create_user.sync(client=client, body=UserInput(user_name="ada lovelace"))
expect("422", refusal(wrong), [422, "/problems/invalid-user", "/userName"])
