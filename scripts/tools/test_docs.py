# SPDX-License-Identifier: Apache-2.0
"""Reads the data of all pages of the built documentation, then loads pages in headless Chromium, and fails on errors that a reader
would notice.

Run by scripts/test-docs. A finding is a link inside the site to a missing page or part of a page, a page without title or text,
a symbol that no topic of its page lists, a word for which the navigator's filter shows another article first than the one that
answers it, and in the browser a console error or a failed request. With `--since COMMIT`, the browser loads only the pages that
show a file which has changed since that commit, and the first pages, some articles and types, and the tutorials. Without it, the
browser also searches, and looks at all diagrams.
"""

import argparse
import concurrent.futures
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import urllib.parse

import docs_pages
from docs_browser import BATCH, PATIENCE, Browser

SITE = pathlib.Path(".build/docs").resolve()
SCREENSHOTS = pathlib.Path(".build/docs-screenshots")
GRAPHS = pathlib.Path(".build/docs-work/graphs")
ARTICLES = ["tern/gettingstarted", "tern/downloadingandresuming", "tern/movingfromurlsession",
            "ternwebsocket/iteratingovermessages", "terntesting/testingwithoutanetwork"]
SEARCHES = {  # what a search on the first page must find, in whatever module it is
    "Multipart": "ternrequests/multipart", "ClientError": "ternerrors/clienterror",
    "RetryPolicy": "ternretry/retrypolicy", "Iterating over the messages": "ternwebsocket/iteratingovermessages",
    "ScriptedServer": "terntesting/scriptedserver", "CookieStore": "terncookies/cookiestore",
}
QUESTIONS = {  # what people type into the filter of the navigator, and the first article whose title it must match
    "timeout": "tern/timeoutsandcancellation", "retry": "tern/tryingagain", "certificate": "tern/certificates",
    "self-signed": "tern/certificates", "cancel": "tern/timeoutsandcancellation", "resume": "tern/downloadingandresuming",
    "SSE": "tern/followingalivefeed", "pagination": "tern/readingalistpagebypage", "progress": "tern/uploadingafile",
    "upload": "tern/uploadingafile", "download": "tern/downloadingandresuming", "JSON": "tern/fetchinganddecoding",
    "cookie": "tern/keepingcookies", "proxy": "tern/goingthroughaproxy", "redirect": "tern/followingredirects",
    "WebSocket": "ternwebsocket/iteratingovermessages", "token": "tern/refreshingatoken", "cache": "tern/cachingresponses",
    "test": "terntesting/testingwithoutanetwork", "log": "tern/loggingmetricsandtracing",
}
SIZES = {"desktop": (1400, 1000), "phone": (390, 844)}
TYPES = ["tern/client", "ternrequests/request", "ternerrors/clienterror"]
MADE = {"Default Implementations", "Extended Modules"}  # topics that docc makes


def articles(nodes):
    """Yields the title and the path of each article below nodes of the navigator's index, in its order."""
    for node in nodes:
        if node.get("type") == "article":
            yield node["title"], urllib.parse.unquote(node["path"]).rstrip("/").lower()
        yield from articles(node.get("children", []))


def misleading_titles(index, questions=QUESTIONS):
    """A sentence about each word whose first article in the navigator, by the titles, is not the one that answers it."""
    listed = [article for roots in index["interfaceLanguages"].values() for article in articles(roots)]
    findings = []
    for word, page in questions.items():
        wanted = f"/documentation/{page}"
        found = next((path for title, path in listed if word.lower() in title.lower()), "no article")
        if found != wanted:
            findings.append(f"the navigator's filter, for {word}: the first article is {found}, and should be {wanted}")
    return findings


def prove():
    """Shows that the check of titles looks at articles only, in the order of the index, without regard to case."""
    def node(title, path, kind="article", *children):
        return {"title": title, "path": f"/documentation/{path}", "type": kind, "children": list(children)}
    tree = node("Tern", "tern", "collection", {"title": "Retry", "type": "groupMarker"}, node("RetryPolicy", "p", "struct"),
                node("Retrying", "Tern/A"), node("Retry, and caches", "tern/b"))
    index = {"interfaceLanguages": {"swift": [tree]}}
    found = [len(misleading_titles(index, {word: page})) for word, page in
             [("retry", "tern/a"), ("RETRY", "tern/b"), ("cache", "tern/b"), ("policy", "p"), ("Tern", "tern")]]
    if found != [0, 1, 0, 1, 1]:
        raise SystemExit(f"error: the check of titles finds {found}")


