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
import base64
import concurrent.futures
import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from websockets.sync.client import connect

import docs_pages

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
PATIENCE = 30  # seconds until a page that does not render is taken for dead; machines that build are slow
MADE = {"Default Implementations", "Extended Modules"}  # topics that docc makes
BATCH = 40  # pages that the browser visits between two looks at what went wrong

# Returns the content of a rendered page. The renderer keeps the page's data in a component named by `topicData`.
PAGE = """
const text = (node) => node ? node.textContent.trim().replace(/\\s+/g, ' ') : '';
const app = document.querySelector('#app').__vue__;
const data = (component) => {
    for (const key of ['topicData', 'reference']) {
        const found = component[key];
        if (found && found.identifier) return found;
    }
    for (const child of component.$children) { const found = data(child); if (found) return found; }
    return null;
};
const shown = () => {
    const found = data(app);
    return found ? decodeURIComponent(new URL(found.identifier.url).pathname).toLowerCase() : null;
};
const report = (path) => {
    const main = (document.querySelector('main') || document.body).cloneNode(true);
    main.querySelectorAll('nav, .hierarchy, .topictitle, h1, script, style').forEach((node) => node.remove());
    return {
        path,
        title: text(document.querySelector('h1')),
        textLength: text(main).length,
        links: [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')),
        unresolved: [...document.querySelectorAll('a[href^="doc:"]')].map((a) => a.getAttribute('href')),
        brokenImages: [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src),
        ids: [...document.querySelectorAll('[id]')].map((e) => e.id),
    };
};
const sleep = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
const rendered = async (path, patience) => {
    const end = Date.now() + patience * 1000;
    const wanted = decodeURIComponent(path).toLowerCase().replace(/\\/$/, '');
    while (Date.now() < end) {
        if (shown() === wanted && text(document.querySelector('h1'))) {
            await app.$nextTick();
            let found = report(path);
            // The list of the page's parts may be shown before the parts.
            const lacks = (link) => {
                const [page, part] = link.split('#');
                const isOwn = !page || decodeURIComponent(page).toLowerCase().replace(/\\/$/, '') === wanted;
                return isOwn && part && part !== 'app-main' && !found.ids.includes(decodeURIComponent(part));
            };
            while (found.links.some(lacks) && Date.now() < end) { await sleep(50); found = report(path); }
            return found;
        }
        await sleep(5);
    }
    return { path, title: '', textLength: 0, links: [], unresolved: [], brokenImages: [], ids: [] };
};
"""


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


