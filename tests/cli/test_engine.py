# SPDX-License-Identifier: MIT
"""Who answers: a device of this machine, or the CPU in its place, with a word that says why and the same answers.

FAULTY_VULKAN is a loader that can be told to break (faulty_vulkan.c); the drivers are those of the environment.
"""
import os
import pathlib
import struct
import subprocess
import unittest
import urllib.request

from cli_support import FRAMEGLASS, CliTest

FAULTY = pathlib.Path(os.environ["FAULTY_VULKAN"])
LOADER = os.environ["FGT_VULKAN"]
QUESTIONS = [
    ("stats", "--json"),
    ("stats", "--by", "track", "--csv"),
    ("path", "--json"),
    ("search", "a", "--json"),
    ("frames", "--json"),
    ("anomalies", "--json"),
]
LOAD, VIEW, STATS, ENGINE = 3, 7, 12, 40


def environment(**faults):
    """Of a program that meets these faults."""
    return {**os.environ, "LD_LIBRARY_PATH": str(FAULTY.parent), "FGT_VULKAN": LOADER, **faults}


class EngineTest(CliTest):
    def ask(self, question, engine, **faults):
        command, *rest = question
        arguments = [FRAMEGLASS, command, self.files.demo, *rest, "--engine", engine]
        done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env=environment(**faults), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def same_as_cpu(self, questions, said, **faults):
        for question in questions:
            with self.subTest(question):
                done = self.ask(question, "vulkan", **faults)
                self.assertEqual(done.stdout, self.ok(question[0], self.files.demo, *question[1:]).stdout)
                self.assertRegex(done.stderr.strip().splitlines()[-1], f"^frameglass {question[0]}: answered by {said}$")


class Engines(EngineTest):
    def test_a_device_answers_the_same_and_is_named(self):
        self.same_as_cpu(QUESTIONS, "vulkan on .+")
        done = self.ask(("diff", self.files.packed, "--json"), "vulkan")
        self.assertEqual(done.stdout, self.ok("diff", self.files.demo, self.files.packed, "--json").stdout)
        self.assertEqual(done.stderr.count("answered by vulkan on"), 2, done.stderr)

    def test_without_a_driver_or_a_loader_the_cpu_answers(self):
        self.same_as_cpu(QUESTIONS[:2], "the CPU in place of vulkan: no Vulkan device: .+",
                         VK_ICD_FILENAMES="/dev/null", VK_DRIVER_FILES="/dev/null")
        self.same_as_cpu(QUESTIONS[:1], "the CPU in place of vulkan: no Vulkan device: there is no driver", FGT_VULKAN="nowhere.so")

    def test_without_a_feature_that_is_needed_the_cpu_answers_and_it_is_named(self):
        self.same_as_cpu(QUESTIONS[:2], "the CPU in place of vulkan: .*bufferDeviceAddress.*", FGT_VULKAN_WITHOUT="bufferDeviceAddress")

    def test_a_device_without_64_bit_integers_answers(self):
        self.same_as_cpu(QUESTIONS[:1], "vulkan on .+", FGT_VULKAN_WITHOUT="shaderInt64")

    def test_a_device_that_is_lost_at_any_submission_loses_no_answer(self):
        for at in (1, 3):
            self.same_as_cpu([("stats", "--by", "track", "--json")], "the CPU in place of vulkan on .+: .*lost.*", FGT_VULKAN_LOST_AT=str(at))

    def test_auto_takes_the_cpu_for_a_small_trace_and_starts_no_device(self):
        log = self.files.folder / "submissions"
        done = self.ask(("stats", "--json"), "auto", FGT_VULKAN_LOG=str(log), FGT_VULKAN="nowhere.so")
        self.assertEqual(done.stderr.strip(), "frameglass stats: answered by the CPU")
        self.assertFalse(log.exists())
        self.assertEqual(self.ok("stats", self.files.demo).stderr, "")

    def test_info_tells_who_answers(self):
        info = self.json("info", self.files.demo, "--json")
        self.assertEqual(info["engine"], {"name": "cpu", "answers": "cpu", "device": None, "reason": None})
        info = self.json("info", self.files.demo, "--json", "--engine", "vulkan")
        self.assertEqual((info["engine"]["name"], info["engine"]["answers"], info["engine"]["reason"]), ("vulkan", "vulkan", None))
        self.assertTrue(info["engine"]["device"])

    def test_another_word_is_refused(self):
        for command in ("stats", "info", "frames", "path", "anomalies"):
            self.assertIn("--engine must be auto, cpu or vulkan", self.fails(2, command, self.files.demo, "--engine", "gpu"))


