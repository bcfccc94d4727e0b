# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that loads pages of the built documentation, for scripts/tools/test_docs.py."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

from websockets.sync.client import connect

PATIENCE = 120  # seconds until a page that does not render is taken for dead; machines that build are slow
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

    def screenshot(self, path):
        # Pictures fade in; an animation without an end cannot be finished.
        self.evaluate("""
            await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
            for (const animation of document.getAnimations()) { try { animation.finish(); } catch { } }
            return null;""")
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(picture))
