"""Counts of words by documents, as the compiled part takes them."""

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np


class Counts(NamedTuple):
    """Counts by compressed rows."""

    ends: Any
    words: Any
    numbers: Any
    columns: int


def counts_of(X: Any) -> Counts:
    """The counts of a matrix, dense or sparse."""
    try:
        sparse = import_module("scipy.sparse")
    except ImportError:
        dense = np.atleast_2d(np.asarray(X))
        at, words = np.nonzero(dense)
        ends = np.concatenate([[0], np.cumsum(np.bincount(at, minlength=len(dense)))])
        return Counts(ends, words, dense[at, words], dense.shape[1])
    rows = sparse.csr_array(X)
    rows.sum_duplicates()
    return Counts(rows.indptr, rows.indices, rows.data, rows.shape[1])
