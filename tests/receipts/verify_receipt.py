#!/usr/bin/env python3
"""Checks license receipts without Tonearm. Written from docs/concepts/receipts.md alone.

Usage: verify_receipt.py FILE PUBLIC.pem. FILE has one receipt, or one on each line. Prints yes or no and the reason for
each, and exits with 0 if all are valid, 1 if not, 2 if it cannot check them. Needs the package python3-cryptography.
"""

import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

UNTRUSTED = ["license_record", "license_record_text"]
MEMBERS = {
    "format", "version", "track_id", "catalog_version", "signed_on", "key_id", "license_record", "license_record_text",
    "path", "root", "signed_message", "signature", "untrusted_fields",
}  # fmt: skip
PREFIX = b"Tonearm snapshot, signed with Ed25519\n"
FOOTER = b"Tonearm\n"


class Invalid(Exception):
    """The receipt proves nothing; the message says why."""


def require(condition, reason):
    if not condition:
        raise Invalid(reason)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def unique_members(pairs):
    require(len(dict(pairs)) == len(pairs), "a repeated member")
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=unique_members)


def unhex(text, size):
    require(isinstance(text, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), text), "malformed hex digits")
    return bytes.fromhex(text)


def check_signature(receipt, key):
    der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    require(receipt["key_id"] == hashlib.sha256(der).hexdigest()[:16], "another key")
    message = unhex(receipt["signed_message"], 174)
    try:
        key.verify(unhex(receipt["signature"], 64), message)
    except InvalidSignature:
        raise Invalid("the signature does not match") from None
    require(message[:38] == PREFIX and message[46:54] == FOOTER, "not the signature of a catalog")
    day = message[38:46].decode("ascii")
    require(receipt["signed_on"] == f"{day[:4]}-{day[4:6]}-{day[6:]}", "another day")
    require(receipt["catalog_version"] == message[110:118].hex(), "another version")
    require(receipt["root"] == message[142:174].hex(), "another root")
    return message[142:174]


def check_path(receipt, root):
    require(isinstance(receipt["license_record_text"], str), "no record")
    node = sha256(b"\x00", receipt["license_record_text"].encode())
    require(isinstance(receipt["path"], list), "no path")
    for step in receipt["path"]:
        require(isinstance(step, dict) and set(step) == {"side", "sha256"}, "malformed path")
        require(step["side"] in ("left", "right"), "malformed path")
        sibling = unhex(step["sha256"], 32)
        node = sha256(b"\x01", sibling, node) if step["side"] == "left" else sha256(b"\x01", node, sibling)
    require(node == root, "the record does not lead to the root")


def check(receipt, key):
    require(isinstance(receipt, dict) and set(receipt) == MEMBERS, "not the members of a receipt")
    require(receipt["format"] == "tonearm-license-receipt", "another format")
    require(type(receipt["version"]) is int and receipt["version"] == 1, "another version of the format")
    require(receipt["untrusted_fields"] == UNTRUSTED, "wrong untrusted_fields")
    check_path(receipt, check_signature(receipt, key))
    record = parse(receipt["license_record_text"])
    require(record == receipt["license_record"], "the record differs from its text")
    require(record["id"] == receipt["track_id"], "another track")
    return record


def verdict(text, key):
    try:
        record = check(parse(text), key)
        return True, f"{record['id']}: {record['license']['name']}, {record['license']['status']}"
    except (Invalid, ValueError) as reason:
        return False, str(reason)


def main(path, key_path):
    with open(key_path, "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not isinstance(key, Ed25519PublicKey):
        return 2
    try:
        json.loads(text)
        receipts = [text]
    except ValueError:
        receipts = [line for line in text.split("\n") if line.strip()]
    verdicts = [verdict(receipt, key) for receipt in receipts]
    for is_valid, reason in verdicts:
        print("yes:" if is_valid else "no:", reason)
    return 0 if verdicts and all(is_valid for is_valid, _ in verdicts) else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
