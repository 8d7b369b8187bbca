"""Draw the mahjong tiles: one SVG sprite with a symbol for each of the 34 faces and one for the back.

Every hand in Paili is shown with these pictures, so they are drawn here once, from numbers, and not
kept as loose files that drift apart: change a colour or a stick below and all tiles follow.

The Han characters are outlines of Yuji Syuku, version 3.002 (The Yuji Project Authors, SIL Open Font
License 1.1), a brush face; everything else is drawn by this script. Run it from the root of the
repository, with fontTools installed and the font at hand (Google Fonts has it, and the npm package
@expo-google-fonts/yuji-syuku):

    python tutor/art/draw_tiles.py YujiSyuku-Regular.ttf static/tiles.svg

A page shows a tile with <svg><use href="/static/tiles.svg#f"/><use href="/static/tiles.svg#t-5m"/></svg>: its
body, and the face upon it, which alone is made smaller where an index stands in the corner. For that to work
everywhere the sprite has only flat fills and strokes: no styles, gradients, masks, filters or text.

A browser copies the parts of a symbol for each tile of a page, so a picture has as few as can be: circles and
sticks are one path each, and what is white in them is cut out.
"""

import argparse
import math
from pathlib import Path

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

# A page may set these properties to others: they reach into what it uses.
FACE, EDGE, BORDER = "var(--tile-face,#fffdf4)", "var(--tile-edge,#ded3b4)", "var(--tile-border,#8a8371)"
RED, GREEN = "var(--tile-red,#b3261e)", "var(--tile-green,#0b6b3a)"
BLUE, INK = "var(--tile-blue,#1d4e9e)", "var(--tile-ink,#1b1b1f)"
BACK, BACK_LINE = "#0b6b3a", "#5fae83"
FINE = 'fill-rule="var(--tile-fine,evenodd)"'  # of ornament that some do without: "nonzero" fills it
INDEX = 'display="var(--tile-index,none)"'
# Where a face with an index stands, and how large; the page says the same. The index itself stays as it is.
BESIDE_X, BESIDE_Y, SMALLER = 11.5, 14, 0.8
INDEX_X, INDEX_Y, INDEX_SIZE = 5, 4.5, 1.1

CENTRE_X, CENTRE_Y = 30, 38  # the middle of the face, which ends above the tile's lower edge

NOTICE = "Drawn by tutor/art/draw_tiles.py. Han outlines: Yuji Syuku, SIL Open Font License 1.1."

CURVE_STEPS = 8  # straight pieces a curve of the font is cut into
SPACING = 0.2  # tile units between the points of an outline while it is smoothed
SOFTNESS = 0.9  # tile units over which the grain of the brush is smoothed away
SPECK = 1  # square tile units below which a stray mark of the brush is left out
TOLERANCE = 0.07  # tile units a simplified outline may stray
GRAIN = 10  # outlines are written as whole numbers of 1/GRAIN tile unit
STRETCH = 1.05  # tile characters are cut broad

NUMERALS = "一二三四伍六七八九"
HONOURS = {
    "E": ("東", INK),
    "S": ("南", INK),
    "W": ("西", INK),
    "N": ("北", INK),
    "F": ("發", GREEN),
    "C": ("中", RED),
}
NUMERAL_EM, WAN_EM, HONOUR_EM = 35, 39, 52
NUMERAL_Y, WAN_Y = 19.5, 53
NUMERAL_STROKE, WAN_STROKE, HONOUR_STROKE = 0.5, 0.35, 0.7  # the brush, thickened for small sizes

