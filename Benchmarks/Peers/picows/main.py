#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures picows on uvloop, with the arguments and the output of the other peers.

Uncompressed messages use the listener of picows, its fastest interface. Compressed messages use `picows.websockets`,
its only interface that compresses. The level is zlib's default, 6.
"""

import argparse
import asyncio
import json
import re
import resource
import statistics
import sys
import time

import picows
import picows.websockets
import uvloop

TEXT = picows.WSMsgType.TEXT


class Listener(picows.WSListener):
    """Counts messages as text, and lets senders wait until the connection accepts more bytes."""

    def __init__(self):
        self.received = 0
        self.bytes = 0
        self.writable = asyncio.Event()
        self.writable.set()

    def on_ws_frame(self, transport, frame):
        if frame.msg_type == TEXT:
            frame.get_payload_as_utf8_text()
            self.received += 1
            self.bytes += frame.payload_size
        elif frame.msg_type == picows.WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()

    def pause_writing(self):
        self.writable.clear()

    def resume_writing(self):
        self.writable.set()


class Echoes(picows.WSListener):
    """Sends each message after the echo of the previous one has arrived."""

    def __init__(self, messages, count):
        self.messages = messages
        self.count = count
        self.trips = []
        self.bytes = 0

    def start(self, transport):
        self.sent_at = time.perf_counter_ns()
        transport.send(TEXT, self.messages[len(self.trips) % len(self.messages)])

    def on_ws_frame(self, transport, frame):
        if frame.msg_type != TEXT:
            return
        frame.get_payload_as_utf8_text()
        self.trips.append(time.perf_counter_ns() - self.sent_at)
        self.bytes += frame.payload_size
        if len(self.trips) < self.count:
            self.start(transport)
        else:
            transport.disconnect()


# Each case connects, calls `start`, which starts the clock, and returns (messages, bytes, trips).


async def echo(arguments, messages, start):
    transport, listener = await picows.ws_connect(lambda: Echoes(messages, arguments.requests), arguments.url)
    start()
    listener.start(transport)
    await transport.wait_disconnected()
    return len(listener.trips), listener.bytes, listener.trips


async def receive(arguments, messages, start):
    transport, listener = await picows.ws_connect(Listener, arguments.url)
    start()
    transport.send(TEXT, b"go")
    await transport.wait_disconnected()
    return listener.received, listener.bytes, []


async def send(arguments, messages, start):
    transport, listener = await picows.ws_connect(Listener, arguments.url)
    start()
    count = 0
    for i in range(arguments.requests):
        message = messages[i % len(messages)]
        transport.send(TEXT, message)
        count += len(message)
        if not listener.writable.is_set():
            await listener.writable.wait()
    transport.send_close(picows.WSCloseCode.OK)
    await transport.wait_disconnected()
    return arguments.requests, count, []


def connect_compressed(arguments):
    return picows.websockets.connect(arguments.url, compression="deflate", max_size=None)


async def receive_compressed(arguments, messages, start):
    received = 0
    async with connect_compressed(arguments) as socket:
        start()
        await socket.send("go")
        async for _ in socket:
            received += 1
    return received, received * arguments.bytes, []


async def send_compressed(arguments, messages, start):
    texts = [message.decode() for message in messages]
    async with connect_compressed(arguments) as socket:
        start()
        for i in range(arguments.requests):
            await socket.send(texts[i % len(texts)])
    return arguments.requests, arguments.requests * arguments.bytes, []


def status(name):
    """One row of the process's status, in KiB."""
    with open("/proc/self/status") as file:
        return int(re.search(rf"^{name}:\s+(\d+)", file.read(), re.M)[1])


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=["ws-echo", "ws-receive", "ws-send"])
    parser.add_argument("--label")
    parser.add_argument("--url", required=True)
    parser.add_argument("--file", required=True)
    parser.add_argument("--bytes", type=int, default=64)
    parser.add_argument("--requests", type=int, default=1)
    parser.add_argument("--deflate", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.file, "rb") as file:
        content = file.read()
    messages = [content[at:at + arguments.bytes] for at in range(0, len(content), arguments.bytes)]
    result = {"peer": "picows", "case": arguments.label}

    def start():
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")  # resets the peak to the memory that is resident now
        result["rssIdleKiB"] = status("VmRSS")
        result["cpuSeconds"] = processor_seconds()
        result["seconds"] = time.perf_counter()

    if arguments.deflate:
        case = {"ws-receive": receive_compressed, "ws-send": send_compressed}[arguments.case]
    else:
        case = {"ws-echo": echo, "ws-receive": receive, "ws-send": send}[arguments.case]

    async def measure():
        result["requests"], result["bytes"], trips = await case(arguments, messages, start)
        result["seconds"] = time.perf_counter() - result["seconds"]
        result["cpuSeconds"] = processor_seconds() - result["cpuSeconds"]
        result["rssPeakKiB"] = status("VmHWM")
        return trips

    trips = uvloop.run(measure())
    if result["requests"] != arguments.requests:
        sys.exit(f"error: {result['requests']} messages instead of {arguments.requests}")
    if trips:
        result["p50Microseconds"] = statistics.median(trips) / 1e3
    print(json.dumps(result))


main()
