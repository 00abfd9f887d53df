"""Non-negative factors of counts."""

from typing import Any, Literal, NamedTuple

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._counts import counts_of
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class _Settings(NamedTuple):
    """The attributes of the estimator as the compiled part takes them."""

    components: int
    divergence: str
    start: str
    weighting: str
    max_iterations: int
    tolerance: float
    seed: int


class NMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Non-negative matrix factorisation of counts of words: X near W H with W and H not negative.

    Parameters
    ----------
    n_components : int, default=10
    beta_loss : {"kullback-leibler", "frobenius"}, default="kullback-leibler"
        What is made small: ``sum(x log(x / y) - x + y)``, by multiplicative updates, or ``sum((x - y)**2) / 2``,
        by one component at a time exactly.
    init : {"random", "nndsvd"}, default="random"
        Where it begins: random numbers, or the positive parts of singular vectors.
    weighting : {"counts", "tfidf"}, default="counts"
        Counts, or counts times ln(documents / documents with the word).
    max_iter : int, default=500
    tol : float, default=1e-6
        The proportion of the first divergence by which the last step may still lower it.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features)
        H.
    reconstruction_err_ : float
        The root of twice the divergence, as scikit-learn has it.
    n_iter_ : int
    converged_ : bool

    References
    ----------
    D. Lee and S. Seung, Algorithms for non-negative matrix factorization, NIPS 2001; A. Cichocki and A.-H. Phan,
    IEICE Transactions E92-A, 2009; C. Boutsidis and E. Gallopoulos, Pattern Recognition 41, 2008.

    Examples
    --------
    >>> from posterior_rs.estimators import NMF
    >>> counts = [[4, 2, 0], [2, 1, 0], [0, 3, 6], [0, 1, 2]]
    >>> model = NMF(2).fit(counts)
    >>> (model.transform(counts) @ model.components_).round(2).tolist()
    [[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 3.0, 6.0], [0.0, 1.0, 2.0]]
    """

    def __init__(
        self,
        n_components: int = 10,
        *,
        beta_loss: Literal["kullback-leibler", "frobenius"] = "kullback-leibler",
        init: Literal["random", "nndsvd"] = "random",
        weighting: Literal["counts", "tfidf"] = "counts",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.beta_loss = beta_loss
        self.init = init
        self.weighting = weighting
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> "NMF":
        """Find the factors of counts X, dense or sparse, shape (n_samples, n_features)."""
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: None = None) -> Matrix:
        """Find the factors of counts X; W, shape (n_samples, n_components)."""
        return self._learn(X)

    def _learn(self, X: Any) -> Matrix:
        X = fitted_rows(self, X, accept_sparse="csr")
        settings = _Settings(
            whole("n_components", self.n_components, 1),
            self.beta_loss,
            self.init,
            self.weighting,
            whole("max_iter", self.max_iter),
            self.tol,
            seed(self.random_state),
        )
        found = _core.factorization_fit(counts_of(X), settings)
        self.components_, self._model = found["words"], found["model"]
        self.reconstruction_err_ = float(max(0.0, 2 * abs(found["trace"][-1])) ** 0.5)
        self.n_iter_ = max(1, len(found["trace"]) - 1)
        self.converged_ = found["converged"]
        documents: Matrix = found["documents"]
        return documents

    def transform(self, X: Any) -> Matrix:
        """W of counts X with the components as they are, shape (n_samples, n_components)."""
        X = new_rows(self, X, accept_sparse="csr")
        return _core.factorization_project(counts_of(X), self._model)

    def inverse_transform(self, X: Any) -> Matrix:
        """W H of W, shape (n_samples, n_features)."""
        counts: Matrix = X @ self.components_
        return counts

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
