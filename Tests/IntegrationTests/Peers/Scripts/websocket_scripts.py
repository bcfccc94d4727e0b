# SPDX-License-Identifier: Apache-2.0
"""WebSockets for the raw server: each path is right, or wrong in one way, from the handshake to the last frame.

Where a path takes ?id=NAME, the code of the client's Close frame can be had at /ws-code, once it has come.
"""

import base64
import hashlib
import json
import struct
import threading
import zlib
from collections import defaultdict

from steps import Finished, close, drip, gate, half_close, reset, stall

# MARK: The handshake

KEY_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate"


def switch(peer, *fields, **changes):
    """The bytes of a 101 with additional fields, and with changed fields by name; `None` removes a field."""
    digest = hashlib.sha1(peer.fields["sec-websocket-key"].encode() + KEY_SUFFIX).digest()
    standard = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": base64.b64encode(digest).decode(),
    } | {name.replace("_", "-"): value for name, value in changes.items()}
    lines = [f"{name}: {value}" for name, value in standard.items() if value is not None]
    return ("\r\n".join(["HTTP/1.1 101 Switching Protocols", *lines, *fields]) + "\r\n\r\n").encode()


def upgrade(*fields, then=b"", how=lambda data: data, **changes):
    """Answers the handshake, and sends frames in the same packet as the answer."""

    def answer(peer):
        step = how(switch(peer, *fields, **changes) + then)
        peer.send(step) if isinstance(step, bytes) else step(peer)

    return answer


# MARK: Frames

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode, payload=b"", fin=True, rsv=0, masked=False, length=None):
    """A frame; `length` replaces the bytes of its length with wrong ones."""
    if length is None:
        count = len(payload)
        length = (
            bytes([count])
            if count < 126
            else b"\x7e" + struct.pack(">H", count) if count < 65536 else b"\x7f" + struct.pack(">Q", count)
        )
    first = bytes([fin << 7 | rsv << 4 | opcode])
    if masked:
        return first + bytes([length[0] | 0x80]) + length[1:] + bytes(4) + payload
    return first + length + payload


def close_frame(code, reason=b""):
    return frame(CLOSE, struct.pack(">H", code) + reason)


def deflated(data):
    compressor = zlib.compressobj(9, wbits=-15)
    return (compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH))[:-4]


HELLO = frame(TEXT, b"hello")

# MARK: The frames of the client


class Codes:
    """The close codes that clients sent, by the ?id= of their WebSockets."""

    def __init__(self):
        self.codes, self.events = {}, defaultdict(threading.Event)

    def note(self, name, code):
        self.codes[name] = code
        self.events[name].set()

    def wait(self, name):
        self.events[name].wait(30)
        return self.codes.get(name, "nothing")


codes = Codes()


