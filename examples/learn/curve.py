"""A learning curve as an SVG picture, without a library."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 56, 16, 40, 48
COLOURS = ["#15c", "#c40", "#283", "#829"]


def _ticks(most, wanted=6):
    """Round numbers from 0 to most."""
    step = 1.0
    while most / step > wanted:
        step *= 2.5 if str(step)[0] == "2" else 2
    while step > 1e-3 and most / step < wanted / 3:
        step /= 2
    return [step * number for number in range(int(most / step) + 1)]


def draw_curve(title, lines, columns, cpu=False):
    """The picture of lines with minutes and the points (0 to 1) in the columns, a name in the picture for each."""
    clock = "cpu_minutes" if cpu else "minutes"
    most = max(line[clock] for line in lines) or 1.0

    def x(minutes):
        return LEFT + (WIDTH - LEFT - RIGHT) * minutes / most

    def y(points):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * points

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="13" fill="#222">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{LEFT}" y="24" font-size="15">{title}</text>']
    for percent in range(0, 101, 10):
        height = y(percent / 100)
        colour = "#2a7" if percent == 90 else "#ddd"
        parts.append(f'<path d="M{LEFT} {height:.1f}H{WIDTH - RIGHT}" stroke="{colour}"/>')
        if percent % 20 == 0 or percent == 90:
            parts.append(f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{percent} %</text>')
    for minutes in _ticks(most):
        parts.append(f'<text x="{x(minutes):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{minutes:g}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">minutes{" of CPU time" if cpu else ""}, learning</text>')
    for number, (column, name) in enumerate(columns.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [(x(line[clock]), y(line[column])) for line in lines if column in line]
        joined = " ".join(f"{across:.1f},{down:.1f}" for across, down in places)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3" fill="{colour}"/>' for across, down in places]
        parts.append(f'<text x="{LEFT + 12 + 80 * number}" y="{HEIGHT - 8}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])
