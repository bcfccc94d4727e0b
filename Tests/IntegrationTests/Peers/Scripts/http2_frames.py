# SPDX-License-Identifier: Apache-2.0
"""The frames of HTTP/2 and the field blocks of HPACK as bytes, right or wrong."""

import struct

from hpack import Encoder
from hyperframe.frame import (
    AltSvcFrame,
    ContinuationFrame,
    DataFrame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    PriorityFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
ALTSVC, ORIGIN, PRIORITY_UPDATE, UNKNOWN = 0xA, 0xC, 0x10, 0x77
END_STREAM, END_HEADERS, PADDED, ACK = 0x1, 0x4, 0x8, 0x1
LARGEST = 2**31 - 1


def raw(kind, flags=0, stream=0, payload=b""):
    """Any frame, even one that no library would write."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


# MARK: Frames that a library writes


def settings(values=None):
    return SettingsFrame(0, values or {}).serialize()


def settings_ack():
    return SettingsFrame(0, flags=["ACK"]).serialize()


def ping(opaque=b"tern\0\0\0\0", is_answer=False):
    return PingFrame(0, opaque, flags=["ACK"] if is_answer else []).serialize()


def data(stream, content=b"", ends=False):
    return DataFrame(stream, content, flags=["END_STREAM"] if ends else []).serialize()


def padded(stream, content, length):
    return DataFrame(stream, content, pad_length=length, flags=["PADDED"]).serialize()


def reset(stream, code=2):
    return RstStreamFrame(stream, code).serialize()


def go_away(last, code=0):
    return GoAwayFrame(0, last, code).serialize()


def window_update(stream, increment):
    return WindowUpdateFrame(stream, increment).serialize()


def priority(stream):
    return PriorityFrame(stream, depends_on=0, stream_weight=15, exclusive=False).serialize()


def alternative_service(stream=0):
    return AltSvcFrame(stream, origin=b"example.com" if not stream else b"", field=b'h3=":443"').serialize()


# MARK: Field blocks


def block(*fields):
    """A field block whose fields enter no table, so that it may be sent on any connection at any time."""
    result = b""
    for name, value in fields:
        result += b"\x10" + string(name.encode("latin-1")) + string(value.encode("latin-1"))
    return result


def indexed_block(*fields):
    """A field block as a library writes it: with Huffman codes and the dynamic table."""
    return Encoder().encode(list(fields))


def integer(value, prefix, first=0):
    """An integer of HPACK (RFC 7541 §5.1)."""
    limit = (1 << prefix) - 1
    if value < limit:
        return bytes([first | value])
    result, value = bytes([first | limit]), value - limit
    while value >= 128:
        result, value = result + bytes([value % 128 + 128]), value // 128
    return result + bytes([value])


def string(value):
    return integer(len(value), 7) + value


def table_size(value):
    return integer(value, 5, 0x20)


def headers(stream, fields, ends=False, flags=END_HEADERS):
    """HEADERS with a field block, or with a list of fields."""
    payload = fields if isinstance(fields, bytes) else block(*fields)
    return raw(HEADERS, flags | (END_STREAM if ends else 0), stream, payload)


def long_headers(stream, payload, ends=False):
    """A long field block in HEADERS and CONTINUATION."""
    pieces = [payload[start : start + 16384] for start in range(0, len(payload), 16384)]
    frames = [HeadersFrame(stream, pieces[0], flags=["END_STREAM"] if ends else [])]
    frames += [ContinuationFrame(stream, piece) for piece in pieces[1:]]
    frames[-1].flags.add("END_HEADERS")
    return b"".join(frame.serialize() for frame in frames)


STATUS = [(":status", "200")]


def head(stream, *fields):
    return headers(stream, STATUS + list(fields))


def answer(stream, text="fine", *fields):
    return head(stream, *fields) + data(stream, text.encode(), ends=True)
