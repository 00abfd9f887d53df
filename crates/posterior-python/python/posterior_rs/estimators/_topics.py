"""Topics of documents."""

from typing import Any, Literal

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from posterior_rs import _core
from posterior_rs._counts import counts_of
from posterior_rs._arguments import seed, whole
from posterior_rs._listener import Listener, bar
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows
from posterior_rs.topics import LdaSettings


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
    progress : bool, default=False
        Show a bar, of tqdm.

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features)
        The probabilities of words in each topic.
    checkpoint_ : bytes
        Where Ctrl-C stopped a fit by ``"gibbs"``: what `resume` goes on from.

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
        progress: bool = False,
    ) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.engine = engine
        self.max_iter = max_iter
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: None = None) -> "LatentDirichletAllocation":
        """Learn from counts X, dense or sparse, shape (n_documents, n_words)."""
        return self._fit(X, None)

    def resume(self, X: Any) -> "LatentDirichletAllocation":
        """Go on with a fit by ``"gibbs"`` that Ctrl-C stopped, of the same counts and settings.

        It ends with the same numbers as if it had never stopped.

        Raises
        ------
        ValueError
            Nothing was stopped; other counts or settings.
        """
        if not hasattr(self, "checkpoint_"):
            raise ValueError("resume: no fit was stopped")
        return self._fit(X, self.checkpoint_)

    def _fit(self, X: Any, state: bytes | None) -> "LatentDirichletAllocation":
        X = fitted_rows(self, X, accept_sparse="csr")
        settings = LdaSettings(
            whole("n_components", self.n_components, 1),
            self.doc_topic_prior,
            self.topic_word_prior,
            self.engine,
            whole("max_iter", self.max_iter),
            seed(self.random_state),
        )
        keep = self._keep if self.engine == "gibbs" else None
        with bar(self.progress, settings.iterations, "sweep") as show:
            found = _core.lda_fit(counts_of(X), settings, Listener(show, keep, state))
        self.components_, self._model = found["components"], found["model"]
        if hasattr(self, "checkpoint_"):
            del self.checkpoint_
        return self

    def _keep(self, state: bytes) -> None:
        self.checkpoint_ = state

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
