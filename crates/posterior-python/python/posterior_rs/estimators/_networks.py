"""Classes by Bayesian networks."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from posterior_rs._arguments import whole
from posterior_rs.estimators._input import Matrix
from posterior_rs.networks import Network

Codes = NDArray[np.int64]


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):
    """Classes by a Bayesian network of the class and the columns, with missing values and columns of labels.

    Columns of numbers are cut at quantiles. Tables are posterior means, and probabilities of classes are exact:
    what is missing, or was never seen, is summed over.

    Parameters
    ----------
    structure : {"tree", "naive"} or iterable of (str, str), default="tree"
        Naive Bayes, where columns are independent given the class; with a tree of arrows between columns
        besides, that with the most information given the class; or arrows from parents to children, by the
        names of columns and ``"class"``, as a list or a graph of networkx.
    n_bins : int, default=5
        The most intervals of a column of numbers.
    prior : float, default=1.0
        What is added to each count of the tables; more than 0.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    network_ : posterior_rs.networks.Network
        With a variable ``"class"`` and one for each column, by its name or ``x0``, ``x1`` and so on: queries,
        the most probable states, files.
    bins_ : list of ndarray or None
        Where each column is cut; None of labels.

    References
    ----------
    N. Friedman, D. Geiger and M. Goldszmidt, Bayesian network classifiers, Machine Learning 29, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from posterior_rs.estimators import BayesianNetworkClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BayesianNetworkClassifier().fit(X, y)
    >>> bool(model.score(X, y) > 0.93)
    True
    >>> model.predict([[float("nan"), float("nan"), 1.4, 0.2]]).tolist()
    [0]
    """

    def __init__(
        self,
        structure: Literal["tree", "naive"] | Iterable[tuple[str, str]] = "tree",
        *,
        n_bins: int = 5,
        prior: float = 1.0,
    ) -> None:
        self.structure = structure
        self.n_bins = n_bins
        self.prior = prior

    def fit(self, X: Any, y: Any) -> "BayesianNetworkClassifier":
        """Learn from rows X, shape (n_samples, n_features), of numbers and labels, and classes y.

        Raises
        ------
        ValueError
            One class; a column without any value; arrows that name no column or make a cycle.
        """
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        if not self.prior > 0:
            raise ValueError(f"prior: expected more than 0, found {self.prior}")
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y: expected two classes or more, found one class: {self.classes_[0]!r}")
        named = getattr(self, "feature_names_in_", None)
        names = [f"x{i}" for i in range(X.shape[1])] if named is None else [str(name) for name in named]
        if "class" in names:
            raise ValueError("X: a column has the name 'class', which is that of the classes")
        columns = [_values(X[:, i]) for i in range(X.shape[1])]
        count = whole("n_bins", self.n_bins, 2)
        self.bins_ = [None if own.dtype == object else _cuts(own, count) for own in columns]
        self._states = [
            _labels(own) if bins is None else _intervals(bins) for own, bins in zip(columns, self.bins_)
        ]
        for name, states in zip(names, self._states):
            if not states:
                raise ValueError(f"X: the column {name} has no values")
        variables = {"class": [str(own) for own in self.classes_], **dict(zip(names, self._states))}
        codes = np.column_stack([labels, self._codes(columns)])
        arrows = self._arrows(codes, list(variables))
        tables = {}
        for name in variables:
            parents = [parent for parent, child in arrows if child == name]
            shape = [len(variables[one]) for one in (*parents, name)]
            tables[name] = (parents, np.full(shape, 1 / shape[-1]))
        self.network_ = Network(variables, tables).learned(codes, prior=float(self.prior))
        return self

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each class, shape (n_samples, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        codes = self._codes([_values(X[:, i]) for i in range(X.shape[1])])
        distinct, places = np.unique(codes, axis=0, return_inverse=True)
        own = np.column_stack([np.full(len(distinct), -1), distinct])
        return self.network_.given_records("class", own)[places.ravel()]

    def predict(self, X: Any) -> Any:
        """The class of most probability of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def _codes(self, columns: list[Any]) -> Codes:
        """The number of the state of each value, -1 where it is missing or was not seen."""
        found = np.empty((len(columns[0]), len(columns)), dtype=np.int64)
        for i, (own, bins, states) in enumerate(zip(columns, self.bins_, self._states)):
            if bins is None:
                places = {state: place for place, state in enumerate(states)}
                found[:, i] = [-1 if value is None else places.get(str(value), -1) for value in own]
            elif own.dtype == object:
                name = f"x{i}" if not hasattr(self, "feature_names_in_") else self.feature_names_in_[i]
                raise ValueError(f"X: the column {name}: expected numbers, as in the fit, found labels")
            else:
                found[:, i] = np.where(np.isnan(own), -1, np.searchsorted(bins, own, side="right"))
        return found

    def _arrows(self, codes: Codes, names: list[str]) -> list[tuple[str, str]]:
        if not isinstance(self.structure, str):
            arrows = [(str(parent), str(child)) for parent, child in getattr(self.structure, "edges", self.structure)]
            for name in (name for pair in arrows for name in pair):
                if name not in names:
                    raise ValueError(f"structure: {name} is none of {', '.join(names)}")
            return arrows
        if self.structure not in ("tree", "naive"):
            raise ValueError(f"structure: expected tree, naive or arrows, found {self.structure!r}")
        naive = [("class", name) for name in names[1:]]
        return naive + ([(names[a], names[b]) for a, b in _tree(codes)] if self.structure == "tree" else [])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _values(column: Any) -> Any:
    """Numbers, or of a column with texts its labels, None where one is missing."""
    if column.dtype.kind != "O" and column.dtype.kind not in "US":
        return column.astype(np.float64)
    missing = [own is None or own != own for own in column]
    if not any(isinstance(own, str) for own in column):
        return np.array([np.nan if gone else own for own, gone in zip(column, missing)], dtype=np.float64)
    return np.array([None if gone else str(own) for own, gone in zip(column, missing)], dtype=object)


