#!/usr/bin/env bash
# A tour of Tonearm with curl: search, keep a track in a collection, get the credits. URL and KEY say where and who.
set -euo pipefail
: "${URL:?the address of the API}" "${KEY:?an API key}"

ask() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $KEY" "$@"; }

echo "Is it ready?"
curl --silent --show-error --fail-with-body "$URL/readyz"

printf '\n\nWhich piano tracks may I use in a paid video?\n'
ask "$URL/v1/search?q=piano&commercial=true&limit=2&fields=id,title,terms"

printf '\n\nKeep one of them:\n'
made=$(ask --json '{"name":"Rainy evenings","commercial":true}' "$URL/v1/collections")
collection=$(sed 's/^{"id":"\([^"]*\)".*/\1/' <<<"$made")
ask -H 'Prefer: return=minimal' --json '{"track":"os-101","note":"for the opening"}' \
  "$URL/v1/collections/$collection/items" -o /dev/null --write-out 'status %{http_code}\n'

printf '\nWhom must I credit?\n'
ask "$URL/v1/collections/$collection/credits?format=markdown"

printf '\nAn error says what to change:\n'
ask "$URL/v1/search?limit=0" || true

printf '\n\nDelete the collection:\n'
ask -X DELETE "$URL/v1/collections/$collection?confirm=true" -o /dev/null --write-out 'status %{http_code}\n'
