# SPDX-License-Identifier: Apache-2.0
"""Finds the code in a source of Swift or C: what is neither a comment nor a string."""

import re


def code(text):
    """The text with its comments and strings blanked; what stands in `\\(…)` of a string stays."""
    out, index, length = [], 0, len(text)

    def blank(end):
        nonlocal index
        out.append(re.sub(r"[^\n]", " ", text[index:end]))
        index = end

    def string(start):
        nonlocal index
        opening = re.compile(r'(#*)("""|")').match(text, start)
        pounds, quote = opening.groups()
        closing, escape = quote + pounds, "\\" + pounds
        blank(opening.end())
        while index < length:
            if text.startswith(escape + "(", index):
                blank(index + len(escape) + 1)
                plain(True)
            elif not pounds and text[index] == "\\":
                blank(index + 2)
            elif text.startswith(closing, index):
                return blank(index + len(closing))
            elif quote == '"' and text[index] == "\n":
                return  # no string: the text is not what this takes it for
            else:
                blank(index + 1)

    def plain(interpolated=False):
        nonlocal index
        depth = 1
        while index < length:
            if text.startswith("//", index):
                end = text.find("\n", index)
                blank(length if end < 0 else end)
            elif text.startswith("/*", index):
                depths, end = 1, index + 2
                while end < length and depths:
                    step = text[end : end + 2]
                    depths += (step == "/*") - (step == "*/")
                    end += 2 if step in ("/*", "*/") else 1
                blank(end)
            elif re.compile(r'#*"').match(text, index):
                string(index)
            else:
                depth += interpolated * ((text[index] == "(") - (text[index] == ")"))
                if interpolated and depth == 0:
                    return blank(index + 1)
                out.append(text[index])
                index += 1

    plain()
    return "".join(out)
