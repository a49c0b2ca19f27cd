#!/usr/bin/env bash
# A user's first hour with the service, by curl and xmllint: one user, made in JSON, changed in XML, removed.
# usage: TOKEN=… first-request.sh http://127.0.0.1:3000
set -euo pipefail

base=${1:?usage: TOKEN=… first-request.sh BASE_URL}
: "${TOKEN:?set TOKEN to one with users:read users:write users:delete}"
for tool in curl xmllint node; do
  command -v "$tool" >/dev/null || { echo "FAILED: $tool is needed" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  [ ! -s body ] || { echo "The answer was:"; cat headers body; } >&2
  exit 1
}

# expect STATUS METHOD URL [curl arguments]: sends; the answer is in ./headers and ./body.
expect() {
  local wanted=$1 method=$2 url=$3 status
  shift 3
  : >body
  status=$(curl --silent --show-error --max-time 10 --request "$method" --header "Authorization: Bearer $TOKEN" \
    --dump-header headers --output body --write-out '%{http_code}' "$@" "$url") || fail "$method $url: no answer"
  [ "$status" = "$wanted" ] || fail "$method $url: $status instead of $wanted"
}

header() {
  tr -d '\r' <headers | sed -n "s/^$1: //Ip"
}

# The user in FILE by its JSON, without what a change may change.
rest() {
  node -e 'const { displayName, meta, ...rest } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(JSON.stringify(rest))' "$1"
}

member() {
  node -e 'console.log(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]] ?? "")' "$1" "$2"
}

json=(--header 'Accept: application/json')
xml=(--header 'Accept: application/xml')

cat >new.json <<EOF
{ "userName": "ada-$$-$RANDOM", "displayName": "Ada Lovelace", "externalId": "007",
  "name": { "givenName": "Ada ", "familyName": "King <of> Lovelace & Sons" },
  "emails": [{ "value": "ada@example.org", "type": "work", "primary": true }],
  "roles": ["analyst"], "attributes": { "costCenter": "0042", "note": "two\r\nlines, 世界 𝄞" } }
EOF
expect 201 POST "$base/users" "${json[@]}" --header 'Content-Type: application/json' --data-binary @new.json
cp body created.json
id=$(member created.json id)
user="$base/users/$id"
case "$(header Location)" in */users/"$id") ;; *) fail "Location is '$(header Location)', not that of $id" ;; esac
echo "POST in JSON: 201, $user"

expect 200 GET "$user" "${xml[@]}"
cp body user.xml
xmllint --noout user.xml || fail "GET $user: not well-formed XML"
shown=$(xmllint --xpath 'string(/*[local-name()="user"]/*[local-name()="displayName"])' user.xml)
[ "$shown" = 'Ada Lovelace' ] || fail "displayName in XML is '$shown'"
etag=$(header ETag)
[ -n "$etag" ] || fail "GET $user: no ETag"
echo "GET the same in XML: 200, well-formed, ETag $etag"

sed 's/Ada Lovelace/Countess of Lovelace/' user.xml >changed.xml
! cmp -s user.xml changed.xml || fail "nothing to change in the XML"
change=(--header 'Content-Type: application/xml' --header "If-Match: $etag" --data-binary @changed.xml)
expect 200 PUT "$user" "${xml[@]}" "${change[@]}"
echo "PUT it back in XML with one change and If-Match: 200"

expect 200 GET "$user" "${json[@]}"
[ "$(member body displayName)" = 'Countess of Lovelace' ] || fail "the change is not in the JSON"
[ "$(rest created.json)" = "$(rest body)" ] || fail "more has changed than displayName: $(rest created.json) before"
echo "GET it in JSON: 200, with the change and everything else equal"

expect 412 PUT "$user" "${xml[@]}" "${change[@]}"
echo "PUT with the stale ETag: 412"

expect 204 DELETE "$user"
echo "DELETE: 204"

expect 404 GET "$user" "${json[@]}"
echo "GET it again: 404"
