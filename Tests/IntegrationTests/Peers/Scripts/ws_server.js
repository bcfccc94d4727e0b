// SPDX-License-Identifier: Apache-2.0
// The server of Node's `ws`: behaves as the path says, and reports at /report what it received.
//
// Usage: node ws_server.js REPORT. Listens on a port of the loopback interface that the system chooses, and writes it to
// the file REPORT. The report is kept under the name ?id=NAME. The query says how compression is negotiated.
"use strict";

const fs = require("fs");
const http = require("http");
const { WebSocketServer } = require("ws");

const reports = new Map();

const handlers = {
  "/echo": (socket) => socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary })),
  // Each message comes back in fragments of seven bytes.
  "/fragments": (socket) =>
    socket.on("message", (data, isBinary) => {
      for (let start = 0; start < data.length; start += 7) {
        socket.send(data.subarray(start, start + 7), { binary: isBinary, fin: start + 7 >= data.length });
      }
    }),
  "/close": (socket, query) => socket.close(Number(query.get("code")), query.get("reason") ?? ""),
  "/terminate": (socket) => socket.on("message", () => socket.terminate()),
};

// The negotiated extension parameters, as the query names them.
function deflate(query) {
  if (query.get("deflate") === "off") return false;
  const number = (name) => (query.has(name) ? Number(query.get(name)) : undefined);
  return {
    serverMaxWindowBits: number("server-bits"),
    clientMaxWindowBits: number("client-bits"),
    serverNoContextTakeover: query.has("server-forgets") ? true : undefined,
    clientNoContextTakeover: query.has("client-forgets") ? true : undefined,
    threshold: 0,
  };
}

const server = http.createServer((request, response) => {
  const id = new URL(request.url, "http://peer").searchParams.get("id");
  const deadline = Date.now() + 30000;
  const answer = () => {
    if (!reports.has(id) && Date.now() < deadline) return setTimeout(answer, 5);
    response.end(JSON.stringify(reports.get(id) ?? {}));
  };
  answer();
});

server.on("upgrade", (request, connection, head) => {
  const url = new URL(request.url, "http://peer");
  const query = url.searchParams;
  const settings = { noServer: true, maxPayload: 1 << 26, perMessageDeflate: deflate(query) };
  new WebSocketServer(settings).handleUpgrade(request, connection, head, (socket) => {
    socket.on("error", () => {});
    socket.on("close", (code, reason) => reports.set(query.get("id"), { code, reason: reason.toString() }));
    handlers[url.pathname](socket, query);
  });
});

server.listen(0, "127.0.0.1", () => {
  const report = process.argv[2];
  fs.writeFileSync(report + ".new", `${server.address().port}\n`);
  fs.renameSync(report + ".new", report);
});
