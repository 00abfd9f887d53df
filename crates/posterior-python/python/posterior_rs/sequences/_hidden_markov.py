"""Hidden Markov models, with the names of hmmlearn."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array

from posterior_rs import _core
from posterior_rs._arguments import seed, whole

Matrix = NDArray[np.float64]


class _Vectors(NamedTuple):
    """Normal distributions of states."""

    means: Any
    covariances: Any
    kind: str


class _Symbols(NamedTuple):
    """Probabilities of symbols, states as rows."""

    probabilities: Any


class _Parameters(NamedTuple):
    """A model as the compiled part takes it."""

    initial: Any
    transition: Any
    shown: _Vectors | _Symbols


class _Settings(NamedTuple):
    """How it is fitted."""

    starts: int | None
    max_iterations: int
    tolerance: float
    priors: list[float]
    learned: list[bool]
    seed: int


class ConvergenceMonitor(NamedTuple):
    """How a fit went."""

    #: ln p, with the priors, before the first step and after each.
    history: list[float]
    #: Whether the last step was as small as ``tol`` says.
    converged: bool

    @property
    def iter(self) -> int:
        """The number of steps."""
        return max(0, len(self.history) - 1)


class _HiddenMarkov(BaseEstimator):
    """What hidden Markov models have in common."""

    startprob_: Matrix
    transmat_: Matrix
    #: The letters of ``params`` and ``init_params`` of what states show.
    _shown_letters: str

    def _shown(self) -> _Vectors | _Symbols:
        raise NotImplementedError

    def _begin(self, X: Matrix) -> None:
        raise NotImplementedError

    def _keep(self, shown: list[Matrix]) -> None:
        raise NotImplementedError

    def _rows(self, X: Any) -> Matrix:
        raise NotImplementedError

    def _free_of_states(self) -> int:
        raise NotImplementedError

    def _parameters(self) -> _Parameters:
        for name in ("startprob_", "transmat_"):
            if not hasattr(self, name):
                kind = type(self).__name__
                raise ValueError(f"{name}: this {kind} has no parameters: fit it, or give it some")
        return _Parameters(self.startprob_, self.transmat_, self._shown())

    def _letters(self, name: str) -> list[bool]:
        letters = getattr(self, name)
        known = "st" + self._shown_letters
        if not isinstance(letters, str) or set(letters) - set(known):
            raise ValueError(f"{name}: expected letters of {known!r}, found {letters!r}")
        shown = {letter in letters for letter in self._shown_letters}
        if len(shown) > 1:
            raise ValueError(f"{name}: expected all or none of {self._shown_letters!r}, found {letters!r}")
        return ["s" in letters, "t" in letters, True in shown]

    def fit(self, X: Any, lengths: Any = None) -> Any:
        """Learn by expectation maximisation (Baum and Welch).

        Parameters
        ----------
        X : array_like, shape (n_samples, n_features)
            Sequences one below the other.
        lengths : array_like of int, optional
            How many rows each has; one sequence if they are not given.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Rows that states can't show, lengths with another sum, settings out of range.
        """
        X = self._rows(X)
        begins = self._letters("init_params")
        states = whole("n_components", self.n_components, 1)
        if begins[0]:
            self.startprob_ = np.full(states, 1 / states)
        if begins[1]:
            self.transmat_ = np.full((states, states), 1 / states)
        if begins[2]:
            self._begin(X)
        settings = _Settings(
            whole("n_init", self.n_init, 1) if begins[2] else None,
            whole("n_iter", self.n_iter),
            self.tol,
            [float(self.startprob_prior), float(self.transmat_prior)],
            self._letters("params"),
            seed(self.random_state),
        )
        found = _core.hmm_fit(X, _lengths(X, lengths), self._parameters(), settings)
        self.startprob_, self.transmat_ = found["initial"], found["transition"]
        self._keep(found["shown"])
        self.monitor_ = ConvergenceMonitor(found["trace"], found["converged"])
        return self

    def score(self, X: Any, lengths: Any = None) -> float:
        """ln p of all sequences; -inf if one is impossible."""
        X = self._rows(X)
        return _core.hmm_score(X, _lengths(X, lengths), self._parameters())

    def score_samples(self, X: Any, lengths: Any = None) -> tuple[float, Matrix]:
        """ln p of all sequences, and the probabilities of states, shape (n_samples, n_components)."""
        X = self._rows(X)
        return _core.hmm_posteriors(X, _lengths(X, lengths), self._parameters())

    def predict_proba(self, X: Any, lengths: Any = None) -> Matrix:
        """The probabilities of states given all of a sequence, shape (n_samples, n_components)."""
        return self.score_samples(X, lengths)[1]

    def decode(
        self, X: Any, lengths: Any = None, algorithm: Literal["viterbi", "map"] | None = None
    ) -> tuple[float, NDArray[np.int64]]:
        """The states that stand for all that are possible.

        Parameters
        ----------
        X : array_like, shape (n_samples, n_features)
        lengths : array_like of int, optional
        algorithm : {"viterbi", "map"}, optional
            The most probable path, or at each row the most probable state; that of the model if not given.

        Returns
        -------
        log_prob : float
            ln p of states and observations together; -inf of a path of ``"map"`` that is impossible.
        state_sequence : ndarray, shape (n_samples,)
        """
        X = self._rows(X)
        ln_p, states = _core.hmm_decode(
            X, _lengths(X, lengths), self._parameters(), self.algorithm if algorithm is None else algorithm
        )
        return ln_p, np.asarray(states, dtype=np.int64)

    def predict(self, X: Any, lengths: Any = None) -> NDArray[np.int64]:
        """The states of `decode`, shape (n_samples,)."""
        return self.decode(X, lengths)[1]

    def sample(
        self, n_samples: int = 1, random_state: Any = None, currstate: int | None = None
    ) -> tuple[Any, NDArray[np.int64]]:
        """Draw a sequence: its rows, shape (n_samples, n_features), and its states.

        ``currstate`` is the first state if it is given. Without ``random_state`` the draws are those of the
        model's seed.
        """
        state = self.random_state if random_state is None else random_state
        rows, states = _core.hmm_simulate(
            self._parameters(),
            whole("n_samples", n_samples),
            seed(state),
            None if currstate is None else whole("currstate", currstate),
        )
        return rows, np.asarray(states, dtype=np.int64)

    def aic(self, X: Any, lengths: Any = None) -> float:
        """Akaike's criterion, 2 k - 2 ln p of k free parameters: less is better."""
        return 2 * self._free() - 2 * self.score(X, lengths)

    def bic(self, X: Any, lengths: Any = None) -> float:
        """The Bayesian (Schwarz's) criterion, k ln n - 2 ln p of k free parameters: less is better."""
        return float(self._free() * np.log(len(self._rows(X))) - 2 * self.score(X, lengths))

    def _free(self) -> int:
        states = self.n_components
        learned = self._letters("params")
        own = [states - 1, states * (states - 1), self._free_of_states()]
        return sum(count for count, is_learned in zip(own, learned) if is_learned)


