#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tuspyserver, a server of the tus protocol, on uvicorn.

Usage: tus_server.py REPORT. Listens on a port of the loopback interface that the system chooses, stores files in the folder
`files` of the current folder, and writes the port to the file REPORT.
"""

import os
import pathlib
import socket
import sys

import uvicorn
from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=str(pathlib.Path("files").resolve())))

listener = socket.create_server(("127.0.0.1", 0))
report = pathlib.Path(sys.argv[1])
report.with_suffix(".new").write_text(f"{listener.getsockname()[1]}\n")
os.replace(report.with_suffix(".new"), report)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
