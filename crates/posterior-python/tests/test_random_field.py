"""Conditional random fields beside CRFsuite's."""

import pickle

import numpy as np
import pytest
import sklearn_crfsuite
from sklearn.base import clone

from posterior_rs.sequences import CRF

RNG = np.random.default_rng(0)
WORDS = "the a dog cat sees hears small old quickly".split()
TAGS = dict(zip(WORDS, "D D N N V V A A R".split()))


def sentences(count, rng):
    X, y = [], []
    for _ in range(count):
        words = rng.choice(WORDS, size=rng.integers(1, 8)).tolist()
        X.append([{"word": word, "last": word[-1], "length": len(word) / 5, "capital": False, "set": ["x", word[0]], "bias": 1.0} for word in words])
        y.append([TAGS[word] if rng.uniform() < 0.8 else str(rng.choice(list("DNVAR"))) for word in words])
    return X, y


X, Y = sentences(60, RNG)
NEW = sentences(20, RNG)[0]


@pytest.mark.parametrize("all_pairs", [False, True])
@pytest.mark.parametrize(("c1", "c2"), [(0.0, 0.5), (0.3, 0.05)])
def test_weights_are_those_of_crfsuite(c1, c2, all_pairs):
    options = {"c1": c1, "c2": c2, "all_possible_transitions": all_pairs, "all_possible_states": all_pairs}
    ours = CRF(epsilon=1e-9, delta=0.0, max_iterations=2000, **options).fit(X, Y)
    theirs = sklearn_crfsuite.CRF(epsilon=1e-9, delta=1e-12, max_iterations=2000, **options).fit(X, Y)
    assert ours.converged_
    for name in ("state_features_", "transition_features_"):
        own, other = getattr(ours, name), getattr(theirs, name)
        assert own.keys() | other.keys()
        for key in own.keys() | other.keys():
            # CRFsuite ends where its steps get short: its objective is then within 1e-12 of the least.
            assert own.get(key, 0.0) == pytest.approx(other.get(key, 0.0), abs=2e-4), key
    assert sorted(ours.classes_) == sorted(theirs.classes_)
    assert ours.predict(NEW) == list(theirs.predict(NEW))
    assert ours.predict_single(NEW[0]) == list(theirs.predict_single(NEW[0]))
    for own, other in zip(ours.predict_marginals(NEW), theirs.predict_marginals(NEW)):
        for a, b in zip(own, other, strict=True):
            assert a == pytest.approx(b, abs=1e-4)
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=1e-12)


def test_the_objective_is_the_penalised_likelihood():
    own = CRF(c2=0.5).fit(X, Y)
    weights = np.array([*own.state_features_.values(), *own.transition_features_.values()])
    assert own.trace_[-1] == pytest.approx(-own.log_proba(X, Y).sum() + 0.5 * (weights**2).sum(), rel=1e-12)


@pytest.mark.parametrize("algorithm", ["l2sgd", "ap"])
def test_other_algorithms_learn_the_words(algorithm):
    own = CRF(algorithm, max_iterations=30, random_state=1).fit(X, Y)
    truth = [[TAGS[token["word"]] for token in sentence] for sentence in NEW]
    assert own.score(NEW, truth) > 0.9
    assert own.predict(NEW) == CRF(algorithm, max_iterations=30, random_state=1).fit(X, Y).predict(NEW)
    if algorithm == "l2sgd":
        best = CRF(epsilon=1e-9, delta=0.0).fit(X, Y)
        assert own.log_proba(X, Y).sum() == pytest.approx(best.log_proba(X, Y).sum(), rel=0.05)


def test_models_are_estimators_and_pickle():
    own = CRF(c2=0.3, min_freq=2).fit(X, Y)
    again = pickle.loads(pickle.dumps(own))
    assert again.predict_marginals(NEW) == own.predict_marginals(NEW)
    assert (again.converged_, again.trace_) == (own.converged_, own.trace_)
    assert clone(own).fit(X, Y).state_features_ == own.state_features_
    assert "c2=0.3" in repr(own)
    # Unknown attributes say nothing.
    assert own.predict([[{"word": "zebra"}]])[0][0] in own.classes_


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "algorithm: expected lbfgs, l2sgd or ap", lambda: CRF("x").fit(X, Y)),
        (ValueError, "sequence 1 has 1 positions and 2 labels", lambda: CRF().fit([[{"a": 1}]] * 2, [["x"], ["x", "y"]])),
        (ValueError, "labels of 60 sequences, found 1", lambda: CRF().fit(X, Y[:1])),
        (ValueError, "num_memories: expected a whole number from 1", lambda: CRF(num_memories=0).fit(X, Y)),
        (ValueError, "l2", lambda: CRF(c2=-1).fit(X, Y)),
        (ValueError, "not fitted", lambda: CRF().predict(X)),
        (ValueError, "value of a feature", lambda: CRF().fit([[{"a": float("nan")}]], [["x"]])),
        (TypeError, "attribute 'a': expected a number or a text", lambda: CRF().fit([[{"a": None}]], [["x"]])),
        (TypeError, "expected a dictionary", lambda: CRF().fit([[3]], [["x"]])),
        (TypeError, "y: expected labels, found 1", lambda: CRF().fit([[{"a": 1}]], [[1]])),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()
