"""Bayesian optimisation: where to look next for the best value of a costly function.

Examples
--------
>>> from posterior_rs.optimize import Optimizer
>>> optimizer = Optimizer({"x": (-2.0, 4.0)})
>>> for _ in range(12):
...     point = optimizer.ask()
...     optimizer.tell(point, (point["x"] - 1) ** 2)
>>> bool(optimizer.best[1] < 1e-3)
True
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._listener import bar

__all__ = ["Integer", "Log", "Optimizer", "Trial", "minimize"]

Acquisition = Literal[
    "expected-improvement",
    "probability-of-improvement",
    "gp-ucb",
    "thompson",
    "entropy-search",
    "knowledge-gradient",
]


class Integer(NamedTuple):
    """Whole numbers between two bounds, both included."""

    low: int
    high: int


class Log(NamedTuple):
    """Numbers above 0 between two bounds, searched by their logarithms."""

    low: float
    high: float


class Trial(NamedTuple):
    """A point and what came out there; None is a trial that failed."""

    point: dict[str, Any]
    value: float | None


class Optimizer:
    """Asks for points and takes what came out there: a Gaussian process says what is believed of the function.

    Parameters
    ----------
    space : dict of str to tuple, `Integer`, `Log` or list
        What may be tried: ``(low, high)`` are real numbers, a list its items.
    goal : {"minimize", "maximize"}, default="minimize"
    acquisition : str, default="expected-improvement"
        What a trial is worth: ``"expected-improvement"``, ``"probability-of-improvement"``, ``"gp-ucb"``,
        ``"thompson"``, ``"entropy-search"``, ``"knowledge-gradient"``.
    noise : {"learned", "none"} or float, default="learned"
        The standard deviation of outcomes at one point.
    initial : int, optional
        How many points are spread evenly first; by the number of inputs if it is not given.
    random_state : int, Generator, RandomState, optional
        None is 0: a run repeats.

    Attributes
    ----------
    best : tuple of (dict, float) or None
        The best outcome so far, and its point.
    trials : list of Trial

    References
    ----------
    P. Frazier, A tutorial on Bayesian optimization, 2018; R. Garnett, Bayesian Optimization, 2023.
    """

    def __init__(
        self,
        space: Mapping[str, Any],
        *,
        goal: Literal["minimize", "maximize"] = "minimize",
        acquisition: Acquisition = "expected-improvement",
        noise: Literal["learned", "none"] | float = "learned",
        initial: int | None = None,
        random_state: Any = None,
    ) -> None:
        if goal not in ("minimize", "maximize"):
            raise ValueError(f"goal: expected minimize or maximize, found {goal!r}")
        self.space = dict(space)
        self.goal = goal
        self.acquisition = acquisition
        first = None if initial is None else whole("initial", initial)
        inputs = [_input(name, own) for name, own in self.space.items()]
        self._own = _core.TrialOptimizer(inputs, _noise(noise), first, seed(random_state))

    def ask(self) -> dict[str, Any]:
        """The next point to try, by the names of the inputs. Points without an outcome yet count as tried."""
        return self._named(self._own.ask(self.acquisition))

    def tell(self, point: Mapping[str, Any], value: float | None) -> None:
        """What came out at a point, which need not have been asked for; None is a trial that failed.

        Raises
        ------
        ValueError
            A point outside of the space, values that are not finite.
        """
        sign = 1.0 if self.goal == "minimize" else -1.0
        self._own.tell(self._numbers(point), None if value is None else sign * float(value))

    @property
    def best(self) -> tuple[dict[str, Any], float] | None:
        """The best outcome so far, and its point; None before the first."""
        found = self._own.best()
        return None if found is None else (self._named(found[0]), self._turned(found[1]))

    @property
    def trials(self) -> list[Trial]:
        """All trials with an outcome, or that failed."""
        return [
            Trial(self._named(point), None if value is None else self._turned(value))
            for point, value in self._own.trials()
        ]

    def recommend(self) -> tuple[dict[str, Any], float, float]:
        """The point that is best by what is believed of the function, its mean there and the standard deviation.

        With noise it is a better answer than the best outcome, which was lucky.
        """
        point, mean, sd = self._own.recommend()
        return self._named(point), self._turned(mean), sd

    def predict(self, points: Sequence[Mapping[str, Any]]) -> tuple[list[float], list[float]]:
        """What is believed of the function at points: means and standard deviations."""
        means, variances = self._own.predict([self._numbers(point) for point in points])
        return [self._turned(mean) for mean in means], [max(0.0, own) ** 0.5 for own in variances]

    def importance(self) -> dict[str, float]:
        """How much each input matters to the outcome, as proportions of its variance."""
        return dict(zip(self.space, self._own.importance()))

    def _turned(self, value: float) -> float:
        return value if self.goal == "minimize" else -value

    def _named(self, numbers: list[float]) -> dict[str, Any]:
        return {name: _value(own, number) for (name, own), number in zip(self.space.items(), numbers)}

    def _numbers(self, point: Mapping[str, Any]) -> list[float]:
        if set(point) != set(self.space):
            raise ValueError(f"point: expected {', '.join(self.space)}, found {', '.join(point)}")
        return [_number(name, own, point[name]) for name, own in self.space.items()]

    def __repr__(self) -> str:
        return f"<Optimizer of {', '.join(self.space)}: {len(self._own.trials())} trials>"


def minimize(
    function: Callable[..., float],
    space: Mapping[str, Any],
    n_trials: int = 30,
    *,
    progress: bool = False,
    **options: Any,
) -> Optimizer:
    """Try a function so many times, each where it promises most; the options are those of `Optimizer`.

    Parameters
    ----------
    function : callable
        Takes the inputs by name, and returns the outcome, or None where a trial failed.
    space : dict
    n_trials : int, default=30
    progress : bool, default=False
        Show a bar, of tqdm, with the best value so far.

    Returns
    -------
    Optimizer
        With ``best`` and ``trials``.
    """
    optimizer = Optimizer(space, **options)
    with bar(progress, n_trials, "trial") as show:
        for trial in range(n_trials):
            point = optimizer.ask()
            optimizer.tell(point, function(**point))
            if show is not None:
                show(trial + 1, math.nan if optimizer.best is None else optimizer.best[1])
    return optimizer


def _input(name: str, own: Any) -> tuple[str, float, float]:
    if isinstance(own, Integer):
        return "integer", float(own.low), float(own.high)
    if isinstance(own, Log):
        return "log", float(own.low), float(own.high)
    if isinstance(own, list):
        return "category", float(len(own)), 0.0
    if isinstance(own, tuple) and len(own) == 2:
        return "real", float(own[0]), float(own[1])
    raise TypeError(f"space: {name}: expected (low, high), Integer, Log or a list, found {own!r}")


def _value(own: Any, number: float) -> Any:
    if isinstance(own, list):
        return own[int(number)]
    return int(number) if isinstance(own, Integer) else number


def _number(name: str, own: Any, value: Any) -> float:
    if isinstance(own, list):
        if value not in own:
            raise ValueError(f"point: {name}: expected one of {own}, found {value!r}")
        return float(own.index(value))
    return float(value)


def _noise(noise: str | float) -> float:
    if isinstance(noise, str):
        if noise not in ("learned", "none"):
            raise ValueError(f"noise: expected learned, none or a standard deviation, found {noise!r}")
        return -1.0 if noise == "learned" else 0.0
    if not (noise > 0 and noise * noise < float("inf")):
        raise ValueError(f"noise: expected learned, none or a standard deviation above 0, found {noise}")
    return float(noise)
