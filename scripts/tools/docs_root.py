# SPDX-License-Identifier: Apache-2.0
"""Joins the merged documentation of all modules: adds a first page that shows them in groups, and one navigator over all of
them, so that each page leads to every module and a search finds symbols of all modules.

Run by scripts/docs, on the folder of the site: docs_root.py FOLDER
"""

import json
import pathlib
import sys

TITLE = "Tern"
ABSTRACT = "A networking SDK for Swift: HTTP and WebSockets, the same on Linux and on Apple platforms."
FIRST = ["tern/gettingstarted", "tern/frequentlyaskedquestions"]
GROUPS = {
    "The client": ["Tern", "TernRequests", "TernErrors", "TernStreams", "TernWebSocket"],
    "Beside the client": ["TernTesting", "TernTransferQueue", "TernPublishers", "TernObservability", "TernBrotli", "TernZstandard",
        "TernFoundationNetworking", "TernURLSession"],
    "Parts of the client": [
        "TernTransport", "TernTransfers", "TernValidation", "TernRetry", "TernProxies", "TernStrictTransport", "TernTrust",
        "TernCacheStores",
    ],
    "Protocols without a network": [
        "TernFields", "TernHTTP1", "TernWebSocketCore", "TernAuthentication", "TernCookies", "TernCaching", "TernCompression",
    ],
    "Connections": ["TernConnections"],
}


TABLES = """
@media only screen and (max-width: 735px) {
  .content .table-wrapper { font-size: 0.8rem; }
  .content .table-wrapper :is(td, th) { padding: 0.3rem; overflow-wrap: anywhere; min-width: 4.5rem; }
  .content .table-wrapper code { font-size: 0.72rem; }
}
"""


def change(path, edit):
    data = json.loads(path.read_text())
    edit(data)
    path.write_text(json.dumps(data, separators=(",", ":")))


def page(site, path):
    """The reference to a page, for other pages."""
    data = json.loads((site / f"data/documentation/{path}.json").read_text())
    identifier = data["identifier"]["url"]
    return identifier, {
        "identifier": identifier, "title": data["metadata"]["title"], "abstract": data.get("abstract", []),
        "url": f"/documentation/{path}", "kind": data["kind"], "role": data["metadata"]["role"], "type": "topic",
    }


def first_page(site, modules):
    def edit(data):
        tutorials = [section for section in data["topicSections"] if section["title"] == "Tutorials"]
        articles = dict(page(site, path) for path in FIRST)
        data["references"].update(articles)
        start = [*articles, *(identifier for section in tutorials for identifier in section["identifiers"])]
        sections = {"Start here": start, **{title: [modules[name] for name in GROUPS[title]] for title in GROUPS}}
        data["abstract"] = [{"type": "text", "text": ABSTRACT}]
        data["topicSections"] = [
            {"title": title, "anchor": title.replace(" ", "-"), "identifiers": identifiers}
            for title, identifiers in sections.items()
        ]

    change(site / "data/documentation.json", edit)


def navigator(site):
    def edit(data):
        for language, (root,) in data["interfaceLanguages"].items():
            nodes = {node["title"]: node for node in root["children"]}
            root["children"] = []
            for title, names in GROUPS.items():
                root["children"].append({"title": title, "type": "groupMarker"})
                for name in names:
                    # The renderer shows the tree of one `module` at a time, and searches only that.
                    root["children"].append({**nodes[name], "type": "collection"})

    change(site / "index/index.json", edit)


def tables(site):
    """Lets a table fit the width of a small screen, as far as its words allow."""
    for sheet in (site / "css").glob("index.*.css"):
        with open(sheet, "a") as stream:
            stream.write(TABLES)


def main():
    site = pathlib.Path(sys.argv[1])
    data = json.loads((site / "data/documentation.json").read_text())
    found = next(section["identifiers"] for section in data["topicSections"] if section["title"] == "Modules")
    modules = {identifier.rsplit("/", 1)[-1]: identifier for identifier in found}
    listed = [name for names in GROUPS.values() for name in names]
    if sorted(listed) != sorted(modules):
        odd = sorted(set(listed) ^ set(modules))
        raise SystemExit(f"error: {__file__} and the documented modules differ in {', '.join(odd) or 'a name listed twice'}")
    first_page(site, modules)
    navigator(site)
    tables(site)


main()