def picture(name):
    return SCREENSHOTS / f"{name}.png"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site without logging."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes, and the second must not wait

    def log_message(self, *_):
        pass


class HandlerWithoutList(Handler):
    """Serves the site with an empty list of all pages, which takes longer to show beside a page than the page. `check_list` looks
    at where the list leads."""

    def do_GET(self):
        if self.path != "/index/index.json":
            return super().do_GET()
        data = json.loads((SITE / "index/index.json").read_text())
        for root, in data["interfaceLanguages"].values():
            root["children"] = []
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Test:
    """What the browsers find. They take the jobs one by one, and then the pages that are linked."""

    def __init__(self, origin, plain):
        self.origin = origin
        self.plain = plain  # the origin without the list of all pages
        self.findings, self.pages, self.fragments = [], {}, {}  # the parts of each page; who links to a part
        self.jobs, self.queue, self.seen, self.sources = [], [], set(), {}
        self.only = None  # the pages to visit, if not all
        self.working = 0  # browsers that may still find pages
        self.changed = threading.Condition()

    def judge(self, browser, page, where=None):
        with self.changed:
            path = page["path"]
            self.pages[path] = set(page["ids"])
            said, browser.findings = browser.findings, []
            self.findings += [f"{where or path}: {finding}" for finding in said]
            if not page["title"]:
                self.findings.append(f"{path}: shows no page, linked from {self.sources.get(path, 'this test')}")
            elif page["textLength"] < 10:
                self.findings.append(f"{path}: empty page")
            self.findings += [f"{path}: broken link {link}" for link in page["unresolved"]]
            self.findings += [f"{path}: broken image {image}" for image in page["brokenImages"]]
            for link in page["links"]:
                self.follow(urllib.parse.urljoin(self.origin + path, link), path)

    def follow(self, url, source):
        url = urllib.parse.urlsplit(url)
        if f"{url.scheme}://{url.netloc}" != self.origin:
            return  # no network here; only that which we serve
        path = url.path.rstrip("/") or "/"
        if path != "/" and path not in self.seen:
            self.seen.add(path)
            self.sources[path] = source
            if path.startswith(("/documentation", "/tutorials")):
                if self.only is None:
                    self.queue.append(path)
            elif not (SITE / urllib.parse.unquote(path[1:])).exists():
                self.findings.append(f"{source}: dead link {path}")
        if url.fragment:
            self.fragments.setdefault((path, urllib.parse.unquote(url.fragment)), source)

    def look(self, browser, name, path, address):
        """Loads a page directly and saves a screenshot."""
        with self.changed:
            self.seen.add(path)
        self.judge(browser, browser.load(address, path))
        browser.screenshot(picture(name))

    def search(self, browser, size):
        """Types into the search field of the first page."""
        browser.resize(*SIZES[size])
        for number, (word, page) in enumerate(SEARCHES.items()):
            path = f"/documentation/{page}"
            browser.load(f"{self.origin}/documentation/?{size}{number}", "/documentation")
            if size == "phone":  # the list of modules is behind a button, with a field above it
                found = browser.click("[aria-label='Open Documentation Navigator']")
                links = ".navigator-card-item a"
                found = found and browser.click(".navigator-filter .filter__input")
            else:
                found = browser.click(".quick-navigation-open")
                links = ".quick-navigation a"
                found = found and browser.click(".quick-navigation .filter__input")
            if found:
                browser.call("Input.insertText", text=word)
            if not (found and browser.shows_link(links, path)):
                self.find(f"a search for {word} on a {size} does not find {path}")
            browser.screenshot(picture(f"search-{size}-{number}"))
            browser.evaluate("sessionStorage.clear(); return null")  # the renderer remembers what was typed
        browser.resize(*SIZES["desktop"])

    def find(self, finding):
        with self.changed:
            self.findings.append(finding)

    def diagrams(self):
        """The names of the diagrams and charts that each page shows."""
        names = sorted(path.stem for path in pathlib.Path("Sources").glob("*/*.docc/Resources/*.svg")
                       if path.name.startswith(("diagram-", "chart-")) and "~" not in path.stem)
        pages = {}
        for page in sorted(pathlib.Path("Sources").glob("*/*.docc/**/*.md")):
            for name in re.findall(r"!\[[^]]+\]\(((?:diagram|chart)-[\w-]+)\)", page.read_text()):
                catalog = next(parent for parent in page.parents if parent.suffix == ".docc").stem.lower()
                path = f"/documentation/{catalog}" + ("" if page.stem.lower() == catalog else f"/{page.stem.lower()}")
                pages.setdefault(path, []).append(name)
        shown = [name for names in pages.values() for name in names]
        self.findings += [f"no page shows {name}" for name in names if name not in shown]
        return pages

    def check_diagrams(self, browser, path, names):
        """Looks at each diagram and chart of a page in both colour schemes, on a large and on a small screen."""
        browser.load(f"{self.plain}{path}/", path)
        for scheme in ["light", "dark"]:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for size, (width, height) in SIZES.items():
                browser.resize(width, height)
                for name in names:
                    self.check_diagram(browser, path, name, scheme, size)
        browser.call("Emulation.setEmulatedMedia", features=[])
        browser.resize(*SIZES["desktop"])

    def check_diagram(self, browser, path, name, scheme, size):
        found = browser.evaluate(f"""
            const end = Date.now() + {PATIENCE * 1000};
            let image;
            // It is loaded when it is on the screen, and again in the other scheme.
            const isShown = () => image?.complete && image.naturalWidth
                && image.currentSrc.includes("~dark") === {json.dumps(scheme == "dark")};
            while (!isShown() && Date.now() < end) {{
                image = [...document.images].find((i) =>
                    (i.closest("picture") ?? i).outerHTML.includes({json.dumps(name)}));
                image?.scrollIntoView({{block: "center"}});
                await new Promise((resume) => setTimeout(resume, 20));
            }}
            if (!image?.naturalWidth) return null;
            image.scrollIntoView({{block: "center"}});
            const box = image.getBoundingClientRect();
            return [isShown(), box.left >= 0 && box.right <= innerWidth];""")
        where = f"{path}: {name}, {scheme}, {size}"
        if found is None:
            self.find(f"{where}: not shown")
            return
        if not found[0]:
            self.find(f"{where}: shown in the other scheme's colours")
        if not found[1]:
            self.find(f"{where}: wider than the screen")
        browser.screenshot(picture(f"{name}-{scheme}-{size}"))

    def run(self, browsers, only=None):
        """Does all jobs, and visits all reachable pages, or only some, with several browsers at once."""
        self.only = only
        if only is not None:
            self.queue = sorted(only)
        with concurrent.futures.ThreadPoolExecutor(len(browsers)) as threads:
            for works in [threads.submit(self.work, browser) for browser in browsers]:
                works.result()
        self.check_fragments()

    def work(self, browser):
        has_begun_to_visit = False
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.jobs or self.queue or not self.working)
                job = self.jobs.pop(0) if self.jobs else None
                batch = []
                while not job and self.queue and len(batch) < BATCH:
                    path = self.queue.pop(0)
                    if path not in self.pages:
                        batch.append(path)
                if not job and not batch:
                    if self.working:
                        continue
                    return
                self.working += 1
            try:
                if job:
                    job(browser)
                else:
                    if not has_begun_to_visit:
                        browser.load(self.plain + "/documentation/tern/", "/documentation/tern")
                        has_begun_to_visit = True
                    for page in browser.visit(batch):
                        self.judge(browser, page, f"one of {len(batch)} pages from {batch[0]}")
            finally:
                with self.changed:
                    self.working -= 1
                    self.changed.notify_all()
                    if sys.stderr.isatty():
                        print(f"\rtest-docs: {len(self.pages)} pages, {len(self.queue)} to go ", end="", file=sys.stderr)

    def check_fragments(self):
        for (path, fragment), source in self.fragments.items():
            if path in self.pages and fragment not in self.pages[path] and fragment != "app-main":
                self.findings.append(f"{source}: dead link {path}#{fragment}")

    def check_list(self, site):
        """Checks that each line of the navigator leads to a page."""
        waiting = [root for roots in json.loads((SITE / "index/index.json").read_text())["interfaceLanguages"].values()
                   for root in roots]
        while waiting:
            node = waiting.pop()
            waiting += node.get("children", [])
            if "path" in node:
                self.follow(self.origin + node["path"], "the list of pages")
                if urllib.parse.unquote(node["path"]).rstrip("/") not in site:
                    self.findings.append(f"the list of pages: dead link {node['path']}")

    def check_titles(self):
        """Checks that the filter of the navigator finds the articles that answer the most frequent questions."""
        self.findings += misleading_titles(json.loads((SITE / "index/index.json").read_text()))

    def check_topics(self):
        """Checks that the page of each module, and of each type with its own page, lists its symbols under topics."""
        sources = pathlib.Path("Sources")
        for page in sorted([*sources.glob("*/*.docc/Extensions/*.md"), *sources.glob("*/*.docc/*.md")]):
            symbol = page.read_text().split("``")[1].lower()
            data = json.loads((SITE / "data/documentation" / f"{symbol}.json").read_text())
            for section in data.get("topicSections", []):
                if section.get("generated") and section["title"] not in MADE:
                    names = [link.rsplit("/", 1)[-1] for link in section["identifiers"]]
                    self.findings.append(f"{page}: not under a topic: {', '.join(names)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", metavar="COMMIT", help="load only the pages that have changed since this commit")
    since = parser.parse_args().since
    prove()
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not executable:
        raise SystemExit("error: Chromium is not installed; run scripts/setup")
    shutil.rmtree(SCREENSHOTS, ignore_errors=True)
    SCREENSHOTS.mkdir(parents=True)
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(SITE)))
               for handler in [Handler, HandlerWithoutList]]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    browsers = [Browser(executable) for _ in range(min(4, os.cpu_count() or 1))]
    try:
        for browser in browsers:
            browser.open()
        test = Test(*[f"http://127.0.0.1:{server.server_port}" for server in servers])
        site = docs_pages.load(SITE)
        test.findings += docs_pages.broken_links(SITE, site)
        chosen = None if since is None else docs_pages.changed(GRAPHS, site, since)

        def look(name, path, address=None):
            test.jobs.append(functools.partial(test.look, name=name, path=path, address=address or f"{test.plain}{path}/"))

        if chosen is None:
            test.jobs += [functools.partial(test.search, size=size) for size in SIZES]
            test.jobs += [functools.partial(test.check_diagrams, path=path, names=names) for path, names in test.diagrams().items()]
        look("landing", "/documentation", test.origin + "/")  # what the address alone leads to
        look("packages", "/documentation", test.origin + "/documentation/")
        for module in sorted(p.stem for p in (SITE / "data/documentation").glob("*.json")) if chosen is None else ["tern"]:
            look(f"module-{module}", f"/documentation/{module}")
        for kind, pages in [("article", ARTICLES), ("type", TYPES)]:
            for page in pages:
                look(f"{kind}-{page.rsplit('/', 1)[-1]}", f"/documentation/{page}")
        for tutorial in sorted((SITE / "data/tutorials").rglob("*.json")):
            path = "/tutorials/" + str(tutorial.relative_to(SITE / "data/tutorials").with_suffix(""))
            look(f"tutorial-{tutorial.stem}", path)
        test.check_list(site)
        test.check_titles()
        test.run(browsers, chosen)
        test.check_topics()
    finally:
        for browser in browsers:
            browser.close()
        for server in servers:
            server.shutdown()
    for finding in test.findings:
        print(f"error: {finding}", file=sys.stderr)
    print(f"test-docs: links of {len(site)} pages, {len(test.pages)} of them in a browser, {len(test.findings)} findings, "
          f"pictures in {SCREENSHOTS}",
          file=sys.stderr)
    sys.exit(bool(test.findings))


main()
