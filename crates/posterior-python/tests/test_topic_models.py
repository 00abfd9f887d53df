"""Models of topics beside what they are by definition, and beside the command line."""

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln

from posterior_rs import topics

PROGRAM = Path(__file__).parents[3] / "target" / "debug" / "posterior"
WORDS = ["river", "bank", "shore", "note", "coin", "money"]
PHI = np.array([[0.5, 0.3, 0.2, 0, 0, 0], [0, 0, 0, 0.4, 0.4, 0.2]])


def documents(theta, length=40, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(length, own @ PHI) for own in np.asarray(theta, dtype=float)])


@pytest.fixture(scope="module")
def theta():
    return np.random.default_rng(1).dirichlet([0.3, 0.3], 120)


@pytest.fixture(scope="module")
def counts(theta):
    return documents(theta)


def water(model):
    """The number of the topic of the river."""
    return int(model.topic_word[:, 0].argmax())


def test_topics_around_common_words(counts):
    model = topics.pitman_yor(counts, 2, vocabulary=WORDS, max_iter=200, random_state=1)
    order = [water(model), 1 - water(model)]
    np.testing.assert_allclose(model.topic_word[order], PHI, atol=0.04)
    assert 0 <= model.parameters["discount"] < 1 and model.parameters["base_concentration"] > 0
    exact = model.held_out([[1, 0, 1, 0, 1, 0]], method="exact")
    assert exact.mcse == 0 and exact.per_word < 0


def test_the_trace_of_plsa_is_the_likelihood(counts):
    model = topics.plsa(counts, 2, vocabulary=WORDS, random_state=1)
    lengths = counts.sum(axis=1)
    p = lengths[:, np.newaxis] / lengths.sum() * (model.doc_topic @ model.topic_word)
    assert model.trace[-1] == pytest.approx(np.sum(counts * np.log(np.maximum(p, 1e-300))), rel=1e-6)
    tempered = topics.plsa(counts, 2, engine="tempered_em", random_state=1)
    assert tempered.topic_word.shape == (2, 6) and (np.diff(tempered.trace[:-1]) > 0).all()
    assert "alpha" not in model.parameters


@pytest.mark.parametrize("engine", ["em", "hard_em", "stochastic_em", "gibbs", "blocked_gibbs"])
def test_each_document_of_a_mixture_has_one_topic(engine):
    which = np.random.default_rng(2).random(100) < 0.3
    counts = documents(np.column_stack([which, ~which]), 20)
    model = topics.mixture(counts, 2, vocabulary=WORDS, engine=engine, random_state=4)
    own = water(model)
    np.testing.assert_array_equal(model.doc_topic[:, own] > 0.5, which)
    np.testing.assert_allclose(model.topic_word[[own, 1 - own]], PHI, atol=0.05)
    # By Bayes' theorem, of a document with one word of each topic.
    new = np.array([[0, 1, 0, 1, 0, 0]])
    ln = np.log(model.parameters["document_weights"]) + new @ np.log(model.topic_word).T
    np.testing.assert_allclose(model.transform(new), np.exp(ln - np.logaddexp.reduce(ln, axis=1, keepdims=True)))


def test_one_topic_has_the_probabilities_of_all_words(counts):
    model = topics.unigram(counts, vocabulary=WORDS, beta=0.5)
    sums = counts.sum(axis=0)
    np.testing.assert_allclose(model.topic_word[0], (sums + 0.5) / (sums.sum() + 3), rtol=1e-12)
    evidence = gammaln(3) - gammaln(3 + sums.sum()) + np.sum(gammaln(sums + 0.5) - gammaln(0.5))
    assert model.parameters["log_evidence"] == pytest.approx(evidence)
    assert model.held_out(counts[:3]).per_word < 0


