"""Conditional random fields, with the names of sklearn-crfsuite."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from posterior_rs import _core
from posterior_rs._arguments import seed, whole

_Positions = list[list[tuple[str, float]]]


class _Settings(NamedTuple):
    """How it is fitted."""

    algorithm: str
    min_freq: float
    all_states: bool
    all_transitions: bool
    c1: float
    c2: float
    max_iterations: int | None
    memory: int
    epsilon: float
    delta: float
    seed: int


class CRF(BaseEstimator):
    """A linear-chain conditional random field of sequences whose positions have attributes.

    Minimises -ln p(labels) + c2 ``sum(w**2)`` + c1 ``sum(abs(w))``.

    Parameters
    ----------
    algorithm : {"lbfgs", "l2sgd", "ap"}, default="lbfgs"
        All sequences at a time (by OWL-QN with ``c1``), stochastic gradients, or the averaged perceptron.
    min_freq : float, default=0
        Attributes that are seen less often have no weight.
    all_possible_states, all_possible_transitions : bool, default=False
        Whether pairs that are not in the data have weights, too.
    c1 : float, default=0
    c2 : float, default=1
    max_iterations : int, optional
        Steps at most: no bound, 1000 or 100 by algorithm if it is not given.
    num_memories : int, default=6
        Steps that ``"lbfgs"`` remembers.
    epsilon : float, default=1e-5
        It stops when no component of the gradient is larger, in units of the objective;
    delta : float, default=1e-5
        or when a step lowers the objective by no more than this proportion.
    random_state : int, Generator, RandomState, optional
        The order of stochastic steps. None is 0: a fit repeats.

    Attributes
    ----------
    classes_ : list of str
        The labels.
    state_features_ : dict
        The weight of each (attribute, label), but for zeros.
    transition_features_ : dict
        The weight of each (label, next label), but for zeros.
    attributes_ : list of str
    trace_ : list of float
        The objective after each step.
    converged_ : bool

    References
    ----------
    J. Lafferty, A. McCallum and F. Pereira, Conditional random fields, ICML 2001; N. Okazaki, CRFsuite, 2007.

    Examples
    --------
    >>> from posterior_rs.sequences import CRF
    >>> X = [[{"word": "the"}, {"word": "dog"}], [{"word": "dogs"}, {"word": "bark"}]]
    >>> model = CRF(c2=0.1).fit(X, [["DET", "NOUN"], ["NOUN", "VERB"]])
    >>> model.predict([[{"word": "the"}, {"word": "bark"}]])
    [['DET', 'NOUN']]
    >>> sorted(model.transition_features_)
    [('DET', 'NOUN'), ('NOUN', 'VERB')]
    """

    def __init__(
        self,
        algorithm: Literal["lbfgs", "l2sgd", "ap"] = "lbfgs",
        *,
        min_freq: float = 0,
        all_possible_states: bool = False,
        all_possible_transitions: bool = False,
        c1: float = 0,
        c2: float = 1,
        max_iterations: int | None = None,
        num_memories: int = 6,
        epsilon: float = 1e-5,
        delta: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.algorithm = algorithm
        self.min_freq = min_freq
        self.all_possible_states = all_possible_states
        self.all_possible_transitions = all_possible_transitions
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.num_memories = num_memories
        self.epsilon = epsilon
        self.delta = delta
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "CRF":
        """Learn the weights.

        Parameters
        ----------
        X : list of lists of dicts
            The attributes of each position of each sequence, by name: numbers are values, a text ``b`` of an
            attribute ``a`` is the attribute ``a:b`` with the value 1, and so is each text of a list;
            dictionaries are taken apart likewise.
        y : list of lists of str
            The label of each position.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Sequences with more or fewer labels than positions, settings out of range.
        TypeError
            An attribute that is neither number nor text.
        """
        sequences, labels = _sequences(X), _labels(y)
        _same_lengths(sequences, labels)
        settings = _Settings(
            self.algorithm,
            self.min_freq,
            bool(self.all_possible_states),
            bool(self.all_possible_transitions),
            self.c1,
            self.c2,
            None if self.max_iterations is None else whole("max_iterations", self.max_iterations),
            whole("num_memories", self.num_memories, 1),
            self.epsilon,
            self.delta,
            seed(self.random_state),
        )
        self._model = _core.RandomField.learn(sequences, labels, settings)
        self.classes_: list[str] = self._model.labels
        self.attributes_: list[str] = self._model.attributes
        self.trace_: list[float] = self._model.trace
        self.converged_: bool = self._model.converged
        states, steps = self._model.weights()
        self.state_features_ = {(attribute, label): weight for attribute, label, weight in states}
        self.transition_features_ = {(before, label): weight for before, label, weight in steps}
        return self

    def predict(self, X: Any) -> list[list[str]]:
        """The labels of most probability of each sequence."""
        found = self._fitted().tag(_sequences(X))
        return [[self.classes_[label] for label in labels] for labels in found]

    def predict_single(self, xseq: Any) -> list[str]:
        """The labels of most probability of one sequence."""
        return self.predict([xseq])[0]

    def predict_marginals(self, X: Any) -> list[list[dict[str, float]]]:
        """The probability of each label at each position of each sequence."""
        found = self._fitted().marginals(_sequences(X))
        return [[dict(zip(self.classes_, row)) for row in rows.tolist()] for rows in found]

    def predict_marginals_single(self, xseq: Any) -> list[dict[str, float]]:
        """The probability of each label at each position of one sequence."""
        return self.predict_marginals([xseq])[0]

    def log_proba(self, X: Any, y: Any) -> Any:
        """ln p of the labels of each sequence, shape (n_sequences,)."""
        sequences, labels = _sequences(X), _labels(y)
        _same_lengths(sequences, labels)
        return np.asarray(self._fitted().ln_probabilities(sequences, labels))

    def score(self, X: Any, y: Any) -> float:
        """The proportion of positions whose label is right."""
        pairs = zip(self.predict(X), _labels(y), strict=True)
        hits = [a == b for found, labels in pairs for a, b in zip(found, labels, strict=True)]
        return sum(hits) / len(hits)

    def _fitted(self) -> Any:
        if not hasattr(self, "_model"):
            raise ValueError("this CRF is not fitted")
        return self._model


def _sequences(X: Any) -> list[_Positions]:
    return [[list(_attributes("", own)) for own in positions] for positions in X]


def _attributes(before: str, own: Any) -> Iterable[tuple[str, float]]:
    """Attributes with values, as CRFsuite names them."""
    if isinstance(own, Mapping):
        for name, value in own.items():
            yield from _attributes(f"{before}{name}:", value)
    elif isinstance(own, str):
        yield before + own, 1.0
    elif isinstance(own, (bool, int, float, np.bool_, np.integer, np.floating)):
        if not before:
            raise TypeError(f"expected a dictionary of attributes, found {own!r}")
        yield before[:-1], float(own)
    elif isinstance(own, (list, tuple, set, frozenset)):
        for one in own:
            yield from _attributes(before, one)
    else:
        raise TypeError(f"attribute {before[:-1]!r}: expected a number or a text, found {own!r}")


def _labels(y: Any) -> list[list[str]]:
    labels = [list(own) for own in y]
    for own in labels:
        for label in own:
            if not isinstance(label, str):
                raise TypeError(f"y: expected labels, found {label!r}")
    return labels


def _same_lengths(sequences: list[_Positions], labels: list[list[str]]) -> None:
    if len(sequences) != len(labels):
        raise ValueError(f"y: expected labels of {len(sequences)} sequences, found {len(labels)}")
    for number, (own, of) in enumerate(zip(sequences, labels)):
        if len(own) != len(of):
            raise ValueError(f"y: sequence {number} has {len(own)} positions and {len(of)} labels")
