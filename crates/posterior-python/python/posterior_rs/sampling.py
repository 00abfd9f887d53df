"""Draws of log densities, and diagnostics of anybody's draws.

=============================  ==============================================================================
``sample``                     draws of a function that returns a log density and its gradient
``Draws``                      draws with their names: arrays, a summary, ArviZ's data
``rhat``, ``ess_bulk``,        whether chains agree, and what so many dependent draws are worth
``ess_tail``
``mcse``                       how far a mean, a standard deviation or a quantile of draws may be off
``psis_loo``                   leave-one-out cross-validation from draws
=============================  ==============================================================================

Examples
--------
>>> import numpy as np
>>> from posterior_rs import sampling
>>> def log_density(x):
...     return -0.5 * x @ x, -x
>>> draws = sampling.sample(log_density, dim=2, random_state=1)
>>> draws.values.shape
(4, 1000, 2)
>>> bool((sampling.rhat(draws.values) < 1.01).all())
True
"""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from os import PathLike
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._listener import listening

__all__ = ["Draws", "LeaveOneOut", "ess_bulk", "ess_tail", "mcse", "psis_loo", "rhat", "sample"]

Array = NDArray[np.float64]
Sampler = Literal["nuts", "hmc", "langevin", "walk", "slice"]
Metric = Literal["diagonal", "dense", "low_rank", "unit"]
Path = str | PathLike[str]


class Settings(NamedTuple):
    """How to sample, as the compiled part takes it."""

    sampler: str
    chains: int
    warm_up: int
    draws: int
    thin: int
    seed: int
    start: list[list[float]]
    target_accept: float | None
    max_depth: int | None
    metric: str | None


class _Kept(NamedTuple):
    """Draws as the compiled part takes them."""

    names: list[str]
    values: Array
    statistic_names: list[str]
    statistics: Array


