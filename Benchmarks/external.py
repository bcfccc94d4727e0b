#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a peer that is a command, with the arguments and the output of the other peers.

external.py curl|wrk|h2load CASE ...
external.py processes COUNT PEER...

The second form measures whole processes of another peer, from the outside: it runs the command PEER... in COUNT
processes, one after the other, and prints the medians of their times from start to end.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
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

    The peak is polled, because the kernel's figure for an ended child includes the memory of its parent at the fork.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:  # not a pipe: it would fill up while the child runs
        child = subprocess.Popen(command, stdout=output)
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
        output.seek(0)
        return output.read(), seconds, usage.ru_utime + usage.ru_stime, peak


def curl(arguments):
    base = ["curl", "--silent", "--show-error", "--no-progress-meter", "--fail"]
    base += ["--write-out", "%{http_version} %{response_code} %{num_connects}\\n"]
    base += {"1.1": ["--http1.1"], "2": ["--http2"], None: []}[arguments.http]
    if arguments.ca:
        base += ["--cacert", arguments.ca]
    origin = re.match(r"\w+://[^/]+", arguments.url)[0]
    idle = max(run(base + ["--output", os.devnull, origin + "/small"], pause=0)[3] for _ in range(3))

    def transfer(options, count=1):
        text, *figures = run(base + options, pause=0.002)
        lines = text.splitlines()
        expected = f"{arguments.http or '1.1'} 200"
        if len(lines) != count or any(line.rpartition(" ")[0] != expected for line in lines):
            sys.exit(f"error: not {count} times {expected!r} but {set(lines)}")
        connections = sum(int(line.rpartition(" ")[2]) for line in lines)
        if connections != 1:
            sys.exit(f"error: {connections} connections")
        return figures

    def gets(count):
        # For one request in flight, curl is faster without --parallel.
        options = ["--parallel", "--parallel-max", str(arguments.concurrency)] if arguments.concurrency > 1 else []
        return transfer([*options, "--output", os.devnull, f"{arguments.url}?[1-{count}]"], count)

    count = 1
    if arguments.case == "get":
        sample = 1000
        count = round(arguments.seconds * sample / gets(sample)[0])
        seconds, cpu, peak = gets(count)
    elif arguments.case == "download":
        seconds, cpu, peak = transfer(["--output", arguments.file, arguments.url])
    else:
        seconds, cpu, peak = transfer(["--output", os.devnull, "--upload-file", arguments.file, arguments.url])
    return {
        "requests": count, "bytes": os.path.getsize(arguments.file) if arguments.file else 0, "seconds": seconds,
        "cpuSeconds": cpu, "rssIdleKiB": idle, "rssPeakKiB": max(idle, peak),
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


def h2load(arguments):
    command = ["h2load", "--threads", "1"]
    if arguments.http == "1.1":  # each request in flight needs a connection
        protocol = "http/1.1"
        command += ["--h1", "--clients", str(arguments.concurrency)]
    else:
        protocol = "h2"
        command += ["--clients", "1", "--max-concurrent-streams", str(arguments.concurrency)]
    if arguments.case == "get":
        command += ["--duration", f"{round(arguments.seconds * 1000)}ms"]
    else:
        command += ["--requests", "1"]
    if arguments.case == "upload":
        command += ["--data", arguments.file]
    text, seconds, cpu, _ = run([*command, arguments.url], pause=0.002)

    def figure(pattern):
        found = re.search(pattern, text)
        if not found:
            sys.exit(f"error: unexpected output of h2load:\n{text}")
        return int(found[1])

    if f"Application protocol: {protocol}\n" not in text or figure(r" (\d+) failed,") > 0:
        sys.exit(f"error: not {protocol}, or not all requests succeeded:\n{text}")
    sent = arguments.case == "upload"
    return {
        "requests": figure(r"(\d+) succeeded"),
        "bytes": os.path.getsize(arguments.file) if sent else figure(r"traffic: .* \((\d+)\) data"),
        "seconds": arguments.seconds if arguments.case == "get" else seconds, "cpuSeconds": cpu,
        "rssIdleKiB": 0, "rssPeakKiB": 0,
    }


def process(command):
    """Runs `command`; returns the result that it prints, with the seconds and processor seconds of the process.

    Its peak memory is its own figure, for the reason above.
    """
    reading, writing = os.pipe()
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)])
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    os.close(writing)
    with open(reading) as output:
        text = output.read()
    if status != 0:
        sys.exit(f"error: {command[0]} ended with status {os.waitstatus_to_exitcode(status)}")
    return json.loads(text) | {"seconds": seconds, "cpuSeconds": usage.ru_utime + usage.ru_stime, "rssIdleKiB": 0}


def processes(count, command):
    command = [shutil.which(command[0]) or command[0], *command[1:]]
    process(command)  # brings the program's files into memory
    results = [process(command) for _ in range(count)]
    if len({(result["requests"], result["bytes"]) for result in results}) != 1:
        sys.exit("error: the processes did not all do the same")
    measured = ("seconds", "cpuSeconds", "rssPeakKiB")
    return results[0] | {name: statistics.median(result[name] for result in results) for name in measured}


def main():
    if sys.argv[1:2] == ["processes"]:
        print(json.dumps(processes(int(sys.argv[2]), sys.argv[3:])))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=["curl", "wrk", "h2load"])
    parser.add_argument("case")
    parser.add_argument("--label")
    parser.add_argument("--http", choices=["1.1", "2"])
    parser.add_argument("--url", required=True)
    parser.add_argument("--file")
    parser.add_argument("--ca")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    result = {"curl": curl, "wrk": wrk, "h2load": h2load}[arguments.peer](arguments)
    print(json.dumps({"peer": arguments.peer, "case": arguments.label or arguments.case, **result}))


main()
