# SPDX-License-Identifier: Apache-2.0
"""Content codings for the raw server: some are right, some unusual, and some wrong in one way each.

The encoded text is PLAIN for most paths; the tests have the same text.
"""

import gzip
import zlib

from steps import stall

PLAIN = b"".join(b"line %d of some text that can be compressed\n" % number for number in range(1000))


def answer(data, coding, *fields, status="200 OK", length=True):
    """A response; without a length, it has chunks of 1000 bytes."""
    lines = [f"HTTP/1.1 {status}", f"Content-Encoding: {coding}", *fields]
    lines += [f"Content-Length: {len(data)}"] if length else ["Transfer-Encoding: chunked"]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    if length:
        return head + data
    pieces = [data[start : start + 1000] for start in range(0, len(data), 1000)]
    return head + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def raw(data):
    compressor = zlib.compressobj(9, wbits=-15)
    return compressor.compress(data) + compressor.flush()


def tell_accepted(peer):
    """Answers with the codings that the request accepts."""
    text = peer.fields.get("accept-encoding", "none")
    peer.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())


def drip(data, size):
    """The data in pieces of `size` bytes, which the system sends in separate packets if it can."""
    return [data[start : start + size] for start in range(0, len(data), size)]


GZIP, ZLIB, RAW = gzip.compress(PLAIN), zlib.compress(PLAIN), raw(PLAIN)
BOMB = gzip.compress(bytes(64 << 20))

SCRIPTS = {
    "/accepts": [tell_accepted],
    "/coded-not": [answer(PLAIN, "identity")],
    "/coded-gzip": [answer(GZIP, "gzip")],
    "/coded-gzip-chunked": [answer(GZIP, "gzip", length=False)],
    "/coded-gzip-in-pieces": drip(answer(GZIP, "gzip"), 7),
    "/coded-x-gzip": [answer(GZIP, "x-gzip")],
    "/coded-upper-case": [answer(GZIP, "GZIP")],
    "/coded-deflate": [answer(ZLIB, "deflate")],
    "/coded-raw-deflate": [answer(RAW, "deflate")],
    "/coded-members": [answer(gzip.compress(PLAIN[:9999]) + gzip.compress(PLAIN[9999:]), "gzip")],
    "/coded-twice": [answer(gzip.compress(ZLIB), "deflate, gzip")],
    "/coded-twice-in-two-fields": [answer(gzip.compress(ZLIB), "deflate", "Content-Encoding: gzip")],
    "/coded-four-times": [answer(GZIP, "gzip, gzip, gzip, gzip")],
    "/coded-unknown": [answer(PLAIN, "x-squeeze")],
    "/coded-unknown-beneath": [answer(GZIP, "x-squeeze, gzip")],
    # The content is cut off, or wrong.
    "/coded-cut": [answer(GZIP[:2000], "gzip")],
    "/coded-cut-in-trailer": [answer(GZIP[:-1], "gzip")],
    "/coded-cut-in-header": [answer(GZIP[:5], "gzip")],
    "/coded-cut-deflate": [answer(ZLIB[:2000], "deflate", length=False)],
    "/coded-bad-check": [answer(GZIP[:-8] + bytes(4) + GZIP[-4:], "gzip")],
    "/coded-bad-length": [answer(GZIP[:-4] + bytes(4), "gzip")],
    "/coded-bad-data": [answer(GZIP[:1000] + bytes(100) + GZIP[1100:], "gzip")],
    "/coded-bad-deflate-check": [answer(ZLIB[:-1] + b"!", "deflate")],
    "/coded-no-gzip": [answer(PLAIN, "gzip")],
    "/coded-rest": [answer(GZIP + b"and more", "gzip")],
    "/coded-stall": [answer(GZIP, "gzip")[:-100], stall],
    "/coded-bomb": [answer(BOMB, "gzip")],
    "/coded-bomb-in-bomb": [answer(gzip.compress(BOMB), "gzip, gzip")],
    # The response has no content, or only a part of it.
    "/coded-nothing": [answer(b"", "gzip")],
    "/coded-nothing-within": [answer(gzip.compress(b""), "gzip")],
    "/coded-head": [answer(GZIP, "gzip")[: -len(GZIP)]],
    "/coded-204": [b"HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"],
    "/coded-304": [answer(b"", "gzip", status="304 Not Modified")],
    "/coded-206": [answer(GZIP[10:20], "gzip", f"Content-Range: bytes 10-19/{len(GZIP)}", status="206 Partial Content")],
    "/coded-404": [answer(GZIP, "gzip", status="404 Not Found")],
}
