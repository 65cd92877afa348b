# SPDX-License-Identifier: MIT
"""Questions to Perfetto's trace processor and to us: the same files, one run, ratios.

    peer.py --questions BENCH_QUESTIONS --chrome BENCH_CHROME [--peer TRACE_PROCESSOR_SHELL]
            [--spans N | --file TRACE]

The peer is a program of its own, taken by its path (or from FG_TRACE_PROCESSOR). Where there is none,
only our side is measured, and that is said. Without a file Chrome JSON of GPU frames is made, the same
every time. Answers are compared as well: a fast wrong answer is none. JSON on standard output.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

WINDOW_NS = 100_000_000
WIDTH_PX = 1920

# The shell answers in comma-separated values. Plain SQL, so that any version understands it.
TOTALS = """
select name, count(*) as spans, sum(dur) as total_ns from slice where dur >= 0
group by name order by total_ns desc, name;
"""
PERCENTILES = """
select name, dur as p95_ns from (
  select name, dur, row_number() over (partition by name order by dur) as place,
         count(*) over (partition by name) as spans
  from slice where dur >= 0)
where place = (spans * 95 + 99) / 100 order by name;
"""
WINDOW = """
select count(*) as spans from slice
where (dur > 0 and ts < {end} and ts + dur > {start}) or (dur = 0 and ts >= {start} and ts < {end});
"""
# What a page asks at full width: the longest span of each track in each pixel.
VIEWPORT = """
select count(*) as bins, sum(longest) as longest_ns from (
  select track_id, (ts - {start}) / {step} as pixel, max(dur) as longest, count(*) as spans
  from slice group by track_id, pixel);
"""


def measured(command, **options):
    """Run it: what it printed, seconds, and the most memory that it held, in bytes."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as process:
        text = process.stdout.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    if process.returncode != 0:
        raise SystemExit(f"peer.py: {command[0]}: exit status {process.returncode}")
    return text, seconds, usage.ru_maxrss * 1024


class Peer:
    """trace_processor_shell over one file."""

    def __init__(self, program, trace, folder):
        self.program, self.trace, self.folder = program, trace, folder
        self.load_ns, self.peak_bytes = [], 0

    def ask(self, sql):
        """Rows of the answer, and what answering took, in ns (None: it does not say)."""
        query = self.folder / "question.sql"
        times = self.folder / "times"
        query.write_text(sql)
        times.unlink(missing_ok=True)
        command = [str(self.program), "--query-file", str(query), "--perf-file", str(times), str(self.trace)]
        text, seconds, peak = measured(command, stderr=subprocess.DEVNULL)
        self.peak_bytes = max(self.peak_bytes, peak)
        rows = list(csv.DictReader(io.StringIO(text)))
        if not times.exists():
            self.load_ns.append(round(seconds * 1e9))
            return rows, None
        load_ns, query_ns = (int(part) for part in times.read_text().strip().split(","))
        self.load_ns.append(load_ns)
        return rows, query_ns


def ask_ours(options, trace):
    command = [str(options.questions), str(trace), "0", str(WINDOW_NS)]
    text, _, peak = measured(command)
    answer = json.loads(text)
    answer["peak_bytes"] = peak
    return answer


def ask_peer(options, trace, ours, folder):
    """Figures of the peer, and whether it answers as we do."""
    peer = Peer(options.peer, trace, folder)
    first_ns, last_ns = ours["first_ns"], ours["last_ns"]
    step = max(-(-(last_ns - first_ns) // WIDTH_PX), 1)
    totals, totals_ns = peer.ask(TOTALS)
    ranks, ranks_ns = peer.ask(PERCENTILES)
    window, window_ns = peer.ask(WINDOW.format(start=first_ns, end=first_ns + WINDOW_NS))
    _, viewport_ns = peer.ask(VIEWPORT.format(start=first_ns, step=step))
    names = {row["name"]: (row["count"], row["total_ns"]) for row in ours["by_name"]}
    p95 = {row["name"]: row["p95_ns"] for row in ours["by_name"]}
    figures = {
        "load_ns": sorted(peer.load_ns)[len(peer.load_ns) // 2], "peak_bytes": peer.peak_bytes,
        "totals_ns": totals_ns, "percentiles_ns": ranks_ns, "window_ns": window_ns, "viewport_ns": viewport_ns,
    }
    same = {
        "totals": {row["name"]: (int(row["spans"]), int(row["total_ns"])) for row in totals} == names,
        "percentiles": {row["name"]: int(row["p95_ns"]) for row in ranks} == p95,
        "window": int(window[0]["spans"]) == ours["in_window"],
    }
    return figures, same


def figures_of(ours):
    return {
        "load_ns": ours["load_ns"], "peak_bytes": ours["peak_bytes"],
        **{f"{key}_ns": ours[key]["median_ns"] for key in ("totals", "percentiles", "window", "viewport")},
    }


def ratios_of(ours, peer):
    """How many times as much the peer takes."""
    return {
        key.rsplit("_", 1)[0]: round(peer[key] / max(ours[key], 1), 2)
        for key in ours if peer.get(key) is not None
    }


def compare(options, folder):
    trace = options.file
    if trace is None:
        trace = folder / "trace.json"
        with open(trace, "wb") as out:
            subprocess.run([str(options.chrome), "--write", str(options.spans)], stdout=out, check=True)
    answer = ask_ours(options, trace)
    ours = figures_of(answer)
    report = {
        "benchmark": "the same questions to a peer", "commit": answer["commit"], "spans": answer["spans"],
        "bytes": pathlib.Path(trace).stat().st_size, "ours": ours, "peer": None,
    }
    if options.peer is None:
        report["note"] = "no peer: neither --peer nor FG_TRACE_PROCESSOR names a trace_processor_shell"
        return report
    report["program"] = str(options.peer)
    report["peer"], report["same_answers"] = ask_peer(options, trace, answer, folder)
    report["times_as_much"] = ratios_of(ours, report["peer"])
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", required=True, type=pathlib.Path)
    parser.add_argument("--chrome", required=True, type=pathlib.Path)
    parser.add_argument("--peer", default=os.environ.get("FG_TRACE_PROCESSOR") or None)
    parser.add_argument("--spans", type=int, default=1_000_000)
    parser.add_argument("--file", type=pathlib.Path)
    options = parser.parse_args()
    if options.peer is not None and not os.access(options.peer, os.X_OK):
        raise SystemExit(f"peer.py: {options.peer}: is no program")
    with tempfile.TemporaryDirectory() as folder:
        report = compare(options, pathlib.Path(folder))
    json.dump(report, sys.stdout, indent=1)
    print()
    return 1 if False in report.get("same_answers", {}).values() else 0


if __name__ == "__main__":
    sys.exit(main())