def test_pairs_of_words_are_counted_in_their_order():
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice(WORDS, 12, p=PHI.mean(axis=0))) for _ in range(40)]
    corpus = topics.Corpus(texts, min_df=1, max_df=1.0, stop_words=None)
    train, test = corpus[:30], corpus[30:]
    model = topics.bigram(train, 1, beta=0.1, max_iter=15)
    vocabulary = train.vocabulary
    pairs = np.full((6, 6), 0.1)
    for text in texts[:30]:
        places = [vocabulary.index(word) for word in text.split()]
        np.add.at(pairs, (places[:-1], places[1:]), 1)
    probabilities = pairs / pairs.sum(axis=1, keepdims=True)
    ln = []
    for text in texts[30:]:
        places = [vocabulary.index(word) for word in text.split()]
        ln.append(sum(np.log(probabilities[places[at - 1], places[at]]) for at in range(6, 12)))
    # With one topic a fit counts pairs: the second half of a document, each word by the one before.
    np.testing.assert_allclose(model.held_out(test).log_likelihood, ln, rtol=1e-10)
    leading = np.argsort(-probabilities[vocabulary.index("bank")], kind="stable")[:3]
    assert model.words_after("bank", 3) == [[vocabulary[place] for place in leading]]
    assert len(model.words_after(None, 2)[0]) == 2
    # New texts keep their order, in the words of the model.
    assert model.transform(["money money zebra river"]).tolist() == [[1.0]]
    for call in (model.transform, model.held_out):
        with pytest.raises(ValueError, match="order"):
            call(train.counts)
    with pytest.raises(ValueError, match="vocabulary"):
        model.words_after("zebra")


def test_features_raise_the_topics_that_they_go_with():
    x = np.repeat([-1.0, 1.0], 60)
    rng = np.random.default_rng(3)
    theta = np.array([rng.dirichlet([2, 0.5] if own > 0 else [0.5, 2]) for own in x])
    counts = documents(theta)
    model = topics.regression(counts, x, 2, vocabulary=WORDS, max_iter=300, random_state=1)
    own, coefficients = water(model), model.parameters["coefficients"]
    assert coefficients[own, 1] > 0.3 > -0.3 > coefficients[1 - own, 1]
    # A document without words has the mean of its prior.
    empty, at = np.zeros((2, 6), dtype=int), np.array([-1.0, 0.5])
    both = np.vstack([empty, counts[:1]])
    alpha = np.exp(coefficients[:, :1] + coefficients[:, 1:] * at).T
    expected = alpha / alpha.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.transform(both, features=[*at, 0.0])[:2], expected, rtol=1e-10)
    wrong = model.held_out(counts, features=-x, random_state=1).per_word
    assert model.held_out(counts, features=x, random_state=1).per_word > wrong
    one = np.array([[1, 0, 1, 0, 1, 0]])
    assert model.held_out(one, features=[1.0], method="exact").per_word != model.held_out(one, method="exact").per_word
    columns = pd.DataFrame({"x": x, "who": ["a", "b", "c"] * 40})
    by_name = topics.regression(topics.Corpus.from_counts(counts, WORDS, metadata=columns), ["x", "who"], 2, max_iter=60)
    design = np.column_stack([x, *(columns["who"] == own for own in "abc")]).astype(float)
    by_hand = topics.regression(counts, design, 2, max_iter=60)
    assert by_name.features == ["x", "who=a", "who=b", "who=c"] and by_hand.features == list("0123")
    np.testing.assert_array_equal(by_name.topic_word, by_hand.topic_word)
    new = {"who": ["b"], "x": [0.5]}
    expected = by_hand.transform(one, features=[[0.5, 0, 1, 0]])
    for form in (new, pd.DataFrame(new)):
        np.testing.assert_array_equal(by_name.transform(one, features=form), expected)
    with pytest.raises(ValueError, match="none of the names of the fit; there are: a, b, c"):
        by_name.transform(one, features={"who": ["z"], "x": [1.0]})
    with pytest.raises(ValueError, match="learned from columns"):
        by_name.transform(one, features=[1.0])