class Draws:
    """Draws of several chains, with the names of what they are of.

    Parameters
    ----------
    values : array_like, shape (chains, draws, parameters)
        With two axes there is one parameter.
    names : sequence of str, optional
        Elements of arrays as ``theta[1,2]``; ``x[0]``, ``x[1]`` and so on if they are not given.
    statistics : dict of str to array_like, shape (chains, draws), optional
        Numbers of the steps of a sampler by ArviZ's names: ``lp``, ``diverging``, ``energy``, ``n_steps``.

    Attributes
    ----------
    values : ndarray, shape (chains, draws, parameters)
    names : list of str
    statistics : dict of str to ndarray, shape (chains, draws)

    Examples
    --------
    >>> import numpy as np
    >>> from posterior_rs.sampling import Draws
    >>> draws = Draws(np.random.default_rng(0).normal(size=(4, 500, 2)), ["a", "b"])
    >>> draws["a"].shape
    (4, 500)
    >>> draws.warnings
    []
    """

    def __init__(
        self,
        values: ArrayLike,
        names: Sequence[str] | None = None,
        statistics: dict[str, Any] | None = None,
    ) -> None:
        self.values = _chains(values, "values")
        count = self.values.shape[2]
        self.names = [f"x[{i}]" for i in range(count)] if names is None else [str(name) for name in names]
        if len(self.names) != count:
            raise ValueError(f"names: expected {count}, found {len(self.names)}")
        if len(set(self.names)) != count:
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"names: {twice!r} is there twice")
        given = {} if statistics is None else statistics
        self.statistics = {name: np.asarray(own, dtype=np.float64) for name, own in given.items()}
        for name, own in self.statistics.items():
            if own.shape != self.values.shape[:2]:
                expected = self.values.shape[:2]
                raise ValueError(f"statistics: {name}: expected the shape {expected}, found {own.shape}")

    def __getitem__(self, name: str) -> Array:
        """The draws of one parameter, shape (chains, draws), or of an array, with its axes behind these.

        Raises
        ------
        KeyError
            A name that is none.
        """
        if name in self.names:
            column: Array = self.values[:, :, self.names.index(name)]
            return column
        arrays = self._groups()["posterior"]
        if name not in arrays:
            raise KeyError(f"{name!r} is none of {', '.join(sorted(arrays))}")
        return arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def summary(self, level: float = 0.95) -> Any:
        """A table of all parameters.

        Parameters
        ----------
        level : float, default=0.95
            The probability between ``low`` and ``high``, which are quantiles.

        Returns
        -------
        pandas.DataFrame
            By name: mean, sd, low, median, high, the Monte Carlo error of the mean, effective draws in the
            middle and in the tails, and R-hat. NaN where draws determine no figure.
        """
        found = _core.draws_summary(self._kept(), level)
        pandas = import_module("pandas")
        return pandas.DataFrame(dict(found["columns"]), index=pandas.Index(found["name"], name="name"))

    @property
    def warnings(self) -> list[str]:
        """What there is to doubt: chains that disagree, few effective draws, divergences; best none."""
        found: list[str] = _core.draws_summary(self._kept(), 0.95)["warnings"]
        return found

    def to_arviz(self) -> Any:
        """ArviZ's data: ``posterior`` and, of a sampler, ``sample_stats``.

        Needs the package ``arviz``.
        """
        arviz = import_module("arviz")
        groups = self._groups()
        # From version 1 on groups are one dictionary.
        if int(arviz.__version__.partition(".")[0]) >= 1:
            return arviz.from_dict(groups)
        return arviz.from_dict(**groups)

    def _groups(self) -> dict[str, dict[str, Array]]:
        """Elements of one name as arrays, and flags among the statistics, as the compiled part sees them."""
        places = np.arange(len(self.names), dtype=np.float64)[np.newaxis, np.newaxis]
        ones = np.ones((1, 1, len(self.statistics)))
        found = json.loads(_core.draws_arviz(_Kept(self.names, places, list(self.statistics), ones)))
        groups = {
            group: {name: self.values[:, :, np.asarray(own[0][0], dtype=int)] for name, own in arrays.items()}
            for group, arrays in found.items()
            if group != "sample_stats"
        }
        flags = found.get("sample_stats", {})
        if flags:
            kinds = {name: type(own[0][0]) for name, own in flags.items()}
            groups["sample_stats"] = {
                name: own.astype(bool) if kinds[name] is bool else own for name, own in self.statistics.items()
            }
        return groups

    def _kept(self) -> _Kept:
        columns = list(self.statistics.values())
        statistics = np.stack(columns, axis=2) if columns else np.empty((*self.values.shape[:2], 0))
        return _Kept(self.names, self.values, list(self.statistics), statistics)

    def __repr__(self) -> str:
        chains, draws, count = self.values.shape
        some = ", ".join(self.names[:4]) + (", ..." if count > 4 else "")
        return f"<Draws of {some}: {chains} chains of {draws}>"

    def _repr_html_(self) -> str:
        table: str = self.summary()._repr_html_()
        return table


def drawn(found: dict[str, Any], names: Sequence[str] | None = None) -> Draws:
    """Draws from what the compiled part gives, with other names where there are some."""
    statistics = {name: found["statistics"][:, :, at] for at, name in enumerate(found["statistic_names"])}
    return Draws(found["values"], found["names"] if names is None else names, statistics)


def settings(
    sampler: str,
    chains: int,
    draws: int,
    warm_up: int,
    thin: int,
    random_state: Any,
    start: Any,
    dim: int,
    options: tuple[float | None, int | None, str | None],
) -> Settings:
    """The arguments of `sample` as the compiled part takes them."""
    chains = whole("chains", chains, 1)
    rows: list[list[float]] = []
    if start is not None:
        found = np.asarray(start, dtype=np.float64)
        if found.shape not in ((dim,), (chains, dim)):
            expected = f"({dim},) or ({chains}, {dim})"
            raise ValueError(f"start: expected the shape {expected}, found {found.shape}")
        rows = np.atleast_2d(found).tolist()
    target_accept, max_depth, metric = options
    return Settings(
        sampler,
        chains,
        whole("warm_up", warm_up),
        whole("draws", draws, 1),
        whole("thin", thin, 1),
        seed(random_state),
        rows,
        target_accept,
        None if max_depth is None else whole("max_depth", max_depth, 1),
        metric,
    )


