"""usage: TOKEN=... python3 main.py BASE_URL, on a service without users. Prints a line for each thing that went as it should."""

import os
import re
import sys

from openapi_client import ApiClient, ApiException, Configuration, UserInput, UserPatch, UsersApi

url, token = sys.argv[1], os.environ["TOKEN"]

# docs/clients.md
api = UsersApi(ApiClient(Configuration(host=url, access_token=token)))

created = api.create_user_with_http_info(UserInput(user_name="ada", title="Analyst", roles=["engineer"]))
user, tag = created.data, created.headers["ETag"]

page = api.list_users_with_http_info(role="engineer", limit=1, total=True)
after = re.search(r'[?&]after=([^&>]+)[^>]*>; rel="next"', page.headers.get("Link", ""))
print(len(page.data.users), "of", page.data.total, "more" if after else "no more")

whole = UserInput.from_dict(user.to_dict())
whole.title = "Countess"
replaced = api.replace_user(user.id, whole, if_match=tag)
patched = api.patch_user(user.id, UserPatch(display_name="Ada Lovelace"))

try:
    api.replace_user(user.id, whole, if_match=tag)
except ApiException as error:
    print(error.data.status, error.data.detail)
# end


def expect(what, got, wanted):
    assert got == wanted, f"{what}: {got} instead of {wanted}"
    print(what)


def refusal(request):
    try:
        request()
    except ApiException as error:
        problem = error.data
        return [problem.status, problem.type, *[one.pointer for one in problem.errors or []]]
    raise AssertionError("it was not refused")


def without_meta(one):
    return {name: value for name, value in one.to_dict().items() if name != "meta"}


expect("created", [user.user_name, user.title, user.roles], ["ada", "Analyst", ["engineer"]])
expect("read", api.read_user(user.id).to_dict(), patched.to_dict())
expect("total", [page.data.total, len(page.data.users), after], [1, 1, None])
expect("replaced", replaced.title, "Countess")
expect("patched", without_meta(patched), {**without_meta(replaced), "displayName": "Ada Lovelace"})
cleared = api.patch_user(user.id, UserPatch(title="", roles=[]))
expect("cleared", [cleared.title, cleared.roles, cleared.display_name], [None, None, "Ada Lovelace"])

for name in ["grace", "edsger", "barbara", "donald"]:
    api.create_user(UserInput.from_dict({"userName": name, "emails": [{"value": f"{name}@example.com"}]}))
names, cursor = [], None
while True:
    one = api.list_users_with_http_info(limit=2, after=cursor)
    names += [each.user_name for each in one.data.users]
    found = re.search(r'[?&]after=([^&>]+)[^>]*>; rel="next"', one.headers.get("Link", ""))
    if not found:
        break
    cursor = found[1]
expect("listed", names, ["ada", "grace", "edsger", "barbara", "donald"])

nobody = "00000000-0000-7000-8000-000000000000"
expect("404", refusal(lambda: api.read_user(nobody)), [404, "/problems/user-not-found"])
expect("409", refusal(lambda: api.create_user(UserInput(user_name="ada"))), [409, "/problems/user-name-taken", "/userName"])
expect("412", refusal(lambda: api.replace_user(user.id, whole, if_match=tag)), [412, "/problems/precondition-failed"])
expect("422", refusal(lambda: api.create_user(UserInput(user_name="ada lovelace"))), [422, "/problems/invalid-user", "/userName"])
