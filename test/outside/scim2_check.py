"""Has scim2-tester check the SCIM API at the URL given, with the bearer token given; prints a line for each check."""
import sys
from datetime import datetime, timezone

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server, filling

example_of = filling.get_random_example_value


def date_or_example_of(path):
    """The tester fills a date with a random text, which its own models refuse. A user begins before it ends, and is active in between."""
    binding = path.resolve()
    if binding is None or binding.target_type is not datetime:
        return example_of(path)
    return datetime(2120 if binding.target_field_name == "valid_until" else 2020, 1, 1, tzinfo=timezone.utc)


filling.get_random_example_value = date_or_example_of

url, token = sys.argv[1:]
http = httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)
for result in check_server(SyncSCIMClient(http)):
    words = [] if result.status is Status.SUCCESS else [result.reason, repr(result.data)]
    print(result.status.name, result.resource_type, result.title, *words)
