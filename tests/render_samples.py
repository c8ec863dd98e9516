"""Draws the pictures of resources/samples, always the same bytes' worth of pixels: python tests/render_samples.py.

Nothing here shows a real person or place.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

from studies.puzzles import making, released
from studies.puzzles.puzzle import Picture

SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
WIDTH, HEIGHT = 480, 320
SKY, GRASS, SEA, SAND, STONE = "#a9cfe8", "#7fae6b", "#3f7fa6", "#e3d2a1", "#9a948c"
NIGHT, DARK = "#1d2a44", "#26221e"
Draw = ImageDraw.ImageDraw


def ground(draw: Draw, sky: str, land: str, horizon: int = 190) -> None:
    draw.rectangle((0, 0, WIDTH, horizon), fill=sky)
    draw.rectangle((0, horizon, WIDTH, HEIGHT), fill=land)


def person(draw: Draw, x: int, y: int, *, size: int = 1, face: str = "#e0b48c", coat: str = "#7a3b3b") -> None:
    """A figure standing on (x, y); a face of the coat's colour is turned away."""
    draw.rectangle((x - 9 * size, y - 40 * size, x + 9 * size, y), fill=coat)
    draw.ellipse((x - 8 * size, y - 58 * size, x + 8 * size, y - 40 * size), fill=face)
    if face != coat:
        for eye in (-3, 3):
            draw.ellipse((x + eye * size - size, y - 51 * size, x + eye * size + size, y - 49 * size), fill=DARK)


