"""Calibration: markers and points to millimetres, the lens, cards too small, layouts that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibrate import (
    Calibration,
    bent,
    check_size,
    from_corners,
    from_markers,
    from_points,
    load_calibration,
    save_calibration,
    straightened,
)
from vision.errors import VisionError
from vision.layout import Layout, Marker, Region, load_layout

SIZE = (1280, 720)
MARKERS = tuple(
    Marker(id=n, x_mm=x, y_mm=y, size_mm=60) for n, (x, y) in enumerate([(80, 80), (820, 80), (820, 420), (80, 420)])
)
BOX = Region(name="box1", polygon_mm=((150, 150), (350, 150), (350, 350), (150, 350)))
LAYOUT = Layout(width_mm=900, height_mm=500, marker=MARKERS, region=(BOX,))
TILTED = np.array([[1.35, 0.12, 20.0], [0.02, 1.3, 15.0], [0.00002, 0.0001, 1.0]])


def through(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def table_picture(leave_out: int = -1) -> np.ndarray:
    """The markers of the layout as a camera sees them."""
    flat = np.full((1000, 1800, 3), 90, np.uint8)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in MARKERS:
        if marker.id == leave_out:
            continue
        tile = cv2.copyMakeBorder(cv2.aruco.generateImageMarker(words, marker.id, 120), 20, 20, 20, 20, 0, value=255)
        x, y = int(marker.x_mm * 2) - 80, int(marker.y_mm * 2) - 80
        flat[y : y + 160, x : x + 160] = tile[..., None]
    # Pixel n of the flat picture covers half a millimetre whose middle is (n + 0.5) / 2.
    half = np.array([[0.5, 0, 0.25], [0, 0.5, 0.25], [0, 0, 1]])
    return cv2.warpPerspective(flat, TILTED @ half, SIZE)


def test_markers_give_millimetres() -> None:
    found = from_markers(table_picture(), LAYOUT)
    assert found.error_mm < 0.6
    places = np.array([[450.0, 250.0], [200, 200], [800, 400]])
    assert np.abs(found.table(through(TILTED, places)) - places).max() < 1.0
    assert np.abs(found.picture(places) - through(TILTED, places)).max() < 1.5
    region = found.region_at(*through(TILTED, np.array([[200.0, 200.0]]))[0])
    assert region is not None
    assert region.name == "box1"
    assert found.region_at(5, 5) is None


def test_a_marker_missing_is_named() -> None:
    with pytest.raises(VisionError, match=r"only 3 of the layout's 4 markers are seen.*not seen: 2"):
        from_markers(table_picture(leave_out=2), LAYOUT)


def corner_points() -> tuple[np.ndarray, np.ndarray]:
    table = np.array([[0.0, 0], [900, 0], [900, 500], [0, 500]])
    return through(TILTED, table), table


def test_four_points_do_and_the_size_is_checked() -> None:
    found = from_points(*corner_points(), SIZE, LAYOUT)
    width = found.card_width_px(250, 250)
    assert 60 < width < 90
    with pytest.raises(VisionError, match=r"only \d+ pixels wide at box1, overlapping cards need 110"):
        check_size(found)
    near = from_points(corner_points()[0] * 2, corner_points()[1], (2560, 1440), LAYOUT)
    assert "narrowest card: 1" in check_size(near)


def test_points_that_make_no_table_are_refused() -> None:
    pixels, table = corner_points()
    with pytest.raises(VisionError, match="too few"):
        from_points(pixels[:3], table[:3], SIZE, LAYOUT)
    five = np.vstack([pixels, [[640.0, 100.0]]]), np.vstack([table, [[100.0, 480.0]]])
    with pytest.raises(VisionError, match="mm off"):
        from_points(*five, SIZE, LAYOUT)


def test_the_bend_of_the_lens_is_found() -> None:
    table = np.array([[x, y] for x in np.linspace(0, 900, 5) for y in np.linspace(0, 500, 4)])
    seen = bent(through(TILTED, table), -0.1, *SIZE)
    assert np.abs(straightened(seen, -0.1, *SIZE) - through(TILTED, table)).max() < 0.01
    found = from_points(seen, table, SIZE, LAYOUT)
    assert found.bend == pytest.approx(-0.1, abs=0.011)
    assert np.abs(found.table(seen) - table).max() < 1.0


def test_a_calibration_is_kept_in_a_file(tmp_path: Path) -> None:
    found = from_points(*corner_points(), SIZE, LAYOUT)
    save_calibration(tmp_path / "c.json", found)
    again = load_calibration(tmp_path / "c.json")
    assert isinstance(again, Calibration)
    assert again == found


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"to_mm": [[0,0,0],[0,0,0],[0,0,0]]}', '{"to_mm": 5}'])
def test_a_file_that_is_no_calibration_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(VisionError, match=r"not a calibration"):
        load_calibration(tmp_path / "c.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bend", "NaN"),
        ("bend", "1e300"),
        ("width", "1e400"),
        ("height", "1"),
        ("error_mm", "-1"),
        ("to_mm", "[" * 5000),
    ],
)
def test_a_calibration_with_a_number_out_of_its_range_is_refused(key: str, value: str, tmp_path: Path) -> None:
    save_calibration(tmp_path / "c.json", from_points(*corner_points(), SIZE, LAYOUT))
    data = json.loads((tmp_path / "c.json").read_text())
    data[key] = "VALUE"
    (tmp_path / "c.json").write_text(json.dumps(data).replace('"VALUE"', value))
    with pytest.raises(VisionError, match="not a calibration"):
        load_calibration(tmp_path / "c.json")


ROUND = ((20.0, 15.0), (1200.0, 30.0), (1180.0, 650.0), (30.0, 640.0))


def test_four_corners_go_clockwise_and_lie_in_the_picture() -> None:
    assert from_corners(ROUND, SIZE, LAYOUT).error_mm < 0.01
    for wrong in (ROUND[::-1], (ROUND[0], ROUND[2], ROUND[1], ROUND[3]), tuple((n, n) for n in (0.0, 1.0, 2.0, 3.0))):
        with pytest.raises(VisionError, match="do not go clockwise"):
            from_corners(wrong, SIZE, LAYOUT)
    assert from_corners(((-30.0, -20.0), *ROUND[1:]), SIZE, LAYOUT).error_mm < 0.01
    for far in (float("nan"), -400.0, 1700.0):
        with pytest.raises(VisionError, match=r"lies far outside of the picture of 1280 × 720"):
            from_corners((ROUND[0], (far, 30.0), *ROUND[2:]), SIZE, LAYOUT)


def test_markers_in_a_line_are_refused() -> None:
    line = np.array([[n * 100.0, 10.0] for n in range(5)])
    with pytest.raises(VisionError, match="in a line"):
        from_points(line, line, SIZE, LAYOUT)


WRONG = {
    "width_mm = 5": "height_mm: Field required",
    "width_mm = 5\nheight_mm = 5\nsize = 3": "size: Extra inputs",
    "width_mm = 5\nheight_mm = -5": "height_mm: Input should be greater than 0",
    "width_mm": "not a TOML file",
    f"width_mm = {'9' * 5000}": "a number has thousands of digits",
    f"width_mm = {'[' * 5000}": "nested too deeply",
    "width_mm = nan\nheight_mm = 5": "width_mm",
    'width_mm = 9\nheight_mm = 9\n[[region]]\nname = "a b"\npolygon_mm = [[0,0],[1,0],[1,1]]': "region.0.name",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_layout_is_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "l.toml").write_text(text)
    with pytest.raises(VisionError) as caught:
        load_layout(tmp_path / "l.toml")
    assert WRONG[text] in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "l.toml"))


def test_two_regions_of_one_name_are_refused(tmp_path: Path) -> None:
    region = '[[region]]\nname = "a"\npolygon_mm = [[0,0],[1,0],[1,1]]\n'
    (tmp_path / "l.toml").write_text("width_mm = 9\nheight_mm = 9\n" + region * 2)
    with pytest.raises(VisionError, match=r"l\.toml: region a is there twice"):
        load_layout(tmp_path / "l.toml")


REGIONS = {
    "do not go round an area": ["[[1,1],[4,4],[4,1],[1,4]]", "[[1,1],[1,1],[1,1]]", "[[1,1],[2,2],[3,3]]"],
    "lies outside of the table": ["[[1,1],[14,1],[14,4]]", "[[-1,1],[4,1],[4,4]]"],
    "regions b and a overlap": ["[[5,5],[8,5],[8,9],[5,9]]", "[[1,1],[9,1],[9,9],[1,9]]"],
}


@pytest.mark.parametrize(("said", "polygon"), [(said, p) for said, many in REGIONS.items() for p in many])
def test_a_region_is_a_place_of_its_own_on_the_table(said: str, polygon: str, tmp_path: Path) -> None:
    text = 'width_mm = 10\nheight_mm = 10\n[[region]]\nname = "b"\npolygon_mm = [[5,5],[9,5],[9,9],[5,9]]\n'
    (tmp_path / "l.toml").write_text(f'{text}[[region]]\nname = "a"\npolygon_mm = {polygon}\n')
    with pytest.raises(VisionError, match=said):
        load_layout(tmp_path / "l.toml")


def test_regions_may_share_an_edge(tmp_path: Path) -> None:
    text = 'width_mm = 10\nheight_mm = 10\n[[region]]\nname = "b"\npolygon_mm = [[5,1],[9,1],[9,9],[5,9]]\n'
    (tmp_path / "l.toml").write_text(f'{text}[[region]]\nname = "a"\npolygon_mm = [[1,1],[5,1],[5,9],[1,9]]\n')
    assert len(load_layout(tmp_path / "l.toml").region) == 2
