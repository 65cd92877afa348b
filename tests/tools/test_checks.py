# SPDX-License-Identifier: MIT
"""Each rule of tools/check-source and tools/check-layers fails on a violation that is planted."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPDX = "/* SPDX-License-Identifier: MIT */\n"
GOOD_HEADER = SPDX + "#ifndef FG_GOOD_H\n#define FG_GOOD_H\nint fg_good(void);\n#endif\n"
GOOD_SOURCE = SPDX + '#include "base/good.h"\n\nint fg_good(void)\n{\n    return 1;\n}\n'


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in (".clang-format", "tools/layers.txt"):
            self.write(name, (ROOT / name).read_text())
        self.write("src/base/good.h", GOOD_HEADER)
        self.write("src/base/good.c", GOOD_SOURCE)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, tool, *arguments):
        command = [sys.executable, ROOT / "tools" / tool, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def source(self, rule):
        return self.run_tool("check-source", "--root", self.root, rule)

    def layers(self):
        return self.run_tool("check-layers", self.root)

    def assert_clean(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_found(self, done, text):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(text, done.stdout)


class Source(Planted):
    def assert_rule(self, rule, name, text, expected):
        self.assert_clean(self.source(rule))
        self.write(name, text)
        self.assert_found(self.source(rule), expected)

    def test_allocation_outside_alloc_c_is_found(self):
        text = GOOD_SOURCE + "\nvoid *f(void)\n{\n    return malloc(1);\n}\n"
        self.assert_rule("allocation", "src/base/bad.c", text, "src/base/bad.c:11: malloc()")

    def test_allocation_in_a_comment_or_through_a_pointer_is_not(self):
        text = SPDX + '/* free(x) */\nconst char *s = "malloc(1)";\nvoid f(void) { a->free(1); }\n'
        self.write("src/base/fine.c", text)
        self.assert_clean(self.source("allocation"))

    def test_a_system_header_outside_os_files_is_found(self):
        self.write("src/base/os_posix.c", SPDX + "#include <unistd.h>\n")
        text = SPDX + "#include <unistd.h>\n"
        self.assert_rule("system", "src/base/bad.c", text, "src/base/bad.c:2: unistd.h")

    def test_a_system_name_outside_os_files_is_found(self):
        text = SPDX + "#ifdef __linux__\n#endif\n"
        self.assert_rule("system", "src/base/bad.c", text, "__linux__ outside os_*.c")

    def test_a_base_name_that_is_taken_is_found(self):
        self.assert_rule("base-names", "src/capture/good.c", GOOD_SOURCE, "good.c is there 2 times")

    def test_a_long_file_is_found(self):
        self.assert_rule("sizes", "src/base/bad.c", SPDX + "\n" * 900, "901 lines, over 900")

    def test_a_long_header_is_found(self):
        self.assert_rule("sizes", "src/base/bad.h", SPDX + "\n" * 300, "301 lines, over 300")

    def test_a_long_script_is_found(self):
        self.assert_rule("sizes", "inspector/bad.js", "\n" * 401, "401 lines, over 400")

    def test_a_long_function_is_found(self):
        text = SPDX + "int f(void)\n{\n" + "    g();\n" * 119 + "}\n"
        self.assert_rule("sizes", "src/base/bad.c", text, "bad.c:3: a function of 121 lines")

    def test_a_missing_licence_line_is_found(self):
        self.assert_rule("licence", "src/base/bad.c", "int x;\n", "bad.c:1: no SPDX")

    def test_a_script_needs_the_licence_line_too(self):
        self.assert_rule("licence", "tools/bad", "#!/bin/sh\n:\n", "tools/bad:1: no SPDX")

    def test_a_mark_of_unfinished_work_is_found(self):
        mark = "TO" + "DO"
        self.assert_rule("unfinished", "docs/../src/base/bad.c", f"/* {mark}: it */\n", mark)

    def test_a_link_to_no_file_is_found(self):
        self.write("docs/fine.md", "[x](../src/base/good.c) [y](#part) [z](https://example.org/)\n")
        self.assert_rule("links", "docs/bad.md", "\n[x](gone.md#part)\n", "docs/bad.md:2: no file gone.md")

    def test_an_own_header_that_is_not_first_is_found(self):
        text = GOOD_SOURCE.replace("#include", "#include <stdio.h>\n#include", 1)
        self.assert_rule("includes", "src/base/good.c", text, "not its own header")

    def test_an_end_of_a_comment_that_stands_alone_is_found(self):
        text = GOOD_SOURCE + "\n/* One line, and its end.\n */\n"
        self.assert_rule("comments", "src/base/bad.c", text, "alone on its second line")

    def test_a_declaration_that_its_comment_tore_apart_is_found(self):
        text = GOOD_SOURCE + "\nstruct x {\n    const struct y\n        *z; /**< why */\n};\n"
        self.assert_rule("comments", "src/base/bad.c", text, "a declaration torn apart")

    def test_comments_of_several_lines_are_fine(self):
        text = GOOD_SOURCE + "\n/* Two lines\n   of text. */\n/**\n * A block.\n */\n"
        self.write("src/base/fine.c", text)
        self.assert_clean(self.source("comments"))

    def test_wrong_formatting_is_found(self):
        text = GOOD_SOURCE.replace("    return", "  return")
        self.assert_rule("format", "src/base/good.c", text, "would change")

    def test_a_line_that_is_too_long_is_found(self):
        text = GOOD_SOURCE + "/* " + "x" * 95 + " */\n"
        self.assert_rule("format", "src/base/good.c", text, "good.c:8: 101 columns")

    def test_a_public_header_that_needs_another_is_found(self):
        text = SPDX + "#ifndef A\n#define A\nuint32_t fg_x(void);\n#endif\n"
        self.assert_rule("headers", "include/frameglass/bad.h", text, "does not compile alone")

    def test_a_public_header_that_is_no_cpp_is_found(self):
        text = SPDX + "#ifndef A\n#define A\nstruct fg_x {\n    int class;\n};\n#endif\n"
        self.assert_rule("headers", "include/frameglass/bad.h", text, "c++17")

    def test_an_unknown_rule_is_refused(self):
        self.assertEqual(self.source("no-such-rule").returncode, 2)


class Layers(Planted):
    def test_an_include_downwards_is_fine(self):
        self.write("src/trace/fine.c", '#include "base/good.h"\n#include <frameglass/base.h>\n')
        self.assert_clean(self.layers())

    def test_an_include_upwards_is_found(self):
        self.write("src/trace/up.h", GOOD_HEADER)
        self.write("src/base/bad.c", '#include "trace/up.h"\n')
        self.assert_found(self.layers(), "base may not use trace")

    def test_an_include_sideways_is_found(self):
        self.write("src/trace/side.h", GOOD_HEADER)
        self.write("src/record/bad.c", '#include "trace/side.h"\n')
        self.assert_found(self.layers(), "record may not use trace")

    def test_a_public_header_of_a_part_above_is_found(self):
        self.write("src/capture/bad.c", "#include <frameglass/open.h>\n")
        self.assert_found(self.layers(), "capture may not use open")

    def test_the_two_engines_never_see_each_other(self):
        self.write("src/engine/cpu/face.h", GOOD_HEADER)
        self.write("src/engine/vulkan/bad.c", '#include "engine/cpu/face.h"\n')
        self.assert_found(self.layers(), "must not see each other")

    def test_a_private_header_never_leaves_its_folder(self):
        self.write("src/trace/x_priv.h", GOOD_HEADER)
        self.write("src/view/bad.c", '#include "trace/x_priv.h"\n')
        self.assert_found(self.layers(), "private to trace")

    def test_a_folder_that_the_table_does_not_name_is_found(self):
        self.write("src/extra/bad.c", SPDX)
        self.assert_found(self.layers(), "not in the table")

    def test_a_public_header_that_the_table_does_not_name_is_found(self):
        self.write("src/base/bad.c", "#include <frameglass/unknown.h>\n")
        self.assert_found(self.layers(), "unknown.h is not in the table")

    def test_a_relative_include_is_found(self):
        self.write("src/base/bad.c", '#include "good.h"\n')
        self.assert_found(self.layers(), "is no file under src/")


if __name__ == "__main__":
    unittest.main()
