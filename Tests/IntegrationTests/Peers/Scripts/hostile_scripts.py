# SPDX-License-Identifier: Apache-2.0
"""What the server of hostile_server.py does for each path: bytes to send, or a function of a connection and a stream."""

import struct

from http2_frames import *


def whole(*fields, content=b"123"):
    """A response with these fields, of which the head alone is wrong."""
    return lambda peer, stream: peer.send(headers(stream, list(fields)) + data(stream, content, ends=True))


def with_field(name, value):
    return whole((":status", "200"), (name, value))


def then_fine(*frames):
    """Frames that a client must ignore, and the response."""

    def send(peer, stream):
        for each in frames:
            peer.send(each(stream) if callable(each) else each)
        peer.send(answer(stream))

    return send


def frames(*parts):
    """Frames: bytes, or functions of the stream's identifier."""
    return lambda peer, stream: peer.send(b"".join(part(stream) if callable(part) else part for part in parts))


def open_block(peer, stream):
    """A field block that does not end."""
    peer.stop_replying()
    peer.send(headers(stream, STATUS, flags=0))


def flood(frame, first=lambda stream: b"", times=500):
    """Frames without end: `times` of them in each packet."""

    def send(peer, stream):
        peer.stop_replying()
        peer.send(first(stream))
        frame_of = frame if callable(frame) else lambda stream: frame
        piece = frame_of(stream) * times
        while not peer.is_over():
            peer.send(piece)

    return send


def together(frame, count=50):
    """Waits for `count` requests, and then sends the frame of each, all in one write.

    The client has read all of them when it closes the connection, so that no reset of TCP overtakes its GOAWAY.
    """

    def send(peer, stream):
        streams = peer.gather(stream, count)
        if streams:
            peer.send(b"".join(frame(each) for each in streams))

    return send


def fields(payload):
    """A field block as the head of the response."""
    return frames(lambda stream: long_headers(stream, payload, ends=True))


def bomb():
    """Some kilobytes that decode to megabytes: one long entry of the dynamic table, again and again (CVE-2016-6581)."""
    return block(*STATUS) + b"\x40" + string(b"x") + string(b"y" * 4000) + b"\xbe" * 20_000


def after_end(frame):
    """The response, and then frames for its stream."""
    return frames(lambda stream: answer(stream) + frame(stream))


def setting(identifier, value):
    return raw(SETTINGS, payload=struct.pack(">HI", identifier, value))


