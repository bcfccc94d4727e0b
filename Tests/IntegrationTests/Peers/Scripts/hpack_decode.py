# SPDX-License-Identifier: Apache-2.0
"""Decodes the field blocks of one connection with hpack, which is another implementation of RFC 7541.

Usage: hpack_decode.py BLOCKS FIELDS. BLOCKS is a list in JSON of objects with a field block in hexadecimal digits
(`block`), and the size that the table may have from this block on (`tableByteCount`). The fields go to the file FIELDS:
for each block, a list of objects with `name`, `value`, and whether the field may be indexed (`mayBeIndexed`).
"""

import json
import sys

from hpack import Decoder

decoder = Decoder(max_header_list_size=1 << 20)
result = []
with open(sys.argv[1]) as file:
    blocks = json.load(file)
for block in blocks:
    decoder.max_allowed_table_size = block["tableByteCount"]
    fields = decoder.decode(bytes.fromhex(block["block"]))
    result.append([{"name": field[0], "value": field[1], "mayBeIndexed": field.indexable} for field in fields])
with open(sys.argv[2], "w") as file:
    json.dump(result, file)
