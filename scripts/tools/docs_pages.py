# SPDX-License-Identifier: Apache-2.0
"""What scripts/tools/test_docs.py reads from the data of the built site, without a browser: links between pages, and which pages show a
file of the sources."""

import json
import pathlib
import re
import subprocess
import urllib.parse

# Parts of a page that the renderer makes, beside those that begin with a heading of the text.
RENDERED = {"app-main", "overview", "topics", "see-also", "relationships", "mentions", "default-implementations", "parameters",
            "return-value", "discussion", "declarations"}


def load(site: pathlib.Path) -> dict[str, dict]:
    """The data of each page, by the path of the page."""
    return {"/" + str(file.relative_to(site / "data").with_suffix("")): json.loads(file.read_text())
            for file in sorted((site / "data").rglob("*.json"))}


def nodes(value):
    """All objects in the data of a page."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for child in value.values() if isinstance(value, dict) else value:
            yield from nodes(child)


def parts(page: dict) -> set[str]:
    """The identifiers of the parts of a page, to which a link may lead."""
    return RENDERED | {node["anchor"] for node in nodes(page) if isinstance(node.get("anchor"), str)}


def shown(page: dict) -> set[str]:
    """The identifiers of the references that the text and the lists of a page use. The path to a page in the navigator also
    names the chapters of tutorials, which have no pages."""
    used = [{**page, "references": {}, "hierarchy": {}}]
    used += [reference.get("abstract", []) for reference in page.get("references", {}).values()]
    found, waiting = set(), used
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, (dict, list)):
            waiting += value.values() if isinstance(value, dict) else value
    return found


def broken_links(site: pathlib.Path, pages: dict[str, dict]) -> list[str]:
    """A sentence about each link, image and file of a page that is not there, and about each page without a title or text."""
    findings = []
    images = {file.name for file in site.rglob("*") if file.parent.parent.name in ("images", "videos")}
    for path, page in pages.items():
        if not page.get("metadata", {}).get("title"):
            findings.append(f"{path}: no title")
        if not any(node.get("type") in ("text", "codeListing") or "tokens" in node for node in nodes(page)):
            findings.append(f"{path}: empty page")
        sections = {section.get("kind") for section in page.get("primaryContentSections", [])}
        if page.get("metadata", {}).get("symbolKind") == "module" and "mentions" in sections:
            # The renderer lists this part at the side of a module's page, but does not show it.
            findings.append(f"{path}: an article of the module links to the module; link to a heading of the page instead")
        used, references = shown(page), page.get("references", {})
        for name in used & references.keys():
            reference = references[name]
            url = urllib.parse.urlsplit(reference.get("url", ""))
            missing = [file["url"] for file in reference.get("variants", []) if file["url"].rsplit("/", 1)[-1] not in images]
            findings += [f"{path}: no image {file}" for file in missing]
            if reference.get("type") in ("topic", "section", "link", "download") and not url.netloc:
                findings += broken_link(site, pages, path, url)
        named = {node["identifier"] for node in nodes({**page, "references": {}}) if node.get("type") == "reference"}
        findings += [f"{path}: {name} leads nowhere" for name in named - references.keys()]
    return sorted(set(findings))


def broken_link(site: pathlib.Path, pages: dict[str, dict], source: str, url) -> list[str]:
    path = urllib.parse.unquote(url.path).rstrip("/")
    if not path.startswith(("/documentation", "/tutorials")):
        return [] if (site / path[1:]).exists() else [f"{source}: dead link {path}"]
    if path not in pages:
        return [f"{source}: dead link {path}"]
    fragment = urllib.parse.unquote(url.fragment)
    return [f"{source}: dead link {path}#{fragment}"] if fragment and fragment not in parts(pages[path]) else []


def changed(graphs: pathlib.Path, pages: dict[str, dict], revision: str) -> set[str]:
    """The paths of the pages that show a file which has changed since a commit: articles, pages of symbols and tutorials."""
    command = ["git", "diff", "--name-only", "--diff-filter=d", revision, "--", "Sources"]
    files = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    symbols = set()
    for graph in graphs.rglob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            place = urllib.parse.unquote(symbol.get("location", {}).get("uri", ""))
            if any(place.endswith("/" + file) for file in files):
                symbols.add(symbol["identifier"]["precise"])
    paths = {path for path, page in pages.items() if page.get("metadata", {}).get("externalID") in symbols}
    for file in map(pathlib.Path, files):
        catalog = next((parent.stem.lower() for parent in file.parents if parent.suffix == ".docc"), None)
        if catalog is None:
            continue
        if file.suffix == ".tutorial":
            paths |= {path for path in pages if path.startswith("/tutorials/") and path.endswith("/" + file.stem.lower())}
        elif file.suffix == ".md":
            title = re.match(r"# ``/?([^`]+)``", file.read_text())
            name = title[1].lower() if title else f"{catalog}/{file.stem.lower()}"
            paths |= {path for path in (f"/documentation/{name}", f"/documentation/{catalog}/{name}") if path in pages}
        else:  # an image, or a step of a tutorial
            paths |= {path for path, page in pages.items() if file.name in json.dumps(page.get("references", {}))}
    return paths
