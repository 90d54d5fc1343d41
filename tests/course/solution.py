"""A solution of all four assignments of docs/course in Python: successors, search, bot and solve, by the first argument."""

import sys
import time

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
OTHER = {"X": "O", "O": "X"}
INFINITY = 10_000
runs_of_size = {}


def rays(size):
    """For each square the lists of squares in each direction, nearest first."""
    if size not in runs_of_size:
        table = []
        for square in range(size * size):
            lists = []
            for down, right in DIRECTIONS:
                row, col = square // size + down, square % size + right
                ray = []
                while 0 <= row < size and 0 <= col < size:
                    ray.append(row * size + col)
                    row, col = row + down, col + right
                if len(ray) > 1:
                    lists.append(ray)
            table.append(lists)
        runs_of_size[size] = table
    return runs_of_size[size]


def turned(cells, size, square, side):
    """The pawns that turn over if `side` places on an empty square."""
    foe = OTHER[side]
    found = []
    for ray in rays(size)[square]:
        if cells[ray[0]] != foe:
            continue
        run = [ray[0]]
        for at in ray[1:]:
            if cells[at] == foe:
                run.append(at)
                continue
            if cells[at] == side:
                found.extend(run)
            break
    return found


def moves(cells, size, side):
    """Pairs of a square and what turns over."""
    found = []
    for square, cell in enumerate(cells):
        if cell == "-":
            flips = turned(cells, size, square, side)
            if flips:
                found.append((square, flips))
    return found


def after(cells, side, square, flips):
    board = list(cells)
    board[square] = side
    for at in flips:
        board[at] = side
    return board


def can_move(cells, size, side):
    return any(cell == "-" and turned(cells, size, square, side) for square, cell in enumerate(cells))


def name(square, size):
    return chr(ord("a") + square % size) + str(square // size + 1)


def parse(text):
    squares, side = text.split()[:2]
    return list(squares), round(len(squares) ** 0.5), side


def successors():
    cells, size, side = parse(sys.stdin.readline())
    found = moves(cells, size, side)
    for square, flips in found:
        print("".join(after(cells, side, square, flips)), OTHER[side])
    if not found and can_move(cells, size, OTHER[side]):
        print("".join(cells), OTHER[side])


def discs(cells, side):
    return cells.count(side) - cells.count(OTHER[side])


class OutOfTime(Exception):
    pass


class Search:
    """Alpha-beta by discs, or by squares and mobility for the player."""

    def __init__(self, size, deadline=None, evaluate=discs):
        self.size, self.deadline, self.evaluate = size, deadline, evaluate
        self.nodes = 0
        self.table = {}

    def value(self, cells, side, depth, alpha, beta):
        self.nodes += 1
        if self.deadline and self.nodes % 64 == 0 and time.monotonic() > self.deadline:
            raise OutOfTime
        if depth == 0:
            return self.evaluate(cells, side)
        found = moves(cells, self.size, side)
        if not found:
            if not can_move(cells, self.size, OTHER[side]):
                return discs(cells, side) if self.evaluate is discs else 1000 * discs(cells, side)
            return -self.value(cells, OTHER[side], depth - 1, -beta, -alpha)
        boards = [after(cells, side, square, flips) for square, flips in found]
        if depth > 3:  # moves that leave the opponent few answers first
            boards.sort(key=lambda board: len(moves(board, self.size, OTHER[side])))
        best = -INFINITY * 100
        for board in boards:
            best = max(best, -self.value(board, OTHER[side], depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    def best(self, cells, side, depth):
        """The value and the first of the best moves; "pass" if there is none."""
        found = moves(cells, self.size, side)
        if not found:
            return self.value(cells, side, depth, -INFINITY * 100, INFINITY * 100), "pass"
        best, choice = -INFINITY * 100, None
        for square, flips in found:
            board = after(cells, side, square, flips)
            value = -self.value(board, OTHER[side], depth - 1, -INFINITY * 100, -best)
            if value > best:
                best, choice = value, name(square, self.size)
        return best, choice


def search():
    for line in sys.stdin:
        cells, size, side = parse(line)
        value, move = Search(size).best(cells, side, int(line.split()[2]))
        print(value, move, flush=True)


def solve():
    for line in sys.stdin:
        cells, size, side = parse(line)
        value, move = Search(size).best(cells, side, 2 * cells.count("-") + 2)
        print(value, move, flush=True)


def placed(cells, side):
    """Corners, the squares beside them, and mobility."""
    size = round(len(cells) ** 0.5)
    score = 0
    last = size - 1
    for row, col, down, right in ((0, 0, 1, 1), (0, last, 1, -1), (last, 0, -1, 1), (last, last, -1, -1)):
        corner = cells[row * size + col]
        if corner == "-":
            near = cells[(row + down) * size + col + right]
            score += {"-": 0, side: -30}.get(near, 30)
        else:
            score += 100 if corner == side else -100
    mine, theirs = len(moves(cells, size, side)), len(moves(cells, size, OTHER[side]))
    return score + 5 * (mine - theirs)


def time_for(limits):
    """Seconds for this move: movetime, or a share of the clock."""
    words = dict(zip(limits[::2], limits[1::2]))
    if "movetime" in words:
        return max(0.01, int(words["movetime"]) / 1000 - 0.05)
    return lambda first: max(0.01, int(words["p1time" if first else "p2time"]) / 1000 / 25 - 0.02)


def say(line):
    print(line, flush=True)


def ask(query):
    say("query " + query)
    return sys.stdin.readline().split()[1:]


def choose(limits):
    position = ask("position")
    cells, size, side = parse(" ".join(position))
    limit = time_for(limits)
    seconds = limit if isinstance(limit, float) else limit(side == "X")
    deadline = time.monotonic() + seconds
    best = None
    try:
        for depth in range(1, cells.count("-") + 1):
            best = Search(size, deadline, placed).best(cells, side, depth)[1]
    except OutOfTime:
        pass
    return best or (name(moves(cells, size, side)[0][0], size) if moves(cells, size, side) else "pass")


def bot():
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "ugi":
            say("ugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "go":
            say("bestmove " + choose(words[1:]))
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    {"successors": successors, "search": search, "bot": bot, "solve": solve}[sys.argv[1]]()
