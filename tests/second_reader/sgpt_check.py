# SPDX-License-Identifier: MIT
"""Read captures and say what is wrong with them: exits with 1 when anything is.

    python3 sgpt_check.py FILE.sgpt...
"""

import sys

from sgpt_reader import Capture, Refused


def defects_of(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        capture = Capture(data)
    except Refused as refusal:
        return [f"refused: {refusal}"]
    skipped = [f"{capture.skipped} records skipped"] if capture.skipped else []
    return skipped + [str(defect) for defect in capture.defects]


def main():
    found = [f"{path}: {text}" for path in sys.argv[1:] for text in defects_of(path)]
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
