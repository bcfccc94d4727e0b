#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns raw results (one JSON object a line) into Markdown: medians, and their ratios to the references."""

import collections
import datetime
import json
import os
import platform
import re
import statistics
import sys

REFERENCES = ["ahc", "curl"]
RATIOS = 3  # how many of a case's measures are set against the references
PEERS = ["wrk", "tern", "tern-executor", "ahc", "urlsession", "curl"]
TITLES = {
    "get-1": "Small GET, 1 in flight",
    "get-64": "Small GET, 64 in flight",
    "get-tls-1": "Small GET over TLS, 1 in flight",
    "get-tls-64": "Small GET over TLS, 64 in flight",
    "download": "Download to a file",
    "download-13": "Download of a photo to a file",
    "upload": "Upload from a file",
    "lines": "JSON lines, a string each",
    "data": "Data in memory",
}


def growth(result):
    return (result["rssPeakKiB"] - result["rssIdleKiB"]) / 1024


# Per measure: its name, its figure from one result, its decimals.
PEAK = ("RSS peak MiB", lambda r: r["rssPeakKiB"] / 1024, 1)


GET = [
    ("req/s", lambda r: r["requests"] / r["seconds"], 0),
    ("CPU µs/req", lambda r: r["cpuSeconds"] / r["requests"] * 1e6, 1),
    ("RSS growth MiB", growth, 1),
    PEAK,
]
TRANSFER = [
    ("MB/s", lambda r: r["bytes"] / r["seconds"] / 1e6, 0),
    ("CPU s/GB", lambda r: r["cpuSeconds"] / r["bytes"] * 1e9, 2),
    ("RSS growth MiB", growth, 1),
    PEAK,
]
DATA = TRANSFER[:RATIOS] + [("RSS growth ÷ body", lambda r: growth(r) * (1 << 20) / r["bytes"], 2), PEAK]


def measures(case):
    return GET if case.startswith("get") else DATA if case == "data" else TRANSFER


def number(value, decimals):
    return f"{value:,.{decimals}f}".replace(",", "\u202f")


def table(case, results):
    """`results` maps each peer to its results."""
    columns = measures(case)
    medians = {
        peer: [statistics.median(figure(result) for result in results[peer]) for _, figure, _ in columns]
        for peer in sorted(results, key=PEERS.index)
    }
    references = [peer for peer in REFERENCES if peer in medians]
    head = ["peer"] + [name for name, _, _ in columns]
    head += [f"{name.split(' ')[0]} ÷ {peer}" for peer in references for name, _, _ in columns[:RATIOS]]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    for peer, own in medians.items():
        # wrk is a ceiling, not a client: its memory says nothing.
        hidden = [peer == "wrk" and name.startswith("RSS") for name, _, _ in columns]
        cells = ["–" if hide else number(value, columns[i][2]) for i, (value, hide) in enumerate(zip(own, hidden))]
        for reference in references:
            for value, base, hide in list(zip(own, medians[reference], hidden))[:RATIOS]:
                cells.append("–" if hide or base <= 0 else f"{value / base:.2f}")
        lines.append([peer] + cells)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
    return found[1].strip() if found else platform.machine()


def main():
    results = collections.defaultdict(lambda: collections.defaultdict(list))
    rounds = 0
    with open(sys.argv[1]) as file:
        for line in file:
            result = json.loads(line)
            results[result["case"]][result["peer"]].append(result)
            rounds = max(rounds, result["round"])
    print(f"{datetime.date.today()}, {processor()}, {os.cpu_count()} cores, Linux {platform.release()}; ", end="")
    print(f"medians of {rounds} interleaved rounds, server and client on loopback.")
    print("CPU is the client process's, user and system; RSS growth is from idle after a warm-up request to the peak.")
    for case in sorted(results, key=list(TITLES).index):
        size = "1 KiB"
        if not case.startswith("get"):
            sizes = {result["bytes"] for peer in results[case].values() for result in peer}
            if len(sizes) > 1:
                sys.exit(f"error: the peers did not all see the same content in {case}: {sorted(sizes)} bytes")
            size = f"{number(sizes.pop() / 1e6, 1)} MB"
        print(f"\n### {TITLES[case]} ({size})\n\n{table(case, results[case])}")


main()
