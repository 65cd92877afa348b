# SPDX-License-Identifier: MIT
"""Every repair that the Chrome importer may report is told in docs/CLI.md, and no other."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADING = "## What the Chrome importer mends"


def of_code():
    """Texts in the arguments of fgi_chrome_repair() and _at(), and the tokenizer's kinds."""
    kinds = set()
    for path in (ROOT / "src/convert").glob("import_chrome*.c"):
        text = path.read_text()
        for call in re.findall(r"fgi_chrome_repair(?:_at)?\([^;]*;", text):
            kinds.update(re.findall(r'"([a-z0-9_]+)"', call))
        kinds.update(re.findall(r'\[FGI_JSON_[A-Z_]+\] = "([a-z_]+)"', text))
    return kinds


def of_document():
    section = (ROOT / "docs/CLI.md").read_text().split(HEADING)[1].split("\n## ")[0]
    kinds = set()
    for row in re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE):
        kinds.update(re.findall(r"`([a-z0-9_]+)`", row))
    return kinds


def main():
    code, document = of_code(), of_document()
    assert len(code) > 20, code
    for what, kinds in (("not in docs/CLI.md", code - document), ("never reported", document - code)):
        if kinds:
            print(f"{what}: {', '.join(sorted(kinds))}")
    return code != document


sys.exit(main())
