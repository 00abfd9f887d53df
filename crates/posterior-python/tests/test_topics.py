"""Topic models beside what they are by definition, and on documents whose topics are known."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.special import logsumexp

from posterior_rs import topics
from posterior_rs.estimators import LatentDirichletAllocation

WORDS = ["river", "bank", "shore", "note", "coin", "bank note"]
PHI = np.array([[0.5, 0.3, 0.2, 0, 0, 0], [0, 0, 0, 0.4, 0.4, 0.2], [0.1, 0.4, 0.1, 0.1, 0.1, 0.2]])


def documents(theta, length, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(length, own @ PHI[: len(own)]) for own in theta])


@pytest.fixture(scope="module")
def counts():
    return documents(np.random.default_rng(1).dirichlet([0.3, 0.3], 120), 40)


@pytest.fixture(scope="module")
def model(counts):
    return topics.lda(counts, 2, vocabulary=WORDS, max_iter=200, random_state=1)


def test_topics_are_found(model, counts):
    order = model.topic_word[:, 0].argsort()[::-1]
    np.testing.assert_allclose(model.topic_word[order], PHI[:2], atol=0.03)
    np.testing.assert_allclose(model.doc_topic.sum(axis=1), 1)
    np.testing.assert_allclose(model.weights.sum(), 1)
    assert set(model.words(3)[order[0]]) == {"river", "bank", "shore"}
    assert model.trace[-1] > model.trace[0]


def test_it_is_the_estimator(model, counts):
    estimator = LatentDirichletAllocation(2, random_state=1).fit(counts)
    np.testing.assert_array_equal(model.topic_word, estimator.components_)
    np.testing.assert_allclose(model.transform(counts[:5]), estimator.transform(counts[:5]), atol=0.02)


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_matrix, np.asfortranarray, pd.DataFrame, np.ndarray.tolist])
def test_counts_of_any_kind_are_read(model, counts, make):
    again = topics.lda(make(counts), 2, vocabulary=WORDS, max_iter=200, random_state=1)
    np.testing.assert_array_equal(again.topic_word, model.topic_word)


def test_columns_of_a_frame_are_the_words(counts):
    frame = pd.DataFrame(counts, columns=WORDS)
    assert topics.lda(frame, 2, max_iter=2).vocabulary == WORDS
    assert topics.lda(counts, 2, max_iter=2).vocabulary == [str(own) for own in range(6)]


def ln_probability(phi, alpha, words):
    """ln p of words in their order: the sum over all assignments of topics."""
    terms = []
    for code in range(len(phi) ** len(words)):
        ln, seen = 0.0, np.zeros(len(phi))
        for word in words:
            code, topic = divmod(code, len(phi))
            ln += np.log(phi[topic, word] * (alpha[topic] + seen[topic]) / (alpha.sum() + seen.sum()))
            seen[topic] += 1
        terms.append(ln)
    return logsumexp(terms)


def test_held_out_words_have_the_probability_of_all_assignments(counts):
    own = topics.lda(counts, 2, vocabulary=WORDS, alpha=0.7, max_iter=20, random_state=1)
    unseen = np.array([[2, 1, 0, 1, 0, 1], [0, 0, 1, 3, 0, 0]])
    expected = [ln_probability(own.topic_word, np.full(2, 0.7), np.repeat(np.arange(6), row)) for row in unseen]
    exact = own.held_out(unseen, method="exact")
    np.testing.assert_allclose(exact.log_likelihood, expected, rtol=1e-10)
    assert exact.n_words.tolist() == [5, 4] and exact.mcse == 0
    assert exact.per_word == pytest.approx(sum(expected) / 9)
    assert exact.perplexity == pytest.approx(np.exp(-sum(expected) / 9))
    for method, size in (("left-to-right", 200), ("chib", 2000), ("annealed", 400)):
        found = own.held_out(unseen, method=method, size=size, random_state=3)
        # Four standard errors: of three methods one in 5,000 seeds fails.
        assert abs(found.per_word - exact.per_word) < 4 * found.mcse + 1e-9, method
        assert found.mcse < 0.05


def test_completion_predicts_one_half_by_the_other(counts):
    # With so small a concentration twenty words say nearly all of the proportions.
    model = topics.lda(counts, 2, vocabulary=WORDS, alpha=0.05, max_iter=100, random_state=1)
    unseen = documents([[1, 0], [0, 1]] * 30, 40, seed=5)
    found = model.held_out(unseen, random_state=1)
    # Who knows the topic of a document knows its words as well as its topic does.
    entropy = -np.mean([np.nansum(own * np.log(own, where=own > 0, out=np.zeros(6))) for own in PHI[:2]])
    assert found.n_words.tolist() == [20] * 60
    assert abs(found.per_word + entropy) < 4 * found.se + 0.02
    worse = topics.lda(unseen, 1, vocabulary=WORDS, max_iter=5)
    assert worse.held_out(unseen, random_state=1).perplexity > 1.3 * found.perplexity


def npmi(counts, words):
    there = counts > 0
    terms = []
    for place, v in enumerate(words):
        for w in words[:place]:
            joint = np.mean(there[:, v] & there[:, w])
            each = there[:, v].mean() * there[:, w].mean()
            terms.append(-1.0 if joint == 0 else 1.0 if joint == 1 else np.log(joint / each) / -np.log(joint))
    return np.mean(terms)


def test_coherence_is_that_of_its_formula(model, counts):
    few = np.minimum(counts, documents(np.full((120, 2), 0.5), 6, seed=9))
    leading = np.argsort(-model.topic_word, axis=1, kind="stable")[:, :3]
    expected = [npmi(few, own) for own in leading]
    np.testing.assert_allclose(model.coherence(few, n_words=3), expected, rtol=1e-9)
    for measure in ("umass", "uci", "cv"):
        assert model.coherence(few, measure=measure, n_words=3).shape == (2,)


def test_a_map_keeps_distances():
    counts = documents(np.random.default_rng(3).dirichlet([0.2] * 3, 300), 60, seed=3)
    own = topics.lda(counts, 3, max_iter=100, random_state=1)
    roots = np.sqrt(own.topic_word)
    distances = np.sqrt(np.maximum(0, 1 - roots @ roots.T))
    place = own.map()
    shown = np.linalg.norm(place.points[:, np.newaxis] - place.points, axis=2)
    # Three points are in a plane: principal coordinates show all of their distances.
    np.testing.assert_allclose(shown, distances, atol=1e-7)
    assert place.explained.sum() == pytest.approx(1)
    np.fill_diagonal(distances, 2)
    np.testing.assert_array_equal(place.nearest, distances.argmin(axis=1))
    np.testing.assert_allclose(place.distance, distances.min(axis=1), atol=1e-7)


def test_rankings(model):
    phi, overall = model.topic_word, model.weights @ model.topic_word
    for k, own in enumerate(model.words(2, by="lift")):
        assert own[0] in [WORDS[at] for at in np.argsort(-phi[k] / overall)[:3]]
    assert model.words(2, by="relevance", weight=1.0) == model.words(2)
    assert all(len(own) == 2 for own in model.words(2, by="frex"))
    assert np.all((model.exclusivity(3) > 0.8) & (model.exclusivity(3) <= 1))


def test_trends_and_neighbours(model, counts):
    years = np.repeat([1900, 1950], 60)
    trend = model.trend(counts, years)
    lengths = counts.sum(axis=1)[:, np.newaxis]
    expected = (model.doc_topic * lengths)[:60].sum(axis=0) / lengths[:60].sum()
    np.testing.assert_allclose(trend.loc[1900], expected)
    np.testing.assert_allclose(model.trend(sp.csr_array(counts), years), trend)
    near = model.similar(0, 5)
    roots = np.sqrt(model.doc_topic)
    distances = np.linalg.norm(roots - roots[0], axis=1) / np.sqrt(2)
    assert near[0][1] == pytest.approx(np.sort(distances)[1], abs=1e-7)
    assert len(near) == 5 and 0 not in [own for own, _ in near]


def test_a_hierarchical_process_predicts():
    counts = documents(np.random.default_rng(3).dirichlet([0.1, 0.1], 200), 50, seed=3)
    own = topics.hdp(counts, vocabulary=WORDS, n_topics=5, max_iter=150, random_state=1)
    np.testing.assert_allclose(own.weights.sum(), 1)
    np.testing.assert_allclose(own.doc_topic.sum(axis=1), 1)
    assert own.held_out(counts, method="left-to-right").perplexity < 5


def test_words_drift():
    rng = np.random.default_rng(0)
    times = np.repeat([1900.0, 1910.0, 1920.0, 1930.0], 15)
    radio = (times - 1900) / 40
    first = np.array([rng.multinomial(30, [1 - own, own, 0, 0]) for own in radio])
    counts = np.where(np.arange(60)[:, np.newaxis] % 2, first, rng.multinomial(30, [0, 0, 0.5, 0.5], size=60))
    own = topics.dynamic(counts, times, 2, vocabulary=["wire", "radio", "coin", "note"], max_iter=150, random_state=1)
    assert own.times.tolist() == [1900, 1910, 1920, 1930]
    topic = int(own.topic_word[:, 0].argmax())
    course = own.course(topic, "radio")
    assert course["mean"].is_monotonic_increasing and course["mean"].iloc[-1] > 0.5
    assert np.all((course["low"] <= course["mean"]) & (course["mean"] <= course["high"]))
    np.testing.assert_allclose(own.topic_word_at(1930.0)[topic, 1], course["mean"].iloc[-1])
    assert own.words(1, at=1900.0)[topic] == ["wire"] and own.words(1, at=1930.0)[topic] == ["radio"]
    assert own.transform(counts[:2], times=times[:2]).shape == (2, 2)
    with_times = own.held_out(counts, times=times).perplexity
    assert with_times < own.held_out(counts).perplexity


def test_structure_is_found():
    rng = np.random.default_rng(0)
    feature = rng.uniform(-1, 1, 300)
    p = 1 / (1 + np.exp(-2 * feature))
    counts = documents(np.column_stack([p, 1 - p]), 40, seed=1)
    own = topics.structural(counts, 2, prevalence=feature, vocabulary=WORDS, max_iter=50, replicates=10)
    topic = int(own.topic_word[:, 0].argmax())
    effect = own.effect([-0.5], [0.5], level=0.9)
    expected = 1 / (1 + np.exp(-1)) - 1 / (1 + np.exp(1))
    assert effect.loc[topic, "low"] - 0.05 < expected < effect.loc[topic, "high"] + 0.05
    assert effect.loc[topic, "low"] > 0.2
    assert own.transform(counts[:3], prevalence=feature[:3]).shape == (3, 2)
    assert own.correlations().shape == (2, 2)
    author = np.where(feature > 0, "a", "b")
    with_content = topics.structural(counts, 2, content=author, vocabulary=WORDS, max_iter=20, replicates=0)
    assert with_content.levels == ["a", "b"]
    assert len(with_content.words(3, at="a")) == 2


def test_pickles_are_the_same_after(model, counts):
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(again.transform(counts), model.transform(counts))
        assert again.words(3) == model.words(3)


def test_a_notebook_shows_words(model):
    assert "river" in model._repr_html_() and repr(model) == "<TopicModel of lda: 2 topics of 6 words>"


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "whole numbers", lambda m, c: topics.lda(c * 0.5)),
        (ValueError, "whole numbers", lambda m, c: topics.lda(-c)),
        (ValueError, "whole numbers", lambda m, c: topics.lda(np.where(c > 3, np.nan, c))),
        (ValueError, "n_topics", lambda m, c: topics.lda(c, 0)),
        (TypeError, "n_topics", lambda m, c: topics.lda(c, 2.5)),
        (ValueError, "engine", lambda m, c: topics.lda(c, engine="magic")),
        (ValueError, "vocabulary", lambda m, c: topics.lda(c, vocabulary=["a"])),
        (ValueError, "checkpoint", lambda m, c: topics.lda(c, engine="online", checkpoint="x")),
        (FileNotFoundError, "No such file", lambda m, c: topics.lda(c, resume="no such file")),
        (FileNotFoundError, "folder", lambda m, c: topics.lda(c, checkpoint="no such folder/x")),
        (ValueError, "resume", lambda m, c: topics.lda(c, resume=__file__)),
        (ValueError, "resume", lambda m, c: topics.hdp(c, resume=__file__)),
        (ValueError, "times", lambda m, c: topics.dynamic(c, [1900.0])),
        (ValueError, "content", lambda m, c: topics.structural(c, 2, content=["a"])),
        (ValueError, "prevalence", lambda m, c: topics.structural(c, 2, prevalence=[1.0])),
        (ValueError, "weight", lambda m, c: m.words(by="lift", weight=0.5)),
        (ValueError, "weight", lambda m, c: m.words(by="frex", weight=2)),
        (ValueError, "by", lambda m, c: m.words(by="length")),
        (ValueError, "measure", lambda m, c: m.coherence(c, measure="beauty")),
        (ValueError, "6 words", lambda m, c: m.transform(c[:, :3])),
        (ValueError, "method", lambda m, c: m.held_out(c, method="guess")),
        (ValueError, "size", lambda m, c: m.held_out(c, size=3)),
        (ValueError, "times", lambda m, c: m.transform(c, times=[1.0])),
        (ValueError, "prevalence", lambda m, c: m.transform(c, prevalence=[1.0])),
        (ValueError, "at", lambda m, c: m.words(at=1900)),
        (ValueError, "effects", lambda m, c: m.effect([0], [1])),
        (ValueError, "correlations", lambda m, c: m.correlations()),
        (ValueError, "courses", lambda m, c: m.course(0, "bank")),
        (ValueError, "word", lambda m, c: m.course(0, "sea")),
        (ValueError, "document", lambda m, c: m.similar(500)),
        (ValueError, "documents", lambda m, c: m.trend(c, [1.0])),
        (ValueError, "vocabulary", lambda m, c: topics.lda(np.zeros((3, 0)))),
    ],
)
def test_errors_say_what_is_wrong(model, counts, error, text, make):
    with pytest.raises(error, match=text):
        make(model, counts)
