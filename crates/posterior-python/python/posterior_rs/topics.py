"""Topics of documents: models of counts of words, and what is asked of them.

===============  ==================================================================================
``lda``          latent Dirichlet allocation, by five engines
``hdp``          as many topics as the documents ask for
``dynamic``      topics whose words drift with time
``structural``   topics whose proportions and words depend on what is known of documents
``TopicModel``   what all of them return: leading words, coherence, held-out words, a map, trends
===============  ==================================================================================

Counts are arrays or SciPy's sparse matrices, shape (documents, words), as scikit-learn's ``CountVectorizer``
makes them of texts. `posterior_rs.estimators.LatentDirichletAllocation` is the estimator for pipelines.

Examples
--------
>>> from posterior_rs import topics
>>> counts = [[5, 4, 0, 0], [4, 5, 0, 0], [0, 0, 5, 4], [0, 0, 4, 5], [3, 3, 0, 0], [0, 0, 3, 3]]
>>> words = ["river", "bank", "note", "coin"]
>>> model = topics.lda(counts, 2, vocabulary=words, random_state=1)
>>> sorted(sorted(own) for own in model.words(2))
[['bank', 'river'], ['coin', 'note']]
>>> model.transform([[2, 2, 0, 0]]).shape
(1, 2)
"""

from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._counts import counts_of
from posterior_rs._listener import listening

__all__ = ["HeldOut", "TopicMap", "TopicModel", "dynamic", "hdp", "lda", "structural"]

Array = NDArray[np.float64]
Path = str | PathLike[str]
Engine = Literal["gibbs", "blocked_gibbs", "variational", "online", "collapsed_variational"]
Ranking = Literal["probability", "relevance", "lift", "frex"]
Measure = Literal["npmi", "umass", "uci", "cv"]
Method = Literal["completion", "left-to-right", "chib", "annealed", "exact"]

#: Sizes of estimators, as the command line has them.
_SIZES = {"left-to-right": 10, "chib": 100, "annealed": 100}


class _Settings(NamedTuple):
    """What fits are asked for, as the compiled part takes it."""

    topics: int
    alpha: float | None
    beta: float
    iterations: int
    seed: int


class LdaSettings(NamedTuple):
    """What latent Dirichlet allocation is asked for, as the compiled part takes it."""

    topics: int
    alpha: float | None
    beta: float
    engine: str
    iterations: int
    seed: int


class _Known(NamedTuple):
    """What is known of documents besides their words."""

    times: list[float] | None = None
    features: Array | None = None
    levels: list[int] | None = None


class HeldOut(NamedTuple):
    """How well words were predicted that a model had not seen.

    Attributes
    ----------
    log_likelihood : ndarray, shape (documents,)
        ln p of the words of each document that were scored.
    n_words : ndarray, shape (documents,)
        How many these were.
    per_word : float
        ln p a word.
    se : float
        Its standard error, over documents.
    mcse : float
        That of the estimator a word: 0 where nothing is drawn.
    """

    log_likelihood: Array
    n_words: NDArray[np.int64]
    per_word: float
    se: float
    mcse: float

    @property
    def perplexity(self) -> float:
        """exp(-ln p a word): as hard to guess as one of so many words that are equally probable."""
        return float(np.exp(-self.per_word))


class TopicMap(NamedTuple):
    """Topics in a plane, by principal coordinates of their Hellinger distances.

    Attributes
    ----------
    points : ndarray, shape (topics, 2)
    explained : ndarray, shape (2,)
        The proportion of the squared distances that each axis shows.
    nearest : ndarray of int, shape (topics,)
        The nearest other topic of each; -1 of a single one.
    distance : ndarray, shape (topics,)
        Its Hellinger distance: 0 is the same, 1 has no word in common.
    """

    points: Array
    explained: Array
    nearest: NDArray[np.int64]
    distance: Array


