# SPDX-License-Identifier: MIT
"""Write the seeds of the view protocol's fuzz target: view_corpus.py FOLDER. One request of each kind, and a batch."""
import pathlib
import struct
import sys

U8, U16, U32, U64, I64, F64, TEXT, I32 = 1, 2, 3, 4, 5, 6, 7, 9
SHAPES = {U8: "B", U16: "H", U32: "I", U64: "Q", I64: "q", F64: "d", I32: "i"}


def message(kind, *sections, trace=1, client=1, generation=0, names=0):
    """A request: sections are (tag, type, values)."""
    entries, payloads = b"", b""
    offset = 48 + 16 * len(sections)
    for tag, form, values in sections:
        if form == TEXT:
            data, count = values, len(values)
        else:
            data, count = struct.pack(f"<{len(values)}{SHAPES[form]}", *values), len(values)
        entries += struct.pack("<HBBIII", tag, form, 0, count, offset, len(data))
        data += bytes(-len(data) % 8)
        payloads += data
        offset += len(data)
    head = struct.pack("<IHHIHHIIIIIIQ", 0x51564746, 1, kind, offset, len(sections), 0, kind, client, trace,
                       generation, names, 0, 0)
    return head + entries + payloads


SEEDS = {
    "hello": message(1, trace=0, client=0),
    "traces": message(2, trace=0),
    "load": message(3),
    "strip": message(4, (0x0401, U32, [2]), (0x0402, U32, [3])),
    "info": message(5),
    "tracks": message(6, names=3),
    "view": message(7, (0x0701, I64, [0, 12000]), (0x0702, U32, [40]), (0x0703, U32, [0, 1]),
                    (0x0704, U32, [0, 0x80000000]), (0x0707, U8, [0, 1, 2, 255]), (0x0709, U32, [7])),
    "view_far": message(7, (0x0701, I64, [-(1 << 63), (1 << 63) - 1]), (0x0702, U32, [1]), (0x0703, U32, [0, 1]),
                        (0x0706, U32, [1, 1])),
    "counters": message(8, (0x0801, I64, [0, 12000]), (0x0802, U32, [3]), (0x0803, U32, [0])),
    "marks": message(9, (0x0901, I64, [0, 12000]), (0x0902, U32, [3]), (0x0904, U32, [1])),
    "marks_bins": message(9, (0x0901, I64, [0, 12000]), (0x0902, U32, [7]), (0x0904, U32, [1]), (0x0905, U32, [9])),
    "metrics": message(25, (0x1901, I64, [0, 5000]), (0x1902, U32, [0]), (0x1903, U32, [1])),
    "objects": message(26, (0x1A01, I64, [1000, 4500]), (0x1A02, U32, [1]), (0x1A04, U32, [2]), (0x1A05, U32, [1, 1]),
                       (0x1A06, TEXT, b"e"), (0x1A07, U32, [8]), (0x1A08, U32, [0])),
    "losses": message(27, (0x1B01, I64, [0, 5000]), (0x1B02, U32, [1]), (0x1B03, U32, [1])),
    "filter": message(10, (0x0A01, TEXT, b"dep"), (0x0A02, U32, [1, 2, 3]), (0x0A04, U32, [0, 1]),
                      (0x0A05, U32, [0, 5]), (0x0A06, I64, [0, 9000]), (0x0A07, I64, [1, 500]),
                      (0x0A08, U32, [4, 8]), (0x0A09, U32, [15])),
    "filter_destroy": message(11, (0x0B01, U32, [1])),
    "stats": message(12, (0x0C01, U32, [1]), (0x0C02, I64, [0, 9000]), (0x0C03, U32, [0, 7]), (0x0C04, U32, [1]),
                     (0x0C06, U32, [7, 1]), (0x0C07, U32, [0]), (0x0C08, U32, [2])),
    "frames": message(13, (0x0D01, U32, [3]), (0x0D02, U32, [4])),
    "search": message(14, (0x0E01, TEXT, b"shade"), (0x0E03, U32, [5])),
    "span": message(15, (0x0F01, U32, [23])),
    "pick": message(16, (0x1001, U32, [1]), (0x1003, I64, [7350]), (0x1004, I64, [20])),
    "structure": message(17, (0x1101, U32, [7])),
    "names": message(18, names=5),
    "cancel": message(19, generation=4),
    "topologies": message(20),
    "series": message(21, (0x1501, U32, [23]), (0x1502, U32, [0, 9])),
    "events": message(22, (0x1601, U32, [7]), (0x1602, U32, [1]), (0x1603, U32, [4])),
    "events_all": message(22, (0x1601, U32, [0])),
    "compare": message(23, (0x1701, U32, [3, 5]), (0x1702, U32, [7, 8]), (0x1703, U32, [1]), (0x1704, U32, [0]),
                       (0x1705, U32, [1]), (0x1706, U32, [2])),
    "compare_all": message(23),
    "compare_time": message(23, (0x1707, I64, [0, 9000]), (0x1708, I64, [9000, 30000]), (0x1704, U32, [0])),
    "view_detail": message(7, (0x0701, I64, [0, 12000]), (0x0702, U32, [16]), (0x0703, U32, [0, 1]), (0x070A, U32, [1]), (0x070B, U32, [3, 1])),
    "filter_more": message(10, (0x0A0A, I64, [60]), (0x0A0B, U32, [40]), (0x0A0C, U32, [2, 5, 99]),
                           (0x0A0D, U32, [1, 2, 0x50, 4]), (0x0A0E, U32, [1, 2, 3, 5])),
    "minimap": message(28, (0x1C01, U32, [2]), (0x1C03, U32, [9])),
    "links": message(29, (0x1D01, I64, [0, 12000]), (0x1D02, U32, [800]), (0x1D03, U32, [0]), (0x1D04, U32, [1, 0x80000000]),
                     (0x1D05, I32, [10, 30, -5]), (0x1D06, I32, [0, 40]), (0x1D08, U32, [0x50]), (0x1D09, U32, [3, 2]),
                     (0x1D0A, U32, [1]), (0x1D0B, U32, [0, 23, 99]), (0x1D0C, U32, [5])),
    "focus": message(30, (0x1E01, U32, [2, 2, 99]), (0x1E02, U32, [0, 0xFFFFFFFF, 0, 1]), (0x1E03, U32, [1]), (0x1E04, U32, [2])),
    "path": message(31, (0x1F02, U32, [23]), (0x1F03, I64, [0, 9000]), (0x1F06, U32, [1]), (0x1F07, U32, [2]),
                    (0x1F08, U32, [1, 23]), (0x1F09, U32, [2])),
    "path_parents": message(31, (0x1F01, U32, [1])),
    "slice": message(32, (0x2001, U32, [5]), (0x2002, U32, [2]), (0x2003, I64, [0, 9000]), (0x2005, U32, [0x10]),
                     (0x2006, U32, [1]), (0x2007, U32, [2])),
    "aggregate": message(33, (0x2101, I64, [0, 9000]), (0x2102, U32, [1, 7]), (0x2103, U32, [0, 1]), (0x2104, U32, [1]),
                         (0x2108, U32, [1]), (0x2109, U32, [1]), (0x210B, U32, [3]), (0x210C, U32, [1]), (0x210E, U32, [2])),
    "histogram": message(34, (0x2208, U32, [2]), (0x220A, U32, [5]), (0x220B, U64, [10, 400])),
    "histogram_edges": message(34, (0x2209, U32, [2]), (0x220C, U64, [0, 60, 120, 500])),
    "buckets": message(35, (0x2301, I64, [0, 9000]), (0x2308, U32, [7]), (0x2309, U32, [3])),
    "anomalies": message(36, (0x2408, U32, [1]), (0x240A, U64, [0, 0, 1000000, 0, 0]), (0x240B, U32, [1]), (0x240D, U32, [0, 6]),
                         (0x2410, U32, [3]), (0x2411, U32, [1])),
    "anomalies_given": message(36, (0x2408, U32, [4]), (0x2418, U32, [0, 1]), (0x2419, U64, [50, 100]), (0x241A, U64, [5, 9]),
                               (0x241B, U32, [0, 9000])),
    "group_scores": message(38, (0x2601, I64, [0, 9000]), (0x2608, U32, [1]), (0x260A, U64, [1000000, 0, 0, 250000, 1]), (0x260B, U32, [3]),
                            (0x260C, I64, [0, 6000]), (0x260F, U32, [1]), (0x2610, U32, [0]), (0x2611, U32, [5])),
    "row_scores": message(36, (0x2408, U32, [1])) + message(39, (0x2701, U32, [1]), (0x2702, U32, [0, 23, 99])),
    "task_of_scores": message(37, (0x2501, U32, [38]), (0x2608, U32, [1]), (0x2504, U64, [4])) + message(37, (0x2502, U32, [1]), (0x2504, U64, [9])),
    "task_start": message(37, (0x2501, U32, [33]), (0x2108, U32, [2]), (0x2504, U64, [4])),
    "task_step": message(37, (0x2502, U32, [1]), (0x2504, U64, [9])),
    "task_end": message(37, (0x2503, U32, [1])),
}
SEEDS["tasks"] = SEEDS["task_start"] + SEEDS["task_step"] + SEEDS["task_step"] + SEEDS["task_end"]
SEEDS["batch"] = SEEDS["hello"] + SEEDS["filter"] + SEEDS["view"] + SEEDS["filter_destroy"]

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, data in SEEDS.items():
        (folder / f"{name}.bin").write_bytes(data)
