#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write colonnade.glb: a hall of columns in the evening sun, for the demo renderer.

    python3 examples/renderer/scenes/make_colonnade.py [OUT.glb]

The same bytes on every machine: the file in this folder is what it wrote.
"""
import json
import math
import pathlib
import random
import struct
import sys
import zlib

FLOAT, U16 = 5126, 5123
VERTICES, INDICES = 34962, 34963


class Document:
    """A glTF document with one binary chunk; lists grow as things are added."""

    def __init__(self):
        self.json = {
            "asset": {"version": "2.0", "generator": "make_colonnade.py",
                      "copyright": "MIT, the Frameglass authors"},
            "scene": 0, "scenes": [{"name": "colonnade", "nodes": []}],
            "nodes": [], "meshes": [], "accessors": [], "bufferViews": [], "buffers": [{}],
            "materials": [], "textures": [], "images": [], "samplers": [{"wrapS": 10497, "wrapT": 10497}],
            "cameras": [], "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_emissive_strength"],
            "extensions": {"KHR_lights_punctual": {"lights": []}},
        }
        self.binary = bytearray()

    def add(self, where, item):
        self.json[where].append(item)
        return len(self.json[where]) - 1

    def view(self, data, target=None):
        self.binary += bytes(-len(self.binary) % 4)
        item = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if target:
            item["target"] = target
        self.binary += data
        return self.add("bufferViews", item)

    def accessor(self, rows, kind, component, target):
        size = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[kind]
        flat = rows if size == 1 else [value for row in rows for value in row]
        data = struct.pack(f"<{len(flat)}{'f' if component == FLOAT else 'H'}", *flat)
        item = {"bufferView": self.view(data, target), "componentType": component, "count": len(rows),
                "type": kind}
        if target == VERTICES and kind == "VEC3":
            columns = list(zip(*[struct.unpack("<3f", struct.pack("<3f", *row)) for row in rows]))
            item["min"], item["max"] = [min(c) for c in columns], [max(c) for c in columns]
        return self.add("accessors", item)

    def mesh(self, name, shapes):
        """Shapes: (material, positions, normals, uvs, indices)."""
        primitives = []
        for material, positions, normals, uvs, indices in shapes:
            primitives.append({
                "attributes": {"POSITION": self.accessor(positions, "VEC3", FLOAT, VERTICES),
                               "NORMAL": self.accessor(normals, "VEC3", FLOAT, VERTICES),
                               "TEXCOORD_0": self.accessor(uvs, "VEC2", FLOAT, VERTICES)},
                "indices": self.accessor(indices, "SCALAR", U16, INDICES),
                "material": material})
        return self.add("meshes", {"name": name, "primitives": primitives})

    def node(self, name, parent=None, **fields):
        index = self.add("nodes", {"name": name, **fields})
        if parent is None:
            self.json["scenes"][0]["nodes"].append(index)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def texture(self, png):
        image = self.add("images", {"bufferView": self.view(png), "mimeType": "image/png"})
        return self.add("textures", {"source": image, "sampler": 0})

    def write(self, path):
        self.binary += bytes(-len(self.binary) % 4)
        self.json["buffers"][0]["byteLength"] = len(self.binary)
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + len(self.binary)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, total) + struct.pack("<I4s", len(text), b"JSON") + text
                         + struct.pack("<I4s", len(self.binary), b"BIN\0") + bytes(self.binary))


def png(side, pixel):
    """An RGB picture from a function of x and y."""
    rows = b"".join(b"\0" + bytes(v for x in range(side) for v in pixel(x, y)) for y in range(side))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Stored, not packed: packed bytes would hang on the version of zlib. 64 pixels do not need it.
    blocks = b""
    for start in range(0, len(rows), 65535):
        part = rows[start:start + 65535]
        blocks += struct.pack("<BHH", start + 65535 >= len(rows), len(part), len(part) ^ 0xffff) + part
    packed = b"\x78\x01" + blocks + struct.pack(">I", zlib.adler32(rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def turned(profile, segments, repeat=1.0):
    """A profile of (radius, height), from below, around the y axis; a point given twice is a crease."""
    positions, normals, uvs, indices = [], [], [], []
    for i, (radius, height) in enumerate(profile):
        nr = ny = 0.0
        for a, b in ((i - 1, i), (i, i + 1)):
            if a >= 0 and b < len(profile):
                dr, dy = profile[b][0] - profile[a][0], profile[b][1] - profile[a][1]
                length = math.hypot(dr, dy)
                if length > 0:
                    nr, ny = nr + dy / length, ny - dr / length
        length = math.hypot(nr, ny) or 1.0
        for s in range(segments + 1):
            angle = 2 * math.pi * s / segments
            positions.append((radius * math.cos(angle), height, radius * math.sin(angle)))
            normals.append((nr / length * math.cos(angle), ny / length, nr / length * math.sin(angle)))
            uvs.append((s / segments * repeat, height * 0.5))
    for i in range(len(profile) - 1):
        for s in range(segments):
            a = i * (segments + 1) + s
            b = a + segments + 1
            if profile[i][0] > 0:
                indices += [a, b, a + 1]
            if profile[i + 1][0] > 0:
                indices += [a + 1, b, b + 1]
    return positions, normals, uvs, indices


def box(half, scale=0.5):
    """Around the origin; the texture repeats every 1/scale metres."""
    positions, normals, uvs, indices = [], [], [], []
    for face in range(6):
        side, axis = (1.0, -1.0)[face % 2], face // 2
        u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
        for i in range(4):
            u = 1.0 if i in (1, 2) else -1.0
            v = 1.0 if i >= 2 else -1.0
            p, n = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
            p[axis], n[axis] = side * half[axis], side
            p[u_axis], p[v_axis] = u * side * half[u_axis], v * half[v_axis]
            positions.append(tuple(p))
            normals.append(tuple(n))
            uvs.append((u * half[u_axis] * scale, v * half[v_axis] * scale))
        indices += [face * 4 + i for i in (0, 1, 2, 0, 2, 3)]
    return positions, normals, uvs, indices


def vault(width, depth, thickness, segments):
    """Half a barrel along z, open below, seen from inside and from its ends."""
    positions, normals, uvs, indices = [], [], [], []

    def quad(corners, n):
        first = len(positions)
        for (x, y, z), (u, v) in corners:
            positions.append((x, y, z))
            normals.append(n)
            uvs.append((u, v))
        indices.extend([first, first + 1, first + 2, first, first + 2, first + 3])

    for s in range(segments):
        a0, a1 = (math.pi * (s + k) / segments for k in (0, 1))
        middle = (a0 + a1) / 2
        inner = [(width / 2 * math.cos(a), width / 2 * math.sin(a)) for a in (a0, a1)]
        outer = [((width / 2 + thickness) * math.cos(a), (width / 2 + thickness) * math.sin(a)) for a in (a0, a1)]
        arc = [width / 2 * a * 0.5 for a in (a0, a1)]
        n = (-math.cos(middle), -math.sin(middle), 0.0)
        quad([((*inner[0], -depth), (arc[0], 0)), ((*inner[1], -depth), (arc[1], 0)),
              ((*inner[1], depth), (arc[1], depth)), ((*inner[0], depth), (arc[0], depth))], n)
        quad([((*outer[0], depth), (arc[0], 0)), ((*outer[1], depth), (arc[1], 0)),
              ((*outer[1], -depth), (arc[1], depth)), ((*outer[0], -depth), (arc[0], depth))],
             (-n[0], -n[1], 0.0))
        for z, side in ((depth, 1.0), (-depth, -1.0)):
            ring = [(*inner[0], z), (*outer[0], z), (*outer[1], z), (*inner[1], z)]
            if side < 0:
                ring.reverse()
            quad([(p, (p[0] * 0.5, p[1] * 0.5)) for p in ring], (0.0, 0.0, side))
    return positions, normals, uvs, indices


def materials(document):
    chance = random.Random(7)
    grain = [[chance.random() for _ in range(64)] for _ in range(64)]

    def smooth(x, y, step):
        gx, gy = x / step, y / step
        x0, y0, u, v = int(gx), int(gy), gx % 1, gy % 1
        n = 64 // step
        at = [[grain[(y0 + j) % n * step % 64][(x0 + i) % n * step % 64] for i in (0, 1)] for j in (0, 1)]
        return (at[0][0] * (1 - u) + at[0][1] * u) * (1 - v) + (at[1][0] * (1 - u) + at[1][1] * u) * v

    def stone(x, y):
        joint = y % 32 < 1 or (x + (32 if y // 32 % 2 else 0)) % 64 < 1
        tone = 0.66 + 0.22 * smooth(x, y, 16) + 0.10 * smooth(x, y, 4) + 0.05 * grain[y][x]
        tone *= 0.62 if joint else 1.0
        return int(236 * min(tone, 1)), int(216 * min(tone, 1)), int(180 * min(tone, 1))

    def slabs(x, y):
        dark = (x // 32 + y // 32) % 2
        joint = x % 32 < 1 or y % 32 < 1
        tone = 0.75 + 0.20 * smooth(x, y, 8) + 0.06 * grain[y][x]
        color = (118, 62, 44) if dark else (206, 192, 166)
        return tuple(int(c * min(tone, 1) * (0.5 if joint else 1)) for c in color)

    def material(name, color, roughness, metal=0.0, texture=None, **more):
        pbr = {"baseColorFactor": [*color, 1], "metallicFactor": metal, "roughnessFactor": roughness}
        if texture is not None:
            pbr["baseColorTexture"] = {"index": texture}
        return document.add("materials", {"name": name, "pbrMetallicRoughness": pbr, **more})

    def glow(name, color, strength):
        return material(name, (0, 0, 0), 1, emissiveFactor=color,
                        extensions={"KHR_materials_emissive_strength": {"emissiveStrength": strength}})

    wall, floor = document.texture(png(64, stone)), document.texture(png(64, slabs))
    return {
        "stone": material("stone", (1, 1, 1), 0.82, texture=wall),
        "floor": material("floor", (1, 1, 1), 0.22, texture=floor),
        "marble": material("marble", (0.86, 0.84, 0.80), 0.25),
        "bronze": material("bronze", (0.45, 0.28, 0.13), 0.38, metal=1.0),
        "cloth": material("cloth", (0.46, 0.05, 0.06), 0.9, doubleSided=True),
        "leaf": material("leaf", (0.06, 0.14, 0.04), 0.9),
        "earth": material("earth", (0.20, 0.19, 0.09), 0.95),
        "flame": glow("flame", [1.0, 0.55, 0.18], 9.0),
        "water": material("water", (0.015, 0.04, 0.05), 0.04),
    }


def cloth(width, height, columns, rows):
    """A hanging banner in folds, from the top down; the material shows both sides."""
    positions, normals, uvs, indices = [], [], [], []
    for j in range(rows + 1):
        for i in range(columns + 1):
            u, v = i / columns, j / rows
            swing = 0.06 * v * math.sin(u * 9.0)
            slope = 0.06 * v * 9.0 * math.cos(u * 9.0) / width
            length = math.hypot(slope, 1.0)
            positions.append(((u - 0.5) * width, -v * height, swing))
            normals.append((-slope / length, 0.0, 1.0 / length))
            uvs.append((u, v))
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i
            b = a + columns + 1
            indices += [a, b, a + 1, a + 1, b, b + 1]
    return positions, normals, uvs, indices


def meshes(document, m):
    shaft = [(0.34, 0.0), (0.35, 0.5), (0.345, 1.4), (0.33, 2.4), (0.30, 3.5)]
    base = [(0.0, 0.0), (0.50, 0.0), (0.50, 0.0), (0.50, 0.10), (0.50, 0.10), (0.44, 0.12), (0.47, 0.18),
            (0.44, 0.24), (0.36, 0.27), (0.34, 0.30)]
    capital = [(0.30, 0.0), (0.34, 0.03), (0.31, 0.06), (0.34, 0.16), (0.44, 0.28), (0.52, 0.32),
               (0.52, 0.32), (0.52, 0.40), (0.52, 0.40), (0.0, 0.40)]
    urn = [(0.0, 0.0), (0.16, 0.0), (0.16, 0.04), (0.07, 0.09), (0.09, 0.16), (0.24, 0.34), (0.29, 0.52),
           (0.24, 0.66), (0.15, 0.72), (0.20, 0.78), (0.17, 0.78), (0.0, 0.70)]
    brazier = [(0.0, 0.0), (0.22, 0.0), (0.20, 0.05), (0.05, 0.10), (0.05, 0.85), (0.10, 0.92), (0.30, 1.02),
               (0.34, 1.12), (0.30, 1.10), (0.0, 1.04)]
    ball = [(math.sin(math.pi * i / 10), -math.cos(math.pi * i / 10)) for i in range(11)]
    tree = [(0.0, 0.05), (0.16, 0.08), (0.30, 0.16), (0.33, 0.30), (0.27, 0.55), (0.16, 0.80), (0.0, 1.0)]
    return {
        "column": document.mesh("column", [
            (m["stone"], *turned([(r, y + 0.30) for r, y in shaft], 28, 4)),
            (m["marble"], *turned(base, 28)),
            (m["marble"], *turned([(r, y + 3.80) for r, y in capital], 28))]),
        "vault": document.mesh("vault", [(m["stone"], *vault(3.4, 1.5, 0.30, 16))]),
        "arch": document.mesh("arch", [(m["stone"], *vault(2.3, 0.34, 0.28, 16))]),
        "block": document.mesh("block", [(m["stone"], *box((0.42, 0.42, 1.5)))]),
        "wall": document.mesh("wall", [(m["stone"], *box((0.3, 2.9, 1.5)))]),
        "floor": document.mesh("floor", [(m["floor"], *box((1.5, 0.05, 1.5), 2 / 3))]),
        "step": document.mesh("step", [(m["marble"], *box((1.0, 0.09, 1.0)))]),
        "ground": document.mesh("ground", [(m["earth"], *box((60.0, 0.1, 60.0)))]),
        "pool": document.mesh("pool", [(m["water"], *box((1.0, 0.02, 1.0)))]),
        "urn": document.mesh("urn", [(m["bronze"], *turned(urn, 24))]),
        "brazier": document.mesh("brazier", [(m["bronze"], *turned(brazier, 20))]),
        "flame": document.mesh("flame", [(m["flame"], *turned(ball, 14))]),
        "orb": document.mesh("orb", [(m["marble"], *turned(ball, 28))]),
        "tree": document.mesh("tree", [(m["leaf"], *turned(tree, 14))]),
        "banner": document.mesh("banner", [(m["cloth"], *cloth(1.1, 2.6, 14, 5))]),
    }


BAYS, BAY_M = 9, 3.0


def aisle(document, mesh, lamps, side):
    """One side of the hall, mirrored for the other: columns, arches, a vaulted walk, a wall."""
    parent = document.node(f"aisle {'left' if side < 0 else 'right'}", translation=[2.9 * side, 0, 0],
                           scale=[side, 1, 1])
    for i in range(BAYS + 1):
        z = -BAY_M * i
        document.node(f"column {i}", parent, mesh=mesh["column"], translation=[0, 0, z])
        document.node(f"outer column {i}", parent, mesh=mesh["column"], translation=[3.4, 0, z])
        if i == BAYS:
            break
        middle = z - BAY_M / 2
        for x in (0, 3.4):
            document.node(f"arch {i}", parent, mesh=mesh["arch"], translation=[x, 4.2, middle],
                          rotation=[0, math.sqrt(0.5), 0, math.sqrt(0.5)])
            document.node(f"entablature {i}", parent, mesh=mesh["block"], translation=[x, 5.95, middle])
        document.node(f"vault {i}", parent, mesh=mesh["vault"], translation=[1.7, 4.4, middle])
        for x in (1.6, 4.6):
            document.node(f"floor {i}", parent, mesh=mesh["floor"], translation=[x, -0.06, middle])
        if i % 2 == 0:
            document.node(f"wall {i}", parent, mesh=mesh["wall"], translation=[4.4, 2.9, middle])
            document.node(f"banner {i}", parent, mesh=mesh["banner"], translation=[4.06, 4.4, middle],
                          rotation=[0, -math.sqrt(0.5), 0, math.sqrt(0.5)])
        if i % 3 == 1:
            stand = document.node(f"brazier {i}", parent, mesh=mesh["brazier"], translation=[-0.9, 0, middle])
            document.node(f"flame {i}", stand, mesh=mesh["flame"], translation=[0, 1.2, 0], scale=[0.2, 0.28, 0.2])
            document.node(f"light {i}", stand, translation=[0, 1.55, 0],
                          extensions={"KHR_lights_punctual": {"light": lamps["flame"]}})
        elif i % 3 == 2:
            document.node(f"plinth {i}", parent, mesh=mesh["step"], translation=[1.7, 0.36, middle],
                          scale=[0.34, 4, 0.34])
            document.node(f"urn {i}", parent, mesh=mesh["urn"], translation=[1.7, 0.72, middle],
                          scale=[1.3, 1.3, 1.3])
            document.node(f"lamp {i}", parent, mesh=mesh["flame"], translation=[1.7, 4.6, middle],
                          scale=[0.12, 0.12, 0.12])
            document.node(f"lamp light {i}", parent, translation=[1.7, 4.3, middle],
                          extensions={"KHR_lights_punctual": {"light": lamps["lamp"]}})


def nave(document, mesh, lamps):
    parent = document.node("nave")
    document.node("ground", parent, mesh=mesh["ground"], translation=[0, -0.25, -14])
    for i in range(BAYS + 2):
        for x in (-1.5, 1.5):
            document.node(f"floor {i}", parent, mesh=mesh["floor"],
                          translation=[x, -0.06, BAY_M * (0.5 - i)])
    document.node("pool", parent, mesh=mesh["pool"], translation=[0, 0.10, -12], scale=[1.0, 1, 7.5])
    for side in (-1, 1):
        document.node("rim", parent, mesh=mesh["step"], translation=[1.1 * side, 0.06, -12], scale=[0.12, 1.4, 7.7])
        document.node("rim", parent, mesh=mesh["step"], translation=[0, 0.06, -12 + 7.6 * side],
                      scale=[1.0, 1.4, 0.12])
    altar = document.node("altar", parent, translation=[0, 0, -25.5])
    for i in range(3):
        size = 2.2 - 0.45 * i
        document.node(f"step {i}", altar, mesh=mesh["step"], translation=[0, 0.09 + 0.18 * i, 0],
                      scale=[size, 1, size])
    document.node("orb", altar, mesh=mesh["orb"], translation=[0, 1.75, 0], scale=[0.85, 0.85, 0.85])
    for i in range(8):
        angle = 2 * math.pi * i / 8
        document.node(f"candle {i}", altar, mesh=mesh["flame"], scale=[0.07, 0.11, 0.07],
                      translation=[1.05 * math.sin(angle), 0.70, 1.05 * math.cos(angle)])
    document.node("altar light", altar, translation=[0, 0.9, 1.4],
                  extensions={"KHR_lights_punctual": {"light": lamps["altar"]}})


def garden(document, mesh):
    chance = random.Random(11)
    parent = document.node("garden")
    for i in range(46):
        side = -1 if i % 2 else 1
        x = side * (11.0 + 9.0 * chance.random())
        z = 6.0 - 44.0 * chance.random()
        height = 5.0 + 5.0 * chance.random()
        document.node(f"cypress {i}", parent, mesh=mesh["tree"], translation=[round(x, 3), -0.2, round(z, 3)],
                      scale=[4.2, round(height, 3), 4.2])
    for i in range(16):
        document.node(f"far cypress {i}", parent, mesh=mesh["tree"], scale=[5.0, round(8 + 4 * chance.random(), 3), 5.0],
                      translation=[-22.5 + 3.0 * i, -0.2, round(-36 - 3 * chance.random(), 3)])


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("colonnade.glb")
    document = Document()
    mesh = meshes(document, materials(document))
    lights = document.json["extensions"]["KHR_lights_punctual"]["lights"]
    lights += [{"name": "flame", "type": "point", "color": [1, 0.45, 0.14], "intensity": 15, "range": 7.5},
               {"name": "lamp", "type": "point", "color": [1, 0.62, 0.3], "intensity": 9, "range": 6},
               {"name": "altar", "type": "point", "color": [1, 0.6, 0.25], "intensity": 22, "range": 9}]
    lamps = {light["name"]: index for index, light in enumerate(lights)}
    for side in (-1, 1):
        aisle(document, mesh, lamps, side)
    nave(document, mesh, lamps)
    garden(document, mesh)
    camera = document.add("cameras", {"type": "perspective", "perspective": {"yfov": 0.95, "znear": 0.1}})
    # Looks along -z, a little down and to the left.
    turn = 0.045
    document.node("eye", camera=camera, translation=[0.55, 1.95, 3.1],
                  rotation=[0, round(math.sin(turn / 2), 6), 0, round(math.cos(turn / 2), 6)])
    document.write(out)


if __name__ == "__main__":
    main()
