# SPDX-License-Identifier: MIT
"""frameglass demo --scene: the bundled glTF scene goes through the same graph as the courtyard."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FRAMEGLASS = os.environ["FRAMEGLASS"]
SCENES = pathlib.Path(os.environ["SCENES"])
FRAMES = 5


def run(*arguments):
    return subprocess.run([FRAMEGLASS, *map(str, arguments)], capture_output=True, text=True, check=False)


class GltfSceneTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.capture = cls.folder / "scene.sgpt"
        cls.picture = cls.folder / "scene.png"
        cls.done = run("demo", "-o", cls.capture, "--scene", SCENES / "colonnade.glb", "--frames", FRAMES,
                       "--size", "96x54", "--png", cls.picture)

    def test_it_is_recorded_whole(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertIn("2 textures", self.done.stderr)
        info = json.loads(run("info", self.capture, "--json").stdout)
        self.assertEqual((info["frames"], info["dropped"], info["closed"]), (FRAMES, {}, True))
        self.assertEqual(info["topologies"], 4)
        frames = json.loads(run("frames", self.capture, "--json").stdout)["rows"]
        self.assertEqual([f["frame"] for f in frames if not f["gpu_ns"]], [])

    def test_the_passes_are_those_of_the_courtyard(self):
        courtyard = self.folder / "courtyard.sgpt"
        run("demo", "-o", courtyard, "--frames", FRAMES, "--size", "96x54")
        names = [{row["name"] for row in json.loads(run("stats", path, "--by", "pass", "--json").stdout)["rows"]}
                 for path in (self.capture, courtyard)]
        self.assertEqual(names[0] - {"read back"}, names[1])
        self.assertGreater(len(names[1]), 30)

    def test_its_script_writes_the_same_bytes_again(self):
        again = self.folder / "again.glb"
        subprocess.run([sys.executable, SCENES / "make_colonnade.py", again], check=True)
        self.assertEqual(again.read_bytes(), (SCENES / "colonnade.glb").read_bytes())

    def test_a_scene_that_cannot_be_read_is_named_before_any_device_is_asked(self):
        broken = self.folder / "broken.gltf"
        broken.write_text('{"asset":{"version":"2.0"},"scenes":[{"nodes":[3]}]}')
        for path, text in ((broken, "nodes[3]: not there"), (self.folder / "none.glb", "No such file")):
            done = run("demo", "-o", self.folder / "none.sgpt", "--scene", path)
            self.assertEqual(done.returncode, 3)
            self.assertIn(path.name, done.stderr)
            self.assertIn(text, done.stderr)
            self.assertNotIn("--no-gpu", done.stderr)


if __name__ == "__main__":
    unittest.main()