class Browser:
    """A Chromium process, controlled through the DevTools protocol."""

    def __init__(self, executable):
        self.folder = tempfile.mkdtemp(prefix="tern-docs-")
        options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder}",
                   "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                   "--window-size=1400,1000", "--hide-scrollbars"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium refuses to start for root otherwise
        self.process = subprocess.Popen([executable, *options, "about:blank"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.number = 0
        self.findings = []

    def open(self):
        port_file = pathlib.Path(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().count("\n")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("error: Chromium does not start")
            time.sleep(0.05)
        port = port_file.read_text().split("\n")[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as reply:
            target = next(page for page in json.load(reply) if page["type"] == "page")
        self.sockets = contextlib.ExitStack()
        self.socket = self.sockets.enter_context(connect(target["webSocketDebuggerUrl"], max_size=None, proxy=None))
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def close(self):
        with contextlib.suppress(Exception):
            self.sockets.close()
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=BATCH * PATIENCE))
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.notice(message)

    def notice(self, message):
        """Records an event that is an error."""
        method, event = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            words = [str(word.get("value", word.get("description"))) for word in event["args"]]
            self.findings.append("console: " + " ".join(words))
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.findings.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.findings.append(f"log: {event['entry']['text']} {event['entry'].get('url', '')}")
        elif method == "Network.responseReceived" and event["response"]["status"] >= 400:
            self.findings.append(f"status {event['response']['status']}: {event['response']['url']}")
        elif method == "Network.loadingFailed" and not event.get("canceled"):
            self.findings.append(f"request failed: {event['errorText']}")

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def load(self, url, path):
        """Loads a page from the network and returns its content."""
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:  # until the application is there to be asked
            with contextlib.suppress(RuntimeError):
                if self.evaluate("return !!(document.querySelector('#app') || {}).__vue__"):
                    break
            time.sleep(0.05)
        else:
            raise SystemExit(f"error: {url} shows no content after {PATIENCE} s")
        return self.evaluate(f"{PAGE} return await rendered({json.dumps(path)}, {PATIENCE});")

    def visit(self, paths):
        """Follows links inside the application, as a click does, and returns the content of each page."""
        return self.evaluate(f"""{PAGE}
            const reports = [];
            for (const path of {json.dumps(paths)}) {{
                app.$router.push(path).catch(() => {{}});
                reports.push(await rendered(path, {PATIENCE}));
            }}
            return reports;""")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)

    def click(self, selector):
        """Clicks on the middle of the first visible element, after waiting until it stops moving."""
        deadline, before = time.monotonic() + PATIENCE, None
        while time.monotonic() < deadline:
            place = self.evaluate(f"""
                const shown = [...document.querySelectorAll({json.dumps(selector)})].find((e) => e.offsetHeight);
                if (!shown) return null;
                const box = shown.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];""")
            before, moves = place, place != before
            if place and not moves:
                for kind in ["mousePressed", "mouseReleased"]:
                    self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
                return True
            time.sleep(0.1)
        return False

    def shows_link(self, selector, path):
        """Whether a part of the page shows a link to a page; a long list renders only a piece at a time."""
        return self.evaluate(f"""
            const end = Date.now() + {PATIENCE * 1000};
            while (Date.now() < end) {{
                const links = [...document.querySelectorAll({json.dumps(selector)})];
                if (links.some((a) => new URL(a.href).pathname.replace(/\\/$/, '') === {json.dumps(path)})) return true;
                const list = document.querySelector('.navigator-card .scroller');
                if (list) {{
                    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
                    list.scrollTop = isAtEnd ? 0 : list.scrollTop + list.clientHeight / 2;
                }}
                await new Promise((resume) => setTimeout(resume, 100));
            }}
            return false;""")

    def screenshot(self, name):
        time.sleep(0.3)  # pictures fade in
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(picture))


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site without logging."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes, and the second must not wait

    # The list of all pages beside each page takes longer to show than the page. So the crawl is served an empty one;
    # `check_list` looks at where the list leads.
    has_list = True

    def log_message(self, *_):
        pass

    def end_headers(self):
        if self.path == "/index/index.json":
            self.send_header("Cache-Control", "no-store")  # it changes
        super().end_headers()

    def do_GET(self):
        if self.has_list or self.path != "/index/index.json":
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
    def __init__(self, origin):
        self.origin = origin
        self.findings, self.pages, self.fragments = [], {}, {}
        self.queue, self.seen, self.sources = [], set(), {}
        self.only = None  # the pages to visit, if not all
        self.visiting = 0  # browsers that may still find pages
        self.changed = threading.Condition()

    def judge(self, browser, page, where=None):
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

    def look(self, browser, name, path):
        """Loads a page directly and saves a screenshot."""
        self.seen.add(path)
        self.judge(browser, browser.load(self.origin + path + "/", path))
        browser.screenshot(name)

    def search(self, browser):
        """Types into the search field of the first page, on a large and on a small screen."""
        for size, (width, height) in SIZES.items():
            browser.resize(width, height)
            for number, (word, page) in enumerate(SEARCHES.items()):
                path = f"/documentation/{page}"
                # The renderer remembers what was typed.
                browser.evaluate("sessionStorage.clear(); return null")
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
                    self.findings.append(f"a search for {word} on a {size} does not find {path}")
                browser.screenshot(f"search-{size}-{number}")
        browser.evaluate("sessionStorage.clear(); return null")
        browser.resize(*SIZES["desktop"])

    def check_diagrams(self, browser):
        """Looks at each diagram and chart in both colour schemes, on a large and on a small screen."""
        diagrams = sorted(path.stem for path in pathlib.Path("Sources").glob("*/*.docc/Resources/*.svg")
                          if path.name.startswith(("diagram-", "chart-")) and "~" not in path.stem)
        pages = {}
        for page in sorted(pathlib.Path("Sources").glob("*/*.docc/**/*.md")):
            for name in re.findall(r"!\[[^]]+\]\(((?:diagram|chart)-[\w-]+)\)", page.read_text()):
                catalog = next(parent for parent in page.parents if parent.suffix == ".docc").stem.lower()
                path = f"/documentation/{catalog}" + ("" if page.stem.lower() == catalog else f"/{page.stem.lower()}")
                pages.setdefault(path, []).append(name)
        shown = [name for names in pages.values() for name in names]
        self.findings += [f"no page shows {name}" for name in diagrams if name not in shown]
        for scheme in ["light", "dark"]:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for size, (width, height) in SIZES.items():
                browser.resize(width, height)
                for path, names in pages.items():
                    browser.load(f"{self.origin}{path}/?{scheme}-{size}", path)
                    for name in names:
                        found = browser.evaluate(f"""
                            const end = Date.now() + {PATIENCE * 1000};
                            let image;
                            while (!image?.naturalWidth && Date.now() < end) {{
                                image = [...document.images].find((i) =>
                                    (i.closest("picture") ?? i).outerHTML.includes({json.dumps(name)}));
                                image?.scrollIntoView({{block: "center"}});  // it is loaded when it is on the screen
                                await new Promise((resume) => setTimeout(resume, 50));
                            }}
                            if (!image?.naturalWidth) return null;
                            const box = image.getBoundingClientRect();
                            return [image.currentSrc, box.left >= 0 && box.right <= innerWidth];""")
                        where = f"{path}: {name}, {scheme}, {size}"
                        if found is None:
                            self.findings.append(f"{where}: not shown")
                            continue
                        if ("~dark" in found[0]) != (scheme == "dark"):
                            self.findings.append(f"{where}: shown in the other scheme's colours")
                        if not found[1]:
                            self.findings.append(f"{where}: wider than the screen")
                        browser.screenshot(f"{name}-{scheme}-{size}")
        browser.call("Emulation.setEmulatedMedia", features=[])
        browser.resize(*SIZES["desktop"])

    def crawl(self, browsers, only=None):
        """Visits all reachable pages, or only some, with several browsers at once."""
        self.only = only
        self.queue = [path for path in (self.queue if only is None else sorted(only)) if path not in self.pages]
        with concurrent.futures.ThreadPoolExecutor(len(browsers)) as threads:
            for visits in [threads.submit(self.visit_all, browser) for browser in browsers]:
                visits.result()
        self.check_fragments()

    def visit_all(self, browser):
        browser.load(self.origin + "/documentation/tern/", "/documentation/tern")
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.queue or not self.visiting)
                if not self.queue:
                    return
                batch, self.queue = self.queue[:BATCH], self.queue[BATCH:]
                self.visiting += 1
            pages = []
            try:
                pages = browser.visit(batch)
            finally:
                with self.changed:
                    for page in pages:
                        self.judge(browser, page, f"one of {len(batch)} pages from {batch[0]}")
                    self.visiting -= 1
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
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browsers = [Browser(executable) for _ in range(min(4, os.cpu_count() or 1))]
    try:
        for browser in browsers:
            browser.open()
        browser = browsers[0]
        test = Test(f"http://127.0.0.1:{server.server_port}")
        site = docs_pages.load(SITE)
        test.findings += docs_pages.broken_links(SITE, site)
        chosen = None if since is None else docs_pages.changed(GRAPHS, site, since)
        # What the address alone leads to.
        test.judge(browser, browser.load(test.origin + "/", "/documentation"))
        browser.screenshot("landing")
        test.look(browser, "packages", "/documentation")
        for module in sorted(p.stem for p in (SITE / "data/documentation").glob("*.json")) if chosen is None else ["tern"]:
            test.look(browser, f"module-{module}", f"/documentation/{module}")
        for kind, pages in [("article", ARTICLES), ("type", TYPES)]:
            for page in pages:
                test.look(browser, f"{kind}-{page.rsplit('/', 1)[-1]}", f"/documentation/{page}")
        for tutorial in sorted((SITE / "data/tutorials").rglob("*.json")):
            path = "/tutorials/" + str(tutorial.relative_to(SITE / "data/tutorials").with_suffix(""))
            test.look(browser, f"tutorial-{tutorial.stem}", path)
        if chosen is None:
            test.search(browser)
            test.check_diagrams(browser)
        test.check_list(site)
        test.check_titles()
        Handler.has_list = False
        test.crawl(browsers, chosen)
        test.check_topics()
    finally:
        for browser in browsers:
            browser.close()
        server.shutdown()
    for finding in test.findings:
        print(f"error: {finding}", file=sys.stderr)
    print(f"test-docs: links of {len(site)} pages, {len(test.pages)} of them in a browser, {len(test.findings)} findings, "
          f"pictures in {SCREENSHOTS}",
          file=sys.stderr)
    sys.exit(bool(test.findings))


main()
