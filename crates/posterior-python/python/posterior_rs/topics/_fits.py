"""Fits of topic models to words alone."""

import os
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._listener import listening
from posterior_rs.topics._corpus import Corpus
from posterior_rs.topics._known import documents_of
from posterior_rs.topics._model import TopicModel

Path = str | os.PathLike[str]
Engine = Literal["gibbs", "blocked_gibbs", "variational", "online", "collapsed_variational"]
PlsaEngine = Literal["em", "tempered_em"]
MixtureEngine = Literal["em", "hard_em", "stochastic_em", "gibbs", "blocked_gibbs"]


class Settings(NamedTuple):
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
    counts : array_like, sparse or Corpus
        The documents: counts, shape (documents, words), or a corpus.
    n_topics : int, default=10
    vocabulary : sequence of str, optional
        The words of counts; the names of the columns of a frame if not given. A corpus has its own.
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
    documents = documents_of(counts, vocabulary)
    if checkpoint is not None and engine != "gibbs":
        raise ValueError("checkpoint: only the engine gibbs writes one")
    settings = LdaSettings(
        whole("n_topics", n_topics, 1), alpha, beta, engine, whole("max_iter", max_iter), seed(random_state)
    )
    with listening(progress, settings.iterations, "sweep", checkpoint, resume) as listener:
        found = _core.lda_fit(documents.rows, settings, listener)
    return TopicModel("lda", _core.TopicFit.of_lda(found["model"]), documents, found["documents"], found["trace"])


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
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, beta, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "sweep", checkpoint, resume) as listener:
        found = _core.hdp_fit(documents.rows, settings, listener)
    return TopicModel("hdp", found["model"], documents, found["documents"], found["trace"])


def pitman_yor(
    counts: Any,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    alpha: float | None = None,
    max_iter: int = 1000,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Topics with long tails of rare words, by Pitman-Yor processes around words that all share.

    The model of Sato and Nakagawa (2010) by collapsed Gibbs sampling of topics and tables.

    Parameters
    ----------
    counts, vocabulary, alpha, random_state, progress
        As those of `lda`.
    n_topics : int, default=10
    max_iter : int, default=1000
        Sweeps.

    Returns
    -------
    TopicModel
        Its ``parameters`` have the discounts and the concentrations.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> model = topics.pitman_yor([[5, 4, 0], [0, 4, 5], [6, 3, 0]], 2, max_iter=20)
    >>> sorted(model.parameters)
    ['alpha', 'base_concentration', 'base_discount', 'concentration', 'discount']
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, 0.01, whole("max_iter", max_iter, 1), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.pitman_yor_fit(documents.rows, settings, listener)
    return TopicModel("pitman_yor", found["model"], documents, found["documents"], found["trace"])


def bigram(
    corpus: Corpus,
    n_topics: int = 10,
    *,
    alpha: float | None = None,
    beta: float = 0.01,
    max_iter: int = 200,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Topics of pairs of words: the probability of a word depends on its topic and on the word before it.

    The model of Wallach (2006) by collapsed Gibbs sampling.

    Parameters
    ----------
    corpus : Corpus
        One of texts, whose words are known in their order; those that are left out are passed over.
    alpha : float, optional
        The concentration of the proportions of a document: 0.1 if not given.
    beta : float, default=0.01
        That of the words after each word.
    n_topics, random_state, progress
        As those of `lda`.
    max_iter : int, default=200
        Sweeps.

    Returns
    -------
    TopicModel
        `TopicModel.words_after` says which words follow another.

    Raises
    ------
    TypeError
        Counts, whose order nobody knows.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> texts = ["white house press", "white house lawn"] * 5
    >>> corpus = topics.Corpus(texts, max_df=1.0)
    >>> topics.bigram(corpus, 1, max_iter=20).words_after("white", 1)
    [['house']]
    """
    if not isinstance(corpus, Corpus):
        raise TypeError("corpus: topics of pairs of words need a Corpus of texts")
    documents = documents_of(corpus, None)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, beta, whole("max_iter", max_iter, 1), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.bigram_fit(documents.rows, settings, listener)
    return TopicModel("bigram", found["model"], documents, found["documents"], found["trace"])


def plsa(
    counts: Any,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    engine: PlsaEngine = "em",
    max_iter: int = 200,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Probabilistic latent semantic analysis: topics of maximum likelihood (Hofmann 1999).

    Parameters
    ----------
    counts, vocabulary, random_state, progress
        As those of `lda`.
    n_topics : int, default=10
    engine : {"em", "tempered_em"}, default="em"
        Expectation maximisation, or steps that are tempered until one half of the words of each document
        predicts the other no better (Hofmann 2001), which shows no progress.
    max_iter : int, default=200
        The most steps; of tempered ones at each temperature.

    Returns
    -------
    TopicModel
        Its ``trace`` is ln p of the words; of tempered steps ln p a word of the other half, a temperature each.
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), None, 0.0, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "step") as listener:
        found = _core.plsa_fit(documents.rows, settings, engine, listener)
    return TopicModel("plsa", found["model"], documents, found["documents"], found["trace"])


def mixture(
    counts: Any,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    engine: MixtureEngine = "em",
    beta: float = 0.01,
    max_iter: int = 200,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """A mixture of unigrams: each document has one topic (Nigam et al. 2000).

    Parameters
    ----------
    counts, vocabulary, random_state, progress
        As those of `lda`.
    n_topics : int, default=10
    engine : str, default="em"
        Expectation maximisation, with ``"hard_em"`` of the most probable topic alone, with
        ``"stochastic_em"`` of one that is drawn; Gibbs sampling of topics, ``"gibbs"``, with
        ``"blocked_gibbs"`` of weights and words too.
    beta : float, default=0.01
        Words that are added to each count; of Gibbs sampling the concentration of the words.
    max_iter : int, default=200
        The most steps, or sweeps.

    Returns
    -------
    TopicModel
        Its ``doc_topic`` are the probabilities of the topic of each document.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> model = topics.mixture([[5, 4, 0, 0], [0, 0, 5, 4], [4, 5, 0, 0]], 2, engine="gibbs")
    >>> model.doc_topic.round(3).max(axis=1).tolist()
    [1.0, 1.0, 1.0]
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), None, beta, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "step") as listener:
        found = _core.document_mixture_fit(documents.rows, settings, engine, listener)
    return TopicModel("mixture", found["model"], documents, found["documents"], found["trace"])


def unigram(counts: Any, *, vocabulary: Sequence[str] | None = None, beta: float = 0.01) -> TopicModel:
    """One topic for all documents: what other models are compared with.

    Parameters
    ----------
    counts, vocabulary
        As those of `lda`.
    beta : float, default=0.01
        The concentration of the words: the probability of a word is its posterior mean.

    Returns
    -------
    TopicModel
        Its ``parameters`` have ``log_evidence``, ln p of all words.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> topics.unigram([[3, 1], [2, 2]], beta=1).topic_word.tolist()
    [[0.6, 0.4]]
    """
    documents = documents_of(counts, vocabulary)
    found = _core.unigram_fit(documents.rows, float(beta))
    return TopicModel("unigram", found["model"], documents, found["documents"], found["trace"])
