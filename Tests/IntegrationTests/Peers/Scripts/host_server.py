# SPDX-License-Identifier: Apache-2.0
"""Answers each request with the value of its Host, on every IPv6 address, and writes its port into the given file."""
import http.server
import os
import socket
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = (self.headers["Host"] or "").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
    daemon_threads = True


server = Server(("::", 0), Handler)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(f"{server.server_address[1]}\n")
os.rename(sys.argv[1] + ".new", sys.argv[1])  # in one step, so that a reader never sees a part of the file
server.serve_forever()
