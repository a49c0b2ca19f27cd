"""Has scim2-tester check the SCIM API at the URL given, with the bearer token given; prints a line for each check."""
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

url, token = sys.argv[1:]
http = httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)
for result in check_server(SyncSCIMClient(http)):
    words = [] if result.status is Status.SUCCESS else [result.reason, repr(result.data)]
    print(result.status.name, result.resource_type, result.title, *words)
