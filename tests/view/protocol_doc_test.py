# SPDX-License-Identifier: MIT
"""docs/PROTOCOL.md and the code name the same sections: protocol_doc_test.py ROOT [unittest arguments]"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
ITEM = re.compile(r"0x([0-9A-F]{4}) (?:\| )?([A-Z][A-Z0-9_]*)")

def documented():
    """Every tag of the page with its name."""
    tags = {}
    for line in (ROOT / "docs/PROTOCOL.md").read_text().splitlines():
        if not (line.startswith("| 0x") or line.startswith("`0x")):
            continue
        for number, name in ITEM.findall(line):
            tags.setdefault(int(number, 16), set()).add(name)
    return tags


def coded():
    """Every tag that the code has an enumerator for, and where."""
    tags = {}
    for path in sorted((ROOT / "src/view").glob("*.[ch]")):
        for name, number in re.findall(r"\b((?:FGI_)?TAG_\w+) = 0x([0-9A-F]{4})", path.read_text()):
            tags.setdefault(int(number, 16), []).append((name, path.name))
    return tags


DOCUMENTED, CODED = documented(), coded()


class Documentation(unittest.TestCase):
    def test_no_tag_is_documented_twice(self):
        for tag, names in DOCUMENTED.items():
            self.assertEqual(len(names), 1, f"0x{tag:04X}: {names}")

    def test_every_tag_of_the_code_is_documented(self):
        for tag, places in CODED.items():
            self.assertIn(tag, DOCUMENTED, f"0x{tag:04X} {places}")
            self.assertEqual(len(places), 1, f"0x{tag:04X} has two names: {places}")

    def test_every_documented_tag_is_in_the_code(self):
        # Columns that are put in a row from one base tag have no enumerator of their own.
        in_a_row = {0x0C46 + i for i in range(7)} | {0x0F60 + i for i in range(10)}
        in_a_row |= {base + i for base in (0x0740, 0x0840, 0x0950) for i in range(3)}
        in_a_row |= set(range(0x1D40, 0x1D47))
        for tag, names in DOCUMENTED.items():
            if tag not in in_a_row:
                self.assertIn(tag, CODED, f"0x{tag:04X} {names}")

    def test_every_kind_has_its_chapter(self):
        header = (ROOT / "src/view/protocol.h").read_text()
        kinds = {int(number): name for number, name in re.findall(r"\bX\((\d+), (\w+), [01]\)", header)}
        page = (ROOT / "docs/PROTOCOL.md").read_text()
        chapters = {int(number): name for number, name in re.findall(r"^### (\d+) ([A-Z_]+)$", page, re.MULTILINE)}
        self.assertEqual(kinds, chapters)
        for tag in DOCUMENTED:
            self.assertIn(tag >> 8, set(kinds) | {0})

    def test_the_page_decodes_tags_that_exist(self):
        known = set(DOCUMENTED)
        for path in sorted((ROOT / "inspector/protocol").glob("*.js")):
            for number in re.findall(r"\b0x([0-9a-fA-F]{4})\b", path.read_text()):
                tag = int(number, 16)
                if 0x40 <= tag & 0xFF < 0x80 and 1 <= tag >> 8 <= 37:
                    self.assertIn(tag, known, f"{path.name}: 0x{tag:04X}")


if __name__ == "__main__":
    unittest.main()
