# SPDX-License-Identifier: Apache-2.0
"""The scripts of the raw server for the scenarios of the HTTP API proposal; see HTTPClientScenarios."""

import gzip
import json
import threading
import zlib
from collections import defaultdict
from urllib.parse import parse_qsl, urlsplit

from steps import Finished, close, reset, stall

TEXT = b"some text\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def answer(data=b"", *fields, status="200 OK"):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + data


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


def grouped(pairs):
    """The values of each name, in order."""
    values = defaultdict(list)
    for name, value in pairs:
        values[name].append(value)
    return values


# MARK: The request


def chunks(peer):
    """The chunks of the body as they arrive. At the end, `peer.trailers` has the trailer section."""
    while size := int(peer.receive_until(b"\r\n").partition(b";")[0], 16):
        yield peer.receive_bytes(size)
        peer.receive_until(b"\r\n")
    peer.trailers = []
    while line := peer.receive_until(b"\r\n"):
        name, _, value = line.decode().partition(":")
        peer.trailers.append((name, value.strip()))


def pieces(peer):
    """The pieces of the body as they arrive, with any framing."""
    peer.trailers = []
    if "transfer-encoding" in peer.fields:
        yield from chunks(peer)
        return
    rest = int(peer.fields.get("content-length", 0))
    while rest > 0:
        piece = peer.receive()
        if not piece:
            raise Finished
        yield piece
        rest -= len(piece)


def describe(peer):
    """Answers with the request: method, parameters, fields, body and trailers."""
    text = b"".join(pieces(peer)).decode()
    request = {
        "method": peer.method,
        "parameters": grouped(parse_qsl(urlsplit(peer.target).query, keep_blank_values=True)),
        "fields": grouped(peer.field_lines),
        "body": text,
        "trailers": grouped(peer.trailers),
    }
    peer.send(answer(json.dumps(request).encode()))


# MARK: Answers


def only_head(data):
    """Sends an answer, without the body for HEAD."""

    def send(peer):
        for _ in pieces(peer):
            pass
        peer.send(data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if peer.method == "HEAD" else data)

    return send


def coded(coding, code):
    """The text in a coding if the client accepts the coding, otherwise without a coding."""

    def send(peer):
        takes = coding in peer.fields.get("accept-encoding", "")
        peer.send(answer(code(TEXT), f"Content-Encoding: {coding}") if takes else answer(TEXT))

    return send


def redirect(status, place):
    return answer(b"", f"Location: {place}", status=status)


tags = defaultdict(int)
lock = threading.Lock()


def entity_tag(peer):
    """A number that changes after a client has revalidated it; each ?id= has a separate number."""
    with lock:
        tag = tags[peer.query["id"]]
        is_known = peer.fields.get("if-none-match") == f'"{tag}"'
        tags[peer.query["id"]] += is_known
    if is_known:
        peer.send(f'HTTP/1.1 304 Not Modified\r\nETag: "{tag}"\r\nX-Confirmed: yes\r\n\r\n'.encode())
    else:
        peer.send(answer(str(tag).encode(), f'ETag: "{tag}"', "X-Confirmed: no"))


# MARK: Both directions


def echo(peer):
    """Answers at once, and sends each piece of the body back as it arrives."""
    peer.send(CHUNKED)
    for piece in pieces(peer):
        peer.send(chunk(piece))
    peer.send(chunk(b""))


def speak(peer):
    """Sends ?count= letters, each after the previous one has come back, and then the end of the body."""
    peer.send(CHUNKED)
    parts = chunks(peer)
    for _ in range(int(peer.query["count"])):
        peer.send(chunk(b"A"))
        if next(parts, None) != b"A":
            raise Finished
    peer.send(chunk(b""))
    for _ in parts:
        pass


def early(peer):
    """Sends a whole answer, and then reads the body."""
    peer.send(CHUNKED + chunk(b"early"))
    size = sum(len(piece) for piece in chunks(peer))
    peer.send(chunk(b"%d" % size) + chunk(b""))


def cut(ending):
    """Answers, reads a part of the body, and ends the connection."""

    def send(peer):
        peer.send(CHUNKED + chunk(b"begun"))
        peer.receive_exactly(10_000)
        ending(peer)

    return send


SCRIPTS = {
    "/scenario/request": [describe],
    "/scenario/fine": [only_head(answer())],
    "/scenario/head": [only_head(answer(bytes(1000)))],
    "/scenario/text": [answer(TEXT)],
    "/scenario/gzip": [coded("gzip", gzip.compress)],
    "/scenario/deflate": [coded("deflate", zlib.compress)],
    "/scenario/brotli": [coded("br", lambda _: bytes([0x8B, 4, 0x80]) + TEXT + b"\x03")],
    "/scenario/two-values": [answer(b"", "X-Test: one", "X-Test: two")],
    "/scenario/moved": [redirect("301 Moved Permanently", "/scenario/request")],
    "/scenario/moved-for-good": [redirect("308 Permanent Redirect", "/scenario/request")],
    "/scenario/ping": [redirect("301 Moved Permanently", "/scenario/pong")],
    "/scenario/pong": [redirect("301 Moved Permanently", "/scenario/ping")],
    "/scenario/missing": [answer(status="404 Not Found")],
    "/scenario/unknown-status": [answer(status="999 Odd")],
    "/scenario/megabyte": [answer(b"A" * 1_000_000)],
    "/scenario/cookie": [answer(b"", "Set-Cookie: visit=7; Path=/scenario")],
    "/scenario/tag": [entity_tag],
    "/scenario/trailers": [CHUNKED + chunk(b"text") + b"0\r\nX-One: first\r\nX-Two: second\r\n\r\n"],
    # Responses that are barely HTTP.
    "/scenario/no-http": [b"FOOBAR", stall],
    "/scenario/lower-case": [b"Http/1.1 200 OK\r\n\r\n", stall],
    "/scenario/no-reason": [b"HTTP/1.1 200\r\n\r\n", stall],
    "/scenario/204": [b"HTTP/1.1 204 No Content\r\nContent-Length: 1000\r\n\r\n"],
    "/scenario/304": [b"HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"],
    "/scenario/incomplete": [b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n1234", close],
    "/scenario/no-length": [b"HTTP/1.1 200 OK\r\n\r\n1234", close],
    "/scenario/two-lengths": [b"HTTP/1.1 200 OK\r\nContent-Length: 10, 4\r\n\r\n1234", stall],
    # Both directions.
    "/scenario/echo": [echo],
    "/scenario/speak": [speak],
    "/scenario/early": [early],
    "/scenario/cut": [cut(close)],
    "/scenario/reset": [cut(reset)],
}
