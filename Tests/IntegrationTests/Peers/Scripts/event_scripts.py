# SPDX-License-Identifier: Apache-2.0
"""Streams of events for the raw server, most of which end where a stream should not end."""

import zlib

from steps import Finished, gate, gates, reset

EVENTS = b"Content-Type: text/event-stream\r\n"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


def body(peer):
    """The body of the request, which has a length."""
    return peer.receive_bytes(int(peer.fields.get("content-length", "0")))


def cut(peer):
    """Sends the first ?at= bytes of the request's body, and closes the connection.

    With ?framing=chunked, all these bytes are in one chunk, which is not the last one. With ?framing=close, the
    response ends with the connection. With a ?gate=, the server waits for it, and then resets the connection.
    """
    start = body(peer)[: int(peer.query["at"])]
    head = OK + b"Content-Type: %b\r\n" % peer.query.get("type", "text/event-stream").encode()
    if peer.query["framing"] == "close":
        peer.send(head + b"\r\n" + start)
    else:
        peer.send(head + CHUNKED + (chunk(start) if start else b""))
    if "gate" in peer.query:
        gate(peer)
        reset(peer)
    raise Finished


def event(number, text):
    return b"id: %d\ndata: %b\n\n" % (number, text)


def flushed(compressor, number):
    """An event, compressed so that the client can read it before the next one is sent."""
    return compressor.compress(event(number, b"packed " * 10)) + compressor.flush(zlib.Z_SYNC_FLUSH)


def packed(peer):
    """Three events in the ?coding=; the server flushes each one, and then waits for the gate ?gate=-NUMBER."""
    coding = peer.query["coding"]
    compressor = zlib.compressobj(wbits=31 if coding == "gzip" else 15)
    peer.send(OK + EVENTS + b"Content-Encoding: %b\r\n" % coding.encode() + CHUNKED)
    for number in range(3):
        peer.send(chunk(flushed(compressor, number)))
        if not gates[f"{peer.query['gate']}-{number}"].wait(60):
            raise Finished
    peer.send(chunk(compressor.flush()) + chunk(b""))


def cut_packed(peer):
    """The first ?events= of three events with gzip and ?more= bytes of the next; then closes the connection."""
    compressor = zlib.compressobj(wbits=31)
    parts = [flushed(compressor, number) for number in range(3)] + [compressor.flush()]
    count, more = int(peer.query["events"]), int(peer.query["more"])
    data = b"".join(parts[:count]) + parts[count][:more]
    peer.send(OK + EVENTS + b"Content-Encoding: gzip\r\n" + CHUNKED + (chunk(data) if data else b""))
    raise Finished


def resumed(peer):
    """The events after the Last-Event-ID, two in each response, each of which ends in another way; 204 after ?count=.

    The first event tells the client to wait for ?retry= milliseconds. The fields of the response tell the method and
    the Last-Event-ID of the request.
    """
    body(peer)
    last = peer.fields.get("last-event-id")
    told = b"X-Method: %b\r\n" % peer.method.encode() + (b"X-Last: %b\r\n" % last.encode() if last else b"")
    first = int(last or 0) + 1
    if first > int(peer.query["count"]):
        peer.send(b"HTTP/1.1 204 No Content\r\n" + told + b"\r\n")
        return
    peer.send(OK + EVENTS + told + CHUNKED)
    retry = b"retry: %d\n" % int(peer.query.get("retry", "1"))
    peer.send(chunk(retry + event(first, b"one") + event(first + 1, b"two")))
    ending = (first // 2) % 3
    if ending == 0:
        peer.send(chunk(b""))
        return
    if ending == 1:
        peer.send(chunk(event(first + 2, b"not all of it")[:-2]))
    raise Finished


SCRIPTS = {
    "/events/cut": [cut],
    "/events/packed": [packed],
    "/events/packed-cut": [cut_packed],
    "/events/resumed": [resumed],
}