def test_responses_are_predicted(theta, counts):
    rng = np.random.default_rng(7)
    response = 3 * theta[:, 0] - 1 + rng.normal(0, 0.3, 120)
    known = response.copy()
    known[80:] = np.nan
    corpus = topics.Corpus.from_counts(counts, WORDS, metadata={"y": known})
    model = topics.supervised(corpus, "y", 2, max_iter=600, random_state=1)
    drawn = model.drawn()
    assert drawn.index.tolist() == ["eta_0", "eta_1", "sigma"]
    own = water(model)
    assert drawn.loc[f"eta_{own}", "mean"] == pytest.approx(2, abs=0.3)
    assert drawn.loc[f"eta_{1 - own}", "mean"] == pytest.approx(-1, abs=0.3)
    assert drawn.loc["sigma", "low"] < 0.4 and drawn.loc["sigma", "ess"] > 1
    found = model.predict(corpus[80:], random_state=1)
    assert np.sqrt(np.mean((found["mean"] - response[80:]) ** 2)) < 0.5
    inside = (found["low"] < response[80:]) & (response[80:] < found["high"])
    # Of 40 intervals of 95 % more than 5 miss with a probability of 0.014.
    assert inside.sum() >= 35
    narrow = model.predict(corpus[80:], level=0.5, random_state=1)
    assert ((narrow["high"] - narrow["low"]) < (found["high"] - found["low"])).all()
    assert model.predict(np.vstack([np.zeros(6, dtype=int), counts[0]]))["mean"].isna().tolist() == [True, False]
    again = pickle.loads(pickle.dumps(model))
    pd.testing.assert_frame_equal(again.predict(counts[:3]), model.predict(counts[:3]))
    yes = topics.supervised(counts, (theta[:, 0] > 0.5).astype(float), 2, family="binary", max_iter=300)
    p = yes.predict(documents([[1, 0], [0, 1]]))
    assert p["mean"][0] > 0.9 and p["mean"][1] < 0.1 and p["low"].isna().all()


def test_labels_have_their_topics():
    which = [["water"], ["money"], ["water", "money"]] * 30
    counts = documents([[1, 0], [0, 1], [0.5, 0.5]] * 30)
    model = topics.labelled(counts, which, background=0, vocabulary=WORDS, max_iter=200, random_state=1)
    assert model.labels == ["money", "water"]
    np.testing.assert_allclose(model.topic_word, PHI[::-1], atol=0.03)
    np.testing.assert_allclose(model.doc_topic[0], [0, 1], atol=1e-12)
    found = model.label_proportions(documents([[0.8, 0.2]], 400))
    np.testing.assert_allclose(found, [[0.2, 0.8]], atol=0.08)
    texts = [";".join(own) for own in which]
    again = topics.labelled(counts, texts, background=0, vocabulary=WORDS, max_iter=200, random_state=1)
    np.testing.assert_array_equal(again.topic_word, model.topic_word)
    corpus = topics.Corpus.from_counts(counts, WORDS, metadata={"of": texts})
    assert topics.labelled(corpus, "of", max_iter=20).topic_word.shape == (3, 6)


def test_curves_of_topics_are_found():
    times = np.repeat(np.arange(20.0), 3)
    share = 1 / (1 + np.exp(-(times - 10) / 3))
    corpus = topics.Corpus.from_counts(
        documents(np.column_stack([share, 1 - share]), 100),
        WORDS,
        metadata={"year": times, "who": ["ann", "bob"] * 30},
    )
    model = topics.kernel(corpus, "year", 2, band="who", max_iter=10, random_state=1)
    curves = model.curves().xs(water(model), level="topic")
    assert curves.index.tolist() == list(range(20))
    truth = 1 / (1 + np.exp(-(np.arange(20) - 10) / 3))
    assert np.abs(curves["median"] - truth).mean() < 0.08
    assert (curves["low"] <= curves["median"]).all() and (curves["median"] <= curves["high"]).all()
    offsets = model.offsets()
    assert offsets.index.names == ["band", "topic"] and len(offsets) == 4
    # Nobody differs from the curves: within four standard deviations.
    assert (offsets["mean"].abs() < 4 * offsets["sd"] + 0.1).all()
    assert model.parameters["length_scales"].shape == (2,)
    again = pickle.loads(pickle.dumps(model))
    pd.testing.assert_frame_equal(again.curves(), model.curves())
    assert topics.kernel(corpus, "year", 2, max_iter=2).offsets().empty


