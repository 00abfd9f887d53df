"""Bandits: which arm to play next, to lose little while learning which is best.

Examples
--------
>>> import numpy as np
>>> from posterior_rs.bandits import Bandit
>>> rng = np.random.default_rng(0)
>>> bandit = Bandit(["red", "blue"], policy="thompson", random_state=1)
>>> for _ in range(500):
...     arm = bandit.choose()
...     bandit.observe(arm, rng.uniform() < {"red": 0.3, "blue": 0.6}[arm])
>>> plays = bandit.advice()["plays"]
>>> bool(plays["blue"] > 5 * plays["red"])
True
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole

__all__ = ["Bandit", "Regret", "simulate"]


class Bandit:
    """Arms that are played one at a time.

    Parameters
    ----------
    arms : int or sequence of str
        How many, or their names.
    policy : str, default="thompson"
        As the command line writes policies: ``thompson``, ``ucb1``, ``kl-ucb``, ``bayes-ucb``, ``ucb-sd:2``,
        ``moss``, ``gittins:0.9``, ``epsilon-greedy:0.1``, ``exp3`` and others.
    low, high : float, default=0 and 1
        Between what rewards are.
    random_state : int, Generator, RandomState, optional
        None is 0: the same rewards lead to the same choices.

    Attributes
    ----------
    arms : list of str or int
    history : list of (arm, reward)

    References
    ----------
    T. Lattimore and C. Szepesvári, Bandit Algorithms, 2020.
    """

    def __init__(
        self,
        arms: int | Sequence[str],
        policy: str = "thompson",
        *,
        low: float = 0.0,
        high: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.arms: list[Any] = list(range(whole("arms", arms, 1))) if isinstance(arms, int) else list(arms)
        if len(set(self.arms)) != len(self.arms):
            raise ValueError("arms: a name is there twice")
        self.policy = policy
        bounds = [float(low), float(high)]
        self._own = _core.BanditAgent(policy, len(self.arms), bounds, seed(random_state), [])

    def choose(self) -> Any:
        """The arm to play next."""
        return self.arms[self._own.choose()]

    def observe(self, arm: Any, reward: float) -> None:
        """What an arm gave, which need not have been chosen.

        Raises
        ------
        ValueError
            An arm that there is not; a reward outside of the bounds.
        """
        if arm not in self.arms:
            raise ValueError(f"arm: expected one of {self.arms}, found {arm!r}")
        self._own.observe(self.arms.index(arm), float(reward))

    def advice(self) -> Any:
        """What speaks for each arm.

        Returns
        -------
        pandas.DataFrame
            By arm: plays, the mean of its rewards and their standard deviation as the policy believes them (NaN
            where it has none), its index, and whether it is the choice.
        """
        choice, reasons, _ = self._own.advise()
        pandas = import_module("pandas")
        plays, means, sds, indices = zip(*reasons)
        columns = {
            "plays": plays,
            "mean": np.asarray(means, dtype=np.float64),
            "sd": np.asarray(sds, dtype=np.float64),
            "index": indices,
            "chosen": [at == choice for at in range(len(self.arms))],
        }
        return pandas.DataFrame(columns, index=pandas.Index(self.arms, name="arm"))

    @property
    def notes(self) -> list[str]:
        """What is to be said of the choice, in words."""
        return list(self._own.advise()[2])

    @property
    def history(self) -> list[tuple[Any, float]]:
        """All plays."""
        return [(self.arms[arm], reward) for arm, reward in self._own.plays]

    def __repr__(self) -> str:
        return f"<Bandit of {len(self.arms)} arms by {self.policy}: {len(self._own.plays)} plays>"


class Regret(NamedTuple):
    """What a policy loses to the best arm, in simulated games.

    Attributes
    ----------
    times : ndarray, shape (points,)
        Plays.
    mean : ndarray, shape (points,)
        The mean over games of what was lost up to then.
    se : ndarray, shape (points,)
        Its standard error.
    final : ndarray, shape (games,)
        What each game lost.
    plays : ndarray, shape (arms,)
        The mean number of plays of each arm.
    """

    times: NDArray[np.int64]
    mean: NDArray[np.float64]
    se: NDArray[np.float64]
    final: NDArray[np.float64]
    plays: NDArray[np.float64]


def simulate(
    successes: Sequence[float],
    policies: Sequence[str] = ("thompson", "ucb1"),
    *,
    horizon: int = 1000,
    runs: int = 100,
    random_state: Any = None,
) -> dict[str, Regret]:
    """Play games by policies, against arms that are known.

    Parameters
    ----------
    successes : sequence of float
        The probability of each arm that its reward is 1, and not 0.
    policies : sequence of str
    horizon : int, default=1000
        Plays of a game.
    runs : int, default=100
        Games of each policy.
    random_state : int, Generator, RandomState, optional
        None is 0: games repeat.

    Returns
    -------
    dict of str to Regret
    """
    games = (whole("horizon", horizon, 1), whole("runs", runs, 1), seed(random_state))
    times, curves = _core.bandit_simulate(list(policies), [float(own) for own in successes], games)
    arrays = ("regret", "standard_errors", "final_regrets", "plays")
    return {
        name: Regret(np.asarray(times), *(np.asarray(own[key]) for key in arrays))
        for name, own in zip(policies, curves)
    }