def house(draw: Draw, x: int, y: int, wall: str, roof: str = "#8c4a3a", width: int = 120, height: int = 80) -> None:
    draw.rectangle((x, y - height, x + width, y), fill=wall)
    draw.polygon(((x - 10, y - height), (x + width // 2, y - height - 50), (x + width + 10, y - height)), fill=roof)
    draw.rectangle((x + width // 2 - 12, y - 40, x + width // 2 + 12, y), fill=DARK)


def tree(draw: Draw, x: int, y: int, leaves: str = "#3f7a3f") -> None:
    draw.rectangle((x - 6, y - 50, x + 6, y), fill="#6b4a2f")
    draw.ellipse((x - 38, y - 120, x + 38, y - 40), fill=leaves)


def harbour(draw: Draw) -> None:
    ground(draw, SKY, SEA)
    draw.rectangle((0, 260, 200, 320), fill=STONE)
    draw.polygon(((250, 250), (350, 250), (330, 275), (270, 275)), fill="#ffffff")
    draw.polygon(((300, 250), (300, 150), (350, 245)), fill="#f4efe4")
    draw.rectangle((90, 130, 120, 260), fill="#ffffff")
    for stripe in (150, 190, 230):
        draw.rectangle((90, stripe, 120, stripe + 15), fill="#b33a3a")


def tower(draw: Draw) -> None:
    ground(draw, SKY, GRASS, 240)
    draw.polygon(((190, 260), (290, 260), (250, 30), (230, 30)), fill="#7d7468")
    draw.rectangle((180, 120, 300, 132), fill="#5f574d")
    draw.ellipse((225, 12, 255, 42), fill="#d8a53a")


def kitchen(draw: Draw) -> None:
    ground(draw, "#efe6d6", "#b98f68", 220)
    draw.rectangle((330, 40, 450, 150), fill=SKY, outline="#ffffff", width=6)
    draw.rectangle((60, 200, 300, 225), fill="#8a5a36")
    draw.ellipse((150, 160, 230, 205), fill="#f6e3ea")
    for candle in (175, 190, 205):
        draw.line((candle, 145, candle, 165), fill="#d8a53a", width=4)
    person(draw, 110, 200, size=2, coat="#3f6a9a")
    person(draw, 280, 200, size=2, coat="#4f8a5a")


def street(draw: Draw) -> None:
    ground(draw, "#cfd6da", STONE, 220)
    for x, wall in ((10, "#d9b99a"), (150, "#c7a7a0"), (340, "#bfc7a5")):
        house(draw, x, 220, wall, height=120)
    draw.rectangle((290, 110, 400, 140), fill="#2f5f9a")
    draw.text((298, 118), "SAMPLE ROAD 7", fill="#ffffff")
    person(draw, 120, 300, coat="#4a4a52", face="#4a4a52")


def beach(draw: Draw) -> None:
    ground(draw, SKY, SEA, 130)
    draw.rectangle((0, 200, WIDTH, HEIGHT), fill=SAND)
    for x in (110, 210, 330):
        person(draw, x, 250, coat="#5a4a6a", face="#5a4a6a")
    draw.pieslice((370, 170, 450, 250), 180, 360, fill="#c8503c")


def concert(draw: Draw) -> None:
    ground(draw, NIGHT, "#120f14", 150)
    draw.rectangle((60, 90, 420, 170), fill="#5a2f6a")
    for x in (110, 240, 370):
        draw.polygon(((x, 0), (x - 60, 170), (x + 60, 170)), fill="#3f3f7a")
    person(draw, 240, 165, coat="#e0c060")
    for x in range(20, 480, 46):
        person(draw, x, 315, coat="#241f2a", face="#241f2a")


def school(draw: Draw) -> None:
    ground(draw, SKY, GRASS, 220)
    draw.rectangle((40, 70, 440, 220), fill="#d6b48c")
    draw.rectangle((150, 85, 330, 110), fill="#ffffff")
    draw.text((178, 92), "INVENTED SCHOOL", fill=DARK)
    for x in (70, 350):
        draw.rectangle((x, 130, x + 50, 180), fill=SKY)
    person(draw, 200, 300, size=2, coat="#b3503a", face="#8a5a3c")


def forest(draw: Draw) -> None:
    ground(draw, SKY, "#5f7f4a", 200)
    for x in (50, 130, 230, 320, 420):
        tree(draw, x, 240 + x % 40, "#2f5f38")
    draw.polygon(((200, 320), (280, 320), (245, 230), (235, 230)), fill="#c7b08a")


def lake(draw: Draw) -> None:
    ground(draw, SKY, SEA, 150)
    draw.polygon(((0, 150), (120, 60), (240, 150)), fill="#6f7f74")


def boat(draw: Draw, sail: str, x: int = 260) -> None:
    draw.polygon(((x, 230), (x + 90, 230), (x + 70, 252), (x + 20, 252)), fill="#5f4030")
    draw.polygon(((x + 45, 228), (x + 45, 150), (x + 85, 225)), fill=sail)


def village(draw: Draw, wall: str = "#e0d0b8", land: str = GRASS) -> None:
    ground(draw, SKY, land, 220)
    house(draw, 170, 240, wall)
    tree(draw, 400, 250)


def one_tree(draw: Draw, leaves: str = "#3f7a3f", land: str = GRASS) -> None:
    ground(draw, SKY, land, 220)
    tree(draw, 240, 260, leaves)


def table(draw: Draw, *, cup: bool = True) -> None:
    ground(draw, "#e6dccb", "#a88a6a", 200)
    draw.rectangle((80, 200, 400, 222), fill="#7a5236")
    draw.rectangle((300, 150, 350, 200), fill="#4f7a9a")
    if cup:
        draw.rectangle((150, 165, 190, 200), fill="#ffffff")
        draw.arc((180, 170, 206, 194), 270, 90, fill="#ffffff", width=4)


def road(draw: Draw, lamps: tuple[int, ...] = (120,)) -> None:
    ground(draw, SKY, GRASS, 190)
    draw.polygon(((180, 320), (320, 320), (258, 190), (242, 190)), fill="#77716a")
    for x in lamps:
        draw.line((x, 280, x, 130), fill=DARK, width=6)
        draw.ellipse((x - 12, 112, x + 12, 136), fill="#f0d060")


def hill(draw: Draw, sky: str = SKY, land: str = GRASS, light: str = "#f4d35e") -> None:
    ground(draw, sky, land, 230)
    draw.ellipse((60, 150, 420, 420), fill=land)
    draw.ellipse((350, 40, 400, 90), fill=light)


PHOTOS: tuple[Callable[[Draw], None], ...] = (harbour, tower, kitchen, street, beach, concert, school, forest)
# source, the better edit, the other one
EDITS: dict[str, tuple[Callable[[Draw], object], Callable[[Draw], object], Callable[[Draw], object]]] = {
    "lake": (lake, lambda d: (lake(d), boat(d, "#b8322a")), lambda d: (lake(d), boat(d, "#e9e4da", 20))),
    "house": (village, lambda d: village(d, "#3f6fa8"), lambda d: village(d, "#3f6fa8", "#8a9ac0")),
    "tree": (one_tree, lambda d: one_tree(d, "#c8702a", "#b8a05a"), lambda d: one_tree(d, "#d8b03a")),
    "table": (table, lambda d: table(d, cup=False),
              lambda d: (table(d), d.rectangle((148, 163, 170, 201), fill="#e6dccb"))),
    "road": (road, lambda d: road(d, (120, 370)), lambda d: road(d, (120, 60))),
    "hill": (hill, lambda d: hill(d, NIGHT, "#2a3a30", "#e8e8f0"), lambda d: hill(d, NIGHT)),
}


def puzzles() -> list[tuple[released.Row, dict[str, Picture]]]:
    """Two puzzles of each category of STARE, as rows of the released shape, with their pictures by path."""
    return [released.released(puzzle, released.qid(category, n), simulated=category.endswith(making.ENDING))
            for category in making.CATEGORIES for n, puzzle in enumerate(making.several(category, 2, seed=2506))]


def render(scene: Callable[[Draw], object] | Picture) -> Image.Image:
    if isinstance(scene, Picture):
        return scene.draw(1.0)
    image = Image.new("RGB", (WIDTH, HEIGHT))
    scene(ImageDraw.Draw(image))
    return image


def pictures() -> dict[str, Callable[[Draw], object] | Picture]:
    """Every picture of the samples: path under resources/samples -> what draws it."""
    named: dict[str, Callable[[Draw], object] | Picture] = {
        f"vlm-geoprivacy/drawn-{n:03d}.png": scene for n, scene in enumerate(PHOTOS, 1)}
    for name, scenes in EDITS.items():
        for ending, scene in zip(("src", "out1", "out2"), scenes, strict=True):
            named[f"preference-pair/{name}_{ending}.png"] = scene
    for _, files in puzzles():
        named.update({f"stare/{path}": picture for path, picture in files.items()})
    return named


def main() -> None:
    for old in (SAMPLES / "stare" / released.FOLDER).glob("*.png"):
        old.unlink()  # what is there is not drawn again
    for _ in released.write(SAMPLES / "stare", "stare.jsonl", puzzles(), scale=1.0):
        pass
    for path, scene in pictures().items():
        if not isinstance(scene, Picture):
            render(scene).convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(SAMPLES / path, optimize=True)


if __name__ == "__main__":
    main()