SCRIPTS = {
    # Floods without end.
    "/flood/ping": flood(ping()),
    "/flood/ping-answers": flood(ping(is_answer=True)),
    "/flood/settings": flood(settings()),
    "/flood/settings-changes": flood(setting(4, 70_000) + setting(4, 60_000)),
    "/flood/empty-data": flood(data, head),
    "/flood/padding": flood(lambda stream: padded(stream, b"", 255), head, 10),
    "/flood/window-update": flood(window_update(0, 1)),
    "/flood/window-update-of-stream": flood(lambda stream: window_update(stream, 1)),
    "/flood/priority": flood(priority),
    "/flood/priority-update": flood(raw(PRIORITY_UPDATE, payload=b"\0\0\0\1u=1")),
    "/flood/altsvc": flood(alternative_service()),
    "/flood/origin": flood(raw(ORIGIN, payload=b"\0\x10https://tern.dev")),
    "/flood/unknown": flood(raw(UNKNOWN, 0xFF, payload=b"?" * 100)),
    "/flood/go-away": flood(go_away(LARGEST)),
    "/flood/continuation": flood(
        lambda stream: raw(CONTINUATION, 0, stream), lambda stream: headers(stream, b"", flags=0)
    ),
    "/flood/long-continuation": flood(
        lambda stream: raw(CONTINUATION, 0, stream, b"y" * 16384),
        lambda stream: headers(stream, block(*STATUS), flags=0),
        1,
    ),
    "/flood/interim": flood(lambda stream: headers(stream, [(":status", "103")])),
    "/flood/resets": flood(reset),
    "/flood/closed-stream": flood(lambda stream: data(stream, b"x"), answer),
    "/flood/headers-of-closed-stream": flood(head, answer),
    # HPACK.
    "/hpack/bomb": fields(bomb()),
    "/hpack/table-size-too-large": fields(table_size(4097) + block(*STATUS)),
    "/hpack/table-size-within": fields(block(*STATUS) + table_size(0)),
    "/hpack/table-size-thrice": fields(table_size(0) * 3 + block(*STATUS)),
    "/hpack/integer-overflow": fields(b"\x7f" + b"\xff" * 20 + b"\x01"),
    "/hpack/integer-without-end": fields(b"\x7f" + b"\x80" * 100),
    "/hpack/huge-string": fields(b"\x10\x01x" + integer(1 << 30, 7)),
    "/hpack/end-of-string-symbol": fields(b"\x10\x01x\x84\xff\xff\xff\xff"),
    "/hpack/long-padding": fields(b"\x10\x01x\x82\x1f\xff"),
    "/hpack/wrong-padding": fields(b"\x10\x01x\x81\x18"),
    "/hpack/no-such-entry": fields(b"\xff\x00"),
    "/hpack/entry-zero": fields(b"\x80"),
    "/hpack/truncated": fields(block(*STATUS) + b"\x10\x05a"),
    "/hpack/list-far-over-limit": fields(block(*STATUS, *[("x", "y" * 1000)] * 600)),
    "/hpack/list-over-limit": fields(block(*STATUS, *[("x", "y" * 1000)] * 300)),
    "/hpack/many-fields": fields(block(*STATUS, *[("x", "y")] * 1001)),
    # Frames that are wrong anywhere.
    "/frame/too-long": frames(raw(UNKNOWN, payload=b"x" * 16385)),
    "/frame/far-too-long": frames(b"\xff\xff\xff" + raw(UNKNOWN)[3:] + b"x" * 1000),
    "/frame/data-of-connection": frames(raw(DATA, 0, 0, b"x")),
    "/frame/headers-of-connection": frames(headers(0, STATUS)),
    "/frame/reset-of-connection": frames(raw(RST_STREAM, 0, 0, b"\0\0\0\2")),
    "/frame/ping-of-stream": frames(lambda stream: raw(PING, 0, stream, b"12345678")),
    "/frame/settings-of-stream": frames(lambda stream: raw(SETTINGS, 0, stream)),
    "/frame/short-ping": frames(raw(PING, payload=b"1234567")),
    "/frame/short-settings": frames(raw(SETTINGS, payload=b"12345")),
    "/frame/settings-ack-with-payload": frames(raw(SETTINGS, ACK, 0, b"123456")),
    "/frame/short-go-away": frames(raw(GOAWAY, payload=b"1234567")),
    "/frame/short-window-update": frames(raw(WINDOW_UPDATE, payload=b"123")),
    "/frame/long-reset": frames(lambda stream: raw(RST_STREAM, 0, stream, b"12345")),
    "/frame/unknown-settings-ack": frames(settings_ack() * 2),
    "/frame/interrupted-block": frames(lambda stream: headers(stream, STATUS, flags=0) + ping()),
    "/frame/continuation-of-nothing": frames(lambda stream: raw(CONTINUATION, END_HEADERS, stream)),
    "/frame/padding-too-long": frames(lambda stream: head(stream) + raw(DATA, PADDED, stream, b"\x05\0\0")),
    "/frame/padding-of-empty-frame": frames(lambda stream: head(stream) + raw(DATA, PADDED, stream)),
    "/frame/padding-of-headers": frames(lambda stream: raw(HEADERS, PADDED | END_HEADERS, stream, b"\x02\x88")),
    "/frame/push": frames(lambda stream: raw(PUSH_PROMISE, END_HEADERS, stream, b"\0\0\0\2\x88")),
    "/frame/go-away-increases": frames(lambda stream: go_away(stream) + go_away(stream + 2)),
    # Settings.
    "/settings/push": frames(setting(2, 1)),
    "/settings/window": frames(setting(4, 1 << 31)),
    "/settings/frame-size": frames(setting(5, 16_383)),
    "/settings/window-of-streams-overflows": frames(
        lambda stream: window_update(stream, LARGEST - 65_535), setting(4, 65_536)
    ),
    # Streams.
    "/stream/idle-data": frames(lambda stream: data(stream + 2, b"x")),
    "/stream/idle-headers": frames(lambda stream: head(stream + 2)),
    "/stream/idle-reset": frames(lambda stream: reset(stream + 2)),
    "/stream/idle-window-update": frames(lambda stream: window_update(stream + 2, 1)),
    "/stream/even": frames(head(2)),
    "/stream/even-data": frames(data(2, b"x")),
    "/stream/far-away": frames(head(LARGEST)),
    # Windows.
    "/window/overflow": frames(window_update(0, LARGEST)),
    "/window/nothing": frames(raw(WINDOW_UPDATE, payload=b"\0\0\0\0")),
    "/window/overflow-of-stream": frames(lambda stream: window_update(stream, LARGEST)),
    "/window/nothing-of-stream": frames(lambda stream: raw(WINDOW_UPDATE, 0, stream, b"\0\0\0\0")),
    "/window/exceeded": frames(lambda stream: head(stream) + data(stream, b"x" * 16384) * 2200),  # the largest is 32 MiB
    # Messages.
    "/message/connection": with_field("connection", "close"),
    "/message/keep-alive": with_field("keep-alive", "timeout=5"),
    "/message/transfer-encoding": with_field("transfer-encoding", "chunked"),
    "/message/upgrade": with_field("upgrade", "h3"),
    "/message/proxy-connection": with_field("proxy-connection", "close"),
    "/message/upper-case": with_field("Server", "x"),
    "/message/space-in-name": with_field("a b", "x"),
    "/message/empty-name": with_field("", "x"),
    "/message/line-in-value": with_field("a", "x\r\nb: y"),
    "/message/nul-in-value": with_field("a", "x\0"),
    "/message/no-status": whole(("a", "b")),
    "/message/short-status": whole((":status", "20")),
    "/message/word-as-status": whole((":status", "two")),
    "/message/status-twice": whole((":status", "200"), (":status", "204")),
    "/message/status-late": whole(("a", "b"), (":status", "200")),
    "/message/unknown-pseudo-field": whole((":status", "200"), (":tern", "x")),
    "/message/pseudo-field-of-requests": whole((":status", "200"), (":path", "/")),
    "/message/switching-protocols": whole((":status", "101")),
    "/message/interim-ends": frames(lambda stream: headers(stream, [(":status", "103")], ends=True)),
    "/message/data-first": frames(lambda stream: data(stream, b"x")),
    "/message/trailers-without-end": frames(lambda stream: head(stream) + headers(stream, [("a", "b")])),
    "/message/status-in-trailers": frames(lambda stream: head(stream) + headers(stream, STATUS, ends=True)),
    "/message/shorter": with_field("content-length", "4"),
    "/message/longer": with_field("content-length", "2"),
    "/message/two-lengths": whole((":status", "200"), ("content-length", "3"), ("content-length", "4")),
    "/message/negative-length": with_field("content-length", "-3"),
    "/message/length-without-content": frames(
        lambda stream: headers(stream, STATUS + [("content-length", "3")], ends=True)
    ),
    # The server does not want the stream, or the connection.
    "/refuse/stream": frames(lambda stream: reset(stream, 7)),
    "/refuse/connection": frames(go_away(0)),
    "/refuse/connection-with-error": frames(go_away(0, 11)),
    # Stream after stream, in groups of 50.
    "/together/reset": together(lambda stream: reset(stream, 8)),
    "/together/no-status": together(lambda stream: headers(stream, [("a", "b")], ends=True)),
    # Unusual, but right.
    "/fine": frames(answer),
    "/fine/altsvc": then_fine(alternative_service(), alternative_service),
    "/fine/origin": then_fine(raw(ORIGIN, payload=b"\0\x10https://tern.dev")),
    "/fine/priority": then_fine(priority, lambda stream: priority(stream + 2), priority(2)),
    "/fine/short-priority-of-idle-stream": then_fine(lambda stream: raw(PRIORITY, 0, stream + 2, b"1234")),
    "/fine/unknown": then_fine(raw(UNKNOWN, 0xFF, 0, b"?"), lambda stream: raw(UNKNOWN, 0xFF, stream + 2, b"?")),
    "/fine/unknown-settings": then_fine(setting(0xABCD, 1), setting(0, 0)),
    "/fine/unknown-flags": then_fine(raw(PING, 0xFE, 0, b"12345678")),
    "/fine/reserved-bits": then_fine(raw(PING, 0, 1 << 31, b"12345678")),
    "/fine/padding": frames(lambda stream: head(stream) + padded(stream, b"fi", 255) + data(stream, b"ne", ends=True)),
    "/fine/padding-to-the-end": frames(
        lambda stream: head(stream)
        + padded(stream, b"fine", 3)
        + raw(DATA, PADDED | END_STREAM, stream, b"\xff" + bytes(255))
    ),
    "/fine/table-sizes": frames(
        lambda stream: headers(stream, table_size(0) + table_size(4096) + block(*STATUS))
        + data(stream, b"fine", ends=True)
    ),
    "/fine/indexed": frames(
        lambda stream: headers(stream, indexed_block(*STATUS, ("server", "tern")))
        + data(stream, b"fine", ends=True)
    ),
    "/fine/long-head": frames(
        lambda stream: long_headers(stream, block(*STATUS, *[("x", "y" * 1000)] * 200))
        + data(stream, b"fine", ends=True)
    ),
    "/fine/empty-continuation": frames(
        lambda stream: headers(stream, b"", flags=0)
        + raw(CONTINUATION, 0, stream)
        + raw(CONTINUATION, END_HEADERS, stream, block(*STATUS))
        + data(stream, b"fine", ends=True)
    ),
    "/fine/hints": frames(lambda stream: headers(stream, [(":status", "103")]) * 5 + answer(stream)),
    "/fine/trailers": frames(
        lambda stream: head(stream) + data(stream, b"fine") + headers(stream, [("a", "b")], ends=True)
    ),
    "/fine/data-after-end": after_end(lambda stream: data(stream, b"late")),
    "/fine/reset-after-end": after_end(lambda stream: reset(stream, 0)),
    "/fine/window-update-after-end": after_end(lambda stream: window_update(stream, 1)),
    "/fine/go-away": frames(lambda stream: go_away(stream) + answer(stream)),
    # The server stops in the middle.
    "/stop/before-head": lambda peer, stream: None,
    "/stop/after-head": frames(head),
    "/stop/within-content": frames(lambda stream: head(stream) + data(stream, b"part")),
    "/stop/within-frame": frames(lambda stream: head(stream) + data(stream, b"part of a frame")[:-3]),
    "/stop/within-block": open_block,
    "/stop/streams": frames(setting(3, 0), answer),
    "/stop/reading": lambda peer, stream: peer.stop_reading(),
    "/stop/granting": lambda peer, stream: None,
}
