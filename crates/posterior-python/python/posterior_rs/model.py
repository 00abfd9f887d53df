"""Models as programs in Stan's language.

Examples
--------
>>> from posterior_rs import Model
>>> coin = Model('''
... data { int n; int heads; }
... parameters { real<lower=0, upper=1> p; }
... model { heads ~ binomial(n, p); }''')
>>> coin.data_names
['n', 'heads']
>>> draws = coin.sample({"n": 12, "heads": 7}, random_state=1)
>>> bool(abs(draws["p"].mean() - 8 / 14) < 0.02)
True
"""

import json
import math
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed
from posterior_rs._listener import listening
from posterior_rs.sampling import Draws, Metric, Sampler, drawn, settings

__all__ = ["Model", "Posterior"]

Array = NDArray[np.float64]


class Model:
    """A program in Stan's language, read and checked; nothing is compiled.

    Parameters
    ----------
    program : str
        Its text. `Model.read` reads a file.

    Raises
    ------
    ValueError
        Programs that are wrong: all findings, each with line, column and what was expected.

    References
    ----------
    B. Carpenter et al., Stan: a probabilistic programming language, Journal of Statistical Software 76, 2017.
    """

    def __init__(self, program: str, *, name: str = "program") -> None:
        self._data = _core.program_data(program, name)
        self.program = program
        self.name = name

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Model":
        """The program of a file.

        Raises
        ------
        FileNotFoundError
            No file of this name.
        """
        return cls(Path(path).read_text(encoding="utf-8"), name=str(path))

    @property
    def data_names(self) -> list[str]:
        """The names of the data, in the order of the program."""
        return [name for name, _ in self._data]

    def condition(
        self, data: Mapping[str, Any] | str | PathLike[str] | None = None, *, random_state: Any = None
    ) -> "Posterior":
        """The posterior given data.

        Parameters
        ----------
        data : dict, str or path, optional
            Numbers, lists and arrays by name, or a file of JSON. Other names than those of the program are left.
        random_state : int, Generator, RandomState, optional
            For random numbers in the block of transformed data. None is 0.

        Raises
        ------
        ValueError
            Data that are not there, of another shape or beyond their bounds: with the line of the program.
        FileNotFoundError
            No file of this name.
        """
        if data is None:
            data = {}
        elif isinstance(data, (str, PathLike)):
            data = json.loads(Path(data).read_text(encoding="utf-8"))
        if not isinstance(data, Mapping):
            raise TypeError(f"data: expected numbers and arrays by name, found {type(data).__name__}")
        values = [(str(name), _json(str(name), own)) for name, own in data.items()]
        return Posterior(_core.ProgramPosterior(self.program, self.name, values, seed(random_state)))

    def sample(
        self,
        data: Mapping[str, Any] | str | PathLike[str] | None = None,
        *,
        random_state: Any = None,
        **options: Any,
    ) -> Draws:
        """Draw from the posterior given data: `condition` and `Posterior.sample` in one."""
        number = seed(random_state)
        return self.condition(data, random_state=number).sample(random_state=number, **options)

    def __repr__(self) -> str:
        return f"<Model {self.name!r} of {', '.join(self.data_names) or 'no data'}>"


def _json(name: str, value: Any) -> str:
    """Numbers and arrays as JSON, with the names of Stan for those that JSON does not have."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    array = value if isinstance(value, (int, float)) else np.asarray(value)
    if isinstance(array, np.ndarray):
        if array.dtype.kind not in "biuf":
            raise TypeError(f"data: {name}: expected numbers, found {array.dtype}")
        array = (array.astype(np.int64) if array.dtype.kind == "b" else array).tolist()
    return json.dumps(_named(array))


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [_named(own) for own in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


class Posterior:
    """A program with its data, from `Model.condition`: a log density of unconstrained coordinates.

    Attributes
    ----------
    dim : int
        The number of unconstrained coordinates.
    names : list of str
        All quantities: parameters, transformed parameters and generated ones, elements as ``theta[1]``.
    parameter_names : list of str
        Those of the parameters alone.
    """

    def __init__(self, own: Any) -> None:
        self._own = own

    @property
    def dim(self) -> int:
        """The number of unconstrained coordinates."""
        return int(self._own.dim)

    @property
    def names(self) -> list[str]:
        """Parameters, transformed parameters and generated quantities."""
        return list(self._own.names())

    @property
    def parameter_names(self) -> list[str]:
        """The parameters alone."""
        return list(self._own.names(False, False))

    def log_density(self, x: ArrayLike, *, jacobian: bool = True) -> float:
        """The log density at an unconstrained point, shape (dim,).

        With the Jacobian of the constraints it is that of the unconstrained coordinates, which samplers take.
        """
        return float(self._own.log_density(self._point(x), jacobian)[0])

    def gradient(self, x: ArrayLike, *, jacobian: bool = True) -> Array:
        """The gradient of `log_density`, shape (dim,): exact."""
        gradient: Array = self._own.log_density(self._point(x), jacobian)[1]
        return gradient

    def constrain(self, x: ArrayLike) -> dict[str, float]:
        """The values of the parameters, by name, at an unconstrained point."""
        return dict(zip(self.parameter_names, self._own.constrain(self._point(x), False).tolist()))

    def unconstrain(self, values: Mapping[str, float]) -> Array:
        """The unconstrained point, shape (dim,), of values of all parameters by name."""
        missing = [name for name in self.parameter_names if name not in values]
        if missing:
            raise ValueError(f"values: {', '.join(missing)} are missing")
        x: Array = self._own.unconstrain(np.array([values[name] for name in self.parameter_names], dtype=float))
        return x

    def optimize(self, *, jacobian: bool = False, random_state: Any = None) -> dict[str, float]:
        """The mode by L-BFGS: the values of parameters and transformed parameters by name.

        Without the Jacobian it is the most probable value of the parameters themselves.

        Raises
        ------
        ValueError
            A search that did not converge.
        """
        values, _, converged = self._own.optimize(jacobian, seed(random_state))
        if not converged:
            raise ValueError("the search for the mode did not converge: the density may have none")
        return dict(zip(self._own.names(True, False), values.tolist()))

    def sample(
        self,
        *,
        sampler: Sampler = "nuts",
        chains: int = 4,
        draws: int = 1000,
        warm_up: int = 1000,
        thin: int = 1,
        start: ArrayLike | None = None,
        random_state: Any = None,
        target_accept: float | None = None,
        max_depth: int | None = None,
        metric: Metric | None = None,
        progress: bool = False,
        checkpoint: str | PathLike[str] | None = None,
        resume: str | PathLike[str] | None = None,
    ) -> Draws:
        """Draws of all quantities, chains on several cores.

        The options are those of `posterior_rs.sampling.sample`; ``start`` is unconstrained.
        """
        options = (target_accept, max_depth, metric)
        number = seed(random_state)
        own = settings(sampler, chains, draws, warm_up, thin, number, start, self.dim, options)
        with listening(progress, own.warm_up + own.draws * own.thin, "step", checkpoint, resume) as listener:
            return drawn(self._own.sample(own, number, listener))

    def _point(self, x: ArrayLike) -> Array:
        point = np.asarray(x, dtype=np.float64)
        if point.shape != (self.dim,):
            raise ValueError(f"x: expected the shape ({self.dim},), found {point.shape}")
        return point

    def __repr__(self) -> str:
        names = self.parameter_names
        some = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        return f"<Posterior of {some}: {self.dim} unconstrained coordinates>"
