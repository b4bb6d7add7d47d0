"""Passwords of streams: the answer to a server's challenge, the same for HTTP and RTSP.

Basic (RFC 7617) and Digest with MD5 (RFC 2617, which RTSP 1.0 refers to and cameras still use).
"""

from __future__ import annotations

import base64
import hashlib
import re
from urllib.request import parse_http_list, parse_keqv_list


def password_advice(given: bool, scheme: str) -> str:
    """Say what to do about a stream that asks for a password."""
    if given:
        return "user or password is wrong (special characters are written as %40 for @, %3A for :)"
    return f"asks for a password; put it into the address: {scheme}://user:password@host/..."


def authorization(challenges: list[str], login: tuple[str, str], request: tuple[str, str]) -> str:
    """Return the Authorization header's value that answers a server's challenges.

    `challenges` are the values of its WWW-Authenticate headers, `login` is user and password,
    `request` the method and the URI as they are sent.
    """
    user, password = login
    digests = [found for text in challenges if (found := re.match(r"(?i)\s*digest\s+(.*)", text))]
    if not digests:
        return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    asked = parse_keqv_list(parse_http_list(digests[0][1]))
    realm, nonce = asked.get("realm", ""), asked.get("nonce", "")
    secret, sent = md5(f"{user}:{realm}:{password}"), md5(":".join(request))
    fields = {"username": user, "realm": realm, "nonce": nonce, "uri": request[1]}
    if "auth" in re.split(r"[,\s]+", asked.get("qop", "")):
        fields["response"] = md5(f"{secret}:{nonce}:00000001:referee:auth:{sent}")
        fields["cnonce"] = "referee"
        counted = ", qop=auth, nc=00000001"
    else:
        fields["response"] = md5(f"{secret}:{nonce}:{sent}")
        counted = ""
    if "opaque" in asked:
        fields["opaque"] = asked["opaque"]
    return "Digest " + ", ".join(f'{name}="{value}"' for name, value in fields.items()) + counted


def md5(text: str) -> str:
    """Return the hexadecimal MD5 of a text, as Digest demands."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
