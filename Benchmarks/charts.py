#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the published medians as bar charts, the light chart-*.svg of the documentation. scripts/tools/diagrams makes the dark ones.

    Benchmarks/charts.py           draws the charts of Documentation/Performance/figures.json
    Benchmarks/charts.py RAW       puts the medians of raw results (one JSON object a line) into that file first
    Benchmarks/charts.py --check   fails if a chart is not what the file gives, or if a page does not show it, instead

New medians replace all former ones of their case, because only peers that ran interleaved can be compared.
"""

import datetime
import fnmatch
import json
import os
import pathlib
import statistics
import subprocess
import sys
import textwrap
from typing import NamedTuple
from xml.sax.saxutils import escape

import table

FIGURES = pathlib.Path("Documentation/Performance/figures.json")
CHARTS = pathlib.Path("Sources/Tern/Tern.docc/Resources")
# For each page that shows the charts, how it refers to one.
PAGES = {
    "Documentation/Performance.md": f'"../{CHARTS}/chart-%s.svg"',
    "Sources/Tern/Tern.docc/Articles/Performance.md": "(chart-%s)",
}


class Chart(NamedTuple):
    name: str  # not the beginning of another one: scripts/tools/test_docs.py looks for names
    title: str
    measure: str  # how the name of the measure begins; empty: the first measure of each case
    cases: list[str]  # patterns


ALL = [
    Chart("http1-requests", "Small requests over HTTP/1.1", "", ["get-*"]),
    Chart("http2-requests", "Small requests over HTTP/2", "", ["h2-get-*"]),
    Chart("first-calls", "Start and first calls of a client", "", ["start", "first-*"]),
    Chart("http1-transfers", "Large bodies over HTTP/1.1", "", ["download*", "upload*", "data"]),
    Chart("http2-transfers", "Large bodies over HTTP/2", "", ["h2-download*", "h2-upload*"]),
    Chart("streams", "Streams of lines, events and values", "", ["lines", "events", "deltas", "values"]),
    Chart("codecs", "Compressed bodies in memory", "", ["gzip", "brotli", "zstd"]),
    Chart("websocket-echo", "WebSocket: echo", "", ["ws-echo"]),
    Chart("websocket-receiving", "WebSocket: receiving", "", ["ws-receive-[0-9]*"]),
    Chart("websocket-sending", "WebSocket: sending", "", ["ws-send-[0-9]*"]),
    Chart("deflate-receiving", "permessage-deflate: receiving", "", ["ws-receive-deflate-*"]),
    Chart("deflate-sending", "permessage-deflate: sending", "", ["ws-send-deflate-*"]),
    Chart("http1-cpu", "Processor time over HTTP/1.1", "CPU", ["get-*"]),
    Chart("http2-cpu", "Processor time over HTTP/2", "CPU", ["h2-get-*"]),
    Chart("memory", "Memory", "RSS peak", ["get-64", "download", "upload", "lines", "data"]),
    Chart("weight", "Weight in an application", "", ["weight-*"]),
]
NAMES = {
    "tern": "Tern", "tern-executor": "Tern, executor", "tern-http1": "Tern, HTTP/1.1", "tern-durable": "Tern, durable",
    "ahc": "AsyncHTTPClient", "urlsession": "URLSession", "go": "Go net/http", "httpx": "httpx (Python)",
    "nio": "NIO handler", "nio-async": "NIOAsyncChannel", "gorilla": "gorilla (Go)", "beast": "Beast (C++)",
    "picows": "picows (Python)", "reqwest": "reqwest (Rust)", "undici": "undici (Node)",
}  # fmt: skip
NOT_CLIENTS = {"wrk", "bare", "h2load", "h2load-http1", "zlib", "swift", "before", "copy"}  # limits, and other versions of Tern
UNITS = {
    "req/s": "requests per second", "MB/s": "MB per second", "values/s": "values per second",
    "messages/s": "messages per second", "p50 µs": "µs there and back", "ms": "ms", "CPU µs/req": "µs per request",
    "RSS peak MiB": "peak of the process in MiB", "CPU s": "processor time of the compilers in s",
}  # fmt: skip

# The parts of titles that the title of the chart says, so that each title fits into a line.
SAID = {", with permessage-deflate": "", "Data in memory, compressed with ": ""}

# All colours are in the palette of scripts/tools/diagrams.
STYLE = """\
        text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; font-size: 15px; fill: #1d1d1f; }
        .title { font-size: 18px; font-weight: 600; }
        .name { font-weight: 600; }
        .own { font-weight: 700; }
        .note { font-size: 14px; fill: #48484a; }
        .end { text-anchor: end; font-variant-numeric: tabular-nums; }
        .page { fill: #f5f5f7; }
        .line { stroke: #c7c7cc; }
        .peer { fill: #c7c7cc; stroke: #6e6e73; }
        .tern { fill: #0066cc; stroke: #0066cc; }
        .variant { fill: #e3f0fc; stroke: #0066cc; stroke-width: 2; }"""
WIDTH, MARGIN, ROW = 480, 16, 24
BAR, BAR_END, VALUE_END = 156, 328, 416  # from the left


class Bar(NamedTuple):
    peer: str
    value: float
    text: str
    ratio: float  # to Tern

    @property
    def name(self) -> str:
        return NAMES.get(self.peer, self.peer)


class Panel(NamedTuple):
    title: str
    unit: str
    is_longer_better: bool
    run: str
    bars: list[Bar]  # the best first

    @property
    def direction(self) -> str:
        return f"{'longer' if self.is_longer_better else 'shorter'} is better"


def panel(chart: Chart, case: str, entry: dict) -> Panel | None:
    """One case of a chart; `None` if it compares nothing."""
    columns = table.measures(case)[0]
    name, _, decimals = next((c for c in columns if c[0].startswith(chart.measure)), columns[0])
    values = {p: row[name] for p, row in entry["peers"].items() if p not in NOT_CLIENTS and name in row}
    if len(values) < 2 or not values.get("tern"):
        return None
    is_longer_better = name.endswith("/s")
    order = sorted(values, key=lambda peer: values[peer], reverse=is_longer_better)
    bars = [Bar(peer, values[peer], table.number(values[peer], decimals), values[peer] / values["tern"]) for peer in order]
    title = table.TITLES[case] + (f" ({entry['content']})" if entry["content"] else "")
    for part, shorter in SAID.items():
        title = title.replace(part, shorter)
    rounds = f"medians of {entry['rounds']} rounds" if entry["rounds"] > 1 else "one run"
    run = f"{entry['date']}, {rounds}, {entry['machine']}"
    return Panel(title, UNITS.get(name, name), is_longer_better, run, bars)


def panels(chart: Chart, figures: dict) -> list[Panel]:
    cases = [c for c in table.TITLES if c in figures and any(fnmatch.fnmatchcase(c, p) for p in chart.cases)]
    return [made for case in cases if (made := panel(chart, case, figures[case]))]


def footer(shown: list[Panel]) -> list[str]:
    """When and on which machine the panels were measured."""
    runs: dict[str, list[str]] = {}
    for one in shown:
        runs.setdefault(one.run, []).append(one.title.split(" (")[0])
    texts = [run if len(runs) == 1 else f"{'; '.join(titles)}: {run}" for run, titles in runs.items()]
    wholes = [text.replace(" cores", "\u00a0cores").replace("Linux ", "Linux\u00a0") for text in texts]
    return [line for text in wholes for line in textwrap.wrap(text, 60, break_on_hyphens=False)]


def description(shown: list[Panel]) -> str:
    def said(one: Panel) -> str:
        return f"{one.title}, {one.unit}, {one.direction}: {', '.join(f'{bar.name} {bar.text}' for bar in one.bars)}."

    return " ".join(said(one) for one in shown)


def text(kind: str, x: float, y: float, content: str) -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f'    <text{attribute} x="{x:g}" y="{y:g}">{escape(content)}</text>'


def rows(one: Panel, top: float) -> list[str]:
    """The bars of a panel, with their names, values and ratios."""
    right, longest = WIDTH - MARGIN, max(bar.value for bar in one.bars)
    lines = []
    for index, bar in enumerate(one.bars):
        middle = top + ROW * (index + 0.5)
        is_tern = bar.peer == "tern"
        kind = "tern" if is_tern else "variant" if bar.peer.startswith("tern-") else "peer"
        height, weight = (16, " own") if is_tern else (11, "")
        width = max(1, round((BAR_END - BAR) * bar.value / longest, 1))
        lines += [
            text(weight.strip(), MARGIN, middle + 5, bar.name),
            f'    <rect class="{kind}" x="{BAR}" y="{middle - height / 2:g}" width="{width:g}" height="{height}" rx="2"/>',
            text("end" + weight, VALUE_END, middle + 5, bar.text),
            text("end" + weight, right, middle + 5, f"{bar.ratio:.2f}" if bar.ratio < 9.995 else f"{bar.ratio:.1f}"),
        ]
    return lines


def svg(chart: Chart, shown: list[Panel]) -> str:
    body = [text("title", MARGIN, 34, chart.title)]
    y = 48
    for one in shown:
        body += [
            f'    <path class="line" d="M{MARGIN} {y} H{WIDTH - MARGIN}"/>',
            text("name", MARGIN, y + 24, one.title),
            text("note", MARGIN, y + 44, f"{one.unit}: {one.direction}"),
            text("note end", WIDTH - MARGIN, y + 44, "÷ Tern"),
            *rows(one, y + 52),
        ]
        y += 52 + ROW * len(one.bars) + 12
    body.append(f'    <path class="line" d="M{MARGIN} {y} H{WIDTH - MARGIN}"/>')
    notes = footer(shown)
    body += [text("note", MARGIN, y + 22 + 19 * index, line) for index, line in enumerate(notes)]
    height = y + 19 * len(notes) + 18
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' role="img" aria-labelledby="title desc">',
        f'    <title id="title">{escape(chart.title)}</title>',
        f'    <desc id="desc">{escape(description(shown))}</desc>',
        f"    <style>\n{STYLE}\n    </style>",
        f'    <rect class="page" width="{WIDTH}" height="{height}" rx="12"/>',
        *body,
        "</svg>\n",
    ])  # fmt: skip


def medians(case: str, results: dict) -> dict:
    """What the figures keep of the raw results of one case."""
    columns = table.measures(case)[0]
    peers: dict[str, dict[str, float]] = {}
    for peer in sorted(results, key=table.PEERS.index):
        shown = [column for column in columns if peer not in NOT_CLIENTS or not column[0].startswith("RSS")]
        peers[peer] = {n: round(statistics.median(map(figure, results[peer])), d or None) for n, figure, d in shown}
    return {
        "date": str(datetime.date.today()),
        "machine": table.machine(),
        "rounds": max(result["round"] for peer in results.values() for result in peer),
        "content": table.content(case, results),
        "peers": peers,
    }


def publish(raw: str, figures: dict) -> None:
    for case, results in table.read(raw).items():
        results = {peer: own for peer, own in results.items() if peer not in ("before", "copy")}
        entry = medians(case, results)
        if lost := [peer for peer in figures.get(case, {}).get("peers", {}) if peer not in entry["peers"]]:
            print(f"charts: {case} is now without {', '.join(lost)}", file=sys.stderr)
        figures[case] = entry
    FIGURES.write_text(written(figures))


def written(figures: dict) -> str:
    """The figures as text, with one line for each peer."""
    cases = []
    for case in sorted(figures, key=list(table.TITLES).index):
        lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in figures[case].items() if k != "peers"]
        peers = [f"{json.dumps(p)}: {json.dumps(row, ensure_ascii=False)}" for p, row in figures[case]["peers"].items()]
        lines.append('"peers": {\n            ' + ",\n            ".join(peers) + "\n        }")
        cases.append(f"    {json.dumps(case)}: {{\n        " + ",\n        ".join(lines) + "\n    }")
    return "{\n" + ",\n".join(cases) + "\n}\n"


def check(charts: dict[pathlib.Path, str], names: list[str]) -> list[str]:
    found = {path for path in CHARTS.glob("chart-*.svg") if not path.stem.endswith("~dark")}
    bad = [f"{path}: not a chart of Benchmarks/charts.py" for path in sorted(found - set(charts))]
    for path, content in charts.items():
        if not path.exists() or path.read_text() != content:
            bad.append(f"{path}: not what {FIGURES} gives; run Benchmarks/charts.py")
    for page, reference in PAGES.items():
        shown = pathlib.Path(page).read_text()
        bad += [f"{page}: does not show chart-{name}" for name in names if reference % name not in shown]
    return bad


def main() -> None:
    arguments = sys.argv[1:]
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-") and arguments != ["--check"]):
        sys.exit(__doc__)
    raw = os.path.abspath(arguments[0]) if arguments and arguments != ["--check"] else None
    os.chdir(pathlib.Path(__file__).resolve().parent.parent)
    figures = json.loads(FIGURES.read_text())
    if raw:
        publish(raw, figures)
        print(f"charts: do the sentences beside the charts still hold? {', '.join(PAGES)}", file=sys.stderr)
    shown = [(chart, made) for chart in ALL if (made := panels(chart, figures))]
    charts = {CHARTS / f"chart-{chart.name}.svg": svg(chart, made) for chart, made in shown}
    if arguments != ["--check"]:
        for path in CHARTS.glob("chart-*.svg"):
            path.unlink()
        for path, content in charts.items():
            path.write_text(content)
        subprocess.run(["scripts/tools/diagrams"], check=True)
    bad = check(charts, [chart.name for chart, _ in shown])
    for line in bad:
        print(f"error: {line}", file=sys.stderr)
    sys.exit(bool(bad))


main()