def sample(
    log_density: Callable[[Array], Any],
    start: ArrayLike | None = None,
    *,
    dim: int | None = None,
    sampler: Sampler = "nuts",
    chains: int = 4,
    draws: int = 1000,
    warm_up: int = 1000,
    thin: int = 1,
    random_state: Any = None,
    names: Sequence[str] | None = None,
    target_accept: float | None = None,
    max_depth: int | None = None,
    metric: Metric | None = None,
    progress: bool = False,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> Draws:
    """Draw from a density that a function gives.

    Parameters
    ----------
    log_density : callable
        Takes an array of the shape (dim,), and returns the log density, but for a constant, and its gradient of
        the same shape; -inf where the density is 0. For the samplers without gradients it returns the log
        density alone.
    start : array_like, shape (dim,) or (chains, dim), optional
        Where chains start: uniform in [-2, 2] at random if it is not given.
    dim : int, optional
        The number of coordinates, where there is no start.
    sampler : {"nuts", "hmc", "langevin", "walk", "slice"}, default="nuts"
        The No-U-Turn sampler (Hoffman and Gelman 2014; Betancourt 2017), Hamiltonian and Langevin steps, or,
        without gradients, an adaptive random walk and slice sampling one coordinate at a time.
    chains : int, default=4
    draws : int, default=1000
        Draws of each chain that are kept.
    warm_up : int, default=1000
        Steps of each chain before, in which the sampler is tuned.
    thin : int, default=1
        Steps for each draw that is kept.
    random_state : int, Generator, RandomState, optional
        None is 0: a run repeats.
    names : sequence of str, optional
        The names of the coordinates.
    target_accept : float, optional
        The rate of acceptance that steps are tuned to: 0.8 for ``"nuts"``.
    max_depth : int, optional
        Of ``"nuts"``: a trajectory has at most 2^max_depth steps; 10 if it is not given.
    metric : {"diagonal", "dense", "low_rank", "unit"}, optional
        Of ``"nuts"`` and ``"hmc"``: what the warm-up learns of the shape of the density; diagonal if not given.
    progress : bool, default=False
        Show a bar, of tqdm.
    checkpoint : str or path, optional
        A file for the state of the chains: written every ten seconds, and when Ctrl-C stops the run.
    resume : str or path, optional
        Such a file: the run goes on from there, to the same draws as if it had never stopped. The other
        arguments are those of that run.

    Returns
    -------
    Draws

    Raises
    ------
    ValueError
        Starts without a density, gradients of another shape, settings out of range or of another sampler; a
        checkpoint of another run.
    TypeError
        A function that returns something else.

    Notes
    -----
    An exception of the function ends the run and is raised. Chains take turns, as the interpreter runs one at a
    time. Functions that numba or JAX has compiled are functions: each call costs a microsecond or two besides
    their own time.
    """
    if start is not None:
        found = int(np.shape(start)[-1]) if np.ndim(start) else 0
        if dim not in (None, found):
            raise ValueError(f"start: expected {dim} coordinates, found {found}")
        dim = found
    if dim is None:
        raise ValueError("dim: expected the number of coordinates, or a start")
    dim = whole("dim", dim, 1)
    options = (target_accept, max_depth, metric)
    own = settings(sampler, chains, draws, warm_up, thin, random_state, start, dim, options)
    with listening(progress, own.warm_up + own.draws * own.thin, "step", checkpoint, resume) as listener:
        return drawn(_core.sample_function(log_density, dim, own, listener), names)


def _chains(draws: ArrayLike, name: str) -> Array:
    values = np.asarray(draws, dtype=np.float64)
    if values.ndim == 2:
        values = values[:, :, np.newaxis]
    if values.ndim != 3:
        raise ValueError(f"{name}: expected chains, draws and parameters, found the shape {np.shape(draws)}")
    return values


def _figure(figure: str, draws: ArrayLike, p: float = 0.5) -> Any:
    values = np.asarray(draws, dtype=np.float64)
    if values.ndim < 2:
        raise ValueError(f"draws: expected chains and draws as the first axes, found the shape {values.shape}")
    found = _core.diagnose(figure, values.reshape(*values.shape[:2], -1), p)
    return float(found[0]) if values.ndim == 2 else found.reshape(values.shape[2:])


def rhat(draws: ArrayLike) -> Any:
    """Rank-normalised split R-hat: 1 where chains agree, above 1.01 a warning.

    Parameters
    ----------
    draws : array_like, shape (chains, draws, ...)

    Returns
    -------
    float or ndarray
        One for each element behind chains and draws; NaN where all draws are the same.

    Raises
    ------
    ValueError
        Fewer than four draws of a chain; draws that are not finite.

    References
    ----------
    A. Vehtari et al., Rank-normalization, folding, and localization, Bayesian Analysis 16, 2021.
    """
    return _figure("rhat", draws)


def ess_bulk(draws: ArrayLike) -> Any:
    """The independent draws that these are worth in the middle of the distribution.

    Arguments, errors and source are those of `rhat`.
    """
    return _figure("ess_bulk", draws)


def ess_tail(draws: ArrayLike) -> Any:
    """The independent draws that these are worth for the quantiles 0.05 and 0.95, the worse of both.

    Arguments, errors and source are those of `rhat`.
    """
    return _figure("ess_tail", draws)


def mcse(draws: ArrayLike, of: Literal["mean", "sd", "quantile"] = "mean", p: float = 0.5) -> Any:
    """The standard error of the mean, the standard deviation or the quantile p of draws.

    In units of the draws; the other arguments, errors and source are those of `rhat`.
    """
    if of not in ("mean", "sd", "quantile"):
        raise ValueError(f"of: expected mean, sd or quantile, found {of!r}")
    return _figure(f"mcse_{of}", draws, p)


class LeaveOneOut(NamedTuple):
    """Leave-one-out cross-validation by Pareto-smoothed importance sampling.

    Attributes
    ----------
    elpd : float
        The sum of ln p of each observation given the others.
    se : float
        Its standard error.
    p_loo : float
        The effective number of parameters.
    pointwise : ndarray, shape (observations,)
        The terms of ``elpd``.
    pareto_k : ndarray, shape (observations,)
        How heavy the tail of the weights of each observation is.
    threshold : float
        Observations with a larger ``pareto_k`` change the posterior too much for weights.
    """

    elpd: float
    se: float
    p_loo: float
    pointwise: Array
    pareto_k: Array
    threshold: float


def psis_loo(log_likelihood: ArrayLike, r_eff: float | None = None) -> LeaveOneOut:
    """Leave-one-out cross-validation from the log likelihood of draws.

    Parameters
    ----------
    log_likelihood : array_like, shape (chains, draws, observations)
        ln p of each observation given each draw.
    r_eff : float, optional
        Effective draws of a draw; their average for the means of p of the observations if it is not given.

    Returns
    -------
    LeaveOneOut

    Raises
    ------
    ValueError
        Numbers that are not finite.

    References
    ----------
    A. Vehtari, A. Gelman and J. Gabry, Practical Bayesian model evaluation using leave-one-out cross-validation
    and WAIC, Statistics and Computing 27, 2017.
    """
    values = np.asarray(log_likelihood, dtype=np.float64)
    if values.ndim != 3:
        expected = "chains, draws and observations"
        raise ValueError(f"log_likelihood: expected {expected}, found the shape {values.shape}")
    rows = values.reshape(-1, values.shape[2])
    if r_eff is None:
        scaled = np.exp(values - values.max(axis=(0, 1), keepdims=True))
        effective = _core.diagnose("ess_mean", scaled) / len(rows)
        r_eff = float(np.where(np.isnan(effective), 1.0, effective).mean())
    return LeaveOneOut(**_core.leave_one_out(rows, r_eff))