def test_all_models_share_what_topics_are_asked(theta, counts):
    corpus = topics.Corpus(
        [" ".join(np.repeat(WORDS, own)) for own in counts],
        min_df=1, max_df=1.0, stop_words=None, metadata={"x": theta[:, 0], "t": np.arange(120) % 4, "w": ["a", "b"] * 60},
    )  # fmt: skip
    models = [
        topics.pitman_yor(corpus, 2, max_iter=20),
        topics.plsa(corpus, 2, max_iter=20),
        topics.mixture(corpus, 2, max_iter=20),
        topics.unigram(corpus),
        topics.bigram(corpus, 2, max_iter=20),
        topics.regression(corpus, ["x", "t"], 2, max_iter=20),
        topics.supervised(corpus, "x", 2, max_iter=20),
        topics.labelled(corpus, "w", max_iter=20),
        topics.kernel(corpus, "t", 2, max_iter=2),
        topics.dynamic(corpus, "t", 2, max_iter=20),
        topics.structural(corpus, 2, prevalence=["x"], content="w", max_iter=5, replicates=0),
    ]
    for model in models:
        k = len(model.weights)
        assert model.doc_topic.shape == (120, k), model.kind
        np.testing.assert_allclose(model.topic_word.sum(axis=1), 1)
        assert len(model.words(2)) == k and model.coherence(corpus, n_words=2).shape == (k,)
        assert model.transform(["river bank", "coin"]).shape == (2, k)
        assert np.isfinite(model.held_out(corpus, random_state=1).per_word)
        assert model.trend(corpus, "t").shape == (4, k) and len(model.similar(0, 3)) == 3
        assert "river" in model._repr_html_() and model.kind in repr(model)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.transform(corpus), model.transform(corpus))


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "n_topics", lambda c: topics.pitman_yor(c, 0)),
        (TypeError, "Corpus", lambda c: topics.bigram(c, 2)),
        (ValueError, "order", lambda c: topics.bigram(topics.Corpus.from_counts(c), 2)),
        (ValueError, "engine", lambda c: topics.plsa(c, engine="gibbs")),
        (ValueError, "engine", lambda c: topics.mixture(c, engine="magic")),
        (ValueError, "added|beta|positive", lambda c: topics.unigram(c, beta=-1)),
        (ValueError, "features", lambda c: topics.regression(c, [1.0], 2)),
        (ValueError, "responses", lambda c: topics.supervised(c, [1.0], 2)),
        (ValueError, "responses", lambda c: topics.supervised(c, np.full(len(c), 2.0), 2, family="binary")),
        (ValueError, "response", lambda c: topics.supervised(c, np.full(len(c), np.nan), 2)),
        (ValueError, "family", lambda c: topics.supervised(c, np.ones(len(c)), 2, family="poisson")),
        (ValueError, "label", lambda c: topics.labelled(c, [["a"]])),
        (ValueError, "topics", lambda c: topics.labelled(c, [[]] * len(c), background=0)),
        (ValueError, "n_topics", lambda c: topics.kernel(c, np.arange(len(c)), 1)),
        (ValueError, "documents", lambda c: topics.kernel(c, [1.0], 2)),
        (ValueError, "times", lambda c: topics.kernel(c, np.full(len(c), np.nan), 2)),
        (ValueError, "predict", lambda c: topics.unigram(c).predict(c)),
        (ValueError, "supervised and dynamic", lambda c: topics.unigram(c).drawn()),
        (ValueError, "labelled", lambda c: topics.unigram(c).label_proportions(c)),
        (ValueError, "kernel", lambda c: topics.unigram(c).curves()),
        (ValueError, "pairs", lambda c: topics.unigram(c, vocabulary=WORDS).words_after("bank")),
        (ValueError, "features", lambda c: topics.unigram(c).transform(c, features=np.ones(len(c)))),
        (ValueError, "method", lambda c: topics.unigram(c).held_out(c, method="chib")),
    ],
)
def test_errors_say_what_is_wrong(counts, error, text, make):
    with pytest.raises(error, match=text):
        make(counts)


