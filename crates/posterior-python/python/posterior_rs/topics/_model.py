"""A fitted topic model, and what is asked of it."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._counts import counts_of
from posterior_rs.topics._corpus import Corpus, Reading, are_texts
from posterior_rs.topics._known import Documents, Known, column_of, features_of, labels_of, table_of, times_of

Array = NDArray[np.float64]
Ranking = Literal["probability", "relevance", "lift", "frex"]
Measure = Literal["npmi", "umass", "uci", "cv"]
Method = Literal["completion", "left-to-right", "chib", "annealed", "exact"]

#: Sizes of estimators, as the command line has them.
_SIZES = {"left-to-right": 10, "chib": 100, "annealed": 100}


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
    n_unknown : int
        How many words of the documents the model does not have: they are left out.
    """

    log_likelihood: Array
    n_words: NDArray[np.int64]
    per_word: float
    se: float
    mcse: float
    n_unknown: int = 0

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
    """Fitted topics, from one of the functions of the module.

    Documents are counts, shape (documents, words), a `Corpus`, whose words are found by their letters, or, of
    a model that was fitted to a corpus of texts, new texts, which are read as those of the fit.

    Attributes
    ----------
    kind : str
        The name of the function.
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
    features : list of str or None
        Of a regression: the names of the features.
    labels : list of str or None
        Of labelled topics: the labels, topic by topic; topics after them are those of the background.
    parameters : dict
        What else the model has: ``alpha``, the concentrations of topics in a document; of `pitman_yor`
        ``discount`` and ``concentration`` of topics and of their base; of `mixture` ``document_weights``; of
        `unigram` ``log_evidence``; of `kernel` ``length_scales``; of `regression` ``coefficients``, shape
        (topics, 1 + features), the constant first.
    """

    def __init__(
        self, kind: str, own: _core.TopicFit, documents: Documents, doc_topic: Array, trace: Sequence[float]
    ) -> None:
        self._own = own
        self._reading: Reading | None = documents.reading
        self.kind = kind
        self.vocabulary = documents.words
        self.doc_topic = doc_topic
        self.trace = np.asarray(trace, dtype=np.float64)
        self.topic_word: Array = own.topic_word(None)
        self.weights: Array = own.weights
        self.times: Array | None = None if own.times is None else np.asarray(own.times)
        self.levels: list[Any] | None = None
        self.features: list[str] | None = None
        self._recipe: str | None = None
        self.labels: list[str] | None = _core.topic_labels(own) if kind == "labelled" else None
        self.parameters: dict[str, Any] = dict(_core.topic_constants(own))

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
        counts : array_like, sparse or Corpus
            The documents.
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

    def read(self, documents: Any) -> Corpus:
        """Texts or a corpus in the words of the model; ``unknown`` counts those that it does not have.

        `transform`, `held_out` and the others do the same with what they are given.

        Raises
        ------
        ValueError
            No word is one of the model; texts for a model that was fitted to counts.
        """
        if isinstance(documents, Corpus):
            known = documents.vocabulary == self.vocabulary
            return documents if known else documents.in_vocabulary(self.vocabulary)
        if not are_texts(documents):
            raise TypeError("documents: expected texts or a Corpus")
        if self._reading is None:
            raise ValueError("documents: the model was fitted to counts, and how texts are read is not known: give a Corpus")
        reading = self._reading
        return Corpus(
            documents,
            stop_words=reading.stop_words,
            min_letters=reading.min_letters,
            vocabulary=self.vocabulary,
        )

    def transform(
        self,
        counts: Any,
        *,
        times: Any = None,
        prevalence: Any = None,
        content: Any = None,
        features: Any = None,
    ) -> Array:
        """The proportions of topics in other documents, shape (documents, topics).

        What else is known of them, as in the fit, may be given to dynamic and to structural topics, and to
        those of a regression: arrays, or names of columns of a corpus.
        """
        known = self._known(counts, times, prevalence, content, features)
        found: Array = self._own.proportions(self._counts(counts), known)
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
        features: Any = None,
        random_state: Any = None,
    ) -> HeldOut:
        """How well the words of documents are predicted that the fit has not seen.

        Parameters
        ----------
        counts : array_like, sparse, Corpus or sequence of str
            The documents.
        method : str, default="completion"
            One half of each document by the proportions of the other, of every model. Of `lda`, `hdp`,
            `pitman_yor`, `kernel` and `regression` ln p of whole documents: ``"left-to-right"`` (Wallach et al. 2009), ``"chib"`` (Murray and Salakhutdinov
            2009), ``"annealed"`` (Neal 2001), and ``"exact"``, for a few words and topics.
        size : int, optional
            Particles, states of the chain, temperatures: 10, 100 and 100 if not given.
        times, prevalence, content, features : optional
            As in `transform`.
        random_state : int, Generator, RandomState, optional
            For the halves, and for what is drawn. None is 0.

        Returns
        -------
        HeldOut
        """
        if size is not None and method not in _SIZES:
            raise ValueError(f"size: the method {method} has none")
        number = _SIZES.get(method, 0) if size is None else whole("size", size, 1)
        known = self._known(counts, times, prevalence, content, features)
        own = self.read(counts) if isinstance(counts, Corpus) or are_texts(counts) else None
        rows = self._counts(counts) if own is None else own._own
        found = self._own.held_out(rows, known, (method, number), seed(random_state))
        return HeldOut(
            np.asarray(found["ln_likelihood"]),
            np.asarray(found["tokens"], dtype=np.int64),
            found["per_token"],
            found["standard_error"],
            found["monte_carlo_error"],
            0 if own is None else int(own.unknown.sum()),
        )

    def map(self) -> TopicMap:
        """Topics in a plane: near ones have similar words."""
        points, explained, nearest = self._own.map()
        numbers = [(-1, np.nan) if own is None else own for own in nearest]
        places = np.array([own for own, _ in numbers], dtype=np.int64)
        distances = np.array([own for _, own in numbers])
        return TopicMap(np.asarray(points), np.asarray(explained), places, distances)

    def trend(self, counts: Any, times: ArrayLike | str) -> Any:
        """The proportion of each topic in all words of each time, of the documents of the fit.

        Times are an array, or the name of a column of a corpus.

        Returns
        -------
        pandas.DataFrame
            By time: a column for each topic. Rows sum to one.
        """
        if isinstance(counts, Corpus):
            lengths = self.read(counts).lengths
        else:
            lengths = np.asarray(counts.sum(axis=1) if hasattr(counts, "sum") else np.sum(counts, axis=1)).ravel()
        at = np.asarray(column_of(counts, times))
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
        first, second = (np.atleast_1d(np.asarray(own, dtype=np.float64)).tolist() for own in (before, after))
        mean, low, high = self._own.effect(first, second, level)
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

    def predict(self, counts: Any, *, level: float = 0.95, random_state: Any = None) -> Any:
        """Of supervised topics: the responses of documents.

        Topics of each document are drawn for each state of the chain that the model keeps.

        Parameters
        ----------
        counts : array_like, sparse, Corpus or sequence of str
            The documents.
        level : float, default=0.95
            The probability of the interval of a response that is a number.
        random_state : int, Generator, RandomState, optional
            None is 0.

        Returns
        -------
        pandas.DataFrame
            By document: ``mean``, of a response of 0 and 1 the probability of 1, and ``low`` and ``high``, the
            ends of the interval of a number. NaN of a document without a word that the model has.
        """
        if self.kind != "supervised":
            raise ValueError(f"predict: topics of {self.kind} predict no response")
        found = _core.predict_response(self._own, self._counts(counts), float(level), seed(random_state))
        mean, low, high = found
        return import_module("pandas").DataFrame({"mean": mean, "low": low, "high": high})

    def drawn(self, *, level: float = 0.95) -> Any:
        """Parameters that were drawn with the topics.

        Of supervised topics ``eta_0``, ``eta_1``, .., the expected response of a document that is all of a
        topic, and ``sigma``, its noise; of dynamic topics the ``drift`` of words.

        Returns
        -------
        pandas.DataFrame
            By parameter: ``mean``, ``sd``, the ends ``low`` and ``high`` of intervals, and ``ess``, as many
            independent draws as say as much of the mean.
        """
        rows = _core.topic_parameters(self._own, float(level))
        pandas = import_module("pandas")
        names = pandas.Index([name for name, _ in rows], name="parameter")
        columns = ["mean", "sd", "low", "high", "ess"]
        return pandas.DataFrame([numbers for _, numbers in rows], index=names, columns=columns)

    def label_proportions(self, counts: Any) -> Array:
        """Of labelled topics: how much of each document is of each label, shape (documents, labels).

        The background is left out, so that rows sum to one.
        """
        return _core.label_proportions(self._own, self._counts(counts))

    def curves(self) -> Any:
        """Of kernel topics: the proportions of the typical document at each time of the documents.

        Returns
        -------
        pandas.DataFrame
            By time and topic: ``median``, and the ends ``low`` and ``high`` of intervals of 95 %.
        """
        found, pandas = _core.kernel_curves(self._own), import_module("pandas")
        topics = range(len(self.weights))
        index = pandas.MultiIndex.from_product([found["times"], topics], names=["time", "topic"])
        columns = {name: np.ravel(found[name]) for name in ("median", "low", "high")}
        return pandas.DataFrame(columns, index=index)

    def offsets(self) -> Any:
        """Of kernel topics with bands: by how much documents of a band differ from the curves.

        Returns
        -------
        pandas.DataFrame
            By band and topic: ``mean`` and ``sd``, on the scale of logarithms.
        """
        bands, pandas = _core.kernel_curves(self._own)["bands"], import_module("pandas")
        topics = range(len(self.weights))
        index = pandas.MultiIndex.from_product([[own[0] for own in bands], topics], names=["band", "topic"])
        columns = {"mean": np.ravel([own[1] for own in bands]), "sd": np.ravel([own[2] for own in bands])}
        return pandas.DataFrame(columns, index=index)

    def words_after(self, word: str | None, n: int = 10) -> list[list[str]]:
        """Of topics of pairs: the most probable words of each topic after a word.

        None is the start of a document.
        """
        if word is not None and word not in self.vocabulary:
            raise ValueError(f"word: {word!r} is not in the vocabulary")
        number = None if word is None else self.vocabulary.index(word)
        found = _core.words_after(self._own, number, whole("n", n, 1))
        return [[self.vocabulary[place] for place, _ in own] for own in found]

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
        if isinstance(counts, Corpus) or are_texts(counts):
            return self.read(counts)._own
        rows = counts_of(counts)
        if rows.columns != len(self.vocabulary):
            raise ValueError(f"counts: expected {len(self.vocabulary)} words, found {rows.columns}")
        return rows

    def _known(self, counts: Any, times: Any, prevalence: Any, content: Any, features: Any) -> Known:
        if times is not None and self.kind != "dynamic":
            raise ValueError(f"times: topics of {self.kind} have none")
        if (prevalence is not None or content is not None) and self.kind != "structural":
            raise ValueError(f"prevalence and content: topics of {self.kind} have none")
        if features is not None and self.kind != "regression":
            raise ValueError(f"features: topics of {self.kind} have none")
        levels = None
        if content is not None:
            known = self.levels or []
            labels = labels_of(counts, content)
            unknown = [own for own in labels if own not in known]
            if unknown:
                raise ValueError(f"content: expected one of {known}, found {unknown[0]!r}")
            levels = [known.index(own) for own in labels]
        at = None if times is None else times_of(counts, times)
        return Known(at, self._features(counts, prevalence if features is None else features), levels)

    def _features(self, counts: Any, given: Any) -> Array | None:
        if self._recipe is None or given is None:
            return features_of(counts, given)
        table = table_of(counts, given)
        if table is None:
            raise ValueError("features: the fit learned from columns: expected names of columns, a frame or a dict")
        return _core.apply_features(self._recipe, table)

    def __repr__(self) -> str:
        topics, words = self.topic_word.shape
        return f"<TopicModel of {self.kind}: {topics} topics of {words} words>"

    def _repr_html_(self) -> str:
        pandas = import_module("pandas")
        columns = {"proportion": self.weights.round(3), "words": [", ".join(own) for own in self.words()]}
        with pandas.option_context("display.max_colwidth", None):
            table: str = pandas.DataFrame(columns).rename_axis("topic")._repr_html_()
        return table