def _lengths(X: Matrix, lengths: Any) -> list[int]:
    return [len(X)] if lengths is None else [whole("lengths", own) for own in lengths]


class GaussianHMM(_HiddenMarkov):
    """A hidden Markov model whose states show vectors with a normal distribution.

    Parameters
    ----------
    n_components : int, default=1
        The number of states.
    covariance_type : {"spherical", "diag", "full", "tied"}, default="diag"
    startprob_prior, transmat_prior : float, default=1.0
        Concentrations of Dirichlet priors; 1 is none.
    algorithm : {"viterbi", "map"}, default="viterbi"
        What `predict` gives: the most probable path, or the most probable states.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.
    n_iter : int, default=500
        Steps at most.
    tol : float, default=1e-8
        The proportion by which the last step may still raise ln p.
    params, init_params : str, default="stmc"
        What is learned, and what a fit begins anew: starts, transitions, means and covariances (both or none).
    n_init : int, default=10
        Random starts; each takes ten steps, and the best goes on.

    Attributes
    ----------
    startprob_ : ndarray, shape (n_components,)
    transmat_ : ndarray, shape (n_components, n_components)
    means_ : ndarray, shape (n_components, n_features)
    covars_ : ndarray, shape (n_components, n_features, n_features)
        Set in the shape of ``covariance_type``: (n_components,), (n_components, n_features), matrices or one.
    monitor_ : ConvergenceMonitor
        ``history`` of ln p, and whether it ``converged``.

    Notes
    -----
    NaN in a row is a value that was not seen: the other columns are.

    References
    ----------
    L. E. Baum et al., Annals of Mathematical Statistics 41, 1970; L. Rabiner, Proceedings of the IEEE 77, 1989.

    Examples
    --------
    >>> import numpy as np
    >>> from posterior_rs.sequences import GaussianHMM
    >>> rng = np.random.default_rng(0)
    >>> level = np.repeat([0.0, 5.0, 0.0], 50)
    >>> model = GaussianHMM(2).fit((level + rng.normal(size=150))[:, np.newaxis])
    >>> sorted(model.means_.ravel().round().astype(int).tolist())
    [0, 5]
    >>> int((np.diff(model.predict(level[:, np.newaxis])) != 0).sum())
    2
    """

    _shown_letters = "mc"
    means_: Matrix

    def __init__(
        self,
        n_components: int = 1,
        covariance_type: Literal["spherical", "diag", "full", "tied"] = "diag",
        *,
        startprob_prior: float = 1.0,
        transmat_prior: float = 1.0,
        algorithm: Literal["viterbi", "map"] = "viterbi",
        random_state: Any = None,
        n_iter: int = 500,
        tol: float = 1e-8,
        params: str = "stmc",
        init_params: str = "stmc",
        n_init: int = 10,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.startprob_prior = startprob_prior
        self.transmat_prior = transmat_prior
        self.algorithm = algorithm
        self.random_state = random_state
        self.n_iter = n_iter
        self.tol = tol
        self.params = params
        self.init_params = init_params
        self.n_init = n_init

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return int(np.shape(self.means_)[1])

    @property
    def covars_(self) -> Matrix:
        """The covariance matrix of each state."""
        own, width = self._covars, self.n_features
        if self.covariance_type == "full":
            return own
        if self.covariance_type == "tied":
            return np.stack([own] * self.n_components)
        each = own if self.covariance_type == "diag" else np.repeat(own[:, np.newaxis], width, axis=1)
        return np.stack([np.diag(row) for row in each])

    @covars_.setter
    def covars_(self, covariances: Any) -> None:
        self._covars = np.array(covariances, dtype=np.float64)

    def _shown(self) -> _Vectors:
        if not hasattr(self, "means_") or not hasattr(self, "_covars"):
            raise ValueError("means_, covars_: this GaussianHMM has no parameters: fit it, or give it some")
        return _Vectors(self.means_, self._covars, self.covariance_type)

    def _begin(self, X: Matrix) -> None:
        # What a state has that no row is given to: mean and variances of all.
        states = self.n_components
        variances = np.nanvar(X, axis=0, ddof=1) if len(X) > 1 else np.ones(X.shape[1])
        variances = np.where(variances > 0, variances, 1.0)
        self.means_ = np.tile(np.nanmean(X, axis=0), (states, 1))
        shapes: dict[str, Any] = {
            "full": np.stack([np.diag(variances)] * states),
            "tied": np.diag(variances),
            "diag": np.tile(variances, (states, 1)),
            "spherical": np.full(states, variances.mean()),
        }
        if self.covariance_type not in shapes:
            kinds = "full, tied, diag or spherical"
            raise ValueError(f"covariance_type: expected {kinds}, found {self.covariance_type!r}")
        self._covars = shapes[self.covariance_type]

    def _keep(self, shown: list[Matrix]) -> None:
        self.means_, self._covars = shown

    def _rows(self, X: Any) -> Matrix:
        rows: Matrix = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        return rows

    def _free_of_states(self) -> int:
        states, width = self.n_components, self.n_features
        of_covariances = {
            "spherical": states,
            "diag": states * width,
            "full": states * width * (width + 1) // 2,
            "tied": width * (width + 1) // 2,
        }
        return states * width + of_covariances[self.covariance_type]


class CategoricalHMM(_HiddenMarkov):
    """A hidden Markov model whose states show symbols: whole numbers from 0.

    Parameters
    ----------
    n_components : int, default=1
        The number of states.
    n_features : int, optional
        The number of symbols; one more than the largest that is seen if it is not given.
    startprob_prior, transmat_prior : float, default=1.0
        Concentrations of Dirichlet priors; 1 is none.
    algorithm : {"viterbi", "map"}, default="viterbi"
        What `predict` gives: the most probable path, or the most probable states.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.
    n_iter : int, default=500
        Steps at most.
    tol : float, default=1e-8
        The proportion by which the last step may still raise ln p.
    params, init_params : str, default="ste"
        What is learned, and what a fit begins anew: starts, transitions, emissions.
    n_init : int, default=10
        Random starts; each takes ten steps, and the best goes on.

    Attributes
    ----------
    startprob_ : ndarray, shape (n_components,)
    transmat_ : ndarray, shape (n_components, n_components)
    emissionprob_ : ndarray, shape (n_components, n_features)
    monitor_ : ConvergenceMonitor
        ``history`` of ln p, and whether it ``converged``.

    References
    ----------
    L. Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE 77, 1989.

    Examples
    --------
    A die that is exchanged for a loaded one (Durbin et al. 1998):

    >>> from posterior_rs.sequences import CategoricalHMM
    >>> casino = CategoricalHMM(2)
    >>> casino.startprob_ = [0.5, 0.5]
    >>> casino.transmat_ = [[0.95, 0.05], [0.1, 0.9]]
    >>> casino.emissionprob_ = [[1 / 6] * 6, [0.1] * 5 + [0.5]]
    >>> rolls = [[0], [3], [1], [5], [5], [5], [4], [5], [5], [5], [2], [0], [1]]
    >>> casino.predict(rolls).tolist()
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    >>> casino.predict_proba(rolls)[:, 1].round(2).tolist()[3:6]
    [0.87, 0.92, 0.93]
    """

    _shown_letters = "e"
    emissionprob_: Matrix

    def __init__(
        self,
        n_components: int = 1,
        *,
        n_features: int | None = None,
        startprob_prior: float = 1.0,
        transmat_prior: float = 1.0,
        algorithm: Literal["viterbi", "map"] = "viterbi",
        random_state: Any = None,
        n_iter: int = 500,
        tol: float = 1e-8,
        params: str = "ste",
        init_params: str = "ste",
        n_init: int = 10,
    ) -> None:
        self.n_components = n_components
        self.n_features = n_features
        self.startprob_prior = startprob_prior
        self.transmat_prior = transmat_prior
        self.algorithm = algorithm
        self.random_state = random_state
        self.n_iter = n_iter
        self.tol = tol
        self.params = params
        self.init_params = init_params
        self.n_init = n_init

    def _shown(self) -> _Symbols:
        if not hasattr(self, "emissionprob_"):
            raise ValueError("emissionprob_: this CategoricalHMM has no parameters: fit it, or give it some")
        return _Symbols(self.emissionprob_)

    def _begin(self, X: Matrix) -> None:
        symbols = self.n_features or int(X.max()) + 1
        self.emissionprob_ = np.full((self.n_components, symbols), 1 / symbols)

    def _keep(self, shown: list[Matrix]) -> None:
        (self.emissionprob_,) = shown

    def _rows(self, X: Any) -> Matrix:
        rows: Matrix = check_array(X, dtype=np.float64)
        if rows.shape[1] != 1:
            raise ValueError(f"X: expected one column of symbols, found {rows.shape[1]}")
        if rows.min() < 0 or np.any(rows % 1):
            wrong = rows[(rows < 0) | (rows % 1 != 0)][0]
            raise ValueError(f"X: expected symbols, whole numbers from 0, found {wrong:g}")
        return rows

    def _free_of_states(self) -> int:
        states, symbols = np.shape(self.emissionprob_)
        return int(states * (symbols - 1))
