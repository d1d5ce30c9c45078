# SPDX-License-Identifier: Apache-2.0
# tests/view/gltf.py - reads a .glb file and checks it against the specification of glTF 2.0
import json
import math
import struct

SIZES = {5121: 1, 5123: 2, 5125: 4, 5126: 4}
CODES = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, length = struct.unpack("<III", data[:12])
        assert magic == 0x46546C67 and version == 2 and length == len(data)
        size, kind = struct.unpack("<II", data[12:20])
        assert kind == 0x4E4F534A and size % 4 == 0
        self.json = json.loads(data[20:20 + size])
        at = 20 + size
        size, kind = struct.unpack("<II", data[at:at + 8])
        assert kind == 0x004E4942 and size % 4 == 0 and at + 8 + size == len(data)
        self.binary = data[at + 8:]
        self.check()

    def values(self, number):
        """Rows of an accessor."""
        a = self.json["accessors"][number]
        view = self.json["bufferViews"][a["bufferView"]]
        width = WIDTHS[a["type"]]
        size = SIZES[a["componentType"]] * width
        offset = view["byteOffset"] + a.get("byteOffset", 0)
        assert offset % SIZES[a["componentType"]] == 0, "alignment"
        assert a.get("byteOffset", 0) + size * a["count"] <= view["byteLength"], "behind its view"
        text = f"<{width * a['count']}{CODES[a['componentType']]}"
        flat = struct.unpack_from(text, self.binary, offset)
        return [flat[i:i + width] for i in range(0, len(flat), width)]

    def check(self):
        j = self.json
        assert j["asset"]["version"] == "2.0"
        assert j["buffers"][0]["byteLength"] == len(self.binary)
        for view in j["bufferViews"]:
            assert view["byteOffset"] + view["byteLength"] <= len(self.binary)
            assert view["byteLength"] > 0
        for i, a in enumerate(j["accessors"]):
            rows = self.values(i)
            assert a["count"] > 0 and all(map(math.isfinite, (x for row in rows for x in row)))
            if "min" in a:
                columns = list(zip(*rows))
                assert [min(c) for c in columns] == [struct.unpack("<f", struct.pack("<f", x))[0]
                                                     for x in a["min"]]
                assert [max(c) for c in columns] == [struct.unpack("<f", struct.pack("<f", x))[0]
                                                     for x in a["max"]]
        for mesh in j["meshes"]:
            for p in mesh["primitives"]:
                self.check_primitive(p)
        self.check_nodes()
        for skin in j.get("skins", []):
            assert len(set(skin["joints"])) == len(skin["joints"])
            assert j["accessors"][skin["inverseBindMatrices"]]["count"] == len(skin["joints"])
        for animation in j.get("animations", []):
            self.check_animation(animation)

    def check_primitive(self, p):
        j = self.json
        counts = {j["accessors"][a]["count"] for a in p["attributes"].values()}
        assert len(counts) == 1 and "min" in j["accessors"][p["attributes"]["POSITION"]]
        indices = [row[0] for row in self.values(p["indices"])]
        assert len(indices) % 3 == 0 and max(indices) < counts.pop()
        assert p["material"] < len(j["materials"])
        assert all(abs(math.hypot(*n) - 1) < 1e-3 for n in self.values(p["attributes"]["NORMAL"]))
        if "WEIGHTS_0" in p["attributes"]:
            assert all(abs(sum(w) - 1) < 1e-6 for w in self.values(p["attributes"]["WEIGHTS_0"]))

    def check_nodes(self):
        nodes = self.json["nodes"]
        parents = [0] * len(nodes)
        for node in nodes:
            for child in node.get("children", []):
                parents[child] += 1
            if "rotation" in node:
                assert abs(math.hypot(*node["rotation"]) - 1) < 1e-5
            if "skin" in node:
                skin = self.json["skins"][node["skin"]]
                mesh = self.json["meshes"][node["mesh"]]["primitives"][0]
                most = max(max(row) for row in self.values(mesh["attributes"]["JOINTS_0"]))
                assert most < len(skin["joints"])
        # a tree: one root, that of the scene, and everything else below it once
        roots = self.json["scenes"][0]["nodes"]
        assert [i for i, p in enumerate(parents) if p == 0] == roots and max(parents) == 1

    def check_animation(self, animation):
        targets = set()
        for channel in animation["channels"]:
            target = channel["target"]
            assert (target["node"], target["path"]) not in targets
            targets.add((target["node"], target["path"]))
            sampler = animation["samplers"][channel["sampler"]]
            times = [row[0] for row in self.values(sampler["input"])]
            assert "min" in self.json["accessors"][sampler["input"]]
            assert times[0] >= 0 and all(a < b for a, b in zip(times, times[1:]))
            rows = self.values(sampler["output"])
            assert len(rows) == len(times)
            if target["path"] == "rotation":
                assert all(abs(math.hypot(*q) - 1) < 1e-5 for q in rows)

    def track(self, node, path):
        """Values of a channel of a node."""
        for channel in self.json["animations"][0]["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                sampler = self.json["animations"][0]["samplers"][channel["sampler"]]
                return self.values(sampler["output"])
        return None

    def node(self, name, key):
        return [i for i, n in enumerate(self.json["nodes"]) if n.get("name") == name and key in n][0]


def turned(q, v):
    """A vector turned by a quaternion x y z w."""
    x, y, z, w = q
    a = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * a[0] + y * a[2] - z * a[1], v[1] + w * a[1] + z * a[0] - x * a[2],
            v[2] + w * a[2] + x * a[1] - y * a[0]]
