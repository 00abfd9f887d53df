"""Hidden Markov models beside hmmlearn's, and what both have as definition."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
import scipy.stats as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from hmmlearn import hmm as peer

from posterior_rs.sequences import CategoricalHMM, GaussianHMM

START, STEP = np.array([0.6, 0.3, 0.1]), np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6]])
MEANS = np.array([[0.0, 1.0], [3.0, -1.0], [-2.0, 4.0]])
SYMBOLS = np.array([[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6], [0.25, 0.25, 0.25, 0.25]])
COVARIANCES = {
    "spherical": np.array([0.5, 1.0, 2.0]),
    "diag": np.array([[0.5, 1.0], [2.0, 1.0], [1.0, 0.3]]),
    "tied": np.array([[1.0, 0.4], [0.4, 2.0]]),
    "full": np.array([[[1.0, 0.4], [0.4, 2.0]], [[0.5, 0.0], [0.0, 1.0]], [[2.0, -1.0], [-1.0, 1.0]]]),
}


def gaussian(kind, model=GaussianHMM, **options):
    own = model(3, covariance_type=kind, **options)
    if model is not GaussianHMM:
        own.n_features = 2
    own.startprob_, own.transmat_, own.means_, own.covars_ = START, STEP, MEANS, COVARIANCES[kind]
    return own


def categorical(model=CategoricalHMM, **options):
    own = model(3, **options)
    own.startprob_, own.transmat_, own.emissionprob_ = START, STEP, SYMBOLS
    return own


PAIRS = {kind: (lambda kind=kind, **o: gaussian(kind, **o), lambda kind=kind, **o: gaussian(kind, peer.GaussianHMM, **o)) for kind in COVARIANCES}
PAIRS["symbols"] = (categorical, lambda **o: categorical(peer.CategoricalHMM, **o))


def rows(kind, count, seed=0):
    return PAIRS[kind][0](random_state=seed).sample(count)[0]


@pytest.mark.parametrize("kind", PAIRS)
def test_probabilities_are_those_of_hmmlearn(kind):
    ours, theirs = (make() for make in PAIRS[kind])
    X, lengths = rows(kind, 200), [50, 1, 149]
    assert ours.score(X, lengths) == pytest.approx(theirs.score(X, lengths), rel=1e-12)
    ln_p, posteriors = ours.score_samples(X, lengths)
    their_ln_p, their_posteriors = theirs.score_samples(X, lengths)
    assert ln_p == pytest.approx(their_ln_p, rel=1e-12)
    np.testing.assert_allclose(posteriors, their_posteriors, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X, lengths), their_posteriors, atol=1e-12)
    ln_p, states = ours.decode(X, lengths)
    their_ln_p, their_states = theirs.decode(X, lengths)
    assert ln_p == pytest.approx(their_ln_p, rel=1e-12)
    np.testing.assert_array_equal(states, their_states)
    np.testing.assert_array_equal(ours.decode(X, lengths, algorithm="map")[1], posteriors.argmax(axis=1))


@pytest.mark.parametrize("kind", PAIRS)
def test_steps_of_a_fit_are_those_of_hmmlearn(kind):
    letters = "ste" if kind == "symbols" else "stmc"
    options = {"init_params": "", "n_iter": 7, "tol": 0.0, "params": letters}
    ours, theirs = PAIRS[kind][0](**options), PAIRS[kind][1](**options)
    if kind != "symbols":
        theirs.set_params(covars_prior=0.0, covars_weight=0.0, means_weight=0.0, min_covar=0.0)
    X, lengths = rows(kind, 400), [150, 250]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.fit(X, lengths)
    ours.fit(X, lengths)
    # Its history has what the step before had; ours, what is had at the end.
    np.testing.assert_allclose(ours.monitor_.history[:7], theirs.monitor_.history, rtol=1e-9)
    assert ours.monitor_.iter == 7 and not ours.monitor_.converged
    names = ["startprob_", "transmat_"] + (["emissionprob_"] if kind == "symbols" else ["means_", "covars_"])
    for name in names:
        expected = getattr(theirs, name)
        if name == "covars_" and kind == "spherical":
            expected = expected[::2]  # Its matrix of a state is there for each column after a fit.
        np.testing.assert_allclose(getattr(ours, name), expected, rtol=1e-7, atol=1e-9, err_msg=name)


def test_ln_p_is_the_sum_over_all_paths():
    own = gaussian("full")
    X = rows("full", 5)
    paths = []
    for path in itertools.product(range(3), repeat=5):
        steps = [START[path[0]], *(STEP[a, b] for a, b in zip(path, path[1:]))]
        shown = [st.multivariate_normal(MEANS[k], own.covars_[k]).logpdf(x) for k, x in zip(path, X)]
        paths.append((np.log(steps).sum() + sum(shown), path))
    assert own.score(X) == pytest.approx(np.logaddexp.reduce([p for p, _ in paths]), rel=1e-13)
    best, path = max(paths)
    assert own.decode(X)[0] == pytest.approx(best, rel=1e-13)
    assert own.predict(X).tolist() == list(path)
    # A value that was not seen is integrated out.
    gap = X[:1].copy()
    gap[0, 1] = np.nan
    shown = [START[k] * st.norm(MEANS[k, 0], own.covars_[k, 0, 0] ** 0.5).pdf(gap[0, 0]) for k in range(3)]
    assert own.score(gap) == pytest.approx(np.log(sum(shown)), rel=1e-13)


@pytest.mark.parametrize("kind", ["diag", "tied", "full", "spherical"])
def test_a_fit_finds_the_states_of_vectors(kind):
    X, states = gaussian(kind, random_state=3).sample(3000)
    own = GaussianHMM(3, kind).fit(X)
    assert own.monitor_.converged
    assert own.score(X) > gaussian(kind).score(X)
    order = [abs(own.means_ - mean).sum(axis=1).argmin() for mean in MEANS]
    np.testing.assert_allclose(own.means_[order], MEANS, atol=0.25)
    np.testing.assert_allclose(own.transmat_[np.ix_(order, order)], STEP, atol=0.06)
    np.testing.assert_allclose(own.covars_[order], gaussian(kind).covars_, atol=0.45)
    assert (np.asarray(order)[states] == own.predict(X)).mean() > 0.9
    assert own.bic(X) < GaussianHMM(2, kind).fit(X).bic(X)
    # As many free numbers as hmmlearn counts.
    expected = peer.GaussianHMM(3, covariance_type=kind)
    expected.n_features = 2
    assert own.aic(X) + 2 * own.score(X) == 2 * sum(expected._get_n_fit_scalars_per_param().values())


def test_a_fit_finds_the_states_of_symbols():
    truth = categorical(random_state=1)
    truth.emissionprob_ = [[0.9, 0.05, 0.03, 0.02], [0.02, 0.9, 0.05, 0.03], [0.03, 0.02, 0.05, 0.9]]
    X, lengths = truth.sample(3000)[0], [1000, 2000]
    own = CategoricalHMM(3).fit(X, lengths)
    assert own.score(X, lengths) > truth.score(X, lengths)
    fits = [peer.CategoricalHMM(3, n_iter=300, tol=1e-6, random_state=seed).fit(X, lengths) for seed in range(5)]
    assert own.score(X, lengths) == pytest.approx(max(fit.score(X, lengths) for fit in fits), abs=1e-2)
    assert own.emissionprob_.shape == (3, 4)
    assert CategoricalHMM(2, n_features=6).fit(X[:50]).emissionprob_.shape == (2, 6)


def test_draws_have_the_moments_of_the_model():
    X, states = gaussian("full", random_state=2).sample(50_000)
    stationary = np.linalg.matrix_power(STEP, 200)[0]
    np.testing.assert_allclose(np.bincount(states) / 50_000, stationary, atol=0.02)
    np.testing.assert_allclose(X[states == 1].mean(axis=0), MEANS[1], atol=0.05)
    np.testing.assert_allclose(np.cov(X[states == 2].T), COVARIANCES["full"][2], atol=0.1)
    assert {int(gaussian("diag").sample(1, random_state=s, currstate=2)[1][0]) for s in range(20)} == {2}
    again = gaussian("full", random_state=2).sample(50_000)
    np.testing.assert_array_equal(again[0], X)
    assert not np.array_equal(gaussian("full").sample(10, random_state=5)[0], X[:10])


def test_what_is_not_learned_stays():
    X = rows("diag", 300)
    own = gaussian("diag", params="t", init_params="").fit(X)
    np.testing.assert_array_equal(own.means_, MEANS)
    np.testing.assert_array_equal(own.startprob_, START)
    assert not np.array_equal(own.transmat_, STEP)
    # A prior of transitions adds its counts less one.
    own = categorical(init_params="", params="t", transmat_prior=1e9).fit(rows("symbols", 100))
    np.testing.assert_allclose(own.transmat_, 1 / 3, atol=1e-6)


def test_models_are_estimators_and_pickle():
    X = rows("diag", 300)
    own = GaussianHMM(2, n_init=3, random_state=1).fit(X)
    np.testing.assert_array_equal(clone(own).fit(X).means_, own.means_)
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.predict_proba(X), own.predict_proba(X))
    assert "n_components=2" in repr(own)
    search = GridSearchCV(GaussianHMM(n_init=2), {"n_components": [1, 3]}, cv=3).fit(X)
    assert search.best_params_ == {"n_components": 3}


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("lengths: expected a whole number", lambda: GaussianHMM().fit(np.ones((4, 1)), [-1, 5])),
        ("n_iter: expected a whole number", lambda: GaussianHMM(n_iter=-1).fit(np.ones((4, 1)))),
        ("lengths: expected a sum of 4", lambda: GaussianHMM().fit(np.ones((4, 1)), [3])),
        ("covariance_type: expected full", lambda: GaussianHMM(covariance_type="x").fit(np.ones((4, 1)))),
        ("algorithm: expected viterbi or map", lambda: gaussian("diag").decode(MEANS, algorithm="x")),
        ("init_params: expected letters of 'stmc'", lambda: GaussianHMM(init_params="x").fit(MEANS)),
        ("params: expected all or none of 'mc'", lambda: GaussianHMM(params="sm").fit(MEANS)),
        ("this GaussianHMM has no parameters", lambda: GaussianHMM().predict(MEANS)),
        ("one column of symbols", lambda: CategoricalHMM().fit(np.ones((3, 2)))),
        ("whole numbers from 0, found 0.5", lambda: CategoricalHMM().fit([[0.5]])),
        ("n_components", lambda: GaussianHMM(0).fit(MEANS)),
        ("random_state", lambda: GaussianHMM(random_state=-1).fit(MEANS)),
        ("currstate: expected a state below 3", lambda: gaussian("diag").sample(currstate=3)),
        ("symbol|observation", lambda: categorical().score([[7]])),
        ("nfinity|NaN|finite", lambda: GaussianHMM().fit([[np.inf]])),
    ],
)
def test_errors_say_what_is_wrong(text, make):
    with pytest.raises(ValueError, match=text):
        make()


def test_an_impossible_sequence_has_no_probability():
    own = CategoricalHMM(1)
    own.startprob_, own.transmat_, own.emissionprob_ = [1.0], [[1.0]], [[1.0, 0.0]]
    assert own.score([[0], [1]]) == -np.inf
    with pytest.raises(ValueError, match="impossible|explain"):
        own.predict_proba([[0], [1]])
