#!/usr/bin/env python3
"""A session with Tonearm in Python, with the standard library alone: search, keep tracks in a collection, get the credits.

TONEARM_URL and TONEARM_KEY say where the service is and who asks."""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("TONEARM_URL", "http://127.0.0.1:8081")
KEY = os.environ["TONEARM_KEY"]
TIMEOUT_S = 30


class ApiError(Exception):
    """An answer of the service that is an error: a short code, what to change, and the parameter at fault, if one is."""

    def __init__(self, status, code, message, parameter=None):
        super().__init__(f"{status} {code}: {message}")
        self.code = code
        self.parameter = parameter


def call(method, path, query=None, body=None, attempts=3):
    """The answer as text. Over a limit it waits as long as the service says, up to a minute."""
    target = URL + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"Authorization": f"Bearer {KEY}"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(target, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        wait_s = int(error.headers.get("Retry-After", "0"))
        if error.code == 429 and attempts > 1 and wait_s <= 60:
            time.sleep(wait_s)
            return call(method, path, query, body, attempts - 1)
        try:
            answer = json.load(error)
            code, message, parameter = answer["error"], answer["message"], answer.get("parameter")
        except (ValueError, KeyError):  # not of the service: a proxy's page
            code, message, parameter = "unknown", error.reason, None
        raise ApiError(error.code, code, message, parameter) from None


def main():
    search = {"q": "piano", "commercial": "true", "license": "cc0,cc-by-4.0", "limit": 2}
    page = json.loads(call("GET", "/v1/search", search))
    print(page["total"], "tracks")
    for track in page["tracks"]:
        print(f"{track['id']}: {track['title']}, credit {track['terms']['credit']}")

    collection = json.loads(call("POST", "/v1/collections", body={"name": "Rainy evenings", "commercial": True}))
    path = f"/v1/collections/{collection['id']}"
    added = json.loads(call("POST", path + "/items", body={"tracks": [track["id"] for track in page["tracks"]]}))
    print("revision", added["revision"])
    print(call("GET", path + "/credits", {"format": "text"}))

    try:
        call("GET", "/v1/tracks/nobody-1")
    except ApiError as error:
        print("error:", error)
    try:
        call("GET", "/v1/search", {"limit": 51})
    except ApiError as error:
        print("wrong:", error.parameter)
    call("DELETE", path, {"confirm": "true"})


if __name__ == "__main__":
    try:
        main()
    except (ApiError, urllib.error.URLError) as failure:
        sys.exit(f"{failure}")
