#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the signal handler of the flight recorder may call: nothing that is not in these lists.

  flight_calls_test.py NM OBJECT...

POSIX.1-2017 allows the first list in a signal handler. The second one is of our own functions; each
of them is in one of the objects, or is said to be of use in handlers where it is declared.
"""
import pathlib
import re
import subprocess
import sys

POSIX = """
    clock_gettime close ftruncate memcpy memmove memset open poll pthread_self pthread_sigmask
    raise sigaction sigemptyset siglongjmp __sigsetjmp __errno_location strlen strncmp write
""".split()
OURS = """
    fgi_cap_framing_load fgi_cap_framing_store fgi_name_text fgi_process_id fgi_store_u16
    fgi_store_u32 fgi_store_u64 fgi_thread_open_zones fgi_threads_first_unlocked fgi_threads_freeze
""".split()
# Of os_posix_crash.c only what is outside of the handler calls these.
OUTSIDE = {"os_posix_crash.c": ["pthread_mutex_lock", "pthread_mutex_unlock"]}
# What compilers and sanitizers add, and the symbol that says which level a library must have.
ADDED = re.compile(r"__(asan|ubsan|stack_chk|tsan|gcov|llvm)|_GLOBAL_OFFSET_TABLE_$|fg_needs_a_library")


def symbols(nm, path):
    """Names that an object defines, and those that it needs."""
    lines = subprocess.run([nm, path], capture_output=True, text=True, check=True).stdout.splitlines()
    words = [line.split() for line in lines]
    return ({word[-1] for word in words if word[-2] not in "Uwv"},
            {word[-1] for word in words if word[-2] in "Uwv"})


def main():
    nm, paths = sys.argv[1], sys.argv[2:]
    objects = {pathlib.Path(path).name.removesuffix(".o"): symbols(nm, path) for path in paths}
    defined = set().union(*(known for known, _ in objects.values()))
    wrong = 0
    for name, (_, needed) in sorted(objects.items()):
        allowed = {*POSIX, *OURS, *OUTSIDE.get(name, ()), *defined}
        for symbol in sorted(needed - allowed):
            if not ADDED.match(symbol):
                print(f"{name}: {symbol} is not known to be safe in a signal handler")
                wrong += 1
    if len(objects) < 4:
        print("objects are missing")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