LETTERS = [
    ("the river and the bank, the shore of the river", 1790, "ann", 1.5),
    ("coin and note: the bank has money, money", 1790, "bob", 0.5),
    ("shore, river and shore; a river bank", 1791, "ann", 1.75),
    ("a note of the bank, coin for coin", 1791, "bob", 0.25),
    ("the river takes the shore and the coin", 1792, "ann", 1.25),
    ("money, a note, money and the river", 1792, "bob", 0.75),
]
FITS = {
    "lda": lambda c: topics.lda(c, 2, max_iter=40, random_state=3),
    "hdp": lambda c: topics.hdp(c, n_topics=2, max_iter=40, random_state=3),
    "pitman-yor": lambda c: topics.pitman_yor(c, 2, max_iter=40, random_state=3),
    "plsa": lambda c: topics.plsa(c, 2, max_iter=40, random_state=3),
    "mixture": lambda c: topics.mixture(c, 2, max_iter=40, random_state=3),
    "unigram": lambda c: topics.unigram(c),
    "bigram": lambda c: topics.bigram(c, 2, max_iter=40, random_state=3),
    "dynamic": lambda c: topics.dynamic(c, "year", 2, max_iter=40, random_state=3),
    "kernel-lda": lambda c: topics.kernel(c, "year", 2, band="who", max_iter=4, random_state=3),
    "supervised": lambda c: topics.supervised(c, "score", 2, max_iter=40, random_state=3),
    "labelled": lambda c: topics.labelled(c, "who", max_iter=40, random_state=3),
    "dmr": lambda c: topics.regression(c, ["score", "who"], 2, max_iter=40, random_state=3),
}
OPTIONS = {
    "dynamic": ["--time", "year"],
    "kernel-lda": ["--time", "year", "--band", "who"],
    "supervised": ["--response", "score"],
    "labelled": ["--labels", "who"],
    "dmr": ["--features", "score,who"],
}


@pytest.mark.skipif(not PROGRAM.is_file(), reason="the command line was not built")
@pytest.mark.parametrize("model", FITS)
def test_seeds_give_the_bits_of_the_command_line(tmp_path, model):
    table = tmp_path / "letters.csv"
    pd.DataFrame(LETTERS, columns=["text", "year", "who", "score"]).to_csv(table, index=False)
    words = ["--min-df", "1", "--max-df", "1", "--seed", "3"]
    steps = [] if model == "unigram" else ["--topics", "2", "--iterations", "4" if model == "kernel-lda" else "40"]
    if model == "labelled":
        steps = steps[2:]
    command = [str(PROGRAM), "topics", "fit", str(table), "--model", model, *steps, *words, *OPTIONS.get(model, [])]
    result = subprocess.run([*command, "--out", str(tmp_path / "out"), "--quiet"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    corpus = topics.Corpus.read(table, min_df=1, max_df=1.0)
    own = FITS[model](corpus)
    assert own.vocabulary == (tmp_path / "out" / "vocab.txt").read_text().split()
    np.testing.assert_array_equal(own.topic_word, np.load(tmp_path / "out" / "topic_word.npy"))
    np.testing.assert_array_equal(own.doc_topic, np.load(tmp_path / "out" / "doc_topic.npy"))


@pytest.mark.skipif(not PROGRAM.is_file(), reason="the command line was not built")
@pytest.mark.parametrize("model", ["lda", "bigram", "plsa"])
def test_held_out_documents_are_those_of_the_command_line(tmp_path, model):
    table = tmp_path / "letters.csv"
    pd.DataFrame(LETTERS, columns=["text", "year", "who", "score"]).to_csv(table, index=False)
    options = ["--topics", "2", "--iterations", "40", "--min-df", "1", "--max-df", "1", "--seed", "3", "--held-out", "0.34"]
    command = [str(PROGRAM), "topics", "fit", str(table), "--model", model, *options, "--format", "json"]
    answer = subprocess.run([*command, "--out", str(tmp_path / "out")], capture_output=True, check=True)
    theirs = json.loads(answer.stdout)
    train, test = topics.Corpus.read(table, min_df=1, max_df=1.0).split(0.34, random_state=3)
    found = FITS[model](train).held_out(test, random_state=3)
    assert found.per_word == pytest.approx(theirs["held_out"]["ln_per_token"], rel=1e-12)
    assert found.perplexity == pytest.approx(theirs["held_out_perplexity"], rel=1e-12)
