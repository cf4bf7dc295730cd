#!/usr/bin/env python3
"""report_html.py TEMPLATE HEADER: cut the page of frng-report into the pieces around what it gets.

The policy of the page allows the one script with this digest. SPDX-License-Identifier: MIT
"""

import base64
import hashlib
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
text = re.sub(r"<!--.*?-->\n", "", text, count=1, flags=re.DOTALL)  # which only its source needs
pieces = re.split("@EVENTS@|@RESULTS@", text.replace("@DIGEST@", "sha256-" + digest))
assert len(pieces) == 3 and pieces[0].count(digest) == 1, "report.html lacks a place"
with open(sys.argv[2], "w", encoding="ascii") as out:
    for i, piece in enumerate(pieces):
        numbers = ",".join(str(byte) for byte in piece.encode())
        out.write(f"static const unsigned char report_html_{i + 1}[] = {{{numbers}}};\n")
