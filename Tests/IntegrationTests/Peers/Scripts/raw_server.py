#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers each path in another way, mostly a wrong one, so that a test can choose a fault by its path.

Usage: raw_server.py REPORT COUNT [CERTIFICATE KEY]. Listens on COUNT ports of the loopback interface that the system
chooses. All ports answer alike, so that a test can use one alone. The queue of one more port is full, so connecting to
it never ends. The server writes the ports to the file REPORT, one on each line, the full one last. With a certificate,
all ports use TLS.
"""

import gzip
import os
import selectors
import socket
import ssl
import sys
import threading
from urllib.parse import parse_qs, urlsplit

import authentication_scripts
import coding_scripts
import digest_scripts
import event_scripts
import scenario_scripts
import websocket_scripts
from steps import Finished, close, drip, endless, gate, gates, half_close, never_read, reset, stall

# MARK: Parts of answers


def body(text, *fields):
    """A whole response."""
    head = ["HTTP/1.1 200 OK", f"Content-Length: {len(text)}", *fields]
    return ("\r\n".join(head) + "\r\n\r\n" + text).encode()


OK = b"HTTP/1.1 200 OK\r\n"
TEN = OK + b"Content-Length: 10\r\n\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"

# MARK: The steps for each path, after the server has read the request's head. After the last step, it reads the next head.

SCRIPTS = {
    "/fine": [body("fine")],
    # The connection ends.
    "/close-before-head": [close],
    "/close-in-head": [OK + b"Content-Le", close],
    "/close-in-body": [TEN + b"four", close],
    "/close-in-chunk": [CHUNKED + b"a\r\nfour", close],
    "/close-after-chunk": [CHUNKED + b"4\r\nfour\r\n", close],
    "/close-in-trailers": [CHUNKED + b"4\r\nfour\r\n0\r\nA: b\r\n", close],
    "/close-after-hints": [HINTS, close],
    "/reset-before-head": [reset],
    "/reset-in-head": [OK + b"Content-Le", reset],
    "/reset-in-body": [TEN + b"four", gate, reset],
    "/reset-in-chunk": [CHUNKED + b"a\r\nfour", gate, reset],
    "/reset-until-close": [OK + b"\r\nfour", gate, reset],
    # The connection stays open, but the server sends nothing more.
    "/stall-before-head": [stall],
    "/stall-in-head": [OK + b"Content-Le", stall],
    "/stall-after-hints": [HINTS, stall],
    "/stall-before-body": [TEN, stall],
    "/stall-in-body": [TEN + b"four", stall],
    "/stall-in-chunk": [CHUNKED + b"a\r\nfour", stall],
    "/stall-in-lines": [OK + b"\r\none\ntwo\nthr", stall],
    "/drip": [drip(body("slowly" * 60))],
    "/drip-chunks": [drip(CHUNKED + b"3\r\nslo\r\n3;x=y\r\nwly\r\n" * 22 + b"0\r\nA: b\r\n\r\n")],
    "/drip-for-ever": [OK + b"\r\n", endless(b"x"), close],
    # The framing is wrong.
    "/longer-than-announced": [body("fine") + b"and more"],
    "/two-answers": [body("fine") + body("another")],
    "/both-framings": [OK + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n", close],
    "/two-lengths": [OK + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nfour", close],
    "/negative-length": [OK + b"Content-Length: -4\r\n\r\nfour", close],
    "/unknown-coding": [OK + b"Transfer-Encoding: x-squeeze\r\n\r\nfour", close],
    "/gzip-after-chunked": [OK + b"Transfer-Encoding: chunked, gzip\r\n\r\nfour", close],
    "/gzip-to-the-end": [OK + b"Transfer-Encoding: gzip\r\n\r\n" + gzip.compress(b"four"), close],
    "/no-gzip-to-the-end": [OK + b"Transfer-Encoding: gzip\r\n\r\nfour", close],
    "/chunked-twice": [OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n", close],
    "/chunked-twice-and-gzip": [OK + b"Transfer-Encoding: chunked, gzip, chunked\r\n\r\n0\r\n\r\n", close],
    "/endless-extensions": [CHUNKED, endless(b"1;" + b"x" * 4000 + b"\r\nx\r\n")],
    "/bad-chunk-size": [CHUNKED + b"four\r\nfour\r\n0\r\n\r\n", close],
    "/huge-chunk-size": [CHUNKED + b"fffffffffffffffff\r\n", stall],
    "/short-chunk": [CHUNKED + b"5\r\nfour\r\n0\r\n\r\n", close],
    "/long-chunk": [CHUNKED + b"3\r\nfour\r\n0\r\n\r\n", close],
    "/endless-chunk-line": [CHUNKED + b"4;", endless(b"x" * 1000)],
    "/endless-trailers": [CHUNKED + b"0\r\n", endless(b"A: b\r\n" * 100)],
    # The head is not a valid head.
    "/banner": [b"SSH-2.0-OpenSSH_9.2p1\r\n", stall],
    "/noise": [bytes(range(256)) * 4, stall],
    "/http2": [b"\x00\x00\x12\x04\x00\x00\x00\x00\x00", stall],
    "/version": [b"HTTP/3.0 200 OK\r\n\r\n", stall],
    "/status": [b"HTTP/1.1 2000 OK\r\n\r\n", stall],
    "/nul": [OK + b"A: b\0c\r\n\r\n", stall],
    "/bare-cr": [OK + b"A: b\rC: d\r\n\r\n", stall],
    "/folded-length": [OK + b"Content-Length:\r\n 4\r\n\r\nfour", stall],
    "/space-before-length": [OK + b"Content-Length : 4\r\n\r\nfour", stall],
    "/space-in-length": [OK + b"Content Length: 4\r\n\r\nfour", stall],
    "/no-colon": [OK + b"Ab\r\n\r\n", stall],
    "/long-fields": [OK, *[b"A: " + b"b" * 1000 + b"\r\n"] * 10_000, b"\r\n", stall],
    "/many-fields": [OK + b"A: b\r\n" * 1001 + b"\r\n", stall],
    "/endless-head": [OK, endless(b"A: " + b"b" * 1000 + b"\r\n")],
    "/endless-hints": [endless(HINTS)],
    "/upgrade": [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", stall],
    # A tunnel to port 8443 (of host and port, only the port remains as the path), which sends bytes before TLS begins.
    "8443": [OK + b"\r\n" + body("slipped in"), stall],
    # Unusual, but right.
    "/bare-lf": [body("fine", "A: b").replace(b"\r\n", b"\n")],
    "/folded": [body("fine", "A: b\r\n c")],
    "/two-words": [body("fine", "X-Cache Status: hit")],
    "/space-before-colon": [body("fine", "A : b")],
    "/control-character": [body("fine", "Set-Cookie: a=\x07", "A: b\x1b")],
    "/equal-lengths": [body("fine", "Content-Length: 4")],
    "/chunked-http10": [CHUNKED.replace(b"1.1", b"1.0") + b"4\r\nfour\r\n0\r\n\r\n"],
    "/hints": [HINTS, HINTS, body("fine")],
    "/until-close": [OK + b"\r\nall of it", close],
    "/half-close": [body("fine"), half_close],
    "/connection-close": [body("fine", "Connection: close"), close],
    "/http10": [b"HTTP/1.0 200 OK\r\n\r\nold", close],
    "/no-reason": [b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nfine"],
    "/two-cookies": [body("fine", "Set-Cookie: a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "Set-Cookie: b=2")],
    "/moved-nowhere": [b"HTTP/1.1 301 Moved Permanently\r\nContent-Length: 7\r\n\r\nnowhere"],
    "/moved-nowhere-empty": [b"HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\n\r\n"],
    # The server answers before it has read the whole request.
    "/early-413": [TOO_LARGE, half_close],
    "/early-413-close": [TOO_LARGE, close],
    "/early-413-reset": [TOO_LARGE, reset],
    "/never-reads": [never_read],
    "/close-in-upload": [lambda peer: peer.receive_exactly(100_000), close],
    "/reset-in-upload": [lambda peer: peer.receive_exactly(100_000), reset],
}

# MARK: Answers that need a function


def upload(peer):
    """Reads the body, and answers with its length and with the request's Expect field."""
    expects = peer.fields.get("expect", "nothing")
    peer.send(body(f"{peer.receive_body()} {expects}"))


