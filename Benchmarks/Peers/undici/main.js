// SPDX-License-Identifier: Apache-2.0

// Measures undici over HTTP/1.1 in Node.js, with the arguments and the output of the other peers. Fails if the client
// opens more connections than concurrent requests.

"use strict";

const fs = require("node:fs");
const { pipeline } = require("node:stream/promises");
const { parseArgs } = require("node:util");
const zlib = require("node:zlib");
const { Pool } = require("undici");

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        label: { type: "string", default: "" },
        url: { type: "string" },
        file: { type: "string" },
        ca: { type: "string" },
        concurrency: { type: "string", default: "1" },
        requests: { type: "string" },
        seconds: { type: "string", default: "2" },
        cold: { type: "boolean", default: false },
    },
});
const kind = positionals[0];
const url = new URL(options.url);
const concurrency = Number(options.concurrency);
const pool = new Pool(url.origin, {
    connections: concurrency,
    connect: options.ca ? { ca: fs.readFileSync(options.ca) } : {},
});
let connections = 0;
pool.on("connect", () => connections++);

async function send(path, more = {}) {
    const { statusCode, body } = await pool.request({ path, method: "GET", ...more });
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    return body;
}

async function get(path) {
    return (await (await send(path)).arrayBuffer()).byteLength;
}

// Runs `one` concurrently, while `more` is true for the number of requests that have begun before.
async function together(more, one) {
    let begun = 0;
    let bytes = 0;
    async function loop() {
        while (more(begun)) {
            const count = await one(begun++);
            bytes += count;
        }
    }
    await Promise.all(Array.from({ length: concurrency }, loop));
    return [begun, bytes];
}

// The functions below are measured. They return the number of requests or values, and of their bytes.

function gets(seconds) {
    const end = performance.now() + seconds * 1e3;
    const count = Number(options.requests);
    return together(count ? (begun) => begun < count : () => performance.now() < end, () => get(url.pathname));
}

async function download(file) {
    await pipeline(await send(url.pathname), fs.createWriteStream(file));
    return fs.statSync(file).size;
}

function downloads() {
    return together((begun) => begun < Number(options.requests), (index) => download(`${options.file}-${index}`));
}

async function upload() {
    const size = fs.statSync(options.file).size;
    const body = fs.createReadStream(options.file, { highWaterMark: 256 << 10 });
    await (await send(url.pathname, { method: "PUT", body, headers: { "content-length": size } })).text();
    return size;
}

async function split(line) {
    const body = await send(url.pathname);
    body.setEncoding("utf8");
    let rest = "";
    for await (const chunk of body) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        lines.forEach(line);
    }
    if (rest) line(rest);
}

// The content is ASCII, so that the length of a string is the number of its bytes.

async function lines() {
    let bytes = 0;
    await split((line) => (bytes += line.length + 1));
    return [1, bytes];
}

async function values() {
    let count = 0;
    let bytes = 0;
    await split((line) => {
        count++;
        bytes += JSON.parse(line).by.length;
    });
    return [count, bytes];
}

async function data() {
    return [1, await get(url.pathname)];
}

async function decompressed(decoder) {
    const chunks = [];
    await pipeline(await send(url.pathname), decoder, async (source) => {
        for await (const chunk of source) chunks.push(chunk);
    });
    return [1, Buffer.concat(chunks).length];
}

const cases = {
    get: () => gets(Number(options.seconds)),
    download: async () => [1, await download(options.file)],
    downloads,
    upload: async () => [1, await upload()],
    lines,
    values,
    data,
    gzip: () => decompressed(zlib.createGunzip({ chunkSize: 256 << 10 })),
    brotli: () => decompressed(zlib.createBrotliDecompress({ chunkSize: 256 << 10 })),
    start: () => [0, 0],
};

function status(name) {
    return Number(fs.readFileSync("/proc/self/status", "utf8").match(`${name}:\\s+(\\d+)`)[1]);
}

async function main() {
    if (!options.cold) {
        await get("/small"); // opens the connection
        if (kind === "get") await gets(0.5);
    }
    fs.writeFileSync("/proc/self/clear_refs", "5"); // resets the peak of the resident memory
    const idle = status("VmRSS");
    const processor = process.cpuUsage();
    const start = performance.now();
    const [requests, bytes] = await cases[kind]();
    const seconds = (performance.now() - start) / 1e3;
    const { user, system } = process.cpuUsage(processor);
    if (connections > concurrency) throw new Error(`${connections} connections`);
    const result = { peer: "undici", case: options.label, requests, bytes, seconds, cpuSeconds: (user + system) / 1e6 };
    console.log(JSON.stringify({ ...result, rssIdleKiB: idle, rssPeakKiB: status("VmHWM") }));
    process.exit(0);
}

main().catch((error) => {
    console.error("error:", error.message);
    process.exit(1);
});
