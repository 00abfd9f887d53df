"""What is known of documents besides their words: arrays, or columns of a corpus by their names."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posterior_rs import _core
from posterior_rs._counts import Counts, counts_of
from posterior_rs.topics._corpus import Corpus, Reading, words_of

Array = NDArray[np.float64]


class Known(NamedTuple):
    """What is known of documents, as the compiled part takes it."""

    times: list[float] | None = None
    features: Array | None = None
    levels: list[int] | None = None


class Documents(NamedTuple):
    """What a fit learns from: counts or a corpus, and the words."""

    rows: Counts | _core.DocumentCorpus
    words: list[str]
    reading: Reading | None


def documents_of(counts: Any, vocabulary: Sequence[str] | None) -> Documents:
    """Counts with their words, or a corpus with its own."""
    if isinstance(counts, Corpus):
        if vocabulary is not None:
            raise ValueError("vocabulary: a corpus has its own")
        return Documents(counts._own, counts.vocabulary, counts._reading)
    rows = counts_of(counts)
    return Documents(rows, words_of(vocabulary, counts, rows.columns), None)


def column_of(counts: Any, values: Any) -> Any:
    """Values, or the column of a corpus that has this name."""
    if not isinstance(values, str):
        return values
    if not isinstance(counts, Corpus):
        raise ValueError(f"{values!r} is the name of a column, and the documents are no Corpus with metadata")
    return counts.column(values)


def times_of(counts: Any, times: Any) -> list[float]:
    """A number for each document."""
    at: list[float] = np.asarray(column_of(counts, times), dtype=np.float64).tolist()
    return at


def labels_of(counts: Any, labels: Any) -> list[Any]:
    """A label for each document."""
    found: list[Any] = np.asarray(column_of(counts, labels), dtype=object).tolist()
    return found


def features_of(counts: Any, features: Any) -> Array | None:
    """Numbers for each document, a row each."""
    if features is None:
        return None
    if isinstance(features, (list, tuple)) and features and all(isinstance(own, str) for own in features):
        features = np.column_stack([np.asarray(column_of(counts, own), dtype=np.float64) for own in features])
    rows = np.asarray(column_of(counts, features), dtype=np.float64)
    return rows[:, np.newaxis] if rows.ndim == 1 else rows
