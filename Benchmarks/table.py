#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns raw results (one JSON object a line) into Markdown: medians, and ratios to the references.

The ratio of two peers is the median of their ratios within each round, because a slow phase of the machine slows both.
"""

import collections
import datetime
import json
import os
import platform
import re
import statistics
import sys

PEERS = [
    "wrk", "bare", "h2load", "h2load-http1", "zlib", "swift", "before", "copy", "tern", "tern-executor", "tern-http1",
    "tern-durable", "go", "reqwest", "libcurl", "undici", "ahc", "urlsession", "curl", "httpx", "nio", "nio-async",
    "gorilla", "beast", "picows",
]
TITLES = {
    "get-1": "Small GET, 1 in flight",
    "get-64": "Small GET, 64 in flight",
    "get-1000": "Small GET, 1000 in flight",
    "get-tls-1": "Small GET over TLS, 1 in flight",
    "get-tls-64": "Small GET over TLS, 64 in flight",
    "get-tls-1000": "Small GET over TLS, 1000 in flight",
    "start": "A new process, without a request",
    "first-1": "First call over TLS in a new process",
    "first-64": "64 first calls over TLS, all at once",
    "download": "Download to a file",
    "download-13": "Download of a photo to a file",
    "download-tls": "Download to a file over TLS",
    "download-tls-13": "Download of a photo to a file over TLS",
    "downloads-100": "100 downloads to files, all at once",
    "upload": "Upload from a file",
    "upload-13": "Upload of a photo from a file",
    "upload-tls": "Upload from a file over TLS",
    "upload-tls-13": "Upload of a photo from a file over TLS",
    "lines": "JSON lines, a string each",
    "events": "Server-sent events, a value each",
    "deltas": "Server-sent events, decoded",
    "values": "JSON lines, decoded",
    "data": "Data in memory",
    "gzip": "Data in memory, compressed with gzip",
    "brotli": "Data in memory, compressed with Brotli",
    "zstd": "Data in memory, compressed with Zstandard",
    "h2-get-1": "Small GET over HTTP/2, 1 in flight",
    "h2-get-64": "Small GET over HTTP/2, 64 in flight",
    "h2-get-256": "Small GET over HTTP/2, 256 in flight",
    "h2-get-1000": "Small GET over HTTP/2, 1000 in flight",
    "h2-download": "Download to a file over HTTP/2",
    "h2-upload": "Upload from a file over HTTP/2",
    "ws-echo": "WebSocket, a message there and back",
}
for deflate, by in ("", ""), ("deflate-", ", with permessage-deflate"):
    for kind, title in ("receive", "receiving"), ("send", "sending"):
        for size in "64", "1k", "16k", "1m":
            TITLES[f"ws-{kind}-{deflate}{size}"] = f"WebSocket, {title}{by}"
TITLES["weight-debug"] = "Debug build of an application"
TITLES["weight-release"] = "Release build of an application"
TITLES["weight-size"] = "Stripped program of that application"
TITLES["ws-idle"] = "WebSocket, idle"
TITLES["ws-idle-deflate"] = "WebSocket, idle, with permessage-deflate"


def growth(result):
    return (result["rssPeakKiB"] - result["rssIdleKiB"]) / 1024


# For each measure: its name, a function that takes its figure from one result, and its number of decimals.
GROWTH = ("RSS growth MiB", growth, 1)
PEAK = ("RSS peak MiB", lambda r: r["rssPeakKiB"] / 1024, 1)
GET = [
    ("req/s", lambda r: r["requests"] / r["seconds"], 0),
    ("CPU µs/req", lambda r: r["cpuSeconds"] / r["requests"] * 1e6, 1),
    GROWTH,
    PEAK,
]
FIRST = [
    ("ms", lambda r: r["seconds"] * 1e3, 1),
    ("CPU ms", lambda r: r["cpuSeconds"] * 1e3, 1),
    PEAK,
]
TRANSFER = [
    ("MB/s", lambda r: r["bytes"] / r["seconds"] / 1e6, 0),
    ("CPU s/GB", lambda r: r["cpuSeconds"] / r["bytes"] * 1e9, 2),
    GROWTH,
    PEAK,
]
DATA = TRANSFER[:3] + [("RSS growth ÷ body", lambda r: growth(r) * (1 << 20) / r["bytes"], 2), PEAK]
MESSAGES = [
    ("messages/s", lambda r: r["requests"] / r["seconds"], 0),
    ("CPU µs/message", lambda r: r["cpuSeconds"] / r["requests"] * 1e6, 2),
    GROWTH,
    PEAK,
]
STREAM = [("values/s", MESSAGES[0][1], 0), ("CPU µs/value", MESSAGES[1][1], 2), GROWTH, PEAK]
TRIPS = [("p50 µs", lambda r: r["p50Microseconds"], 1)] + MESSAGES
IDLE = [
    ("KiB/socket", lambda r: growth(r) * 1024 / r["requests"], 1),
    ("CPU µs/socket", MESSAGES[1][1], 0),
    PEAK,
]

# The results of Benchmarks/scripts/measure-weight.
BUILD = [("CPU s", lambda r: r["cpuSeconds"], 0), ("s", lambda r: r["seconds"], 0)]
SIZE = [("MiB", lambda r: r["bytes"] / (1 << 20), 1)]


def measures(case):
    """The measures, the reference peers, and the number of measures to compare with these peers."""
    if case.startswith("ws-idle"):
        return IDLE, [], 0
    if case.startswith("weight"):
        return SIZE if case == "weight-size" else BUILD, [], 0
    if case in ("events", "deltas", "values"):
        return STREAM, ["swift", "before", "go", "reqwest", "libcurl"], 2
    if case.startswith("ws"):
        return TRIPS if case == "ws-echo" else MESSAGES, ["zlib", "swift", "nio", "gorilla", "beast"], 2
    columns = TRANSFER
    if case.startswith(("get", "h2-get")):
        columns = GET
    elif case.startswith("first") or case == "start":
        columns = FIRST
    elif case in ("data", "gzip", "brotli", "zstd"):
        columns = DATA
    return columns, ["swift", "before", "go", "reqwest", "libcurl", "ahc", "tern-http1"], 2


def content(case, results):
    """The content of each request, or of all requests together; it is the same for all peers."""
    if case.startswith(("get", "first", "h2-get")):
        return "1 KiB"
    if case == "start":
        return "until it ends"
    if case.startswith("weight"):
        return "one GET"
    if case.startswith("ws-idle"):
        return f"{max(result['requests'] for peer in results.values() for result in peer)} sockets"
    each = case.startswith("ws")
    sizes = {r["bytes"] / (r["requests"] if each else 1) for peer in results.values() for r in peer}
    if len(sizes) > 1:
        sys.exit(f"error: the peers did not all see the same content in {case}: {sorted(sizes)} bytes")
    size = sizes.pop()
    if case in ("events", "deltas", "values"):
        return f"{number(max(r['requests'] for peer in results.values() for r in peer), 0)} values"
    if not each:
        return f"{number(size / 1e6, 1)} MB"
    exponent = 2 if size >= 1 << 20 else 1 if size >= 1 << 10 else 0
    return f"{size / 1024 ** exponent:g} {['B', 'KiB', 'MiB'][exponent]}"


def number(value, decimals):
    return f"{value:,.{decimals}f}".replace(",", "\u202f")


def ratio(own, reference, figure):
    """The median ratio of two peers over the rounds in which both ran; `None` if the ratio has no meaning."""
    base = {result["round"]: figure(result) for result in reference}
    pairs = [(figure(result), base[result["round"]]) for result in own if result["round"] in base]
    return statistics.median(value / other for value, other in pairs) if pairs and all(o > 0 for _, o in pairs) else None


def table(case, results):
    """`results` maps each peer to its results."""
    columns, references, ratios = measures(case)
    medians = {
        peer: [statistics.median(figure(result) for result in results[peer]) for _, figure, _ in columns]
        for peer in sorted(results, key=PEERS.index)
    }
    references = [peer for peer in references if peer in medians]
    head = ["peer"] + [name for name, _, _ in columns]
    head += [f"{name.split(' ')[0]} ÷ {peer}" for peer in references for name, _, _ in columns[:ratios]]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    for peer, own in medians.items():
        # These are not clients, so their memory has no meaning.
        hidden = [peer in ("wrk", "h2load", "h2load-http1", "swift") and name.startswith("RSS") for name, _, _ in columns]
        cells = ["–" if hide else number(value, columns[i][2]) for i, (value, hide) in enumerate(zip(own, hidden))]
        for reference in references:
            for (_, figure, _), hide in list(zip(columns, hidden))[:ratios]:
                value = None if hide else ratio(results[peer], results[reference], figure)
                cells.append("–" if value is None else f"{value:.2f}")
        lines.append([peer] + cells)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
    return found[1].strip() if found else platform.machine()


def machine():
    return f"{processor()}, {os.cpu_count()} cores, Linux {platform.release()}"


def read(path):
    """The raw results, for each case and each peer."""
    results = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(path) as file:
        for line in file:
            result = json.loads(line)
            results[result["case"]][result["peer"]].append(result)
    return results


def main():
    results = read(sys.argv[1])
    rounds = max((r["round"] for case in results.values() for peer in case.values() for r in peer), default=0)
    print(f"{datetime.date.today()}, {machine()}; ", end="")
    print(f"medians of {rounds} interleaved rounds, ratios within a round, server and client on loopback.")
    print("CPU is the client process's, user and system; RSS growth is from idle (HTTP: after a warm-up request, ", end="")
    print("WebSocket: once it is open) to the peak.")
    for case in sorted(results, key=list(TITLES).index):
        print(f"\n### {TITLES[case]} ({content(case, results[case])})\n\n{table(case, results[case])}")


if __name__ == "__main__":
    main()