def _labels(column: Any) -> list[str]:
    return sorted({own for own in column if own is not None})


def _cuts(column: Matrix, most: int) -> Matrix | None:
    """Where numbers are cut: between all of few distinct ones, or at quantiles."""
    there = column[~np.isnan(column)]
    distinct = np.unique(there)
    if len(distinct) <= most:
        return (distinct[1:] + distinct[:-1]) / 2
    return np.unique(np.quantile(there, np.arange(1, most) / most))


def _intervals(cuts: Matrix) -> list[str]:
    """The names of the intervals between cuts."""
    texts = [f"{own:.6g}" for own in cuts]
    if len(set(texts)) < len(texts):
        texts = [repr(float(own)) for own in cuts]
    if not texts:
        return ["any"]
    inner = [f"{low} to {high}" for low, high in zip(texts, texts[1:])]
    return [f"below {texts[0]}", *inner, f"from {texts[-1]}"]


def _tree(codes: Codes) -> list[tuple[int, int]]:
    """The spanning tree of columns, the first of which is the class, with the most information given the class."""
    width = codes.shape[1]
    reached = np.full(width, -np.inf)
    parents, left, arrows = np.zeros(width, dtype=int), list(range(2, width)), []
    last = 1
    while left:
        for column in left:
            gained = _information(codes[:, 0], codes[:, last], codes[:, column])
            if gained > reached[column]:
                reached[column], parents[column] = gained, last
        last = max(left, key=lambda column: reached[column])
        left.remove(last)
        arrows.append((int(parents[last]), last))
    return arrows


def _information(classes: Codes, a: Codes, b: Codes) -> float:
    """The mutual information of two columns given the class, in nats, of the rows that have both."""
    there = (a >= 0) & (b >= 0)
    if not there.any():
        return 0.0
    shape = (classes.max() + 1, a.max() + 1, b.max() + 1)
    places = np.ravel_multi_index((classes[there], a[there], b[there]), shape)
    joint = np.bincount(places, minlength=int(np.prod(shape))).reshape(shape) / there.sum()
    alone = joint.sum(axis=(1, 2), keepdims=True) * joint
    apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log(alone[seen] / apart[seen])).sum())
