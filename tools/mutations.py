"""Faults to plant in C++ sources, as tools/mutate.py does: small changes of one place that a test should notice.

Works on the text alone. What is in comments, literals and preprocessor lines is left alone; what does not compile is
found out by the compiler. The sources are laid out by clang-format, which the patterns rely on: operators with two
operands have blanks around them, templates have none.
"""

import bisect
import dataclasses
import hashlib
import re

# What stands in the place of each comparison.
COMPARISONS = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="]}

HIDDEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\\n|\\.)* | R"(?P<end>[^()\s\\]*)\(.*?\)(?P=end)" |
        "(?:[^"\\\n]|\\.)*" | (?<![0-9a-zA-Z])'(?:[^'\\\n]|\\.)+' """,
    re.VERBOSE | re.DOTALL | re.MULTILINE)
COMPARISON = re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )")
LOGIC = re.compile(r"(?<= )(&&|\|\|)(?= )")
BOUND = re.compile(r"(?:(?<=[<>+\-] )|(?<=[<>=!]= ))(\d+)(?=U?\b(?![.'xX]))")
EXTREME = re.compile(r"\bstd::(min|max)(?=[<(])")
CONDITION = re.compile(r"\b(?:if|while) \(")
STATEMENT = re.compile(
    r"^[ ]+((?:\+\+|--)?[A-Za-z_*][\w:.*\[\]]*(?:->[\w:.\[\]]+)*(?:\(.*\)|\+\+|--| (?:=|\+=|-=|\|=|&=|\^=) [^=].*)?;)$",
    re.MULTILINE)
RETURN = re.compile(r"\breturn ([^;{}]+);")
SAME_AS_EMPTY = {"{}", "std::nullopt", "nullptr", "0", "false"}
# Checks of our own bugs: a fault in one shows only where there is a bug.
ASSERTION = re.compile(r"^[ ]*(?:PAIKA_CHECK|static_assert)\(.*?;$", re.MULTILINE | re.DOTALL)
NOT_STATEMENTS = {"return", "break", "continue", "default", "public", "private", "protected", "throw", "delete", "using"}


@dataclasses.dataclass(frozen=True)
class Fault:
    """One change: text[start:end] becomes `after`."""

    kind: str
    start: int
    end: int
    after: str


def visible(text):
    """The text with comments, literals, assertions and preprocessor lines blanked out; every place stays."""
    blank = lambda hidden: re.sub(r"[^\n]", " ", hidden.group())  # noqa: E731
    return ASSERTION.sub(blank, HIDDEN.sub(blank, text))


def closing(text, opened):
    """The place of the parenthesis that closes the one at `opened`, or -1."""
    depth = 0
    for place in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def negated(text, code):
    for found in CONDITION.finditer(code):
        opened = found.end() - 1
        end = closing(code, opened)
        if end < 0:
            continue
        start = max(opened, code.rfind(";", opened, end)) + 1  # behind what is declared in the condition
        condition = text[start:end]
        blanks = condition[:len(condition) - len(condition.lstrip())]
        yield Fault("negated condition", start, end, f"{blanks}!({condition.lstrip()})")


def dropped(code):
    for found in STATEMENT.finditer(code):
        statement = found.group(1)
        word = re.match(r"[\w]+", statement)
        if word and (word.group() in NOT_STATEMENTS or word.group().isupper()):
            continue
        if "(" not in statement and "=" not in statement and "++" not in statement and "--" not in statement:
            continue
        if statement.count("(") == statement.count(")"):
            yield Fault("dropped statement", found.start(1), found.end(1), ";")


def returned(code):
    for found in RETURN.finditer(code):
        same = SAME_AS_EMPTY if found.group(1).strip() in SAME_AS_EMPTY else {found.group(1).strip()}
        for value in ("{}", "true", "false"):
            if value not in same:
                yield Fault("returned constant", found.start(1), found.end(1), value)


def faults_in(text):
    """All faults that can be planted in a source, by their place."""
    code = visible(text)
    found = []
    for match in COMPARISON.finditer(code):
        found += [Fault("comparison", *match.span(), other) for other in COMPARISONS[match.group()]]
    for match in LOGIC.finditer(code):
        found.append(Fault("logic", *match.span(), "||" if match.group() == "&&" else "&&"))
    for match in BOUND.finditer(code):
        number = int(match.group())
        found += [Fault("bound", *match.span(), str(near)) for near in (number + 1, number - 1) if near >= 0]
    for match in EXTREME.finditer(code):
        found.append(Fault("min and max", *match.span(1), "max" if match.group(1) == "min" else "min"))
    found += [*negated(text, code), *dropped(code), *returned(code)]
    return sorted(found, key=lambda fault: (fault.start, fault.end, fault.kind, fault.after))


def planted(text, fault):
    return text[:fault.start] + fault.after + text[fault.end:]


def lines_around(text, fault):
    """The number of the first line that changes, the changed lines before and after, and those around them."""
    first = text.rfind("\n", 0, fault.start) + 1
    last = text.find("\n", fault.end)
    last = len(text) if last < 0 else last
    number = text.count("\n", 0, first) + 1
    before = text[first:last]
    after = text[first:fault.start] + fault.after + text[fault.end:last]
    above = text[:first].rstrip("\n").rpartition("\n")[2]
    below = text[last + 1:].partition("\n")[0]
    return number, before, after, above, below


def content_hash(path, text, fault):
    """What a fault is called: the same as long as its lines and those beside them are the same."""
    _, *lines = lines_around(text, fault)
    return hashlib.sha256("\0".join([path, *lines]).encode()).hexdigest()[:12]


def hunk(path, text, fault):
    """The fault as a patch shows it."""
    number, before, after, _, _ = lines_around(text, fault)
    minus = "".join(f"-{line}\n" for line in before.split("\n"))
    plus = "".join(f"+{line}\n" for line in after.split("\n"))
    return f"{path}:{number}\n{minus}{plus}"


class Chooser:
    """Draws faults by chance: first a kind, then one of that kind, from some files sooner than from others."""

    def __init__(self, texts, weight_of, random):
        self.texts = texts
        self.random = random
        self.by_kind = {}
        for path in sorted(texts):
            for fault in faults_in(texts[path]):
                faults, sums = self.by_kind.setdefault(fault.kind, ([], []))
                faults.append((path, fault))
                sums.append((sums[-1] if sums else 0) + weight_of(path))

    def __iter__(self):
        """Faults without end, but none twice, until there are no more."""
        seen = set()
        total = sum(len(faults) for faults, _ in self.by_kind.values())
        while len(seen) < total:
            kind = self.random.choice(sorted(self.by_kind))
            faults, sums = self.by_kind[kind]
            drawn = faults[bisect.bisect(sums, self.random.random() * sums[-1])]
            if drawn not in seen:
                seen.add(drawn)
                yield drawn
