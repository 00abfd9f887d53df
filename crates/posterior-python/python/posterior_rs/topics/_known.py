"""What is known of documents besides their words: arrays, or columns of a corpus by their names."""

from collections.abc import Mapping, Sequence
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


def table_of(counts: Any, columns: Any) -> list[tuple[str, Any]] | None:
    """Columns with their names, of a corpus or a frame: numbers or texts. None of an array."""
    if isinstance(columns, str):
        columns = [columns]
    if isinstance(columns, (list, tuple)) and columns and all(isinstance(own, str) for own in columns):
        named = {name: column_of(counts, name) for name in columns}
    elif isinstance(columns, Mapping):
        named = dict(columns)
    elif hasattr(columns, "columns"):
        named = {str(name): columns[name] for name in columns.columns}
    else:
        return None
    return [(name, _numbers_or_texts(name, values)) for name, values in named.items()]


def _numbers_or_texts(name: str, values: Any) -> list[float] | list[str]:
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        numbers: list[float] = array.astype(np.float64).tolist()
        return numbers
    texts: list[Any] = array.tolist()
    wrong = [own for own in texts if not isinstance(own, str)]
    if wrong:
        raise TypeError(f"column {name!r}: expected numbers or texts, found {wrong[0]!r}")
    return texts


def features_of(counts: Any, features: Any) -> Array | None:
    """Numbers for each document, a row each."""
    if features is None:
        return None
    if isinstance(features, (list, tuple)) and features and all(isinstance(own, str) for own in features):
        features = np.column_stack([np.asarray(column_of(counts, own), dtype=np.float64) for own in features])
    rows = np.asarray(column_of(counts, features), dtype=np.float64)
    return rows[:, np.newaxis] if rows.ndim == 1 else rows
