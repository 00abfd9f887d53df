"""Topics of documents."""

from typing import Any, Literal, NamedTuple

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from posterior_rs import _core
from posterior_rs.estimators._counts import counts_of
from posterior_rs._arguments import seed, whole
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class _Settings(NamedTuple):
    """The attributes of the estimator as the compiled part takes them."""

    topics: int
    alpha: float | None
    beta: float
    engine: str
    iterations: int
    seed: int


class LatentDirichletAllocation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Latent Dirichlet allocation of counts of words.

    Parameters
    ----------
    n_components : int, default=10
    doc_topic_prior : float, optional
        The concentration of the proportions of topics in a document; what the command line takes if it is not
        given.
    topic_word_prior : float, default=0.01
        That of the words of a topic.
    engine : str, default="gibbs"
        ``"gibbs"``, collapsed Gibbs sampling (Griffiths and Steyvers 2004); ``"blocked_gibbs"``, which draws
        proportions and topics, too; ``"variational"``, variational Bayes (Blei, Ng and Jordan 2003);
        ``"online"``, the same by batches (Hoffman, Blei and Bach 2010), for many documents;
        ``"collapsed_variational"`` (Asuncion et al. 2009).
    max_iter : int, default=200
        Sweeps or steps; of ``"online"`` passes over the documents.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features)
        The probabilities of words in each topic.

    Examples
    --------
    >>> from posterior_rs.estimators import LatentDirichletAllocation
    >>> counts = [[5, 4, 0, 0], [4, 5, 0, 0], [0, 0, 5, 4], [0, 0, 4, 5]]
    >>> LatentDirichletAllocation(2, random_state=1).fit_transform(counts).shape
    (4, 2)
    """

    def __init__(
        self,
        n_components: int = 10,
        *,
        doc_topic_prior: float | None = None,
        topic_word_prior: float = 0.01,
        engine: Literal[
            "gibbs", "blocked_gibbs", "variational", "online", "collapsed_variational"
        ] = "gibbs",
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.engine = engine
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: None = None) -> "LatentDirichletAllocation":
        """Learn from counts X, dense or sparse, shape (n_documents, n_words)."""
        X = fitted_rows(self, X, accept_sparse="csr")
        settings = _Settings(
            whole("n_components", self.n_components, 1),
            self.doc_topic_prior,
            self.topic_word_prior,
            self.engine,
            whole("max_iter", self.max_iter),
            seed(self.random_state),
        )
        found = _core.lda_fit(counts_of(X), settings)
        self.components_, self._model = found["components"], found["model"]
        return self

    def transform(self, X: Any) -> Matrix:
        """The proportions of topics in each document, shape (n_documents, n_components)."""
        X = new_rows(self, X, accept_sparse="csr")
        return _core.lda_proportions(counts_of(X), self._model)[0]

    def score(self, X: Any, y: None = None) -> float:
        """A lower bound of ln p of all words of all documents."""
        X = new_rows(self, X, accept_sparse="csr")
        return _core.lda_proportions(counts_of(X), self._model)[1]

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
