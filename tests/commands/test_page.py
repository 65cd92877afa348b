#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/COMMANDS.md shows is what its lines, and the programs, write.

  test_page.py lines|canvas|renderer PROGRAM PAGE
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def shown(page, word):
    """The lines of the page's block of that word."""
    return re.search(rf"^```text{word}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1).splitlines()


def is_as_shown(line, pattern):
    return line.startswith(pattern[:-3]) if pattern.endswith("...") else line == pattern


def has_run(lines, patterns):
    """Whether the patterns are there as neighbours."""
    last = len(lines) - len(patterns)
    return any(all(map(is_as_shown, lines[at:], patterns)) for at in range(last + 1))


def main(which, program, path):
    page = pathlib.Path(path).read_text(encoding="utf-8")
    arguments = []
    if which != "lines":
        arguments = re.search(rf"^    build/bin/{which} (.*)$", page, re.MULTILINE).group(1).split()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, *arguments], cwd=folder, check=True, timeout=120, stdout=subprocess.DEVNULL)
        lines = (pathlib.Path(folder) / "frame.txt").read_text(encoding="utf-8").splitlines()
    patterns = shown(page, "" if which == "lines" else " " + which)
    if which == "lines":
        assert lines == patterns, "\n".join(lines)
    assert len(patterns) > 5 and has_run(lines, patterns), "\n".join(lines)
    if which == "renderer":
        passes = sum(1 for line in lines if re.match(r'^ {9}"', line))
        assert f"\nwrites {passes} passes," in page, passes


if __name__ == "__main__":
    main(*sys.argv[1:])
