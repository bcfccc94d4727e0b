# SPDX-License-Identifier: Apache-2.0
"""Challenges and redirects for the raw server, which also records the requests.

A request with ?id=NAME is recorded under that name; /log?id=NAME returns all of them as JSON. An accepted request gets the
request back as JSON. The accounts of Albert and Jäsøn are accepted; see Account.swift.
"""

import base64
import hashlib
import itertools
import json
import re
from collections import defaultdict
from urllib.parse import parse_qs, urlsplit

from steps import gates

USERS = {"Albert": "open sesame", "Jäsøn": "pässwörd"}
REALM = "tern"
HASHES = {
    "MD5": hashlib.md5,
    "SHA-256": hashlib.sha256,
    "SHA-512-256": lambda data: hashlib.new("sha512_256", data),
}
log = defaultdict(list)
numbers = itertools.count(1)


def receive_body(peer):
    if "transfer-encoding" not in peer.fields:
        return peer.receive_bytes(int(peer.fields.get("content-length", 0)))
    body = b""
    while size := int(peer.receive_until(b"\r\n"), 16):
        body += peer.receive_bytes(size)
        peer.receive_until(b"\r\n")
    peer.receive_until(b"\r\n")
    return body


def remembering(answer):
    """A script that records the request, and then answers with a function of the connection and the body."""

    def step(peer):
        body = receive_body(peer)
        request = {"method": peer.method, "target": peer.target, "fields": peer.fields, "body": body.decode()}
        log[peer.query.get("id")].append(request)
        status, fields, text = answer(peer, body)
        content = text if isinstance(text, bytes) else (text or json.dumps(request)).encode()
        head = [f"HTTP/1.1 {status} As asked for", f"Content-Length: {len(content)}", *fields]
        peer.send(("\r\n".join(head) + "\r\n\r\n").encode() + (b"" if peer.method == "HEAD" else content))

    return [step]


def enter(*fields):
    """The answer to an accepted request: the request itself."""
    return 200, ["Content-Type: application/json", *fields], None


def refuse(peer, *challenges):
    """A 401 with these challenges, whose body has ?bytes= bytes; the default is 7."""
    fields = [f"WWW-Authenticate: {challenge}" for challenge in challenges]
    return 401, fields, b"x" * int(peer.query.get("bytes", "7"))


def tell(peer, body):
    return enter()


def tell_log(peer):
    content = json.dumps(log[peer.query.get("id")]).encode()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(content), content))


def go(peer, body):
    """A redirect with the status ?status=, and a Location for each ?to=; with ?by=, it needs a credential of that scheme."""
    if "by" in peer.query:
        status, fields, text = {"basic": basic, "digest": digest}[peer.query["by"]](peer, body)
        if status != 200:
            return status, fields, text
    places = parse_qs(urlsplit(peer.target).query, keep_blank_values=True).get("to", [])
    return int(peer.query.get("status", "302")), [f"Location: {place}" for place in places], b"elsewhere"


# MARK: Schemes


def sent(peer, scheme):
    """The credentials in Authorization; `None` if the field is missing or has another scheme."""
    name, _, rest = peer.fields.get("authorization", "").partition(" ")
    return rest if name.lower() == scheme else None


def basic(peer, body):
    value = sent(peer, "basic")
    user, _, password = base64.b64decode(value or "").decode().partition(":")
    if value and USERS.get(user) == password:
        return enter()
    return refuse(peer, f'Basic realm="{REALM}", charset="UTF-8"')


def bearer(peer, body):
    """Accepts requests with the token ?token=, and refuses all others, after the gate ?gate= is open."""
    value = sent(peer, "bearer")
    if value == peer.query["token"]:
        return enter()
    if "gate" in peer.query:
        gates[peer.query["gate"]].wait(60)
    return refuse(peer, f'Bearer realm="{REALM}"' + (', error="invalid_token"' if value else ""))


class Digest:
    """One answer to a Digest challenge; the query says which parameters the server requires."""

    def __init__(self, peer, body):
        self.peer, self.body = peer, body
        self.algorithm = peer.query.get("algorithm", "MD5")
        self.qop = peer.query.get("qop", "auth")
        pairs = re.findall(r'([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))', sent(peer, "digest") or "")
        self.values = {name: quoted or token for name, quoted, token in pairs}

    def hash(self, data):
        return HASHES[self.algorithm.removesuffix("-sess")](data if isinstance(data, bytes) else data.encode()).hexdigest()

    def challenge(self):
        values = f'realm="{REALM}", nonce="n{next(numbers)}", qop="{self.qop}", algorithm={self.algorithm}'
        return f"Digest {values}" + (", userhash=true" if "userhash" in self.peer.query else "")

    @property
    def user(self):
        """The accepted user that the answer names; `None` for any other name."""
        name = self.values.get("username")
        for user in USERS:
            extended = "UTF-8''" + "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in user)
            hashed = self.hash(f"{user}:{REALM}") if self.values.get("userhash") == "true" else None
            if hashed == name if "userhash" in self.peer.query else user == name or self.values.get("username*") == extended:
                return user
        return None

    def proof(self, method, content):
        user, values = self.user, self.values
        key = self.hash(f"{user}:{REALM}:{USERS[user]}")
        if self.algorithm.endswith("-sess"):
            key = self.hash(f"{key}:{values['nonce']}:{values['cnonce']}")
        rest = f":{self.hash(content)}" if values["qop"] == "auth-int" else ""
        a2 = self.hash(f"{method}:{values['uri']}{rest}")
        return self.hash(f"{key}:{values['nonce']}:{values['nc']}:{values['cnonce']}:{values['qop']}:{a2}")

    @property
    def is_right(self):
        if not self.user or self.values.get("uri") != self.peer.target or self.values.get("qop") != self.qop:
            return False
        return self.values["response"] == self.proof(self.peer.method, self.body)

    def information(self, content):
        """Authentication-Info, with the server's proof of the password and a next nonce if the query asks for them."""
        parts = [f"{name}={self.values[name]}" for name in ("qop", "nc")] + [f'cnonce="{self.values["cnonce"]}"']
        proof = self.peer.query.get("proof")
        if proof:
            parts.append(f'rspauth="{self.proof("", content) if proof == "right" else self.hash(b"wrong")}"')
        if "nextnonce" in self.peer.query:
            parts.append(f'nextnonce="n{next(numbers)}"')
        return f"Authentication-Info: {', '.join(parts)}"


def digest(peer, body):
    answer = Digest(peer, body)
    if not answer.is_right:
        return refuse(peer, answer.challenge())
    content = json.dumps(
        {"method": peer.method, "target": peer.target, "fields": peer.fields, "body": body.decode()}
    ).encode()
    return 200, [answer.information(content)], content


def several(peer, body):
    """Offers an unknown scheme, Digest and Basic, and accepts only the scheme ?by=."""
    answer = Digest(peer, body)
    if peer.query["by"] == "digest":
        is_right = answer.is_right
    else:
        is_right = basic(peer, body)[0] == 200
    if is_right:
        return enter()
    return refuse(peer, 'Unheard-Of realm="x"', f'Basic realm="{REALM}"', answer.challenge())


SCRIPTS = {
    "/tell": remembering(tell),
    "/log": [tell_log],
    "/go": remembering(go),
    "/basic": remembering(basic),
    "/bearer": remembering(bearer),
    "/digest": remembering(digest),
    "/several": remembering(several),
}