def read_frame(peer):
    """The next frame of the client, unmasked; raises Finished at the end of the connection."""
    first, second = peer.receive_bytes(2)
    if not second & 0x80:
        raise Finished
    length = second & 0x7F
    if length >= 126:
        size = 2 if length == 126 else 8
        length = int.from_bytes(peer.receive_bytes(size), "big")
    key = peer.receive_bytes(4)
    payload = peer.receive_bytes(length)
    mask = (key * (length // 4 + 1))[:length]
    plain = (int.from_bytes(payload, "big") ^ int.from_bytes(mask, "big")).to_bytes(length, "big")
    return first & 0x0F, plain


def note_close(peer):
    """Reads up to the client's Close frame, or to the end of the connection."""
    name = peer.query.get("id")
    try:
        while True:
            opcode, payload = read_frame(peer)
            if opcode == CLOSE:
                codes.note(name, int.from_bytes(payload[:2], "big") if payload else 1005)
                return
    except (Finished, OSError):
        codes.note(name, 1006)
        raise


def hang_up(peer):
    """Ends the connection, once the client has sent its Close frame."""
    note_close(peer)
    raise Finished


def answer_close(peer):
    """Answers the client's Close frame, and then ends the connection."""
    note_close(peer)
    peer.send(close_frame(1000))
    raise Finished


def tell_code(peer):
    text = str(codes.wait(peer.query["id"]))
    peer.send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())


def tell_fields(peer):
    """Sends the fields of the handshake as a message."""
    peer.send(frame(TEXT, json.dumps(peer.fields).encode()))


def cut(data):
    """Sends a message of ?bytes= bytes."""

    def send(peer):
        peer.send(data[: int(peer.query["bytes"])])

    return send


def echo(peer):
    """Sends every message back, each in one frame; messages of one frame only."""
    while True:
        opcode, payload = read_frame(peer)
        if opcode == CLOSE:
            peer.send(frame(CLOSE, payload))
            raise Finished
        peer.send(frame(PONG if opcode == PING else opcode, payload))


def flood(peer):
    """Sends messages of 64 KiB each, without end."""
    message = frame(BINARY, bytes(1 << 16))
    while True:
        peer.send(message)


# MARK: The steps for each path

# The answer to the handshake is wrong or unusual.
HANDSHAKES = {
    "wrong-accept": upgrade(Sec_WebSocket_Accept="AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    "no-accept": upgrade(Sec_WebSocket_Accept=None),
    "two-accepts": upgrade("Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    "no-upgrade": upgrade(Upgrade=None),
    "wrong-upgrade": upgrade(Upgrade="h2c"),
    "no-connection": upgrade(Connection=None),
    "wrong-connection": upgrade(Connection="keep-alive"),
    "unasked-protocol": upgrade("Sec-WebSocket-Protocol: parrot"),
    "two-protocols": upgrade("Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"),
    "unasked-extension": upgrade("Sec-WebSocket-Extensions: x-squeeze"),
    "malformed-extension": upgrade("Sec-WebSocket-Extensions: ;permessage-deflate="),
    "deflate-twice": upgrade(f"{DEFLATE}, permessage-deflate"),
    "unknown-parameter": upgrade(f"{DEFLATE}; level=9"),
    "parameter-twice": upgrade(f"{DEFLATE}; server_no_context_takeover; server_no_context_takeover"),
    "bits-too-small": upgrade(f"{DEFLATE}; server_max_window_bits=7"),
    "bits-too-large": upgrade(f"{DEFLATE}; client_max_window_bits=16"),
    "bits-no-number": upgrade(f"{DEFLATE}; server_max_window_bits=ten"),
    "flag-with-value": upgrade(f"{DEFLATE}; client_no_context_takeover=1"),
}
# The answer is right, and a frame without compression is wrong or unusual.
FRAMES = {
    "masked": frame(TEXT, b"hello", masked=True),
    "rsv1": frame(TEXT, b"hello", rsv=4),
    "rsv2": frame(TEXT, b"hello", rsv=2),
    "rsv3": frame(TEXT, b"hello", rsv=1),
    "opcode-3": frame(3, b"hello"),
    "opcode-11": frame(11, b"hello"),
    "fragmented-ping": frame(PING, b"hello", fin=False),
    "long-ping": frame(PING, bytes(126)),
    "length-16-for-7": frame(TEXT, b"hello", length=b"\x7e\x00\x05"),
    "length-64-for-16": frame(TEXT, bytes(300), length=b"\x7f" + struct.pack(">Q", 300)),
    "length-top-bit": frame(TEXT, b"hello", length=b"\x7f\x80" + bytes(7)),
    "continuation-first": frame(CONTINUATION, b"hello"),
    "interrupted": frame(TEXT, b"hel", fin=False) + frame(TEXT, b"lo"),
    "bad-text": frame(TEXT, b"hel\xfflo"),
    "bad-text-in-fragment": frame(TEXT, b"\xc3", fin=False) + frame(CONTINUATION, b"\x28"),
    "bad-text-before-its-end": frame(TEXT, b"\xed\xa0\x80", length=b"\x7e\x40\x00"),
    "cut-text": frame(TEXT, "ä€".encode()[:-1]),
    "close-of-one-byte": frame(CLOSE, b"\x03"),
    "close-1005": close_frame(1005),
    "close-999": close_frame(999),
    "close-bad-reason": close_frame(1000, b"\xff"),
    "huge": frame(BINARY, length=b"\x7f" + struct.pack(">Q", 1 << 40)),
    "huge-in-fragments": frame(BINARY, bytes(600), fin=False) + frame(CONTINUATION, bytes(600)),
}
# The answer is right, and a compressed frame is wrong or unusual.
BOMB = deflated(bytes(20 << 20))
DEFLATED_FRAMES = {
    "rsv2": frame(TEXT, deflated(b"hello"), rsv=6),
    "ping": frame(PING, b"", rsv=4),
    "continuation": frame(TEXT, deflated(b"hello"), fin=False, rsv=4) + frame(CONTINUATION, b"", rsv=4),
    "noise": frame(BINARY, b"\xff" * 20, rsv=4),
    "bad-text": frame(TEXT, deflated(b"\xff"), rsv=4),
    "bomb": frame(BINARY, BOMB, rsv=4),
    "bomb-in-fragments": frame(BINARY, BOMB[:10_000], fin=False, rsv=4) + frame(CONTINUATION, BOMB[10_000:]),
}
# Two whole messages and an unfinished one, which a test can cut off at any byte.
MESSAGES = HELLO + frame(BINARY, bytes(range(130))) + frame(TEXT, b"good", fin=False) + frame(CONTINUATION, b"bye")
IN_ORDER = HELLO + frame(BINARY, b"\x00\x01\x02") + frame(PING, b"?") + close_frame(4002, "auf Wiederhören".encode())

SCRIPTS = {
    **{f"/ws-handshake-{name}": [answer, stall] for name, answer in HANDSHAKES.items()},
    **{f"/ws-{name}": [upgrade(then=HELLO + data), hang_up] for name, data in FRAMES.items()},
    **{f"/ws-deflate-{name}": [upgrade(DEFLATE, then=HELLO + data), hang_up] for name, data in DEFLATED_FRAMES.items()},
    # The handshake is slow, or fails.
    "/ws-handshake-stall": [stall],
    "/ws-handshake-stall-within": [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: webso", stall],
    "/ws-handshake-close": [close],
    "/ws-handshake-reset": [reset],
    "/ws-handshake-no-http": [HELLO, stall],
    "/ws-handshake-200": [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"],
    # Bytes come right after the handshake, or in small pieces.
    "/ws-in-one-packet": [upgrade(then=IN_ORDER), hang_up],
    "/ws-drip": [upgrade(then=IN_ORDER, how=drip), hang_up],
    "/ws-cut": [upgrade(), cut(MESSAGES), close],
    "/ws-cut-reset": [upgrade(), cut(MESSAGES), gate, reset],
    "/ws-fields": [upgrade(), tell_fields, answer_close],
    "/ws-fields-protocol": [upgrade("Sec-WebSocket-Protocol: chat"), tell_fields, answer_close],
    # The WebSocket stays open, or ends in an unusual way.
    "/ws-echo": [upgrade(), echo],
    "/ws-hello": [upgrade(then=HELLO), answer_close],
    "/ws-flood": [upgrade(), flood],
    "/ws-stall": [upgrade(then=HELLO), stall],
    "/ws-never-reads": [upgrade(then=HELLO), gate, close],
    "/ws-ignores-close": [upgrade(then=HELLO), note_close, stall],
    "/ws-closes-and-stays": [upgrade(then=HELLO + close_frame(1000)), note_close, stall],
    "/ws-close-without-code": [upgrade(then=HELLO + frame(CLOSE)), hang_up],
    "/ws-half-close": [upgrade(then=HELLO), half_close],
    "/ws-pings": [upgrade(then=b"".join(frame(PING, b"%d" % number) for number in range(100))), answer_close],
    "/ws-code": [tell_code],
}
