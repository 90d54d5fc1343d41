"""Weights files of patterns: how train.py writes what src/games/othello/pattern_file.cpp reads.

After lines of text, the last of them "data", come the weights, knot by knot, coded by their probabilities (rANS). A
weight is coded as the difference from that of the knot before; how large that one is chooses one of a few tables of
frequencies. The tables come first: for each of them 256 frequencies that add up to 2^14, as 16-bit numbers.
"""
import sys

FIRST_LINE = "paika othello pattern weights 2"
SCALE_BITS = 14
SCALE = 1 << SCALE_BITS
LOWEST = 1 << 23          # of the coder's state
ESCAPE = 255              # a difference of at least so much is given by two bytes more
SMALL_CLASSES = 8
RAW = SMALL_CLASSES       # the table of those bytes
TABLES = SMALL_CLASSES + 1


def size_class(value):
    """Which table codes the difference from `value`."""
    return min(abs(value).bit_length(), SMALL_CLASSES - 1)


def symbols_of(knots):
    """(table, symbol) of every weight, in order."""
    before = [0] * len(knots[0])
    for knot in knots:
        for value, last in zip(knot, before):
            difference = value - last
            folded = 2 * difference if difference >= 0 else -2 * difference - 1
            if folded < ESCAPE:
                yield size_class(last), folded
            else:
                yield size_class(last), ESCAPE
                yield RAW, folded & 255
                yield RAW, folded >> 8
        before = knot


def frequencies_of(counts):
    """Frequencies in proportion to the counts, at least 1 where there is a count, that add up to SCALE."""
    total = sum(counts)
    if total == 0:
        return [SCALE] + [0] * 255
    found = [max(1, count * SCALE // total) if count else 0 for count in counts]
    found[max(range(256), key=lambda i: found[i])] += SCALE - sum(found)
    return found


def coded(knots):
    """The data part of a weights file: `knots` are lists of whole numbers, equally long."""
    symbols = list(symbols_of(knots))
    counts = [[0] * 256 for _ in range(TABLES)]
    for table, symbol in symbols:
        counts[table][symbol] += 1
    frequencies = [frequencies_of(c) for c in counts]
    starts = []
    for table in frequencies:
        starts.append([sum(table[:i]) for i in range(256)])
    out = bytearray()
    state = LOWEST
    for table, symbol in reversed(symbols):
        frequency = frequencies[table][symbol]
        limit = ((LOWEST >> SCALE_BITS) << 8) * frequency
        while state >= limit:
            out.append(state & 255)
            state >>= 8
        state = (state // frequency << SCALE_BITS) + state % frequency + starts[table][symbol]
    out += state.to_bytes(4, "little")
    head = b"".join(f.to_bytes(2, "little") for table in frequencies for f in table)
    return head + bytes(reversed(out))


def decoded(data, knots, length):
    """The reverse of coded(), for checks."""
    frequencies = [[int.from_bytes(data[512 * t + 2 * i:512 * t + 2 * i + 2], "little") for i in range(256)]
                   for t in range(TABLES)]
    slots = [[symbol for symbol, f in enumerate(table) for _ in range(f)] for table in frequencies]
    starts = [[sum(table[:i]) for i in range(256)] for table in frequencies]
    at = 512 * TABLES
    state = int.from_bytes(data[at:at + 4], "big")
    at += 4

    def symbol_of(table):
        nonlocal state, at
        slot = state & (SCALE - 1)
        symbol = slots[table][slot]
        state = frequencies[table][symbol] * (state >> SCALE_BITS) + slot - starts[table][symbol]
        while state < LOWEST:
            state = state << 8 | data[at]
            at += 1
        return symbol

    found = []
    before = [0] * length
    for _ in range(knots):
        knot = []
        for last in before:
            folded = symbol_of(size_class(last))
            if folded == ESCAPE:
                low = symbol_of(RAW)
                folded = low | symbol_of(RAW) << 8
            knot.append(last + (folded >> 1 if folded % 2 == 0 else -(folded + 1 >> 1)))
        found.append(knot)
        before = knot
    if at != len(data):
        sys.exit(f"{len(data) - at} bytes are left after the last weight")
    return found


def write_weights(path, size, step, knots, notes):
    """`knots`: lists of whole numbers, in `step` hundredths of a disc; `notes`: lines that say where they come from."""
    lines = [FIRST_LINE, f"size {size}", f"step {step}", *notes, "data", ""]
    with open(path, "wb") as file:
        file.write("\n".join(lines).encode())
        file.write(coded(knots))


def read_weights(path, count, length):
    """(step, knots) of a file that has `count` knots of `length` weights."""
    with open(path, "rb") as file:
        text = file.read()
    mark = b"\ndata\n"
    end = text.index(mark)
    step = next(int(line[5:]) for line in text[:end].decode().splitlines() if line.startswith("step "))
    return step, decoded(text[end + len(mark):], count, length)
