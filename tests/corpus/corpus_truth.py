# SPDX-License-Identifier: MIT
"""The table of truth of a folder of foreign traces, read from its INDEX.md.

Each file has a heading `### path`, a line that names its kind, and a line `- Truth: key = value |
key = value ...`; how the values were computed is written at the head of that file.
"""
import dataclasses
import decimal
import pathlib
import re


@dataclasses.dataclass
class Top:
    """One name of top3: how many spans, and the sum of their durations in the file's unit."""

    name: str
    count: int
    total: decimal.Decimal


@dataclasses.dataclass
class File:
    path: pathlib.Path
    kind: str
    values: dict
    top: list

    def number(self, key):
        """A count; 0 where the table does not have it."""
        return int(self.values.get(key, "0"))

    def time(self, key):
        return decimal.Decimal(self.values[key])


def split_outside_quotes(text, separator):
    """Parts between separators; names are quoted with backticks and may hold anything else."""
    parts, quoted, at = [""], False, 0
    while at < len(text):
        if text[at] == "`":
            quoted = not quoted
        if not quoted and text.startswith(separator, at):
            parts.append("")
            at += len(separator)
        else:
            parts[-1] += text[at]
            at += 1
    return parts


def read_top(text):
    tops = []
    for part in split_outside_quotes(text, "; "):
        found = re.fullmatch(r"`(.*)` n=(\d+) total=([0-9.eE+-]+)", part.strip())
        if found:
            tops.append(Top(found[1], int(found[2]), decimal.Decimal(found[3])))
    return tops


def read_index(corpus):
    """Every file of the table, in its order."""
    files = []
    text = (corpus / "INDEX.md").read_text(encoding="utf-8")
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        name = section.split("\n", 1)[0].strip()
        kind = re.search(r"Kind: ([a-z0-9-]+)", section)
        truth = re.search(r"^- Truth: (.*)$", section, flags=re.MULTILINE)
        if kind is None or truth is None:
            raise ValueError(f"INDEX.md: {name} has no kind or no truth")
        values = {}
        for part in split_outside_quotes(truth[1], " | "):
            key, _, value = part.partition(" = ")
            values[key.strip()] = value.strip()
        files.append(File(corpus / name, kind[1], values, read_top(values.get("top3", ""))))
    return files
