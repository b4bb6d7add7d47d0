"""Sets a match up in the page: offers what can be chosen, and waits for a choice that holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.games import find_game, game_names
from referee.screens.board import BoardState, Head, Status
from referee.screens.desk import Chosen, Desk, Order
from referee.screens.page import Page
from referee.screens.setup import (
    Chair,
    GameOffered,
    MatSeen,
    OptionOffered,
    Outline,
    PadShown,
    Setup,
    SetupOffer,
    SourceOffered,
    Step,
)
from referee.table.layout import layout_games

LINES = {
    "nerves": "Arrange, play up and down, slap the middle; lose your cards to win.",
    "xix": "Eighteen numbers, short tricks, strikes and a draft; nineteen wins big.",
    "spy": "Lay five closed cards on your own piles before the others do.",
    "nerds": "Build on common ace piles and empty your Nerds pile of thirteen first.",
    "nertz": "The fast race on common foundations, each with a deck; to 150 points.",
}
LOOK_S = 0.02
PREPARING = ("camera", "calibrate", "table")


def _no_order(order: Order) -> None:
    """Follow no order."""


def _no_problem(setup: Setup) -> str | None:
    """Find nothing wrong."""
    return None


def offered_games() -> tuple[GameOffered, ...]:
    """Return all games as the page offers them."""
    return tuple(_game(name) for name in game_names())


def _game(name: str) -> GameOffered:
    game = find_game(name)
    sizes = dict(layout_games()).get(name, game.seats)
    options = tuple(
        OptionOffered(o.name, o.values, o.meaning, o.whole or o.decimal or o.minus)
        for o in game.options
    )
    return GameOffered(name, game.title, LINES.get(name, ""), min(sizes), max(sizes), options)


def first_setup() -> Setup:
    """Return what the page begins with when nothing was chosen before."""
    return Setup("nerves", (Chair("A", ""), Chair("B", "")))


def problem_of(setup: Setup) -> str | None:
    """Return what is wrong with a choice in one line, None if it holds."""
    offered = next((game for game in offered_games() if game.name == setup.game), None)
    if offered is None:
        return f"there is no game '{setup.game[:40]}'"
    if not offered.fewest <= len(setup.chairs) <= offered.most:
        span = f"{offered.fewest} to {offered.most}"
        if offered.fewest == offered.most:
            span = str(offered.fewest)
        return f"{offered.title} is for {span} players, not {len(setup.chairs)}"
    called = [chair.name.strip() or chair.seat for chair in setup.chairs]
    for name in called:
        if called.count(name) > 1:
            return f"two players are called {name[:40]}: give each another name"
    try:
        find_game(setup.game).settings((o.name, o.value) for o in setup.options)
    except ValueError as reason:
        return str(reason)
    return None


class SettingUp:
    """The set-up page while nobody has chosen yet."""

    def __init__(self, page: Page, desk: Desk, offer: SetupOffer | None = None) -> None:
        """Show the set-up page, with what is offered."""
        self._page, self._desk = page, desk
        self.offer = offer or SetupOffer(offered_games(), chosen=first_setup(), first_run=True)
        self._page.show(BoardState(Head("setup"), Status("waiting", "Set the match up.")))
        self._page.offer(self.offer)

    def show(
        self,
        *,
        sources: tuple[SourceOffered, ...] | None = None,
        steps: tuple[Step, ...] | None = None,
        pads: tuple[PadShown, ...] | None = None,
        picture: bool | None = None,
        mat: MatSeen | None = None,
        spots: tuple[Outline, ...] = (),
        problem: str | None = None,
    ) -> None:
        """Show what has changed; what is None stays, but a mat, its spots and a problem go."""
        old = self.offer
        self.offer = replace(
            old,
            sources=old.sources if sources is None else sources,
            steps=old.steps if steps is None else steps,
            pads=old.pads if pads is None else pads,
            picture=old.picture if picture is None else picture,
            mat=mat,
            spots=spots,
            problem=problem,
        )
        self._page.offer(self.offer)

    def wait(
        self,
        go_on: Callable[[], bool] = lambda: True,
        on_order: Callable[[Order], None] = _no_order,
        check: Callable[[Setup], str | None] = _no_problem,
    ) -> Setup | None:
        """Return what was chosen; None when `go_on` says no before.

        `on_order` is called with the operator's orders that belong to it, `camera SOURCE`,
        `calibrate STEP` and `table ...`; what comes of them is shown by `show`. `check` says what
        is wrong with a choice beyond what the games say.
        """
        while go_on():
            for word in self._desk.words(LOOK_S):
                if isinstance(word, Order) and word.do in PREPARING:
                    on_order(word)
                if isinstance(word, Chosen):
                    problem = problem_of(word.setup) or check(word.setup)
                    if problem is None:
                        return word.setup
                    self.offer = replace(self.offer, chosen=word.setup)
                    self.show(problem=problem, mat=self.offer.mat, spots=self.offer.spots)
        return None
