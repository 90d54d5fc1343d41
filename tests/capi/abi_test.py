"""What libpaika.so.1 exports: exactly the symbols of debian/libpaika1.symbols, all of the version PAIKA_1, all
declared in paika.h.

A name that is missing breaks programs that were linked with it; one too many can never be taken back.
usage: abi_test.py LIBRARY
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "include/paika.h"
LIST = ROOT / "debian/libpaika1.symbols"


def exported(library):
    """NAME@@VERSION of every symbol that the library defines."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines} - {"PAIKA_1", "PAIKA_1@@PAIKA_1"}


def declared():
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    return set(re.findall(r"PAIKA_API[^;(]*?(paika_\w+)\(", text))


def main(library):
    listed = set(re.findall(r"^ (paika_\w+)@PAIKA_1 ", LIST.read_text(), re.M))
    faults = [f"{name} is listed but not declared in paika.h" for name in sorted(listed - declared())]
    faults += [f"{name} is declared but not listed in {LIST.name}" for name in sorted(declared() - listed)]
    wanted = {f"{name}@@PAIKA_1" for name in listed}
    faults += [f"{name} is missing from the library" for name in sorted(wanted - exported(library))]
    faults += [f"{name} is exported but not listed in {LIST.name}" for name in sorted(exported(library) - wanted)]
    headers = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    if "[libpaika.so.1]" not in headers:
        faults.append("the library is not called libpaika.so.1")
    print("\n".join(faults) or f"{len(listed)} symbols, as listed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
