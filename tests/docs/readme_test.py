# SPDX-License-Identifier: MIT
"""What README.md shows must be what the examples do; that its links lead somewhere is a source rule."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["FG_SOURCE_DIR"])
README = (ROOT / "README.md").read_text()


def words(text):
    return "".join(text.split())


class Readme(unittest.TestCase):
    def test_its_program_is_the_minimal_example(self):
        program = words((ROOT / "examples/minimal/minimal.c").read_text())
        block = re.search(r"```c\n(.*?)```", README, re.S).group(1)
        at = 0
        for part in block.split("...\n"):
            for statement in filter(None, map(words, re.split(r";\n|\n(?=    fg_)", part))):
                found = program.find(statement, at)
                self.assertGreaterEqual(found, 0, statement)
                at = found + len(statement)

    def test_its_program_is_short(self):
        block = re.search(r"```c\n(.*?)```", README, re.S).group(1)
        lines = [line for line in block.splitlines() if line.strip() != "..."]
        self.assertLessEqual(len(lines), 15)


if __name__ == "__main__":
    unittest.main()