class TopicModel:
    """Fitted topics, from `lda`, `hdp`, `dynamic` or `structural`.

    Attributes
    ----------
    kind : str
        Which of the four.
    vocabulary : list of str
        The words; their numbers as texts if none were given.
    topic_word : ndarray, shape (topics, words)
        The probabilities of words. Of dynamic topics their means over time.
    doc_topic : ndarray, shape (documents, topics)
        The proportions of topics in the documents of the fit.
    weights : ndarray, shape (topics,)
        The proportion of all words that each topic has.
    trace : ndarray
        What climbed: ln p of words and topics, or of words.
    times : ndarray or None
        Of dynamic topics: the distinct times.
    levels : list or None
        Of structural topics: the levels of content.
    """

    def __init__(
        self, kind: str, own: Any, vocabulary: list[str], doc_topic: Array, trace: Sequence[float]
    ) -> None:
        self._own = own
        self.kind = kind
        self.vocabulary = vocabulary
        self.doc_topic = doc_topic
        self.trace = np.asarray(trace, dtype=np.float64)
        self.topic_word: Array = own.topic_word(None)
        self.weights: Array = own.weights
        self.times: Array | None = None if own.times is None else np.asarray(own.times)
        self.levels: list[Any] | None = None

    def words(
        self,
        n: int = 10,
        *,
        by: Ranking = "probability",
        weight: float | None = None,
        at: Any = None,
    ) -> list[list[str]]:
        """The leading words of each topic.

        Parameters
        ----------
        n : int, default=10
        by : {"probability", "relevance", "lift", "frex"}, default="probability"
            By relevance (Sievert and Shirley 2014), lift (Taddy 2012), or words that are both frequent and
            exclusive (Bischof and Airoldi 2012).
        weight : float, optional
            Of relevance that of ln p, 0.6 if not given; of ``"frex"`` that of exclusivity, 0.5 if not given.
        at : optional
            The time of dynamic topics, or the level of structural ones: their words there.

        Raises
        ------
        ValueError
            Another ranking, a weight that it does not have, a time or level that was not in the fit.
        """
        defaults = {"relevance": 0.6, "frex": 0.5}
        if weight is not None and by not in defaults:
            raise ValueError(f"weight: the ranking by {by} has none")
        number = defaults.get(by, 0.0) if weight is None else float(weight)
        if not 0 <= number <= 1:
            raise ValueError(f"weight: expected 0 to 1, found {number}")
        ranked = self._own.words(whole("n", n, 1), by, number, self._part(at))
        return [[self.vocabulary[word] for word, _, _ in own] for own in ranked]

    def topic_word_at(self, at: Any) -> Array:
        """The probabilities of words at a time of dynamic topics, or at a level of structural ones."""
        found: Array = self._own.topic_word(self._part(at))
        return found

    def coherence(
        self, counts: Any, *, measure: Measure = "npmi", n_words: int = 10, at: Any = None
    ) -> Array:
        """How well the leading words of each topic go together in documents.

        Parameters
        ----------
        counts : array_like or sparse, shape (documents, words)
        measure : {"npmi", "umass", "uci", "cv"}, default="npmi"
            Normalised pointwise mutual information, from -1 to 1, and others (Röder, Both and Hinneburg 2015).
        n_words : int, default=10
        at : optional
            As in `words`.

        Returns
        -------
        ndarray, shape (topics,)
            NaN where the words of a topic are in no document.
        """
        rows = self._counts(counts)
        return np.asarray(self._own.coherence(rows, measure, whole("n_words", n_words, 2), self._part(at)))

    def exclusivity(self, n_words: int = 10) -> Array:
        """How much of the probability of its leading words each topic has for itself, from 0 to 1."""
        return np.asarray(self._own.exclusivity(whole("n_words", n_words, 1)))

    def transform(
        self, counts: Any, *, times: Any = None, prevalence: Any = None, content: Any = None
    ) -> Array:
        """The proportions of topics in other documents, shape (documents, topics).

        What else is known of them, as in the fit, may be given to dynamic and to structural topics.
        """
        found: Array = self._own.proportions(self._counts(counts), self._known(times, prevalence, content))
        return found

    def held_out(
        self,
        counts: Any,
        *,
        method: Method = "completion",
        size: int | None = None,
        times: Any = None,
        prevalence: Any = None,
        content: Any = None,
        random_state: Any = None,
    ) -> HeldOut:
        """How well the words of documents are predicted that the fit has not seen.

        Parameters
        ----------
        counts : array_like or sparse, shape (documents, words)
        method : str, default="completion"
            One half of each document by the proportions of the other, of every model. Of `lda` and `hdp` ln p
            of whole documents: ``"left-to-right"`` (Wallach et al. 2009), ``"chib"`` (Murray and Salakhutdinov
            2009), ``"annealed"`` (Neal 2001), and ``"exact"``, for a few words and topics.
        size : int, optional
            Particles, states of the chain, temperatures: 10, 100 and 100 if not given.
        random_state : int, Generator, RandomState, optional
            For the halves, and for what is drawn. None is 0.

        Returns
        -------
        HeldOut
        """
        if size is not None and method not in _SIZES:
            raise ValueError(f"size: the method {method} has none")
        number = _SIZES.get(method, 0) if size is None else whole("size", size, 1)
        known = self._known(times, prevalence, content)
        found = self._own.held_out(self._counts(counts), known, (method, number), seed(random_state))
        return HeldOut(
            np.asarray(found["ln_likelihood"]),
            np.asarray(found["tokens"], dtype=np.int64),
            found["per_token"],
            found["standard_error"],
            found["monte_carlo_error"],
        )

    def map(self) -> TopicMap:
        """Topics in a plane: near ones have similar words."""
        points, explained, nearest = self._own.map()
        numbers = [(-1, np.nan) if own is None else own for own in nearest]
        places = np.array([own for own, _ in numbers], dtype=np.int64)
        distances = np.array([own for _, own in numbers])
        return TopicMap(np.asarray(points), np.asarray(explained), places, distances)

    def trend(self, counts: Any, times: ArrayLike) -> Any:
        """The proportion of each topic in all words of each time, of the documents of the fit.

        Returns
        -------
        pandas.DataFrame
            By time: a column for each topic. Rows sum to one.
        """
        lengths = np.asarray(counts.sum(axis=1) if hasattr(counts, "sum") else np.sum(counts, axis=1)).ravel()
        at = np.asarray(times)
        if at.shape != (len(self.doc_topic),) or lengths.shape != at.shape:
            expected = len(self.doc_topic)
            raise ValueError(f"expected counts and times of {expected} documents, found {lengths.size} and {at.size}")
        frame = import_module("pandas").DataFrame(self.doc_topic * lengths[:, np.newaxis]).groupby(at).sum()
        return frame.div(frame.sum(axis=1), axis=0)

    def similar(self, document: int, n: int = 10) -> list[tuple[int, float]]:
        """The documents of the fit with the most similar proportions, nearest first, and their distances.

        Distances are those of Hellinger: 0 is the same, 1 has no topic in common.
        """
        if not 0 <= document < len(self.doc_topic):
            raise ValueError(f"document: expected one below {len(self.doc_topic)}, found {document}")
        roots = np.sqrt(self.doc_topic)
        distances = np.sqrt(np.maximum(1 - roots @ roots[document], 0))
        order = np.argsort(distances, kind="stable")
        return [(int(own), float(distances[own])) for own in order if own != document][: whole("n", n)]

    def effect(self, before: ArrayLike, after: ArrayLike, *, level: float = 0.95) -> Any:
        """Of structural topics: by how much proportions differ between two settings of the prevalence.

        Returns
        -------
        pandas.DataFrame
            By topic: ``mean``, and the ends ``low`` and ``high`` of intervals of this level.
        """
        settings = [np.atleast_1d(np.asarray(own, dtype=np.float64)).tolist() for own in (before, after)]
        mean, low, high = self._own.effect(*settings, level)
        return import_module("pandas").DataFrame({"mean": mean, "low": low, "high": high})

    def correlations(self) -> Array:
        """Of structural topics: which go together in documents, shape (topics, topics)."""
        found: Array = self._own.correlations()
        return found

    def course(self, topic: int, word: str, *, level: float = 0.95) -> Any:
        """Of dynamic topics: the probability of a word in a topic at each time.

        Returns
        -------
        pandas.DataFrame
            By time: ``mean``, and the ends ``low`` and ``high`` of intervals of this level.
        """
        if word not in self.vocabulary:
            raise ValueError(f"word: {word!r} is not in the vocabulary")
        number = self.vocabulary.index(word)
        ends = np.asarray(self._own.word_course(whole("topic", topic), number, level))
        mean = [self._own.topic_word(at)[topic, number] for at in range(len(ends))]
        pandas = import_module("pandas")
        columns = {"mean": mean, "low": ends[:, 0], "high": ends[:, 1]}
        return pandas.DataFrame(columns, index=pandas.Index(self.times, name="time"))

    def _part(self, at: Any) -> int | None:
        if at is None:
            return None
        parts = self.levels if self.times is None else self.times.tolist()
        if not parts:
            raise ValueError(f"at: the topics of {self.kind} are the same everywhere")
        if at not in parts:
            raise ValueError(f"at: expected one of {parts}, found {at!r}")
        return parts.index(at)

    def _counts(self, counts: Any) -> Any:
        rows = counts_of(counts)
        if rows.columns != len(self.vocabulary):
            raise ValueError(f"counts: expected {len(self.vocabulary)} words, found {rows.columns}")
        return rows

    def _known(self, times: Any, prevalence: Any, content: Any) -> _Known:
        if times is not None and self.kind != "dynamic":
            raise ValueError(f"times: topics of {self.kind} have none")
        if (prevalence is not None or content is not None) and self.kind != "structural":
            raise ValueError(f"prevalence and content: topics of {self.kind} have none")
        levels = None
        if content is not None:
            known = self.levels or []
            labels = np.asarray(content, dtype=object).tolist()
            unknown = [own for own in labels if own not in known]
            if unknown:
                raise ValueError(f"content: expected one of {known}, found {unknown[0]!r}")
            levels = [known.index(own) for own in labels]
        return _Known(None if times is None else _times(times), _features(prevalence), levels)

    def __repr__(self) -> str:
        topics, words = self.topic_word.shape
        return f"<TopicModel of {self.kind}: {topics} topics of {words} words>"

    def _repr_html_(self) -> str:
        pandas = import_module("pandas")
        columns = {"proportion": self.weights.round(3), "words": [", ".join(own) for own in self.words()]}
        with pandas.option_context("display.max_colwidth", None):
            table: str = pandas.DataFrame(columns).rename_axis("topic")._repr_html_()
        return table


