"""Fits of topic models to words and to what else is known of documents."""

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._listener import listening
from posterior_rs.topics._fits import Settings
from posterior_rs.topics._known import Known, column_of, documents_of, features_of, labels_of, table_of, times_of
from posterior_rs.topics._model import TopicModel


def dynamic(
    counts: Any,
    times: ArrayLike | str,
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
    times : array_like, shape (documents,), or str
        When each document was written, or the column of a corpus that says it; documents of one time share
        its topics.
    n_topics : int, default=10
    max_iter : int, default=1000
        Sweeps.

    Returns
    -------
    TopicModel
        With ``times``, and words ``at`` each of them.
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, 0.01, whole("max_iter", max_iter), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.dynamic_fit(documents.rows, times_of(counts, times), settings, listener)
    return TopicModel("dynamic", found["model"], documents, found["documents"], found["trace"])


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
    prevalence : array_like, shape (documents,) or (documents, features), str or list of str, optional
        Numbers on which the proportions of topics depend, or the columns of a corpus that have them; a
        constant is added.
    content : sequence or str, optional
        A label for each document, on which the words of topics depend, or the column of a corpus that has
        them: who wrote it.
    max_iter : int, default=500
        Steps of expectation maximisation, from anchor words, without random numbers.
    replicates : int, default=25
        Fits with weights at random, from which the intervals of `TopicModel.effect` are.

    Returns
    -------
    TopicModel
        With ``levels``, and words ``at`` each of them.
    """
    documents = documents_of(counts, vocabulary)
    levels, codes = None, None
    if content is not None:
        labels = labels_of(counts, content)
        levels = sorted(set(labels))
        codes = [levels.index(own) for own in labels]
    known = Known(None, features_of(counts, prevalence), codes)
    settings = Settings(whole("n_topics", n_topics, 2), None, beta, whole("max_iter", max_iter, 1), 0)
    with listening(progress, settings.iterations, "step") as listener:
        found = _core.structural_fit(documents.rows, known, settings, whole("replicates", replicates), listener)
    model = TopicModel("structural", found["model"], documents, found["documents"], found["trace"])
    model.levels = levels
    return model


def regression(
    counts: Any,
    features: Any,
    n_topics: int = 10,
    *,
    vocabulary: Sequence[str] | None = None,
    alpha: float = 0.1,
    beta: float = 0.01,
    max_iter: int = 500,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Dirichlet-multinomial regression: the prior of the proportions of a document depends on its features.

    The model of Mimno and McCallum (2008): collapsed Gibbs sampling of topics, coefficients at their mode.

    Parameters
    ----------
    counts, vocabulary, beta, random_state, progress
        As those of `lda`.
    features : str, list of str, frame, dict, or array_like of shape (documents,) or (documents, features)
        Names of columns of a corpus, or columns: numbers are brought to mean 0 and standard deviation 1, and
        each name in a column of names becomes a feature, as on the command line. Numbers of an array are
        taken as they are; a coefficient has the prior variance 1 beforehand.
    n_topics : int, default=10
    alpha : float, default=0.1
        The concentration of each topic before anything is learned.
    max_iter : int, default=500
        Sweeps.

    Returns
    -------
    TopicModel
        With ``features``, their names; its ``parameters`` have ``coefficients``. `TopicModel.transform` and
        `TopicModel.held_out` take features of new documents, in the form of the fit.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> counts = [[6, 5, 0, 0], [0, 0, 5, 6]] * 6
    >>> model = topics.regression(counts, [-1.0, 1.0] * 6, 2, max_iter=200)
    >>> model.parameters["coefficients"].shape
    (2, 2)
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, beta, whole("max_iter", max_iter, 1), seed(random_state))
    table = table_of(counts, features)
    if table is None:
        recipe, rows = None, features_of(counts, features)
        names = [str(own) for own in range(0 if rows is None else rows.shape[1])]
    else:
        recipe, names, rows = _core.learn_features(table)
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.topic_regression_fit(documents.rows, rows, settings, listener)
    model = TopicModel("regression", found["model"], documents, found["documents"], found["trace"])
    model.features, model._recipe = names, recipe
    return model


def supervised(
    counts: Any,
    response: ArrayLike | str,
    n_topics: int = 10,
    *,
    family: Literal["gaussian", "binary"] = "gaussian",
    vocabulary: Sequence[str] | None = None,
    alpha: float | None = None,
    beta: float = 0.01,
    max_iter: int = 1000,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Topics that predict a response of each document (Blei and McAuliffe 2007).

    Gibbs sampling of topics, coefficients and noise.

    Parameters
    ----------
    counts, vocabulary, alpha, beta, random_state, progress
        As those of `lda`.
    response : array_like, shape (documents,), or str
        A number of each document, or the column of a corpus that has it; NaN where it is not known.
    n_topics : int, default=10
    family : {"gaussian", "binary"}, default="gaussian"
        Numbers with normal noise, or 0 and 1 by a probit.
    max_iter : int, default=1000
        Sweeps.

    Returns
    -------
    TopicModel
        `TopicModel.predict` predicts the response of documents, `TopicModel.drawn` has the coefficients.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> counts = [[6, 5, 0, 0], [0, 0, 5, 6]] * 10
    >>> model = topics.supervised(counts, [1.0, 3.0] * 10, 2, max_iter=200)
    >>> model.predict([[8, 8, 0, 0], [0, 0, 8, 8]])["mean"].round().tolist()
    [1.0, 3.0]
    """
    documents = documents_of(counts, vocabulary)
    settings = Settings(whole("n_topics", n_topics, 1), alpha, beta, whole("max_iter", max_iter, 1), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        known = times_of(counts, response)
        found = _core.supervised_fit(documents.rows, known, settings, family, listener)
    return TopicModel("supervised", found["model"], documents, found["documents"], found["trace"])


def labelled(
    counts: Any,
    labels: Any,
    *,
    background: int = 1,
    vocabulary: Sequence[str] | None = None,
    alpha: float = 0.1,
    beta: float = 0.01,
    max_iter: int = 500,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """A topic for each label of documents that have several (Ramage et al. 2009).

    Parameters
    ----------
    counts, vocabulary, beta, random_state, progress
        As those of `lda`.
    labels : sequence or str
        For each document a list of labels, or a text of labels with semicolons between; or the column of a
        corpus that has them.
    background : int, default=1
        Topics beside those of the labels, which all documents may have.
    alpha : float, default=0.1
        The concentration of each topic that a document may have.
    max_iter : int, default=500
        Sweeps.

    Returns
    -------
    TopicModel
        With ``labels``; `TopicModel.label_proportions` says how much of documents is of each.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> counts = [[6, 5, 0, 0], [0, 0, 5, 6], [3, 3, 3, 3]] * 4
    >>> model = topics.labelled(counts, ["water", "money", "money; water"] * 4, background=0, max_iter=50)
    >>> model.labels
    ['money', 'water']
    >>> model.label_proportions([[0, 0, 4, 4]]).round().tolist()
    [[1.0, 0.0]]
    """
    documents = documents_of(counts, vocabulary)
    own = [_several(cell) for cell in column_of(counts, labels)]
    settings = Settings(whole("background", background), alpha, beta, whole("max_iter", max_iter, 1), seed(random_state))
    with listening(progress, settings.iterations, "sweep") as listener:
        found = _core.labelled_fit(documents.rows, own, settings, listener)
    return TopicModel("labelled", found["model"], documents, found["documents"], found["trace"])


def _several(cell: Any) -> list[str]:
    """The labels of a document, of a text those between semicolons."""
    if isinstance(cell, str):
        return [label for label in (part.strip() for part in cell.split(";")) if label]
    return [str(label) for label in cell]


def kernel(
    counts: Any,
    times: ArrayLike | str,
    n_topics: int = 10,
    *,
    band: Sequence[str] | str | None = None,
    vocabulary: Sequence[str] | None = None,
    beta: float = 0.01,
    max_iter: int = 20,
    random_state: Any = None,
    progress: bool = False,
) -> TopicModel:
    """Kernel topics: the prior of proportions is a Gaussian process over time, and over who writes.

    The model of Hennig, Stern, Herbrich and Graepel (2012): variational Bayes, and Gaussian processes through
    the Laplace bridge.

    Parameters
    ----------
    counts, vocabulary, beta, random_state, progress
        As those of `lda`.
    times : array_like, shape (documents,), or str
        When each document was written, or the column of a corpus that says it.
    n_topics : int, default=10
        At least 2.
    band : sequence of str or str, optional
        A name for each document, or the column of a corpus that has it: documents of one name share an
        offset. Who wrote them, say.
    max_iter : int, default=20
        The most rounds of topics, kernels and concentrations.

    Returns
    -------
    TopicModel
        `TopicModel.curves` has the proportions over time with intervals, `TopicModel.offsets` those of bands.
        New documents are read by the mean concentrations, whatever their time.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> counts = [[24 - 2 * t, 12 - t, 2 + t, 3 + 2 * t] for t in range(12)]
    >>> curves = topics.kernel(counts, range(12), 2, max_iter=5).curves()
    >>> curves.loc[0.0, "median"].round(1).tolist() != curves.loc[11.0, "median"].round(1).tolist()
    True
    """
    documents = documents_of(counts, vocabulary)
    names = None if band is None else [str(own) for own in labels_of(counts, band)]
    settings = Settings(whole("n_topics", n_topics, 2), None, beta, whole("max_iter", max_iter, 1), seed(random_state))
    with listening(progress, settings.iterations, "round") as listener:
        found = _core.kernel_fit(documents.rows, times_of(counts, times), names, settings, listener)
    return TopicModel("kernel", found["model"], documents, found["documents"], found["trace"])
