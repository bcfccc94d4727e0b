# SPDX-License-Identifier: Apache-2.0
"""Digests of contents (RFC 9530) for the raw server, which Python's hashlib computes and compares."""

import base64
import gzip
import hashlib

from steps import close

PLAIN = b"".join(b"line %d of some text that can be compressed\n" % number for number in range(20_000))


def digest(content, algorithm):
    """The value of Content-Digest."""
    name = {"sha": "sha1"}.get(algorithm, algorithm.replace("-", ""))
    text = base64.b64encode(hashlib.new(name, content).digest()).decode()
    return f"{algorithm}=:{text}:"


def give(peer):
    """The text with its digest: ?by= is the algorithm, ?in= the place (head or trailer), ?of= the digested content."""
    coded = gzip.compress(PLAIN)
    value = digest({"coded": coded, "plain": PLAIN}[peer.query["of"]], peer.query["by"])
    field = f"Content-Digest: {value}\r\n".encode()
    head, trailer = (field, b"") if peer.query["in"] == "head" else (b"Trailer: Content-Digest\r\n", field)
    if not trailer:
        head += b"Content-Length: %d\r\n" % len(coded)
    else:
        head += b"Transfer-Encoding: chunked\r\n"
        # "A sender … SHOULD NOT generate trailer fields" unless they are welcome (RFC 9110 §6.5.1).
        if peer.fields.get("te") != "trailers" or peer.fields.get("connection") != "TE":
            trailer = b""
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n" + head + b"\r\n")
    if peer.query["in"] == "head":
        return peer.send(coded)
    for start in range(0, len(coded), 1000):
        piece = coded[start : start + 1000]
        peer.send(b"%x\r\n%b\r\n" % (len(piece), piece))
    peer.send(b"0\r\n" + trailer + b"\r\n")


def take(peer):
    """Compares the digests of a request with its content, and answers with their places and the results."""
    content, trailers = b"", {}
    if "transfer-encoding" not in peer.fields:
        content = peer.receive_bytes(int(peer.fields.get("content-length", 0)))
    else:
        while size := int(peer.receive_until(b"\r\n"), 16):
            content += peer.receive_bytes(size)
            peer.receive_until(b"\r\n")
        while line := peer.receive_until(b"\r\n").decode():
            name, value = line.split(":", 1)
            trailers[name.lower()] = value.strip()
    places = {"head": peer.fields, "trailer": trailers}
    found = {place: fields["content-digest"] for place, fields in places.items() if "content-digest" in fields}
    words = [f"{place} {digest(content, value.split('=')[0]) == value}" for place, value in found.items()]
    text = f"{len(content)} {', '.join(words)} announced {peer.fields.get('trailer')}".encode()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text))


SCRIPTS = {
    "/content-digest": [give],
    "/content-digest-upload": [take],
    "/content-digest-cut": [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Digest\r\n\r\n4\r\nfour\r\n0\r\nContent-Dig",
        close,
    ],
}