class Session:
    """A page's questions to `frameglass view`, without a page."""

    def __init__(self, *arguments, **faults):
        self.process = subprocess.Popen([FRAMEGLASS, "view", *map(str, arguments), "--no-browser"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment(**faults))
        self.address = self.process.stdout.readline().strip()

    def ask(self, kind, *sections):
        """Reply flags and payloads by tag. A section is tag, element type, count, bytes."""
        body, at = b"", 48 + 16 * len(sections)
        directory = b""
        for tag, element, count, payload in sections:
            directory += struct.pack("<HBBIII", tag, element, 0, count, at + len(body), len(payload))
            body += payload + bytes(-len(payload) % 8)
        size = at + len(body)
        message = struct.pack("<IHHIHHIIIIIIQ", 0x51564746, 1, kind, size, len(sections), 0, 1, 0, 1, 0, 0, 0, 0) + directory + body
        request = urllib.request.Request(f"{self.address}q", message, {"Content-Type": "application/octet-stream"})
        with urllib.request.urlopen(request, timeout=120) as reply:
            return self.read(reply.read())

    @staticmethod
    def read(reply):
        count, flags, status = struct.unpack_from("<HH", reply, 12) + struct.unpack_from("<I", reply, 36)
        found = {}
        for i in range(count):
            tag, element, _, elements, at, size = struct.unpack_from("<HBBIII", reply, 48 + 16 * i)
            found[tag] = (elements, reply[at : at + size])
        return status, flags, found

    def engine(self):
        _, flags, found = self.ask(ENGINE)
        count, raw = found[0x2840]
        ends = struct.unpack_from(f"<{count + 1}I", raw)
        texts = [raw[4 * (count + 1) + a : 4 * (count + 1) + b].decode() for a, b in zip(ends, ends[1:])]
        return flags, texts, struct.unpack("<3Q", found[0x2841][1])

    def view(self):
        return self.ask(VIEW, (0x0701, 5, 2, struct.pack("<qq", 0, 10**9)), (0x0702, 3, 1, struct.pack("<I", 800)),
                        (0x0703, 3, 4, struct.pack("<4I", 0, 1, 2, 3)))

    def close(self):
        self.process.terminate()
        self.process.communicate()


class Sessions(EngineTest):
    def open(self, *arguments, **faults):
        session = Session(*arguments, **faults)
        self.addCleanup(session.close)
        status = 9
        while status == 9:  # it is being loaded
            session.ask(LOAD)
            status, _, _ = session.ask(ENGINE)
        self.assertEqual(status, 0)
        return session

    def test_a_device_that_is_lost_in_the_middle_is_replaced_and_the_page_is_told(self):
        cpu = self.open(self.files.demo, "--engine", "cpu")
        self.assertEqual(cpu.engine(), (0, ["cpu", "cpu", "", ""], (0, 0, 0)))
        whole = self.open(self.files.demo, "--engine", "vulkan")
        answers = [cpu.view()[2], cpu.ask(STATS)[2]]
        self.assertEqual(whole.view()[2], answers[0])
        flags, texts, (own, _, first) = whole.engine()
        self.assertEqual((flags, texts[0], texts[1], texts[3]), (0, "vulkan", "vulkan", ""))
        self.assertGreater(min(own, first), 0)
        self.assertEqual(whole.ask(STATS)[2], answers[1])
        breaking = self.open(self.files.demo, "--engine", "vulkan", FGT_VULKAN_LOST_AT=str(first + 1))
        status, flags, found = breaking.view()
        self.assertEqual((status, flags, found), (0, 0, answers[0]))
        status, flags, found = breaking.ask(STATS)
        self.assertEqual((status, flags, found), (0, 16, answers[1]), "the reply says that another one has answered")
        flags, texts, counts = breaking.engine()
        self.assertEqual((flags, texts[:2]), (16, ["vulkan", "cpu"]))
        self.assertIn("lost", texts[3])
        self.assertEqual(breaking.view()[2], answers[0])
        self.assertEqual(breaking.engine()[2][2], counts[2], "nothing is submitted to it any more")

    def test_what_the_device_does_is_a_capture_with_a_frame_graph(self):
        out = self.files.folder / "device.sgpt"
        session = self.open(self.files.demo, "--engine", "vulkan", "--profile", out)
        session.view()
        session.ask(STATS)
        submissions = session.engine()[2][2]
        session.close()
        info = self.json("info", out, "--json")
        self.assertTrue(info["closed"])
        self.assertEqual(info["frames"], submissions, "a frame is a submission")
        self.assertEqual((sum(info["dropped"].values()), info["unfinished"]), (0, 0))
        self.assertTrue({"invocations", "read", "written"} <= {metric["name"] for metric in info["metrics"]}, info["metrics"])
        graphs = self.json("export", out, "--to", "graph-json")["topologies"]
        self.assertEqual(sum(graph["frames"] for graph in graphs), submissions)
        largest = max(graphs, key=lambda graph: len(graph["passes"]))
        self.assertGreater(len(largest["passes"]), 3)
        for graph in graphs:
            ends = {(edge["from"], edge["to"]) for edge in graph["edges"]}
            self.assertTrue(all(a < b for a, b in ends), "what is read was written before")
            self.assertTrue(all(r["size_bytes"] > 0 and r["kind"] == "buffer" for r in graph["resources"]))
            for index, resource in enumerate(graph["resources"]):
                self.assertEqual(resource["imported"] and resource["version"] == 0, resource["producer"] is None, (index, resource))
        self.assertTrue(largest["edges"])
        rows = self.json("stats", out, "--by", "pass", "--json")["rows"]
        self.assertLessEqual({p["name"] for p in largest["passes"]}, {row["name"].split("/")[-1] for row in rows})
        self.assertGreater(sum(row["total_ns"] for row in rows), 0)

    def test_a_profile_needs_the_device(self):
        self.assertIn("--profile needs --engine vulkan", self.fails(2, "view", self.files.demo, "--profile", "x.sgpt"))

    def test_what_is_followed_is_answered_by_the_cpu_and_the_page_is_told(self):
        session = self.open(self.files.demo, "--engine", "vulkan", "--follow")
        flags, texts, _ = session.engine()
        self.assertEqual((flags, texts[:3]), (16, ["vulkan", "cpu", ""]))
        self.assertIn("followed", texts[3])


if __name__ == "__main__":
    unittest.main()