def invite(peer):
    """Sends 100 Continue, and then does the same as upload."""
    peer.send(CONTINUE)
    upload(peer)


def refuse_expectation(peer):
    """Refuses a request with Expect, and reads the body of any other request."""
    if "expect" in peer.fields:
        peer.send(b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        raise Finished
    upload(peer)


def decline(peer):
    """Sends a final response while the client waits for 100 Continue."""
    peer.send(TOO_LARGE)
    half_close(peer)


def duplex(peer):
    """Sends the body back while it arrives. The body must have a length."""
    rest = int(peer.fields["content-length"])
    peer.send(OK + b"Content-Length: %d\r\n\r\n" % rest)
    while rest > 0:
        piece = peer.receive()
        if not piece:
            raise Finished
        peer.send(piece)
        rest -= len(piece)


def stale(ending):
    """Answers one request on each connection, and ends the connection at the next request."""

    def answer(peer):
        peer.receive_body()
        if peer.request_count > 1:
            ending(peer)
        peer.send(body("fine"))

    return answer


def open_gate(peer):
    gates[peer.query["gate"]].set()
    peer.send(body("open"))


def flood(peer):
    """A body of ?bytes= bytes."""
    count = int(peer.query["bytes"])
    peer.send(OK + b"Content-Length: %d\r\n\r\n" % count)
    piece = b"x" * 65536
    while count > 0:
        peer.send(piece[:count])
        count -= len(piece)


SCRIPTS |= {
    "/upload": [upload],
    "/invite": [invite],
    "/refuse-expectation": [refuse_expectation],
    "/decline": [decline],
    "/duplex": [duplex],
    "/stale-close": [stale(close)],
    "/stale-reset": [stale(reset)],
    "/open": [open_gate],
    "/flood": [flood],
}
MODULES = [
    websocket_scripts, coding_scripts, authentication_scripts, scenario_scripts, digest_scripts, event_scripts,
]
for module in MODULES:
    if twice := SCRIPTS.keys() & module.SCRIPTS.keys():
        sys.exit(f"two scripts answer {', '.join(sorted(twice))}")
    SCRIPTS |= module.SCRIPTS

# MARK: Connections


class Peer:
    """One connection, and the current request on it."""

    def __init__(self, connection, tls):
        self.socket = connection
        self.tls = tls
        self.buffer = b""
        self.request_count = 0
        self.method, self.target = "", ""
        self.path, self.query, self.fields = "", {}, {}
        self.field_lines = []

    def serve(self):
        try:
            if self.tls:
                self.socket = self.tls.wrap_socket(self.socket, server_side=True)
            with self.socket:
                while self.read_head():
                    for step in SCRIPTS[self.path]:
                        self.send(step) if isinstance(step, bytes) else step(self)
        except (Finished, OSError):
            pass

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        data, self.buffer = self.buffer, b""
        return data or self.socket.recv(65536)

    def receive_until(self, end):
        while end not in self.buffer:
            data = self.socket.recv(65536)
            if not data:
                raise Finished
            self.buffer += data
        result, _, self.buffer = self.buffer.partition(end)
        return result

    def receive_bytes(self, count):
        """Exactly `count` bytes."""
        while len(self.buffer) < count:
            data = self.socket.recv(65536)
            if not data:
                raise Finished
            self.buffer += data
        result, self.buffer = self.buffer[:count], self.buffer[count:]
        return result

    def receive_exactly(self, count):
        """Reads and discards `count` bytes."""
        while count > 0:
            data = self.receive()
            if not data:
                raise Finished
            data, self.buffer = data[:count], data[count:]
            count -= len(data)

    def read_head(self):
        lines = self.receive_until(b"\r\n\r\n").decode().split("\r\n")
        self.method, self.target, _ = lines[0].split(" ")
        target = urlsplit(self.target)
        self.path = target.path
        self.query = {name: values[0] for name, values in parse_qs(target.query).items()}
        pairs = (line.split(":", 1) for line in lines[1:])
        self.field_lines = [(name, value.strip()) for name, value in pairs]
        self.fields = {name.lower(): value for name, value in self.field_lines}
        self.request_count += 1
        return True

    def receive_body(self):
        """Reads and discards the body, and returns its length."""
        length = int(self.fields.get("content-length", 0))
        if "transfer-encoding" not in self.fields:
            self.receive_exactly(length)
            return length
        while size := int(self.receive_until(b"\r\n"), 16):
            self.receive_exactly(size)
            self.receive_until(b"\r\n")
            length += size
        self.receive_until(b"\r\n")
        return length


def listen(backlog):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(backlog)
    return listener


def full_listener():
    """A listener whose queue is full, so that the system ignores further connections."""
    listener = listen(0)
    waiting = [socket.socket() for _ in range(4)]
    for connection in waiting:
        connection.setblocking(False)
        connection.connect_ex(listener.getsockname())
    return listener, waiting


def main():
    report, count = sys.argv[1], int(sys.argv[2])
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH) if len(sys.argv) > 3 else None
    if tls:
        tls.load_cert_chain(*sys.argv[3:])
    listeners = [listen(128) for _ in range(count)]
    full, waiting = full_listener()
    ports = [str(each.getsockname()[1]) for each in [*listeners, full]]
    with open(report + ".new", "w") as file:
        file.write("\n".join(ports) + "\n")
    os.rename(report + ".new", report)

    selector = selectors.DefaultSelector()
    for listener in listeners:
        selector.register(listener, selectors.EVENT_READ)
    while waiting:
        for key, _ in selector.select():
            connection, _ = key.fileobj.accept()
            threading.Thread(target=Peer(connection, tls).serve, daemon=True).start()


main()