def _times(times: Any) -> list[float]:
    at: list[float] = np.asarray(times, dtype=np.float64).tolist()
    return at


def _features(prevalence: Any) -> Array | None:
    if prevalence is None:
        return None
    rows = np.asarray(prevalence, dtype=np.float64)
    return rows[:, np.newaxis] if rows.ndim == 1 else rows


def _vocabulary(vocabulary: Sequence[str] | None, counts: Any, columns: int) -> list[str]:
    columns_of_a_frame = counts.columns if hasattr(counts, "columns") else range(columns)
    words = [str(word) for word in (columns_of_a_frame if vocabulary is None else vocabulary)]
    if len(words) != columns:
        raise ValueError(f"vocabulary: expected {columns} words, found {len(words)}")
    return words


def lda(
    counts: Any,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    engine: Engine = "gibbs",
    alpha: float | None = None,
    beta: float = 0.01,
    max_iter: int = 200,
    random_state: Any = None,
    progress: bool = False,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> TopicModel:
    """Latent Dirichlet allocation (Blei, Ng and Jordan 2003).

    Parameters
    ----------
    counts : array_like or sparse, shape (documents, words)
    n_topics : int, default=10
    vocabulary : sequence of str, optional
        The words; the names of the columns of a frame if not given.
    engine : str, default="gibbs"
        As those of `posterior_rs.estimators.LatentDirichletAllocation`.
    alpha : float, optional
        The concentration of the proportions of a document: what the command line takes if not given.
    beta : float, default=0.01
        That of the words of a topic.
    max_iter : int, default=200
        Sweeps or steps; of ``"online"`` passes over the documents.
    random_state : int, Generator, RandomState, optional
        None is 0: a fit repeats.
    progress : bool, default=False
        Show a bar, of tqdm.
    checkpoint : str or path, optional
        A file for the state of ``"gibbs"``: written every ten seconds, and when Ctrl-C stops the fit.
    resume : str or path, optional
        Such a file: the fit goes on from there, to the same numbers as if it had never stopped.

    Returns
    -------
    TopicModel

    Raises
    ------
    ValueError
        Counts that are none, settings out of range, a checkpoint of other counts or settings.
    """
    rows = counts_of(counts)
    words = _vocabulary(vocabulary, counts, rows.columns)
    if checkpoint is not None and engine != "gibbs":
        raise ValueError("checkpoint: only the engine gibbs writes one")
    settings = LdaSettings(
        whole("n_topics", n_topics, 1), alpha, beta, engine, whole("max_iter", max_iter), seed(random_state)
    )
    with listening(progress, settings.iterations, "sweep", checkpoint, resume) as listener:
        found = _core.lda_fit(rows, settings, listener)
    return TopicModel("lda", _core.TopicFit.of_lda(found["model"]), words, found["documents"], found["trace"])


def hdp(
    counts: Any,
    *,
    vocabulary: Sequence[str] | None = None,
    n_topics: int = 20,
    alpha: float | None = None,
    beta: float = 0.01,
    max_iter: int = 1000,
    random_state: Any = None,
    progress: bool = False,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> TopicModel:
    """A hierarchical Dirichlet process: as many topics as the documents ask for (Teh et al. 2006).

    Parameters
    ----------
    counts, vocabulary, beta, random_state, progress, checkpoint, resume
        As those of `lda`.
    n_topics : int, default=20
        The topics that the chain starts with.
    alpha : float, optional
        The concentration of documents: drawn, under a prior, if not given.
    max_iter : int, default=1000
        Sweeps.

    Returns
    -------
    TopicModel
    """
    rows = counts_of(counts)
    words = _vocabulary(vocabulary, counts, rows.columns)
    settings = _Settings(whole("n_topics", n_topics, 1), alpha, beta, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "sweep", checkpoint, resume) as listener:
        found = _core.hdp_fit(rows, settings, listener)
    return TopicModel("hdp", found["model"], words, found["documents"], found["trace"])


def dynamic(
    counts: Any,
    times: ArrayLike,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    alpha: float | None = None,
    max_iter: int = 1000,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Topics whose words drift from one time to the next (Blei and Lafferty 2006).

    Parameters
    ----------
    counts, vocabulary, alpha, random_state, progress
        As those of `lda`.
    times : array_like, shape (documents,)
        When each document was written; documents of one time share its topics.
    n_topics : int, default=10
    max_iter : int, default=1000
        Sweeps.

    Returns
    -------
    TopicModel
        With ``times``, and words ``at`` each of them.
    """
    rows = counts_of(counts)
    words = _vocabulary(vocabulary, counts, rows.columns)
    settings = _Settings(whole("n_topics", n_topics, 1), alpha, 0.01, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.dynamic_fit(rows, _times(times), settings, listener)
    return TopicModel("dynamic", found["model"], words, found["documents"], found["trace"])


def structural(
    counts: Any,
    n_topics: int = 10,
    *,
    prevalence: Any = None,
    content: Any = None,
    vocabulary: Sequence[str] | None = None,
    beta: float = 0.01,
    max_iter: int = 500,
    replicates: int = 25,
    progress: bool = False,
) -> TopicModel:
    """Topics whose proportions and words depend on what is known of documents (Roberts, Stewart and Airoldi 2016).

    Without prevalence and content it is the correlated topic model (Blei and Lafferty 2007).

    Parameters
    ----------
    counts, vocabulary, beta, progress
        As those of `lda`.
    n_topics : int, default=10
    prevalence : array_like, shape (documents,) or (documents, features), optional
        Numbers on which the proportions of topics depend; a constant is added.
    content : sequence, optional
        A label for each document, on which the words of topics depend: who wrote it.
    max_iter : int, default=500
        Steps of expectation maximisation, from anchor words, without random numbers.
    replicates : int, default=25
        Fits with weights at random, from which the intervals of `TopicModel.effect` are.

    Returns
    -------
    TopicModel
        With ``levels``, and words ``at`` each of them.
    """
    rows = counts_of(counts)
    words = _vocabulary(vocabulary, counts, rows.columns)
    levels, codes = None, None
    if content is not None:
        labels = np.asarray(content, dtype=object).tolist()
        levels = sorted(set(labels))
        codes = [levels.index(own) for own in labels]
    known = _Known(None, _features(prevalence), codes)
    settings = _Settings(whole("n_topics", n_topics, 2), None, beta, whole("max_iter", max_iter, 1), 0)
    with listening(progress, settings.iterations, "step") as listener:
        found = _core.structural_fit(rows, known, settings, whole("replicates", replicates), listener)
    model = TopicModel("structural", found["model"], words, found["documents"], found["trace"])
    model.levels = levels
    return model
