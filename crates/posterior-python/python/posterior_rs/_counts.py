"""Counts of words by documents, as the compiled part takes them."""

from typing import Any, NamedTuple

import scipy.sparse as sp


class Counts(NamedTuple):
    """Counts by compressed rows."""

    ends: Any
    words: Any
    numbers: Any
    columns: int


def counts_of(X: Any) -> Counts:
    """The counts of a matrix, dense or sparse."""
    rows = sp.csr_array(X)
    rows.sum_duplicates()
    return Counts(rows.indptr, rows.indices, rows.data, rows.shape[1])
