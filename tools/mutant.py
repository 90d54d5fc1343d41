"""A changed copy of one source file, and what is made from it without touching the tree: objects and programs.

Used by tools/mutate.py. A build folder of ninja says how every object is compiled, from which files, and how every
program is linked; a mutant repeats those commands for what its file reaches, with other outputs. An object that is in a
library is simply named before it: the linker then has no use for the one inside.
"""

import json
import os
import pathlib
import shlex
import subprocess


class DoesNotCompile(Exception):
    """A changed file that the compiler or the linker refuses."""


def output_of(words):
    return words[words.index("-o") + 1]


def changed_compile(words, source, output, first_include, instead):
    """A compiler's command with another output; with the folder `first_include` before all others, if it is given; and
    with the source `instead`. Warnings do not matter, nobody reads lists of headers, and an object whose code is the same
    is the same: no macro tells where the copy lies."""
    changed, position = [], 0
    while position < len(words):
        word = words[position]
        position += 1
        if word in ("-MT", "-MF", "-o"):
            position += 1
        elif word == source:
            changed.append(instead)
        elif word not in ("-MD", "-Werror"):
            if first_include and word.startswith("-I"):
                changed.append(f"-I{first_include}")
                first_include = None
            changed.append(word)
    return [*changed, "-w", "-o", output]


def same_code(one, other):
    """Whether two objects are the same byte for byte."""
    return pathlib.Path(one).read_bytes() == pathlib.Path(other).read_bytes()


def changed_link(line, replaced, output):
    """A linker's command of ninja (`: && g++ … && :`) with another output and with objects that were made anew, named in
    `replaced` by the old ones: in their places, or first if a library has the old one."""
    words = shlex.split(line.split(" && ")[1])
    words[words.index("-o") + 1] = output
    inside = [new for old, new in sorted(replaced.items()) if old not in words]
    changed = [replaced.get(word, word) for word in words]
    place = changed.index("-o")
    return changed[:place] + inside + changed[place:]


class Build:
    """What ninja knows of a build folder in which all that is asked for has been built."""

    def __init__(self, root, folder):
        self.root, self.folder = pathlib.Path(root), pathlib.Path(folder)
        self.compilers, self.objects_of, self._parts, self._links = {}, {}, {}, {}
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            self.compilers[output_of(words)] = (words, entry["file"])
        current = None
        for line in self.ask("deps").splitlines():
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line.strip():
                name = os.path.relpath(os.path.join(self.folder, line.strip()), self.root)
                self.objects_of.setdefault(name, set()).add(current)

    def ask(self, tool, *words):
        return subprocess.run(["ninja", "-C", self.folder, "-t", tool, *words], check=True, capture_output=True,
                              text=True).stdout

    def parts_of(self, program):
        """The objects that a program is made from, those in libraries too."""
        if program not in self._parts:
            self._parts[program] = set(self.ask("inputs", program).split()) & self.compilers.keys()
        return self._parts[program]

    def link_of(self, program):
        if program not in self._links:
            self._links[program] = self.ask("commands", program).strip().splitlines()[-1]
        return self._links[program]

    def confines(self, programs):
        """Whether one of the programs runs others through `paika confine`."""
        return any("-DPAIKA_PROGRAM" in word for program in programs for part in self.parts_of(program)
                   for word in self.compilers[part][0])


class Mutant:
    """One file with another text, in a folder of its own."""

    def __init__(self, build, path, text, folder):
        self.build, self.folder = build, pathlib.Path(folder)
        self.original = str(build.root / path)
        self.file = self.folder / path
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text)
        self.objects = build.objects_of.get(path, set()) & build.compilers.keys()
        self._compiled, self._linked = {}, {}

    def place(self, program):
        """Where a program is: that of the mutant, if one was linked."""
        return self._linked.get(program, str(self.build.folder / program))

    def link(self, program):
        """Makes a program from the changed file; False if that changes nothing in it, as where the compiler sees that two
        conditions are the same, or does not see the changed line at all."""
        if program in self._linked:
            return True
        reached = self.objects & self.build.parts_of(program)
        replaced = {old: new for old, new in ((old, self._compile(old)) for old in sorted(reached)) if new}
        if not replaced:
            return False
        output = str(self.folder / os.path.basename(program))
        self._run(changed_link(self.build.link_of(program), replaced, output))
        self._linked[program] = output
        return True

    def _compile(self, old):
        """The new object, or None if it is the same as the old one."""
        if old not in self._compiled:
            words, source = self.build.compilers[old]
            folder = self.folder / old.replace("/", "+")
            folder.mkdir()
            output = str(folder / "new.o")
            instead, first_include = source, None
            group = pathlib.Path(source).read_text() if "/Unity/" in source else ""
            if source == self.original:
                instead = str(self.file)
            elif f'"{self.original}"' in group:
                instead = str(folder / os.path.basename(source))  # an object says what its source is called
                pathlib.Path(instead).write_text(group.replace(f'"{self.original}"', f'"{self.file}"'))
            else:
                first_include = str(self.folder / "src")
            nowhere = f"-fmacro-prefix-map={self.folder}/="
            self._run([*changed_compile(words, source, output, first_include, instead), nowhere])
            self._compiled[old] = None if same_code(output, self.build.folder / old) else output
        return self._compiled[old]

    def _run(self, words):
        done = subprocess.run(words, cwd=self.build.folder, check=False, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise DoesNotCompile(done.stderr.decode(errors="replace")[-2000:])
