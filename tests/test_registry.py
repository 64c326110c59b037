"""Games by name, by entry point of any package, and from a user's own file."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import plies
from plies import BadParameter, ConnectFour, Nim, UnknownGame, records
from plies.registry import game_class, parse_parameters

pytestmark = pytest.mark.plain

GAME_OF_ONES = '''
from plies import Game

class Ones(Game):
    """Say one until the target."""
    def __init__(self, target=3): self.target = target
    def initial(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state): yield 1
    def result(self, state, action): return state + action
    def is_terminal(self, state): return state == self.target
    def utility(self, state, player): return 1 if player == 0 else -1
'''


@pytest.fixture(autouse=True)
def imports_undone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave sys.path and sys.modules as they were."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    modules: dict[str, ModuleType] = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(modules):
        del sys.modules[name]
    importlib.invalidate_caches()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def install(folder: Path, name: str, entry_points: str) -> None:
    """What pip leaves behind for a package with entry points, and its folder on sys.path."""
    info = folder / f"{name}-1.0.dist-info"
    write(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    write(info / "entry_points.txt", f"[plies.games]\n{entry_points}\n")
    sys.path.append(str(folder))
    importlib.invalidate_caches()


# -- Installed games.


def test_games_of_this_package_by_name() -> None:
    ours = {"connect-four", "nim", "pig", "sum-to-two", "tic-tac-toe", "tree"}
    assert ours <= set(plies.game_names())
    assert plies.game_names() == sorted(plies.game_names())
    for name in ours:
        assert game_class(name).__name__.lower() == name.replace("-", "")


def test_parameters_are_handed_on() -> None:
    game = plies.game("connect-four", width=5)
    assert isinstance(game, ConnectFour)
    assert (game.width, game.height) == (5, 6)


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        UnknownGame, match=r"^there is no game 'conect-four'; there are .*connect-four, .*nim, .*, or give"
    ):
        plies.game("conect-four")


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("connect-four", {"depth": 5}, "connect-four has no parameter 'depth'; it takes width, height"),
        ("sum-to-two", {"size": 4}, "sum-to-two has no parameter 'size'; it takes none"),
        ("othello", {"weights": [1, 2]}, "there are 20 weights, not 2"),
        ("tic-tac-toe", {"weights": "heavy"}, "weights must be numbers, not 'heavy'"),
        ("pig", {"weights": [float("inf")]}, "weights must be finite numbers, and not all of these are"),
        ("connect-four", {"width": "wide"}, "connect-four cannot be made with {'width': 'wide'}: "),
        ("nim", {"heaps": 5}, "nim cannot be made with {'heaps': 5}: "),
        ("pig", {"target": 0}, "target must be 2 or more, not 0"),
    ],
)
def test_parameters_that_a_game_does_not_take(name: str, parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadParameter, match="^" + re.escape(sentence)):
        plies.game(name, **parameters)


def test_a_users_package_offers_a_game(tmp_path: Path) -> None:
    write(tmp_path / "ones.py", GAME_OF_ONES)
    install(tmp_path, "ones-for-plies", "ones = ones:Ones")
    assert "ones" in plies.game_names()
    assert repr(plies.game("ones", target=7)) == "Ones(target=7)"


def test_an_installed_name_that_is_no_game(tmp_path: Path) -> None:
    install(tmp_path, "odd-for-plies", "odd = pathlib:Path")
    with pytest.raises(
        UnknownGame, match=r"^'odd' is installed as pathlib:Path, which is not a plies\.Game$"
    ):
        plies.game("odd")


def test_an_installed_game_that_cannot_be_loaded(tmp_path: Path) -> None:
    install(tmp_path, "gone-for-plies", "gone = nowhere_to_be_found:Game")
    with pytest.raises(
        UnknownGame, match=r"^'gone' is installed as nowhere_to_be_found:Game, which cannot be load"
    ):
        plies.game("gone")


# -- Record formats.

WITH_A_FORMAT = """
from plies import Game, History, records
from plies.record_format import RecordFormat
from ones_game import Ones as Plain

def write(history): return "ones " + "1" * len(history.actions)

def read(text, cls):
    history = History(cls())
    for move in text.removeprefix("ones ").strip(): history.play(int(move))
    return [history]

ONES = RecordFormat("ones", write, read, lambda text: text.startswith("ones"))

class Ones(Plain):
    @classmethod
    def record_formats(cls): return (ONES,)

class AlsoOnes(Ones):
    pass
