# SPDX-License-Identifier: MIT
"""The levels of the instrumentation, as compilers, the linker and CMake see them.

Arguments: the source folder, the library's level (0, 1, 2), "all", or "library" for what depends on the
library alone, and the archives to link with, in order.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE, LEVEL, WHICH, ARCHIVES = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Werror"]
# (compiler, language): those that are here, at least one of each language.
COMPILERS = [
    (path, language)
    for language, names in {
        "-std=c11": ["gcc", "clang-14", "clang"],
        "-std=c++17": ["g++", "clang++-14", "clang++"],
    }.items()
    for path in {
        str(pathlib.Path(found).resolve()): found for found in filter(None, map(shutil.which, names))
    }.values()
]
SAYS = {
    0: "level 0 evaluations 0 events 0 metrics -1 -1 -1 frames 0 malformed 0",
    # A library of level FULL has the event of the frame for a program of level STATS too.
    1: f"level 1 evaluations 8 events {1 if LEVEL == 2 else 0} metrics 6 9 8 frames 1 malformed 0",
    2: "level 2 evaluations 10 events 12 metrics 6 9 8 frames 1 malformed 0",
}
NEEDS = {
    1: "fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_STATS_or_FULL",
    2: "fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_FULL",
}
# What must not compile, at any level: a statement each.
WRONG = [
    "FG_ZONE(42);",
    "FG_ZONE(&number);",
    "FG_ZONE_IN(\"draw\", \"name\");",
    "FG_ZONE_BEGIN(zone, 1.0);",
    "FG_ZONE_END(number);",
    "FG_EVENT(\"name\", \"value\");",
    "FG_EVENT(\"name\", 0.5);",
    "FG_EVENT(no_such_name, 1);",
    "FG_COUNTER_ADD(7, FG_UNIT_COUNT, 1);",
    "FG_COUNTER_ADD(\"name\", \"unit\", 1);",
    "FG_COUNTER_ADD(\"name\", FG_UNIT_COUNT, &number);",
    "FG_FRAME_COUNTER_ADD(\"name\", FG_UNIT_COUNT, 1.5);",
    "FG_GAUGE_SET(\"name\", FG_UNIT_COUNT, no_such_value);",
    "FG_GAUGE_ADD(\"name\", 0.5, 1);",
    "FG_FRAME_OF(\"loop\");",
]
RIGHT = "FG_ZONE(\"name\"); FG_ZONE_BEGIN(zone, text); FG_ZONE_END(zone); FG_EVENT(text, number);"


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)


class Compiling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, compiler, source, output, *flags):
        path, language = compiler
        kind = "c++" if "++" in language else "c"
        return run([path, language, "-x", kind, f"-I{SOURCE}/include", f"-I{SOURCE}/src",
                    *WARNINGS, *flags, "-c", source, "-o", output], cwd=self.folder)

    def compiled(self, *arguments):
        done = self.compile(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)


class OfTheLibrary(Compiling):
    def test_there_is_a_compiler_of_each_language(self):
        self.assertEqual(len({language for _, language in COMPILERS}), 2, COMPILERS)

    def test_programs_of_every_compiler_do_the_same(self):
        for compiler in COMPILERS:
            for level in range(LEVEL + 1):
                for flags in (["-O0"], ["-O2"], ["-O2", "-DFG_INSTRUMENT_CALLS"]):
                    with self.subTest(compiler=compiler, level=level, flags=flags):
                        self.compiled(compiler, HERE / "level_program.c", "program.o",
                                      f"-DFG_LEVEL={level}", *flags)
                        done = run([compiler[0], "program.o", *ARCHIVES, "-lpthread", "-lm", "-o",
                                    "program"], cwd=self.folder)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertEqual(run([self.folder / "program"]).stdout.strip(), SAYS[level])


class OfTheHeaders(Compiling):
    def test_off_is_the_same_object_code_as_no_macros(self):
        for compiler in COMPILERS:
            for optimization in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, optimization=optimization):
                    source = HERE / "level_nothing.c"
                    self.compiled(compiler, source, "with.o", optimization)
                    self.compiled(compiler, source, "without.o", optimization, "-DWITHOUT")
                    self.assertEqual((self.folder / "with.o").read_bytes(),
                                     (self.folder / "without.o").read_bytes())

    def test_object_code_differs_above_off(self):
        source = HERE / "level_nothing.c"
        self.compiled(COMPILERS[0], source, "with.o", "-DFG_LEVEL=1")
        self.compiled(COMPILERS[0], source, "without.o", "-DWITHOUT")
        self.assertNotEqual((self.folder / "with.o").read_bytes(),
                            (self.folder / "without.o").read_bytes())

    def test_off_refers_to_nothing(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.compiled(compiler, HERE / "level_nothing.c", "off.o", "-O0")
                names = run(["nm", self.folder / "off.o"]).stdout
                self.assertNotRegex(names, r"\bfgi?_")

    def test_wrong_arguments_do_not_compile_at_any_level(self):
        head = "#include <frameglass/instrument.h>\nvoid f(int number, const char *text);\n"
        body = "void f(int number, const char *text)\n{{ (void)number; (void)text;\n{}\n}}\n"
        for compiler in (COMPILERS[0], COMPILERS[-1]):
            for level in (0, 1, 2):
                for statement in [RIGHT, *WRONG]:
                    with self.subTest(compiler=compiler, level=level, statement=statement):
                        source = self.folder / "try.c"
                        source.write_text(head + body.format(statement))
                        done = self.compile(compiler, source, "try.o", f"-DFG_LEVEL={level}",
                                            "-Wno-error", "-fsyntax-only")
                        self.assertEqual(done.returncode == 0, statement == RIGHT, done.stderr)

    def test_only_three_levels_compile(self):
        source = self.folder / "level.c"
        source.write_text("#include <frameglass/instrument.h>\nextern int x[FG_LEVEL + 1];\n")
        for level, right in (("0", True), ("1", True), ("2", True), ("3", False), ("-1", False),
                             ("FULL", False)):
            with self.subTest(level=level):
                done = self.compile(COMPILERS[0], source, "level.o", f"-DFG_LEVEL={level}",
                                    "-Wno-undef")
                # A word is 0 to the preprocessor; it fails where it is used.
                self.assertEqual(done.returncode == 0, right, done.stderr)

    def test_structures_are_the_same_at_every_level(self):
        for compiler in (COMPILERS[0], COMPILERS[-1]):
            said = set()
            for level in (0, 1, 2):
                self.compiled(compiler, HERE / "level_layout.c", "layout.o", f"-DFG_LEVEL={level}",
                              "-DLAYOUT")
                # The level's own symbol is the library's; a stand-in is enough here.
                (self.folder / "stand_in.c").write_text(
                    "".join(f"extern const char {name}; const char {name} = 1;\n"
                            for name in NEEDS.values()))
                done = run(["gcc", "layout.o", "stand_in.c", "-o", "layout"], cwd=self.folder)
                if done.returncode != 0 and "++" in compiler[1]:
                    done = run([compiler[0], "layout.o", "-x", "c", "stand_in.c", "-o", "layout"],
                               cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                said.add(run([self.folder / "layout"]).stdout)
            self.assertEqual(len(said), 1, said)
            self.assertIn("fg_ring_event 32\n", said.pop())

    def test_a_library_of_a_lower_level_does_not_link_and_says_why(self):
        program = self.folder / "program.c"
        program.write_text("#include <frameglass/instrument.h>\nint main(void) { return 0; }\n")
        for library in (0, 1, 2):
            self.compiled(COMPILERS[0], SOURCE / "src/record/instrument/modes.c", "modes.o",
                          f"-DFG_LIBRARY_LEVEL={library}", f"-DFG_LEVEL={library}")
            for level in (0, 1, 2):
                with self.subTest(library=library, level=level):
                    self.compiled(COMPILERS[0], program, "program.o", f"-DFG_LEVEL={level}")
                    done = run(["gcc", "program.o", "modes.o", "-o", "program"], cwd=self.folder)
                    self.assertEqual(done.returncode == 0, level <= library, done.stderr)
                    if level > library:
                        self.assertIn(f"undefined reference to `{NEEDS[level]}'", done.stderr)

    def test_cmake_takes_a_level_in_any_case_and_refuses_others(self):
        for level, number in (("fUlL", 2), ("off", 0), ("Stats", 1), ("LOUD", None), ("2", None),
                              ("", None)):
            with self.subTest(level=level):
                done = run(["cmake", f"-DFRAMEGLASS_LEVEL={level}", "-P", HERE / "level_said.cmake"])
                said = done.stdout + done.stderr
                if number is None:
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn("OFF, STATS and FULL are the levels", re.sub(r"\s+", " ", said))
                else:
                    self.assertEqual(done.returncode, 0, said)
                    self.assertIn(f"level {number}", said)

    def test_cmake_configures_off_when_nothing_is_said(self):
        text = (SOURCE / "CMakeLists.txt").read_text()
        self.assertRegex(text, r'set\(FRAMEGLASS_LEVEL "OFF" CACHE')


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + (["OfTheLibrary"] if WHICH == "library" else []), verbosity=2)
