"""Distributions, with the method names of SciPy.

A function for each family makes one, by its parameters in order or by name; the names that SciPy, Stan and R
give a parameter are taken too. ``families`` lists them. A text is read by ``read``, as the command line reads
it; what ``repr`` prints is such a text.

Examples
--------
Points are broadcast, and of the parameters arrays make arrays of distributions:

>>> import numpy as np
>>> from posterior_rs import dist
>>> dist.normal(0, sd=[1, 2]).interval(0.5)[1].round(4)
array([0.6745, 1.349 ])

A prior is updated by data:

>>> prior = dist.beta(1, 1)
>>> posterior = prior.posterior([1, 1, 0])
>>> posterior
beta(3, 2)
>>> round(prior.log_evidence([1, 1, 0]), 6)
-2.484907
>>> posterior.predictive()
bernoulli(0.6)

Draws with a seed are those of ``posterior dist show 'poisson(4)' --sample 3 --seed 1``:

>>> dist.poisson(4).rvs(3, random_state=1).dtype
dtype('int64')
"""

import inspect
from typing import Any, Callable, NamedTuple

from posterior_rs import _core
from posterior_rs._core import Distribution, Multivariate, Univariate, distribution, read


class Family(NamedTuple):
    """A family of distributions: its name, its parameters in order, its support and the class of its members."""

    name: str
    parameters: tuple[str, ...]
    support: str
    kind: str


def _family(row: Family) -> Callable[..., Distribution]:
    def make(*parameters: Any, **named: Any) -> Distribution:
        return distribution(row.name, *parameters, **named)

    places = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in row.parameters]
    others = inspect.Parameter("named", inspect.Parameter.VAR_KEYWORD)
    make.__signature__ = inspect.Signature([*places, others])  # type: ignore[attr-defined]
    make.__name__ = make.__qualname__ = row.name
    make.__doc__ = f"``{row.name}({', '.join(row.parameters)})``, on {row.support}."
    return make


#: Every family that there is.
families: tuple[Family, ...] = tuple(
    Family(name, tuple(parameters), support, kind) for name, parameters, support, kind in _core.catalogue()
)

globals().update({row.name: _family(row) for row in families})

__all__ = ["Distribution", "Family", "Multivariate", "Univariate", "distribution", "families", "read"]
__all__ += [row.name for row in families]