"""


def test_a_users_package_brings_a_record_format(tmp_path: Path) -> None:
    write(tmp_path / "ones_game.py", GAME_OF_ONES)
    write(tmp_path / "ones.py", WITH_A_FORMAT)
    install(tmp_path, "ones-for-plies", "also-ones = ones:AlsoOnes\nones = ones:Ones")
    assert records.known_formats() == ["ones", "pdn", "pgn", "sgf", "json"]
    game = plies.game("ones")
    history = plies.History(game)
    history.play(1)
    assert records.formats(game) == ["ones", "json"]
    assert records.write(history, "ones") == "ones 1"
    record = records.GameRecord("ones", {"target": 3}, "", ["1"])
    assert records.read(" ones 1\n") == record  # of the class that brings the format, not of a subclass
    assert records.read("ones 1", plies.game("also-ones")) == record._replace(game="also-ones")
    assert records.read("1. e4 e5").game == "chess"


class Chess64(plies.Chess):
    """Chess under another name."""


def test_a_subclass_inherits_the_record_formats() -> None:
    history = plies.History(Chess64())
    history.play(history.game.parse_action(history.state, "e4"))
    written = records.write(history, "pgn")
    assert records.read(written, history.game) == records.GameRecord("chess64", {}, "", ["e4"])
    assert records.read(written) == records.GameRecord("chess", {}, "", ["e4"])


def test_a_record_in_no_known_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "gone-for-plies", "gone = nowhere_to_be_found:Game")
    assert records.read("1. e4 e5").moves == ["e4", "e5"]  # though a game cannot be loaded
    monkeypatch.setattr(plies.Chess, "record_formats", classmethod(lambda cls: ()))
    with pytest.raises(
        plies.PliesError,
        match=r"^the record is not in a known format \(pdn, sgf, json\); 'gone' is installed as nowhere_to",
    ):
        records.read("1. e4 e5")


# -- Games in a file.


def test_a_file_with_one_class(tmp_path: Path) -> None:
    path = write(tmp_path / "ones.py", GAME_OF_ONES)
    assert repr(plies.game(str(path))) == "Ones(target=3)"
    assert repr(plies.game(f"{path}:Ones", target=5)) == "Ones(target=5)"
    assert game_class(str(path)) is game_class(f"{path}:Ones")


def test_a_relative_path_and_an_absolute_one_are_one_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "ones.py", GAME_OF_ONES)
    monkeypatch.chdir(tmp_path)
    assert game_class("ones.py") is game_class(str(path))


def test_a_colon_in_the_folder(tmp_path: Path) -> None:
    path = write(tmp_path / "a:b" / "ones.py", GAME_OF_ONES)
    assert game_class(str(path)) is game_class(f"{path}:Ones")


def test_files_of_one_name_in_two_folders(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "mine.py", GAME_OF_ONES)
    second = write(tmp_path / "b" / "mine.py", GAME_OF_ONES.replace("Ones", "Units"))
    assert repr(plies.game(str(first))) == "Ones(target=3)"
    assert repr(plies.game(str(second))) == "Units(target=3)"


def test_a_file_named_like_a_module_of_python(tmp_path: Path) -> None:
    path = write(tmp_path / "random.py", "import random\nassert random.random() < 1\n" + GAME_OF_ONES)
    assert repr(plies.game(str(path))) == "Ones(target=3)"
    import random

    assert random.random() < 1


def test_a_file_imports_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path / "neighbour_of_ones.py", "TARGET = 11\n")
    text = GAME_OF_ONES.replace("target=3", "target=neighbour_of_ones.TARGET")
    path = write(tmp_path / "ones.py", "import neighbour_of_ones\n" + text)
    assert repr(plies.game(str(path))) == "Ones(target=11)"


def test_classes_that_a_file_imports_are_not_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "ones.py", "from plies import ConnectFour\n" + GAME_OF_ONES + "\nSame = Ones\n")
    assert game_class(str(path)).__name__ == "Ones"


def test_a_file_with_several_classes_asks_for_one(tmp_path: Path) -> None:
    path = write(tmp_path / "two.py", GAME_OF_ONES + "\nclass Others(Ones): pass\n")
    for place, beginning in ((str(path), "has several games"), (f"{path}:Nones", "has no game 'Nones'")):
        with pytest.raises(UnknownGame) as caught:
            plies.game(place)
        assert str(caught.value) == f"{path} {beginning}; name one of {path}:Ones, {path}:Others"
    assert game_class(f"{path}:Others").__name__ == "Others"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1\n", " defines no subclass of plies.Game"),
        ("class Broken(:\n    pass\n", " could not be run: SyntaxError: invalid syntax (broken.py, line 1)"),
        ("x = 1\ny = x / 0\n", ", line 2, could not be run: ZeroDivisionError: division by zero"),
        ("import nowhere_to_be_found\n", ", line 1, could not be run: ModuleNotFoundError: No module named"),
        ("raise SystemExit\n", ", line 1, could not be run: SystemExit"),
    ],
)
def test_a_file_that_gives_no_game(tmp_path: Path, text: str, sentence: str) -> None:
    path = write(tmp_path / "broken.py", text)
    with pytest.raises(UnknownGame, match="^" + re.escape(f"{path}{sentence}")):
        plies.game(str(path))


def test_a_file_mended_after_an_error_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "ones.py", "1 / 0\n")
    with pytest.raises(UnknownGame):
        plies.game(str(path))
    write(path, GAME_OF_ONES)
    assert repr(plies.game(str(path))) == "Ones(target=3)"


@pytest.mark.parametrize("name", ["missing.py", "missing.py:Game"])
def test_a_file_that_is_not_there(name: str) -> None:
    with pytest.raises(UnknownGame, match=r"^there is no file 'missing\.py'$"):
        plies.game(name)


# -- Parameters as a person writes them.


class Every(plies.Game):
    def __init__(
        self,
        flag: bool = False,
        count: int = 3,
        share: float = 0.5,
        heaps: tuple[int, ...] = (1, 2),
        word: str = "a",
        most: int | None = None,
        share_of: float | None = None,
    ) -> None:
        pass


EVERY_TAKES = "it takes flag=False, count=3, share=0.5, heaps=1,2, word=a, most=…, share_of=…"


def test_parameters_are_read_as_the_type_of_their_default() -> None:
    words = ["flag=yes", "count=-7", "share=0.25", "heaps=3,4,5", "word=b=c", "most=4", "share_of=1"]
    assert parse_parameters(Every, words) == {
        "flag": True,
        "count": -7,
        "share": 0.25,
        "heaps": (3, 4, 5),
        "word": "b=c",
        "most": 4,
        "share_of": 1.0,
    }
    assert repr(plies.Quoridor(**parse_parameters(plies.Quoridor, ["size=5", "walls=2"]))).startswith(
        "Quoridor(size=5, walls=2"
    )
    assert parse_parameters(Every, []) == {}
    assert repr(Nim(**parse_parameters(Nim, ["heaps=7", "misere=True"]))) == "Nim(heaps=(7,), misere=True)"


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("flag=perhaps", "flag must be yes or no, not 'perhaps'"),
        ("count=2.5", "count must be a whole number, not '2.5'"),
        ("share=half", "share must be a number, not 'half'"),
        ("most=a few", "most must be a whole number, not 'a few'"),
        ("share_of=all", "share_of must be a number, not 'all'"),
        ("heaps=3;4", "heaps must be whole numbers with commas between, not '3;4'"),
        (
            "count",
            "'count' is not a parameter of Every; " + EVERY_TAKES,
        ),
        (
            "size=3",
            "'size=3' is not a parameter of Every; " + EVERY_TAKES,
        ),
    ],
)
def test_a_parameter_that_cannot_be_read(word: str, sentence: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse_parameters(Every, [word])
    assert str(caught.value) == sentence


def test_a_game_without_parameters_says_so() -> None:
    with pytest.raises(BadParameter, match=r"^'size=3' is not a parameter of SumToTwo; it takes none$"):
        parse_parameters(plies.SumToTwo, ["size=3"])
    with pytest.raises(BadParameter, match=r"^'size=3' is not a parameter of TicTacToe; it takes weights=…$"):
        parse_parameters(plies.TicTacToe, ["size=3"])


def test_weights_are_numbers_with_commas_between() -> None:
    assert parse_parameters(plies.Kalah, ["weights=1,-2.5,0,3e1"]) == {"weights": (1, -2.5, 0, 30)}
    with pytest.raises(BadParameter, match=r"^weights must be numbers with commas between, not '1;2'$"):
        parse_parameters(plies.Kalah, ["weights=1;2"])


def test_weights_of_a_games_own_are_not_shown() -> None:
    assert repr(plies.TicTacToe()) == repr(plies.TicTacToe(weights=[0.1])) == "TicTacToe()"
    assert repr(plies.TicTacToe(weights=[0.2])) == "TicTacToe(weights=[0.2])"
    assert repr(plies.Kalah(houses=3)) == "Kalah(houses=3, seeds=4, empty_capture=False)"
    assert repr(plies.Pig(weights=[2])) == "Pig(target=100, weights=[2.0])"


def test_a_parameter_without_a_default_stays_a_word() -> None:
    class Needy(plies.Game):
        def __init__(self, size) -> None:  # type: ignore[no-untyped-def]
            pass

    assert parse_parameters(Needy, ["size=3"]) == {"size": "3"}
    with pytest.raises(BadParameter, match=r"it takes size=…$"):
        parse_parameters(Needy, ["sise=3"])
