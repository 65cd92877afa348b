# SPDX-License-Identifier: MIT
"""Section 1 of docs/FORMAT.md: numbers, text and lists, read from bytes that nobody vouches for."""

import struct

NONE32 = 2**32 - 1
UNKNOWN64 = 2**64 - 1
MASK64 = 2**64 - 1


class Malformed(Exception):
    """The payload cannot be decoded."""


def signed64(value):
    value &= MASK64
    return value - 2**64 if value >= 2**63 else value


class Cursor:
    """Reads a payload from the front. What it meets that refers elsewhere is kept in `uses`."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.uses = []  # (kind, id) of symbols, tracks, clocks ... in field order

    def left(self):
        return len(self.data) - self.at

    def raw(self, size):
        if size > self.left():
            raise Malformed
        self.at += size
        return self.data[self.at - size:self.at]

    def fixed(self, code, size):
        return struct.unpack("<" + code, self.raw(size))[0]

    def u8(self):
        return self.fixed("B", 1)

    def fix16(self):
        return self.fixed("H", 2)

    def fix32(self):
        return self.fixed("I", 4)

    def fix64(self):
        return self.fixed("Q", 8)

    def f64(self):
        return self.fixed("d", 8)

    def u64(self):
        value = 0
        for i in range(10):
            byte = self.u8()
            if (i == 9 and byte > 1) or (i > 0 and byte == 0):
                raise Malformed
            value |= (byte & 127) << (7 * i)
            if byte < 128:
                return value
        raise Malformed

    def u32(self):
        value = self.u64()
        if value > NONE32:
            raise Malformed
        return value

    def i64(self):
        value = self.u64()
        return (value >> 1) ^ -(value & 1)

    def opt32(self):
        value = self.u32()
        return None if value == 0 else value - 1

    def opt64(self):
        value = self.u64()
        return None if value == 0 else value - 1

    def delta(self, base):
        return (base + self.i64()) & MASK64

    def unsigned_delta(self, base):
        return (base + self.u64()) & MASK64

    def text_bytes(self):
        size = self.u32()
        return self.raw(size)

    def text(self):
        return self.text_bytes().decode("utf-8", "replace")

    def list_of(self, item):
        count = self.u32()
        if count > self.left():
            raise Malformed
        return [item() for _ in range(count)]

    def use(self, kind, value):
        if value is not None:
            self.uses.append((kind, value))
        return value

    def sym(self):
        return self.use("symbol", self.u32())

    def track(self):
        return self.use("track", self.u32())

    def clock(self):
        return self.use("clock", self.u32())

    def maybe_track(self):
        return self.use("track", self.opt32())

    def maybe_clock(self):
        return self.use("clock", self.opt32())

    def ref(self):
        return {"kind": self.u32(), "a": self.u64(), "b": self.u64()}

    def value(self):
        kind = self.u32()
        if kind == 0:
            return {"kind": kind, "value": self.i64()}
        if kind == 1:
            return {"kind": kind, "value": self.u64()}
        if kind == 2:
            return {"kind": kind, "value": self.f64()}
        if kind == 3:
            return {"kind": kind, "value": self.u64()}
        if kind == 5:
            return {"kind": kind, "value": self.sym()}
        return {"kind": kind, "value": self.text()}
