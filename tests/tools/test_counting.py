# SPDX-License-Identifier: MIT
"""tools/count-tests adds up what runners reported, and never hides a failure."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMOCKA_GOOD = "[==========] 3 test(s) run.\n[  PASSED  ] 3 test(s).\n"
CMOCKA_BAD = "[  PASSED  ] 2 test(s).\n[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] a_name\n"
TRIED = "# tests 2\n# pass 2\n# fail 0\n# skipped 0\n# second try: 1 (a page (1 of 2))\n"
TRIED_IN_VAIN = "# pass 1\n# fail 1\n# second try: 2 (one; other)\n"
NODE = "# tests 5\n# pass 4\n# fail 1\n"
PYTHON_GOOD = "....\nRan 4 tests in 0.1s\n\nOK\n"
PYTHON_BAD = "..F.\nRan 4 tests in 0.1s\n\nFAILED (failures=1)\n"


def case(output, status="run", inside=""):
    return (f'<testcase name="x" status="{status}">{inside}'
            f"<system-out>{escape(output)}</system-out></testcase>")


class Counting(unittest.TestCase):
    def count(self, *cases, stages=()):
        lines, status = self.lines(*cases, stages=stages)
        return lines[-1], status

    def lines(self, *cases, stages=()):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            if cases:
                (path / "all.xml").write_text("<testsuite>" + "".join(cases) + "</testsuite>")
            if stages:
                (path / "failed-stages").write_text("".join(stage + "\n" for stage in stages))
            done = subprocess.run(
                [sys.executable, ROOT / "tools/count-tests", folder],
                capture_output=True, text=True, check=False,
            )
        return done.stdout.splitlines(), done.returncode

    def test_runners_are_added_up(self):
        cases = [case(CMOCKA_GOOD), case("# tests 2\n# pass 2\n# fail 0\n"), case(PYTHON_GOOD), case("")]
        self.assertEqual(self.count(*cases), ("10 passed, 0 failed", 0))

    def test_failures_are_failures(self):
        cases = [case(CMOCKA_BAD, "fail"), case(NODE, "fail"), case(PYTHON_BAD, "fail")]
        self.assertEqual(self.count(*cases), ("9 passed, 3 failed", 1))

    def test_a_crash_after_good_reports_is_a_failure(self):
        self.assertEqual(self.count(case(CMOCKA_GOOD, "fail")), ("3 passed, 1 failed", 1))

    def test_a_program_that_was_not_found_is_a_failure(self):
        missing = case("", "notrun", '<skipped message="Unable to find executable: x"/>')
        self.assertEqual(self.count(missing), ("0 passed, 1 failed", 1))

    def test_a_skipped_test_is_neither(self):
        skipped = case("", "notrun", '<skipped message="SKIP_RETURN_CODE=77"/>')
        self.assertEqual(self.count(skipped, case("")), ("1 passed, 0 failed", 0))

    def test_a_stage_that_failed_counts(self):
        self.assertEqual(self.count(case(""), stages=["asan: build"]), ("1 passed, 1 failed", 1))

    def test_what_passed_the_second_time_is_counted_once_and_told(self):
        lines, status = self.lines(case(TRIED), case(CMOCKA_GOOD))
        self.assertEqual((lines[-2:], status), (["second try: 1 (a page (1 of 2))", "5 passed, 0 failed"], 0))

    def test_a_second_try_in_vain_is_a_failure(self):
        lines, status = self.lines(case(TRIED), case(TRIED_IN_VAIN, "fail"))
        told = ["second try: 3 (a page (1 of 2); one; other)", "3 passed, 1 failed"]
        self.assertEqual((lines[-2:], status), (told, 1))

    def test_without_a_second_try_nothing_is_told_of_one(self):
        lines, _ = self.lines(case(CMOCKA_GOOD))
        self.assertEqual(lines, ["3 passed, 0 failed"])

    def test_no_test_at_all_is_a_failure(self):
        self.assertEqual(self.count(), ("0 passed, 1 failed", 1))


if __name__ == "__main__":
    unittest.main()
