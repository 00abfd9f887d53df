"""Whole numbers among the arguments: seeds and counts."""

from operator import index
from typing import Any

import numpy as np


def seed(random_state: Any) -> int:
    """A seed: an integer is one, a generator draws one, None is 0, which repeats a fit."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    number = int(random_state)
    if not 0 <= number < 2**64:
        raise ValueError(f"random_state: expected 0 to 2^64 - 1, found {random_state}")
    return number


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number from ``least`` on.

    Raises
    ------
    TypeError
        Something else than a whole number.
    ValueError
        One that is less, or beyond 2^63.
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if not least <= number < 2**63:
        raise ValueError(f"{name}: expected a whole number from {least} on, found {value}")
    return number
