# SPDX-License-Identifier: MIT
"""What docs/CLI.md claims: every example runs, every JSON shape is the real one."""
import json
import os
import re
import signal
import subprocess
import unittest

from cli_support import FRAMEGLASS, ROOT, CliTest

PAGE = (ROOT / "docs/CLI.md").read_text()
# Fenced blocks in order, with the heading that they stand under.
BLOCKS = re.findall(r"^(## .*?)$|^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def examples():
    """(heading, command, exit status) of every line of every sh block."""
    heading = ""
    for title, language, body in BLOCKS:
        heading = title or heading
        for line in body.splitlines() if language == "sh" else ():
            command, _, remark = line.removeprefix("$ ").partition(" # exit ")
            yield heading, command, int(remark or 0)


def shapes():
    """(command, sample) of every json block: the command is the last one before it."""
    command = None
    for _, language, body in BLOCKS:
        if language == "sh":
            command = body.splitlines()[-1].removeprefix("$ ").split(" # exit ")[0]
        elif language == "json":
            yield command, json.loads(body)


def kind(value):
    """Numbers are one kind: null stands where a value is not known."""
    if isinstance(value, bool):
        return "bool"
    return {int: "number", float: "number", str: "text", list: "list", dict: "object"}[type(value)]


def differences(sample, found, path="$"):
    if sample is None or found is None:
        return
    if kind(sample) != kind(found):
        yield f"{path}: {kind(sample)} in the page, {kind(found)} in the answer"
    elif isinstance(sample, list):
        for item in found if sample else ():
            yield from differences(sample[0], item, path + "[]")
    elif isinstance(sample, dict):
        names = list(sample)
        if len(names) == 1 and names[0].isupper():  # any keys, all of this kind
            for name, value in found.items():
                yield from differences(sample[names[0]], value, f"{path}.{name}")
            return
        optional = {"track"} if path.startswith("$.rows") else set()
        if path.endswith("resources[]") and found["kind"] != "texture":
            return
        if set(sample) - set(found) - optional or set(found) - set(sample):
            yield f"{path}: {sorted(sample)} in the page, {sorted(found)} in the answer"
        for name in set(sample) & set(found):
            yield from differences(sample[name], found[name], f"{path}.{name}")


class Page(CliTest):
    def shell(self, command):
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(FRAMEGLASS) + os.pathsep + environment["PATH"]
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.files.folder, env=environment, capture_output=True, text=True, check=False,
        )

    def test_every_example_runs(self):
        count = 0
        for heading, command, status in examples():
            if heading == "## frameglass view":
                self.check_view(command)
            else:
                with self.subTest(command):
                    done = self.shell(command)
                    self.assertEqual(done.returncode, status, done.stderr)
            count += 1
        self.assertGreater(count, 20)

    def check_view(self, command):
        """It serves until it is asked to stop, at an address on this machine."""
        arguments = command.split()
        with subprocess.Popen(
            [FRAMEGLASS, *arguments[1:]], cwd=self.files.folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as process:
            line = next(text for text in process.stdout if "http" in text)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 0)
        self.assertRegex(line, r"http://127\.0\.0\.1:\d+/\S{16,}")

    def test_every_shape_is_the_real_one(self):
        count = 0
        for command, sample in shapes():
            with self.subTest(command):
                found = json.loads(self.shell(command).stdout)
                self.assertEqual(list(differences(sample, found)), [])
            count += 1
        self.assertEqual(count, 14)

    def test_the_comparison_sees_a_missing_key(self):
        self.assertTrue(list(differences({"a": 1, "b": 2}, {"a": 1})))
        self.assertTrue(list(differences({"a": 1}, {"a": 1, "b": 2})))
        self.assertTrue(list(differences({"a": [{"b": 1}]}, {"a": [{"b": "x"}]})))
        self.assertFalse(list(differences({"a": {"KEY": 1}}, {"a": {"x": 5, "y": 6}})))

    def test_every_command_and_option_is_in_the_page(self):
        commands = re.findall(r"^  (\w+) ", self.ok("--help").stdout, re.MULTILINE)
        self.assertEqual(len(commands), 15)
        for command in commands:
            with self.subTest(command):
                self.assertIn(f"\n## frameglass {command}\n", PAGE)
                section = PAGE.split(f"\n## frameglass {command}\n")[1].split("\n## ")[0]
                text = self.ok(command, "--help").stdout
                for option in re.findall(r"--([a-z-]+)", text):
                    if option not in ("help", "version"):
                        self.assertIn(f"--{option}", section, f"{command} --{option}")

    def test_every_option_in_the_page_exists(self):
        count = 0
        for section in PAGE.split("\n## frameglass ")[1:]:
            command = section.split("\n")[0]
            known = set(re.findall(r"--([a-z][a-z-]*)", self.ok(command, "--help").stdout))
            # An example may pipe into another command.
            lines = [line.split("|")[0] if line.startswith("$ ") else line for line in section.splitlines()
                     if not line.startswith("$ frameglass ") or line.split()[2] == command]
            for option in set(re.findall(r"--([a-z][a-z-]*)", "\n".join(lines))):
                self.assertIn(option, known, f"{command} --{option}")
                count += 1
        self.assertGreater(count, 15)

    def test_the_columns_of_csv_are_the_real_ones(self):
        header = self.ok("export", self.files.demo, "--to", "csv").stdout.splitlines()[0]
        self.assertIn(f"`{header}`", PAGE)


if __name__ == "__main__":
    unittest.main()