# Circles: per tile the radius, then x, y and colour of each; the colour of the heart goes with it.
CIRCLES: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
    2: (14.2, [(30, 21, GREEN), (30, 55, BLUE)]),
    3: (11, [(15.5, 15.5, BLUE), (30, 38, RED), (44.5, 60.5, GREEN)]),
    4: (11.2, [(17, 19, BLUE), (43, 19, GREEN), (17, 57, GREEN), (43, 57, BLUE)]),
    5: (
        9.8,
        [(15.5, 15.5, BLUE), (44.5, 15.5, GREEN), (30, 38, RED), (15.5, 60.5, GREEN), (44.5, 60.5, BLUE)],
    ),
    6: (9.2, [(x, y, c) for y, c in ((14, GREEN), (41, RED), (61.5, RED)) for x in (18.5, 41.5)]),
    7: (
        8.2,
        [(12.5, 11.5, GREEN), (30, 18, GREEN), (47.5, 24.5, GREEN)]
        + [(x, y, RED) for y in (44.5, 63) for x in (19, 41)],
    ),
    8: (8.3, [(x, y, BLUE) for y in (11.6, 29.2, 46.8, 64.4) for x in (19, 41)]),
    9: (8, [(x, y, c) for y, c in ((14, GREEN), (38, RED), (62, BLUE)) for x in (12.5, 30, 47.5)]),
}
HEARTS = {RED: GREEN, GREEN: RED, BLUE: RED}

# Bamboo: per tile the scale across and along, then x, y, colour and turn of each stick.
STICKS: dict[int, tuple[float, float, list[tuple[float, float, str, int]]]] = {
    2: (1.5, 1.12, [(30, 21, GREEN, 0), (30, 55, BLUE, 0)]),
    3: (1.4, 1.12, [(30, 21, BLUE, 0), (17, 55, GREEN, 0), (43, 55, GREEN, 0)]),
    4: (1.4, 1.12, [(17, 21, GREEN, 0), (43, 21, BLUE, 0), (17, 55, BLUE, 0), (43, 55, GREEN, 0)]),
    5: (
        1.3,
        1,
        [(14, 20, GREEN, 0), (46, 20, BLUE, 0), (30, 38, RED, 0), (14, 56, BLUE, 0), (46, 56, GREEN, 0)],
    ),
    6: (1.25, 1.12, [(x, y, c, 0) for y, c in ((21, GREEN), (55, BLUE)) for x in (13.5, 30, 46.5)]),
    7: (
        1.2,
        0.72,
        [(30, 15, RED, 0)]
        + [(x, y, c, 0) for y in (39, 61) for x, c in ((13.5, GREEN), (30, BLUE), (46.5, GREEN))],
    ),
    8: (
        0.85,
        1.05,
        [
            (x, y, c, side * turn)
            for y, c, side in ((21, GREEN, 1), (55, BLUE, -1))
            for x, turn in ((9, 0), (21.6, -20), (38.4, 20), (51, 0))
        ],
    ),
    9: (1.2, 0.72, [(x, y, c, 0) for y in (15, 38, 61) for x, c in ((13.5, GREEN), (30, RED), (46.5, BLUE))]),
}

# The index in a tile's corner: strokes on a ground of 10 by 14.
INDICES = {
    "1": "M2.5 3.5L6 1V13",
    "2": "M1.5 4Q1.5 1 5 1T8.5 4Q8.5 6.2 1.5 13H8.8",
    "3": "M1.5 1H8.3L4.6 5.6Q8.8 5.8 8.8 9.3T4.8 13Q2 13 1.2 11",
    "4": "M7 13V1L1 9.3H9.4",
    "5": "M8.3 1H2.3L1.8 6.3Q8.8 4.6 8.8 9T4.6 13Q2 13 1.2 11.2",
    "6": "M7.4 1Q1.3 3.6 1.3 9.3A3.7 3.7 0 1 0 8.7 9.3A3.7 3.7 0 1 0 1.3 9.3",
    "7": "M1.2 1H8.8L4 13",
    "8": "M5 1A2.9 2.9 0 1 0 5 6.8A3.1 3.1 0 1 0 5 13A3.1 3.1 0 1 0 5 6.8A2.9 2.9 0 1 0 5 1",
    "9": "M2.6 13Q8.7 10.4 8.7 4.7A3.7 3.7 0 1 0 1.3 4.7A3.7 3.7 0 1 0 8.7 4.7",
    "E": "M8.4 1H1.8V13H8.4M1.8 6.8H7.4",
    "S": "M8.4 2.8Q7.4 1 5 1T1.6 4Q1.6 6.2 5 6.9T8.6 10Q8.6 13 5 13T1.2 11",
    "W": "M.4 1L2.8 13L5 5L7.2 13L9.6 1",
    "N": "M1.6 13V1L8.4 13V1",
    "C": "M8.8 3.2Q7.6 1 5.2 1Q1.4 1 1.4 7T5.2 13Q7.6 13 8.8 10.8",
    "F": "M1.8 13V1H8.4M1.8 6.8H7.2",
    "P": "M1.8 13V1H5.5Q8.8 1 8.8 4.3T5.5 7.6H1.8",
}


