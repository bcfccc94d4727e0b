#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a peer that is a command: `external.py curl|wrk CASE ...`, with the arguments and the output of the others."""

import argparse
import json
import os
import re
import subprocess
import sys
import time


def peak_kib(pid):
    """The peak memory of process `pid` in KiB; None if the process has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            found = re.search(r"^VmHWM:\s+(\d+)", status.read(), re.M)
            return int(found[1]) if found else None
    except OSError:
        return None


def run(command, pause):
    """Runs `command`; returns its output, seconds, processor seconds and peak memory.

    The peak is polled: the kernel's own figure for an ended child counts what its parent held when it forked.
    """
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, peak_kib(child.pid) or 0)
        time.sleep(pause)
    seconds = time.monotonic() - start
    if status != 0:
        sys.exit(f"error: {command[0]} ended with status {os.waitstatus_to_exitcode(status)}")
    return child.stdout.read(), seconds, usage.ru_utime + usage.ru_stime, peak


def curl(arguments):
    base = ["curl", "--silent", "--show-error", "--fail"]
    if arguments.ca:
        base += ["--cacert", arguments.ca]
    origin = re.match(r"\w+://[^/]+", arguments.url)[0]
    idle = max(run(base + ["--output", os.devnull, origin + "/small"], pause=0)[3] for _ in range(3))
    transfer = {
        "download": ["--output", arguments.file, arguments.url],
        "upload": ["--upload-file", arguments.file, arguments.url],
    }[arguments.case]
    _, seconds, cpu, peak = run(base + transfer, pause=0.002)
    return {
        "requests": 1, "bytes": os.path.getsize(arguments.file), "seconds": seconds, "cpuSeconds": cpu,
        "rssIdleKiB": idle, "rssPeakKiB": max(idle, peak),
    }


def wrk(arguments):
    options = ["--threads", "1", "--connections", str(arguments.concurrency)]
    options += ["--duration", str(max(1, round(arguments.seconds)))]
    text, _, cpu, _ = run(["wrk", *options, arguments.url], pause=0.1)
    count, seconds = re.search(r"(\d+) requests in ([\d.]+)s", text).groups()
    return {
        "requests": int(count), "bytes": 0, "seconds": float(seconds), "cpuSeconds": cpu,
        "rssIdleKiB": 0, "rssPeakKiB": 0,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=["curl", "wrk"])
    parser.add_argument("case")
    parser.add_argument("--label")
    parser.add_argument("--url", required=True)
    parser.add_argument("--file")
    parser.add_argument("--ca")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    result = {"curl": curl, "wrk": wrk}[arguments.peer](arguments)
    print(json.dumps({"peer": arguments.peer, "case": arguments.label or arguments.case, **result}))


main()
