#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the page as one file: style sheet, modules, worker and WebAssembly module inside one document.

  one_file.py INSPECTOR FRAMEGLASS_WASM OUT

Modules become data: addresses in an import map, under names of their own in place of relative
paths. What this program does not understand is an error: a page that half works helps nobody.
docs/PROTOCOL.md, section 10, says what the result is.
"""
import base64
import gzip
import hashlib
import json
import pathlib
import posixpath
import re
import sys

WORKER = "protocol/wasm_worker.js"
MAIN = "main.js"
PREFIX = "frameglass/"
# A slash after one of these begins a regular expression, not a division.
BEFORE_REGEX = set("(,=:[!&|?{};+-*%<>~^")
BEFORE_REGEX_WORDS = {"return", "typeof", "case", "in", "of", "new", "delete", "void", "throw", "await", "yield", "else"}
WORD = re.compile(r"[\w$]+")
STRING = re.compile(r"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"")
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SPACE = re.compile(r"\s+")


class NotUnderstood(Exception):
    """Something in a source file that would not survive."""


class Tokens:
    """A script as (kind, text): word, string, template, regex, mark, space. Comments become space."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.at = 0
        self.list = []

    def fail(self, why):
        line = self.text.count("\n", 0, self.at) + 1
        raise NotUnderstood(f"{self.name}:{line}: {why}")

    def take(self, kind, end):
        self.list.append((kind, self.text[self.at:end]))
        self.at = end

    def take_match(self, kind, pattern, why):
        match = pattern.match(self.text, self.at)
        if not match:
            self.fail(why)
        self.take(kind, match.end())

    def begins_regex(self):
        for kind, text in reversed(self.list):
            if kind == "word":
                return text in BEFORE_REGEX_WORDS
            if kind != "space":
                return kind == "mark" and text in BEFORE_REGEX
        return True

    def template(self):
        """A template with everything that is put into it, as one token."""
        start = self.at
        self.at += 1
        while True:
            if self.at >= len(self.text):
                self.fail("a template has no end")
            char = self.text[self.at]
            if char == "\\":
                self.at += 2
            elif char == "`":
                self.list.append(("template", self.text[start:self.at + 1]))
                self.at += 1
                return
            elif self.text.startswith("${", self.at):
                kept, self.list = self.list, [("mark", "(")]
                self.at += 2
                self.until("}")
                if any(kind == "word" and text == "import" for kind, text in self.list):
                    self.fail("an import inside of a template")
                self.list = kept
                self.at += 1
            else:
                self.at += 1

    def until(self, end):
        """Up to an unnested `end` mark, which is left; "" is the end of the text."""
        depth = 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace():
                self.take_match("space", SPACE, "")
            elif self.text.startswith(("//", "/*"), self.at):
                match = COMMENT.match(self.text, self.at)
                if not match:
                    self.fail("a comment has no end")
                # Lines keep their numbers.
                self.list.append(("space", "\n" * match.group().count("\n") or " "))
                self.at = match.end()
            elif WORD.match(char):
                self.take_match("word", WORD, "")
            elif char in "'\"":
                self.take_match("string", STRING, "a string has no end")
            elif char == "`":
                self.template()
            elif char == "/" and self.begins_regex():
                self.take_match("regex", REGEX, "a regular expression has no end")
            else:
                if depth == 0 and char == end:
                    return
                depth += {"{": 1, "}": -1}.get(char, 0)
                self.take("mark", self.at + 1)
        if end:
            self.fail(f"expected {end}")


def tokens_of(name, text):
    tokens = Tokens(name, text)
    tokens.until("")
    return tokens


def check_plain(tokens, index):
    """The word `import` may only begin a statement with names and a place."""
    rest = "".join(text for kind, text in tokens.list[index + 1:index + 3] if kind != "space")
    if rest[:1] in ("(", "."):
        raise NotUnderstood(f"{tokens.name}: import{rest[:1]} cannot go into one file")


def place_of(tokens, index):
    """Index of the string that an import or export statement takes from; None when it takes from nowhere."""
    for at in range(index + 1, len(tokens.list)):
        kind, text = tokens.list[at]
        if kind == "string":
            return at
        if kind in ("template", "regex") or (kind == "mark" and text not in "{},*"):
            return None
    return None


