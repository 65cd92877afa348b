# SPDX-License-Identifier: MIT
"""An outside project builds, links and runs against what `make install` installs.

Once through find_package and once through pkg-config, from a tree that was moved after it was
installed. Arguments: the build folder, the C compiler, the library's level.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD, COMPILER, LEVEL = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
EXPECTED = "outside 5 5000000\n"


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **options
    )
    if done.returncode != 0:
        raise AssertionError(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        top = pathlib.Path(cls.folder.name)
        environment = dict(os.environ, DESTDIR=str(top / "stage"))
        run("cmake", "--install", BUILD, "--prefix", "/opt/fg", env=environment)
        cls.prefix = top / "moved"
        shutil.move(top / "stage/opt/fg", cls.prefix)
        cls.top = top

    def check_programs(self, folder):
        capture = self.top / f"{folder.name}.sgpt"
        self.assertIn("done", run(folder / "outside_record", capture))
        self.assertIn(EXPECTED, run(folder / "outside_read", capture))

    def test_find_package_finds_links_and_runs(self):
        folder = self.top / "with_cmake"
        run("cmake", "-S", HERE / "outside", "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={COMPILER}")
        run("cmake", "--build", folder)
        self.check_programs(folder)

    def build_outside(self, name, *options):
        folder = self.top / name
        run("cmake", "-S", HERE / "outside", "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={COMPILER}", *options)
        run("cmake", "--build", folder, "--target", "outside_instrument")
        return folder / "outside_instrument"

    def test_the_level_of_the_library_is_that_of_who_finds_it(self):
        program = self.build_outside("same_level")
        number = ("OFF", "STATS", "FULL").index(LEVEL)
        events = {"OFF": 0, "STATS": 0, "FULL": 2}[LEVEL]
        self.assertEqual(run(program), f"level {number}, {events} events\n")

    def test_a_project_may_have_less_and_then_refers_to_nothing(self):
        program = self.build_outside("level_off", "-DFRAMEGLASS_LEVEL=off")
        self.assertEqual(run(program), "level 0, 0 events\n")
        self.assertNotRegex(run("nm", program), r" fgi?_")

    def test_more_than_the_library_has_or_no_level_stops_the_configure_step(self):
        with self.assertRaisesRegex(AssertionError, "OFF, STATS and FULL are the levels"):
            self.build_outside("no_level", "-DFRAMEGLASS_LEVEL=LOUD")
        if LEVEL != "FULL":
            with self.assertRaisesRegex(AssertionError, f"was built for {LEVEL}"):
                self.build_outside("more", "-DFRAMEGLASS_LEVEL=FULL")

    def test_another_minor_version_is_refused(self):
        source = self.top / "too_new"
        source.mkdir()
        text = (HERE / "outside/CMakeLists.txt").read_text().split("add_executable")[0]
        (source / "CMakeLists.txt").write_text(text.replace("frameglass 0.1", "frameglass 0.2"))
        with self.assertRaisesRegex(AssertionError, "compatible with requested version"):
            run("cmake", "-S", source, "-B", self.top / "too_new_build",
                f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_C_COMPILER={COMPILER}")

    def test_pkg_config_finds_links_and_runs(self):
        folder = self.top / "with_pkg_config"
        folder.mkdir()
        (found,) = self.prefix.glob("lib*/**/pkgconfig")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(found))
        for program, package in (("record", "frameglass-record"), ("read", "frameglass-trace"),
                                 ("instrument", "frameglass-record")):
            flags = run("pkg-config", "--cflags", "--libs", package, env=environment).split()
            source = HERE / f"outside/outside_{program}.c"
            run(COMPILER, "-std=c11", source, "-o", folder / f"outside_{program}", *flags)
        self.check_programs(folder)
        self.assertRegex(run(folder / "outside_instrument"),
                         f"^level {('OFF', 'STATS', 'FULL').index(LEVEL)}, ")

    def test_the_program_is_installed_and_runs(self):
        self.assertRegex(run(self.prefix / "bin/frameglass", "--version"), r"^frameglass \d")

    def test_archives_define_only_our_names(self):
        for archive in sorted(self.prefix.glob("lib*/**/*.a")):
            symbols = run("nm", "--defined-only", "--extern-only", "--format=posix", archive)
            names = re.findall(r"^(\w+) [A-Z] ", symbols, re.MULTILINE)
            self.assertTrue(names, archive.name)
            foreign = [name for name in names if not name.startswith(("fg_", "fgi_"))]
            self.assertEqual(foreign, [], archive.name)

    def test_every_public_header_is_installed(self):
        source = {p.name for p in (HERE.parents[1] / "include/frameglass").glob("*.h")}
        installed = {p.name for p in (self.prefix / "include/frameglass").glob("*.h")}
        self.assertEqual(installed, source)

    def test_no_path_of_the_build_machine_is_installed(self):
        root = str(HERE.parents[1])
        for path in self.prefix.rglob("*"):
            if path.suffix in (".cmake", ".pc", ".h"):
                self.assertNotIn(root, path.read_text(), path.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
