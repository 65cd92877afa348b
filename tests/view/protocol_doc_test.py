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
KINDS_END = max(tag >> 8 for tag in DOCUMENTED)


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

    def test_the_page_has_the_kinds_of_the_code(self):
        header = (ROOT / "src/view/protocol.h").read_text()
        kinds = {name: int(number) for number, name in re.findall(r"\bX\((\d+), (\w+), [01]\)", header)}
        client = (ROOT / "inspector/protocol/client.js").read_text()
        table = client[client.index("export const KIND"):client.index("});", client.index("export const KIND"))]
        page = {name: int(number) for name, number in re.findall(r"\b([A-Z_]+): (\d+)", table)}
        self.assertGreater(len(page), 30)
        for name, number in page.items():
            self.assertEqual(number, kinds.get(name), name)

    def test_the_page_writes_and_reads_tags_that_exist(self):
        seen = set()
        for path in sorted((ROOT / "inspector/protocol").glob("*.js")):
            for number in re.findall(r"\b0x([0-9a-fA-F]{4})\b", path.read_text()):
                tag = int(number, 16)
                # The page's other numbers of four digits: lengths and masks that no kind has.
                if 1 <= tag >> 8 <= KINDS_END and tag & 0xFF not in (0x00, 0xFF):
                    seen.add(tag)
                    self.assertIn(tag, DOCUMENTED, f"{path.name}: 0x{tag:04X}")
        # Both ways, and of the newest kinds too.
        self.assertTrue(any(tag & 0xFF < 0x40 for tag in seen))
        self.assertIn(KINDS_END, {tag >> 8 for tag in seen})


if __name__ == "__main__":
    unittest.main()