def rewrite(name, text, modules):
    """The script with names of the import map in place of relative paths."""
    tokens = tokens_of(name, text)
    depth = 0
    before = ""
    for index, (kind, word) in enumerate(tokens.list):
        if kind == "mark":
            depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(word, 0)
        is_property = before == "."
        before = before if kind == "space" else word
        if kind != "word" or is_property or word not in ("import", "export"):
            continue
        after = next((text for k, text in tokens.list[index + 1:] if k != "space"), "")
        if after == ":":
            continue
        if depth != 0:
            raise NotUnderstood(f"{name}: {word} is not at the beginning of a statement")
        at = None
        if word == "import":
            check_plain(tokens, index)
            at = place_of(tokens, index)
            if at is None:
                raise NotUnderstood(f"{name}: an import from nowhere")
        elif after in ("{", "*"):
            at = place_of(tokens, index)
        if at is not None:
            path = tokens.list[at][1][1:-1]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            if not path.startswith((".", "..")) or target not in modules:
                raise NotUnderstood(f"{name}: imports {path}, which is none of the page's modules")
            tokens.list[at] = ("string", f"'{PREFIX}{target}'")
    return squeeze(tokens)


def squeeze(tokens):
    """Lines keep their numbers, what indents them goes."""
    parts = []
    for kind, text in tokens.list:
        parts.append("\n" * text.count("\n") or " " if kind == "space" else text)
    return "".join(parts)


def data_address(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def import_map(root):
    sources = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*.js"))
    }
    sources.pop(WORKER)
    imports = {
        PREFIX + name: data_address("text/javascript", rewrite(name, text, sources).encode())
        for name, text in sources.items()
    }
    return json.dumps({"imports": imports}, separators=(",", ":"))


def worker_script(root):
    tokens = tokens_of(WORKER, (root / WORKER).read_text(encoding="utf-8"))
    if any(kind == "word" and text in ("import", "importScripts", "export") for kind, text in tokens.list):
        raise NotUnderstood(f"{WORKER}: has imports, and must stand alone")
    return squeeze(tokens)


def hash_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy(scripts, style):
    """Nothing is fetched from anywhere, and only what is in this file runs."""
    return "; ".join((
        "default-src 'none'",
        f"script-src {' '.join(hash_of(text) for text in scripts)} data: 'wasm-unsafe-eval'",
        f"style-src {hash_of(style)}",
        "img-src data: blob:",
        "worker-src blob:",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ))


def replace_all(pattern, text, with_what, least=1):
    found, count = re.subn(pattern, lambda match: with_what(match), text)
    if count < least:
        raise NotUnderstood(f"index.html has nothing like {pattern}")
    return found


def block(element, content):
    if re.search(r"</script|<!--", content, re.IGNORECASE):
        raise NotUnderstood(f"the element {element} would end too early")
    return f"<script {element}>{content}</script>"


def one_file(root, wasm):
    page = (root / "index.html").read_text(encoding="utf-8")
    sheets = []

    def sheet(match):
        sheets.append((root / match.group(1)).read_text(encoding="utf-8"))
        return ""

    page = replace_all(r'<link rel="stylesheet" href="([\w/.-]+)">\n', page, sheet)
    style = "\n".join(sheets)
    if re.search(r"@import|url\(|</style", style):
        raise NotUnderstood("a style sheet takes something from another file")
    modules = import_map(root)
    start = f"import '{PREFIX}{MAIN}';"
    page = replace_all(r'<link rel="icon" href="([\w/.-]+)" type="([\w+/]+)">', page, lambda match: (
        f'<link rel="icon" href="{data_address(match.group(2), (root / match.group(1)).read_bytes())}">'))
    page = replace_all(r'<script type="module" src="main\.js"></script>', page, lambda match: (
        f"<style>{style}</style>\n" + block('type="importmap"', modules) + "\n" + block('type="module"', start)))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy((modules, start), style)}">'
    page = replace_all(r'<meta charset="utf-8">', page, lambda match: f"{match.group()}\n{meta}")
    engine = base64.b64encode(gzip.compress(wasm, mtime=0)).decode()
    inside = (
        block('id="engine" type="text/plain"', engine)
        + "\n" + block('id="worker" type="text/plain"', base64.b64encode(worker_script(root).encode()).decode())
        + "\n" + block('id="capture" type="text/plain" data-label="" data-packing="gzip"', "")
    )
    page = replace_all(r"</body>", page, lambda match: f"{inside}\n{match.group()}")
    if re.search(r'\b(src|href)="(?!data:)', page):
        raise NotUnderstood("index.html takes something from another file")
    return page


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    root, wasm, out = (pathlib.Path(argument) for argument in sys.argv[1:])
    try:
        out.write_text(one_file(root, wasm.read_bytes()), encoding="utf-8")
    except NotUnderstood as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
