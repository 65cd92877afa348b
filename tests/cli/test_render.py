# SPDX-License-Identifier: MIT
"""Pictures by the command: what was asked for is drawn, the same by the CPU and by a device, and what cannot be is told.

    FG_DEVICE=1 adds the device that the environment names. FG_KEEP=FOLDER keeps the golden pictures as they are drawn now.
"""
import os
import pathlib
import struct
import subprocess
import unittest
import zlib

from cli_support import FRAMEGLASS, ROOT, CliTest, run

PICTURES = ROOT / "tests/cli/pictures"
GOLDEN = ROOT / "tests/golden/v1_process.sgpt"
EXTREME = ROOT / "tests/golden/v1_everything.sgpt"  # from the first time that 64 bits hold to the last but one
DETAILS = ("auto", "exact", "representative", "density")


def chunks(png):
    """(type, bytes) of each chunk; its checksum holds."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size)[0] == zlib.crc32(kind + body)
        yield kind, body
        at += 12 + size


def pixels(path):
    """Width, height, and red, green and blue of each pixel; a picture of ours has rows that are differences to the one above."""
    parts = list(chunks(path.read_bytes()))
    width, height, depth, colour = struct.unpack(">IIBB", parts[0][1][:10])
    assert (depth, colour, parts[-1][0]) == (8, 2, b"IEND")
    rows = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    size = 3 * width
    above, whole = bytes(size), []
    for y in range(height):
        line = rows[y * (size + 1) + 1 : (y + 1) * (size + 1)]
        assert rows[y * (size + 1)] in (0, 2)
        above = bytes((a + b) & 255 for a, b in zip(line, above)) if rows[y * (size + 1)] == 2 else line
        whole.append(above)
    return width, height, b"".join(whole)


class RenderTest(CliTest):
    def draw(self, capture, *options, name="picture.png", **rest):
        path = self.files.folder / name
        done = self.ok("render", capture, "-o", path, *options, **rest)
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
        return path, done


class Picture(RenderTest):
    def test_it_has_the_size_that_was_asked_for(self):
        path, done = self.draw(self.files.demo, "--width", 321, "--height", 123)
        width, height, rows = pixels(path)
        self.assertEqual((width, height), (321, 123))
        self.assertGreater(len(set(zip(rows[::3], rows[1::3], rows[2::3]))), 8, "colours")
        self.assertRegex(done.stdout, r": 321 x 123, [1-9]\d* lanes, [1-9]\d* spans, \d+ bins?, drawn by the CPU$")
        self.assertEqual(done.stderr, "")

    def test_the_golden_pictures_are_drawn_byte_by_byte(self):
        for name, capture, options in (
            ("dark.png", GOLDEN, ("--width", 480, "--height", 100)),
            ("light.png", GOLDEN, ("--width", 480, "--height", 100, "--theme", "light", "--detail", "representative")),
            ("left_out.png", EXTREME, ("--width", 300, "--height", 100, "--scale", 2)),
        ):
            with self.subTest(name):
                path, _ = self.draw(capture, *options, name=name)
                if "FG_KEEP" in os.environ:
                    (pathlib.Path(os.environ["FG_KEEP"]) / name).write_bytes(path.read_bytes())
                self.assertEqual(path.read_bytes(), (PICTURES / name).read_bytes())

    def test_the_picture_of_the_readme_is_what_its_command_draws(self):
        demo = self.files.folder / "readme.sgpt"
        self.ok("demo", "--no-gpu", "--frames", 60, "-o", demo)
        lines = (line.split() for line in (ROOT / "README.md").read_text().splitlines())
        words = next(line for line in lines if line[:2] == ["build/bin/frameglass", "render"])
        path, _ = self.draw(demo, *words[words.index("--time"):], name="readme.png")
        self.assertEqual(path.read_bytes(), (ROOT / "docs/images/render.png").read_bytes())

    def test_a_window_a_track_and_a_detail_change_what_is_drawn(self):
        size = ("--width", 300, "--height", 100)
        whole, _ = self.draw(self.files.demo, *size)
        for options in (("--time", "+0ms:+1ms"), ("--track", "queue 0"), ("--detail", "density"), ("--theme", "light"), ("--scale", 2)):
            with self.subTest(options):
                path, _ = self.draw(self.files.demo, *size, *options, name="other.png")
                self.assertNotEqual(path.read_bytes(), whole.read_bytes())

    def test_lanes_without_room_are_counted_where_it_is_seen(self):
        _, done = self.draw(self.files.demo, "--height", 64, "--scale", 4)
        self.assertRegex(done.stderr, r"^frameglass render: \d+ more lanes? had no room: see --height and --track$")

    def test_auto_takes_the_cpu_for_a_small_trace(self):
        one, _ = self.draw(self.files.demo, "--width", 300, name="one.png")
        other, done = self.draw(self.files.demo, "--width", 300, "--engine", "auto", name="other.png")
        self.assertEqual((done.stdout.split(", ")[-1], done.stderr), ("drawn by the CPU\n", ""))
        self.assertEqual(one.read_bytes(), other.read_bytes())


class Refused(RenderTest):
    def test_what_makes_no_picture_is_told_and_nothing_is_written(self):
        path = self.files.folder / "never.png"
        for status, words, options in (
            (2, "--width", ("--width", 63)),
            (2, "--width", ("--width", "wide")),
            (2, "--height", ("--height", 16385)),
            (2, "--scale", ("--scale", 0)),
            (2, "--time: there is nothing between its two ends", ("--time", "+5ms:+5ms")),
            (2, "--time", ("--time", "yesterday:now")),
            (2, "--time", ("--time", "+6ms:+5ms")),
            (2, "--detail does not take 'most': expected auto", ("--detail", "most")),
            (2, "--theme does not take 'grey': expected dark", ("--theme", "grey")),
            (2, "--engine must be auto, cpu or vulkan", ("--engine", "gpu")),
            (2, "has none called 'nobody'", ("--track", "nobody")),
        ):
            with self.subTest(options):
                self.assertIn(words, self.fails(status, "render", self.files.demo, "-o", path, *options))
                self.assertFalse(path.exists())
        self.assertIn("-o OUT.png is missing", self.fails(2, "render", self.files.demo))

    def test_a_place_where_nothing_can_be_written_is_named(self):
        path = self.files.folder / "nowhere" / "picture.png"
        self.assertIn(f"{path}: ", self.fails(3, "render", self.files.demo, "-o", path))
        kept = self.files.folder / "kept.png"
        kept.write_bytes(b"as it was")
        full = run("render", self.files.demo, "-o", "/dev/full")
        self.assertNotEqual(full.returncode, 0)
        self.assertIn("/dev/full: ", full.stderr)
        self.fails(3, "render", self.files.folder / "missing.sgpt", "-o", kept)
        self.assertEqual(kept.read_bytes(), b"as it was")

    def test_a_capture_of_nothing_is_no_picture(self):
        path = self.files.folder / "never.png"
        self.assertIn("there is nothing in it to draw", self.fails(3, "render", ROOT / "tests/golden/v1_empty.sgpt", "-o", path))
        self.assertFalse(path.exists())


@unittest.skipUnless("FG_DEVICE" in os.environ, "no device")
class Device(RenderTest):
    def test_its_pictures_differ_from_those_of_the_cpu_by_one_level_at_most(self):
        for capture in (self.files.demo, GOLDEN):
            for i, detail in enumerate(DETAILS if capture is self.files.demo else DETAILS[:1]):
                with self.subTest((capture.name, detail)):
                    options = ("--width", 400, "--height", 130, "--detail", detail, "--theme", ("dark", "light")[i % 2])
                    one, cpu = self.draw(capture, *options, name="cpu.png")
                    other, device = self.draw(capture, *options, "--engine", "vulkan", name="device.png")
                    self.assertRegex(device.stdout, r"drawn by (?!the CPU)")
                    self.assertEqual(cpu.stdout.split(", ")[1:4], device.stdout.split(", ")[1:4], "lanes, spans, bins")
                    a, b = pixels(one), pixels(other)
                    self.assertEqual(a[:2], b[:2])
                    self.assertLessEqual(max(abs(x - y) for x, y in zip(a[2], b[2])), 1)

    def test_without_a_driver_the_cpu_draws_and_it_is_told_why(self):
        path = self.files.folder / "instead.png"
        done = subprocess.run([FRAMEGLASS, "render", self.files.demo, "-o", path, "--width", "300", "--engine", "vulkan"], text=True,
                              capture_output=True, env={**os.environ, "VK_ICD_FILENAMES": "/dev/null", "VK_DRIVER_FILES": "/dev/null"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "^frameglass render: drawn by the CPU, not by a device: .*no Vulkan device")
        self.assertTrue(done.stdout.endswith("drawn by the CPU\n"), done.stdout)
        same, _ = self.draw(self.files.demo, "--width", 300)
        self.assertEqual(path.read_bytes(), same.read_bytes())


if __name__ == "__main__":
    unittest.main()