def curve(start, control, end):
    """Points along a quadratic curve, without its start."""
    points = []
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        places = zip(start, control, end, strict=True)
        points.append(tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in places))
    return points


def glyph(font, char):
    """The outline of a character as closed polygons, in the units of the font."""
    glyph_set = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyph_set)
    glyph_set[font.getBestCmap()[ord(char)]].draw(pen)
    polygons = []
    for command, points in pen.value:
        if command == "moveTo":
            polygons.append([points[0]])
        elif command == "lineTo":
            polygons[-1].append(points[0])
        elif command == "qCurveTo":
            for control, end in decomposeQuadraticSegment(points):
                polygons[-1] += curve(polygons[-1][-1], control, end)
    return polygons


def number(value):
    """A number in as few characters as two decimals need."""
    sign, size = "-" if value < 0 else "", f"{abs(value):.2f}".rstrip("0").rstrip(".")
    if size == "0":
        return "0"
    return sign + (size[1:] if size.startswith("0.") else size)


def joined(values):
    """Numbers one after the other, parted only where they must be."""
    text = ""
    for value in values:
        part = number(value)
        text += part if not text or part.startswith("-") else " " + part
    return text


def distance(point, start, end):
    """How far a point is from the straight line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not length:
        return math.dist(point, start)
    return abs((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / length


def simplified(points):
    """The open line through points without those that change it by less than the tolerance."""
    if len(points) < 3:
        return points
    far, split = max((distance(p, points[0], points[-1]), i) for i, p in enumerate(points[1:-1], 1))
    if far < TOLERANCE:
        return [points[0], points[-1]]
    return simplified(points[: split + 1])[:-1] + simplified(points[split:])


def simplified_polygon(points):
    """The same for a closed outline: its halves between two far points are simplified."""
    split = max(range(len(points)), key=lambda i: math.dist(points[i], points[0]))
    return simplified(points[: split + 1])[:-1] + simplified(points[split:] + points[:1])[:-1]


def sides(points):
    """The sides of a closed outline, each as its two ends."""
    return zip(points, points[1:] + points[:1], strict=True)


def resampled(points):
    """A closed outline as points of even spacing."""
    result = []
    for start, end in sides(points):
        pieces = max(1, round(math.dist(start, end) / SPACING))
        steps = [(b - a) / pieces for a, b in zip(start, end, strict=True)]
        result += [(start[0] + steps[0] * piece, start[1] + steps[1] * piece) for piece in range(pieces)]
    return result


def softened(points):
    """A closed outline without the grain of the brush: each point becomes the mean of its surroundings."""
    points = resampled(points)
    reach = round(3 * SOFTNESS / SPACING)
    weights = {step: math.exp(-((step * SPACING / SOFTNESS) ** 2) / 2) for step in range(-reach, reach + 1)}
    total = sum(weights.values())
    return [
        tuple(
            sum(w * points[(i + step) % len(points)][axis] for step, w in weights.items()) / total
            for axis in (0, 1)
        )
        for i in range(len(points))
    ]


def moments(polygon):
    """The signed area of a polygon and, times that area, its centre of gravity."""
    area = moment_x = moment_y = 0
    for (x0, y0), (x1, y1) in sides(polygon):
        cross = x0 * y1 - x1 * y0
        area += cross / 2
        moment_x += (x0 + x1) * cross / 6
        moment_y += (y0 + y1) * cross / 6
    return area, moment_x, moment_y


def middle(polygons):
    """The optical middle of a character: halfway between its box and its centre of gravity."""
    area, moment_x, moment_y = (sum(values) for values in zip(*map(moments, polygons), strict=True))
    xs, ys = zip(*(point for polygon in polygons for point in polygon), strict=True)
    return ((min(xs) + max(xs)) / 2 + moment_x / area) / 2, ((min(ys) + max(ys)) / 2 + moment_y / area) / 2


def character(font, char, em, y, colour, stroke):
    """A Han character in the middle of the tile at height y, its em square that large."""
    scale = em / font["head"].unitsPerEm
    polygons = [[(x * scale * STRETCH, -y * scale) for x, y in polygon] for polygon in glyph(font, char)]
    polygons = [
        simplified_polygon(softened(polygon)) for polygon in polygons if abs(moments(polygon)[0]) > SPECK
    ]
    middle_x, middle_y = middle(polygons)
    path, pen_x, pen_y = "", 0, 0
    for polygon in polygons:
        places = [(round((px - middle_x) * GRAIN), round((py - middle_y) * GRAIN)) for px, py in polygon]
        steps = []
        for place_x, place_y in places:
            steps += [place_x - pen_x, place_y - pen_y]
            pen_x, pen_y = place_x, place_y
        path += f"m{joined(steps)}z"
        pen_x, pen_y = places[0]
    return (
        f'<path transform="matrix({number(1 / GRAIN)} 0 0 {number(1 / GRAIN)} {CENTRE_X} {number(y)})" '
        f'fill="{colour}" stroke="{colour}" stroke-width="{number(stroke * GRAIN)}" stroke-linejoin="round" '
        f'd="{path}"/>'
    )


def shape(path, fill):
    return f'<path fill="{fill}" d="{path}"/>'


def line(path, colour, width):
    stroke = f'stroke="{colour}" stroke-width="{number(width)}" stroke-linecap="round"'
    return f'<path fill="none" {stroke} d="{path}"/>'


def dot(x, y, radius, fill):
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'


def ring(radius, colour, width):
    return f'<circle r="{number(radius)}" fill="none" stroke="{colour}" stroke-width="{number(width)}"/>'


def disc(radius, x=0, y=0):
    """The path of a filled circle."""
    r, whole = number(radius), number(2 * radius)
    return f"M{joined((x, y - radius))}a{r} {r} 0 1 1 0 {whole} {r} {r} 0 1 1 0-{whole}z"


def band(inner, outer):
    """The path of a ring around the origin, to be filled by the rule evenodd."""
    return disc(inner) + disc(outer)


def leaf(inner, outer, breadth, angle):
    """The path of a pointed leaf that grows away from the origin, clockwise from upright."""

    def at(radius, offset):
        return (
            radius * math.sin(angle) + offset * math.cos(angle),
            offset * math.sin(angle) - radius * math.cos(angle),
        )

    start, end, waist = at(inner, 0), at(outer, 0), inner + (outer - inner) * 0.6
    return (
        f"M{joined(start)}Q{joined(at(waist, breadth / 2) + end)} {joined(at(waist, -breadth / 2) + start)}z"
    )


def petals(count, inner, outer, breadth, turn=0):
    """The path of a wreath of leaves around the origin."""
    return "".join(leaf(inner, outer, breadth, 2 * math.pi * index / count + turn) for index in range(count))


def blank(body):
    """A tile without a picture: its ivory body, whose lower edge shows, and the face upon it."""
    return (
        f'<rect x=".75" y=".75" width="58.5" height="78.5" rx="6" fill="{EDGE}" '
        f'stroke="{BORDER}" stroke-width="1.5"/>'
        f'<rect x="1.5" y="1.5" width="57" height="72.5" rx="5.2" fill="{body}"/>'
    )


def circle():
    """A circle of radius 10 around the origin, its ornament cut out; takes its fill from the use of it."""
    ring_and_petals = band(7.55, 8.45) + petals(8, 2.5, 6.8, 3.4)
    return f'<path id="o" {FINE} d="{disc(10)}{ring_and_petals}"/>'


def one_circle():
    """The great wheel."""
    wheel = (
        f'<circle r="24" fill="{GREEN}"/>{ring(21.6, FACE, 0.9)}'
        + shape(petals(16, 14.5, 20.8, 4.4), FACE)
        + f'<circle r="14" fill="{FACE}"/>{ring(13.6, BLUE, 1.8)}'
        + shape(petals(8, 3, 12.2, 7.4), RED)
        + shape(petals(8, 5, 12.2, 4.4, math.pi / 8), BLUE)
        + f'<circle r="4.6" fill="{FACE}"/><circle r="3.4" fill="{RED}"/>'
    )
    return f'<g transform="translate({CENTRE_X} {CENTRE_Y})">{wheel}</g>'


def stick():
    """The path of an upright stick of bamboo, 28 high, its three joints cut out."""
    right = "h3.1q1.5 0 1.5 1.5q0 1.3-1.3 1.9q-.8 4.3 0 8.6q1.5.7 1.5 2"
    right += "t-1.5 2q-.8 4.3 0 8.6q1.3.6 1.3 1.9q0 1.5-1.5 1.5"
    left = "h-6.2q-1.5 0-1.5-1.5q0-1.3 1.3-1.9q.8-4.3 0-8.6q-1.5-.7-1.5-2"
    left += "t1.5-2q.8-4.3 0-8.6q-1.3-.6-1.3-1.9q0-1.5 1.5-1.5"
    joints = "".join(f"M{joined((-3.1, y - 0.275))}h6.2v.55h-6.2z" for y in (-10.4, -2.2, 2.2, 10.4))
    glints = "".join(
        f"M{joined((-1.62, y))}v4.2q0 .28.52.28t.53-.28v-4.2q0-.28-.53-.28t-.52.28z" for y in (-8.4, 4.2)
    )
    return f"M0-14{right}{left}z{joints}{glints}"


def one_bamboo():
    """The bird: a peacock with a spread tail, on a stick of bamboo."""
    angles = [math.radians(degrees) for degrees in (5, 27, 49, 71, 93, 115)]
    feathers = eyes = ""
    for angle in angles:
        feathers += f'<path d="{leaf(4, 27, 11.5, angle)}"/>'
    places = [(24.5 * math.sin(angle), -24.5 * math.cos(angle)) for angle in angles]
    for radius, colour in ((4.1, BLUE), (2.6, FACE), (1.7, RED)):
        eyes += shape("".join(disc(radius, x, y) for x, y in places), colour)
    tail = f'<g fill="{GREEN}" stroke="{FACE}" stroke-width=".7">{feathers}</g>{eyes}'
    tail = f'<g transform="translate(26 45)">{tail}</g>'
    perch = f'<use href="#b" transform="translate(30 67)rotate(90)scale(.6 1.5)" fill="{GREEN}"/>'
    legs = line("M18 51l-.8 13.2M23.5 52l.5 12.2M15 64.4h4.2M21.8 64.4h4.2", RED, 1.4)
    crest = line("M15 13L12.7 7.5M15.3 13L16 6.5M15.7 13L19.3 7.8", BLUE, 0.8)
    crest += shape("".join(disc(1.25, x, y) for x, y in ((12.5, 7), (16.1, 5.8), (19.7, 7.3))), RED)
    body = shape(
        "M18.4 15C19.3 21 16.8 26 20.5 31C25 37 33 41 36.5 49C31 54.5 21 56 15 51"
        "C9.5 46.5 9.2 38.5 11.2 32.5C12.6 28 12.8 23 11.6 17z",
        BLUE,
    )
    body += line("M13.2 26q1.7 1.6 3.4.2M12.6 30q2.6 2 5.2.2M11.8 34.2q2.4 1.8 4.6 1", FACE, 0.7)
    head = shape("M12.5 13.2L7 16.7l5.4 1.2z", RED) + dot(15, 15.3, 3.7, BLUE)
    head += dot(14.2, 14.7, 1.2, FACE) + dot(14, 14.7, 0.7, INK)
    wing = shape("M14.5 38C20 34 29 39 35 49.5C26 52.5 15.5 50.5 14.5 38z", GREEN)
    wing = f'<g stroke="{FACE}" stroke-width=".8">{wing}</g>'
    wing += line("M18 40.5q7.5 1 13 8M17.8 44q5 .8 8.4 4.8", FACE, 0.8)
    return tail + perch + legs + crest + body + head + wing


def index(mark):
    """What stands in a tile's corner for those who can't read its face yet, which is smaller beside it."""
    stroke = f'fill="none" stroke="{INK}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"'
    x, y, size = (INDEX_X - BESIDE_X) / SMALLER, (INDEX_Y - BESIDE_Y) / SMALLER, INDEX_SIZE / SMALLER
    place = f"translate({joined((x, y))})scale({number(size)})"
    return f'<path {INDEX} transform="{place}" {stroke} d="{INDICES[mark]}"/>'


def white():
    """A frame around nothing."""
    return (
        f'<rect x="9.5" y="9.5" width="41" height="57" rx="2" fill="none" stroke="{BLUE}" stroke-width="3"/>'
        + line("M19 14.5h22v4.5h4.5v38h-4.5v4.5h-22v-4.5h-4.5v-38h4.5z", BLUE, 1.2)
    )


def back():
    """A lattice in a frame."""
    columns, rows, cell_x, cell_y, left, top = 6, 8, 7.5, 7.75, 7.5, 7
    path = f"M{left} {top}h{columns * cell_x}v{rows * cell_y}h{-columns * cell_x}z"
    for column in range(2 - rows, columns, 2):
        first, last = max(0, -column), min(rows, columns - column)
        width, height = (last - first) * cell_x, (last - first) * cell_y
        x, y = left + (column + first) * cell_x, top + first * cell_y
        path += f"M{joined((x, y))}l{joined((width, height))}"
        path += f"M{joined((2 * CENTRE_X - x, y))}l{joined((-width, height))}"
    return line(path, BACK_LINE, 0.9)


def circles(count):
    radius, places = CIRCLES[count]
    size = number(radius / 10)
    hearts: dict[str, str] = {}
    for x, y, c in places:
        hearts[HEARTS[c]] = hearts.get(HEARTS[c], "") + disc(0.29 * radius, x, y)
    return "".join(
        f'<use href="#o" transform="translate({joined((x, y))})scale({size})" fill="{c}"/>'
        for x, y, c in places
    ) + "".join(shape(path, colour) for colour, path in hearts.items())


def sticks(count):
    across, along, places = STICKS[count]
    return "".join(
        f'<use href="#b" transform="translate({joined((x, y))})'
        + (f"rotate({turn})" if turn else "")
        + f'scale({joined((across, along))})" fill="{c}"/>'
        for x, y, c, turn in places
    )


def faces(font):
    """The picture of every tile, by its code."""
    pictures = {}
    for count, char in enumerate(NUMERALS, 1):
        numeral = character(font, char, NUMERAL_EM, NUMERAL_Y, INK, NUMERAL_STROKE)
        pictures[f"{count}m"] = numeral + '<use href="#w"/>'
    pictures["1p"] = one_circle()
    pictures |= {f"{count}p": circles(count) for count in CIRCLES}
    pictures["1s"] = one_bamboo()
    pictures |= {f"{count}s": sticks(count) for count in STICKS}
    for code, (char, colour) in HONOURS.items():
        pictures[code] = character(font, char, HONOUR_EM, CENTRE_Y, colour, HONOUR_STROKE)
    pictures["P"] = white()
    return pictures


def symbol(key, content):
    """A part of a page's tiles by its key. An index stands outside of the face that is made smaller."""
    return f'<symbol id="{key}" viewBox="0 0 60 80" overflow="visible">{content}</symbol>\n'


def sprite(font):
    """The whole file."""
    wan = character(font, "萬", WAN_EM, WAN_Y, RED, WAN_STROKE)
    shared = [
        circle(),
        f'<path id="b" fill-rule="evenodd" d="{stick()}"/>',
        wan.replace("<path", '<path id="w"'),
    ]
    defs = "".join(f"{content}\n" for content in shared)
    tiles = symbol("f", blank(FACE))
    tiles += "".join(symbol(f"t-{code}", picture + index(code[0])) for code, picture in faces(font).items())
    tiles += symbol("t-back", blank(BACK) + back())
    return (
        f'<!-- {NOTICE} -->\n<svg xmlns="http://www.w3.org/2000/svg"><defs>\n{defs}</defs>\n{tiles}</svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description="Draw the mahjong tiles as an SVG sprite.")
    parser.add_argument("font", type=Path, help="Yuji Syuku as a TrueType file")
    parser.add_argument("sprite", type=Path, help="where to write the sprite")
    arguments = parser.parse_args()
    arguments.sprite.write_text(sprite(TTFont(arguments.font)), encoding="utf-8")


if __name__ == "__main__":
    main()
