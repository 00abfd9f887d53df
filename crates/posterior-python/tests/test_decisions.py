"""Bayesian optimisation and bandits: known optima, known regrets, state that is kept."""

import pickle

import numpy as np
import pytest

from posterior_rs import bandits
from posterior_rs.bandits import Bandit
from posterior_rs.optimize import Integer, Log, Optimizer, minimize


def branin(x, y):
    return (y - 5.1 / (4 * np.pi**2) * x**2 + 5 / np.pi * x - 6) ** 2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x) + 10


@pytest.mark.parametrize("acquisition", ["expected-improvement", "thompson", "knowledge-gradient"])
def test_the_least_value_of_branin_is_found(acquisition):
    found = minimize(branin, {"x": (-5.0, 10.0), "y": (0.0, 15.0)}, 35, acquisition=acquisition, noise="none", random_state=1)
    assert found.best[1] < 0.397887 + 0.1
    assert branin(**found.best[0]) == pytest.approx(found.best[1])
    assert len(found.trials) == 35 and found.best[1] == min(trial.value for trial in found.trials)
    assert set(found.importance()) == {"x", "y"}


def test_inputs_of_every_kind_and_the_largest_value():
    space = {"n": Integer(1, 9), "rate": Log(1e-4, 1.0), "kind": ["a", "b", "c"]}
    optimizer = Optimizer(space, goal="maximize", random_state=1)
    for _ in range(25):
        point = optimizer.ask()
        assert isinstance(point["n"], int) and 1 <= point["n"] <= 9 and point["kind"] in "abc" and 1e-4 <= point["rate"] <= 1
        optimizer.tell(point, (point["kind"] == "b") - 0.1 * abs(point["n"] - 6) - abs(np.log10(point["rate"]) + 2))
    point, value = optimizer.best
    assert point["kind"] == "b" and value > 0.6
    recommended, mean, sd = optimizer.recommend()
    assert mean == pytest.approx(optimizer.predict([recommended])[0][0], abs=1e-9) and sd >= 0


def test_what_is_believed_is_the_values_where_there_is_no_noise():
    optimizer = Optimizer({"x": (0.0, 6.0)}, noise="none")
    points = [{"x": x} for x in np.linspace(0, 6, 8)]
    for point in points:
        optimizer.tell(point, np.sin(point["x"]))
    means, sds = optimizer.predict(points)
    np.testing.assert_allclose(means, [np.sin(point["x"]) for point in points], atol=1e-3)
    assert max(sds) < 0.05 < optimizer.predict([{"x": 0.4}])[1][0] + 1


def test_trials_that_fail_and_points_of_ones_own():
    optimizer = Optimizer({"x": (0.0, 1.0)}, random_state=1)
    assert optimizer.best is None
    optimizer.tell({"x": 0.3}, 1.5)
    optimizer.tell({"x": 0.5}, None)
    assert optimizer.best == ({"x": 0.3}, 1.5)
    assert [trial.value for trial in optimizer.trials] == [1.5, None]
    assert repr(optimizer) == "<Optimizer of x: 2 trials>"


def test_a_pickle_goes_on_to_the_same_points():
    first = Optimizer({"x": (0.0, 1.0)}, random_state=5)
    for _ in range(4):
        point = first.ask()
        first.tell(point, (point["x"] - 0.3) ** 2)
    again = pickle.loads(pickle.dumps(first))
    assert again.ask() == first.ask() and again.best == first.best


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (TypeError, "space: x: expected", lambda: Optimizer({"x": 3})),
        (ValueError, "lower|upper|below", lambda: Optimizer({"x": (1.0, 0.0)})),
        (ValueError, "goal: expected", lambda: Optimizer({"x": (0.0, 1.0)}, goal="x")),
        (ValueError, "acquisition: expected expected-improvement", lambda: Optimizer({"x": (0.0, 1.0)}, acquisition="x").ask()),
        (ValueError, "noise: expected", lambda: Optimizer({"x": (0.0, 1.0)}, noise="x")),
        (ValueError, "noise: expected", lambda: Optimizer({"x": (0.0, 1.0)}, noise=-1.0)),
        (ValueError, "point: expected x, found y", lambda: Optimizer({"x": (0.0, 1.0)}).tell({"y": 0.0}, 1.0)),
        (ValueError, "expected one of", lambda: Optimizer({"k": ["a", "c"]}).tell({"k": "b"}, 1.0)),
        (ValueError, "2", lambda: Optimizer({"x": (0.0, 1.0)}).tell({"x": 2.0}, 1.0)),
        (ValueError, "finite|NaN", lambda: Optimizer({"x": (0.0, 1.0)}).tell({"x": 0.5}, np.nan)),
    ],
)
def test_errors_of_optimisers_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize("policy", ["thompson", "ucb1", "kl-ucb", "bayes-ucb", "moss"])
def test_policies_find_the_better_arm(policy):
    rng = np.random.default_rng(4)
    bandit = Bandit(["red", "green", "blue"], policy, random_state=1)
    p = {"red": 0.2, "green": 0.3, "blue": 0.7}
    for _ in range(1500):
        arm = bandit.choose()
        bandit.observe(arm, rng.uniform() < p[arm])
    table = bandit.advice()
    assert table["plays"].idxmax() == "blue" and table["plays"].sum() == 1500
    rewards = [reward for arm, reward in bandit.history if arm == "blue"]
    assert abs(table["mean"]["blue"] - np.mean(rewards)) < 0.01
    assert table["chosen"].sum() == 1


def test_ucb1_has_the_index_of_its_formula():
    bandit = Bandit(2, "ucb1")
    for arm, reward in [(0, 1.0), (1, 0.0), (0, 0.0), (0, 1.0)]:
        bandit.observe(arm, reward)
    expected = [2 / 3 + np.sqrt(2 * np.log(4) / 3), 0 + np.sqrt(2 * np.log(4))]
    np.testing.assert_allclose(bandit.advice()["index"], expected, rtol=1e-12)
    assert bandit.choose() == int(np.argmax(expected)) and bandit.advice().index.tolist() == [0, 1]


def test_a_bandit_that_was_kept_chooses_the_same():
    bandit = Bandit(3, "thompson", low=-5, high=5, random_state=3)
    rng = np.random.default_rng(0)
    for _ in range(30):
        bandit.observe(bandit.choose(), rng.uniform(-5, 5))
    again = pickle.loads(pickle.dumps(bandit))
    assert again.choose() == bandit.choose() and again.history == bandit.history
    assert repr(again) == "<Bandit of 3 arms by thompson: 30 plays>"


def test_regrets_are_the_losses_to_the_best_arm():
    found = bandits.simulate([0.4, 0.6], ["thompson", "ucb1"], horizon=500, runs=50, random_state=1)
    assert list(found) == ["thompson", "ucb1"]
    for own in found.values():
        assert own.plays.sum() == pytest.approx(500)
        assert own.times[-1] == 500 and own.mean[-1] == pytest.approx(own.final.mean(), rel=1e-9)
        # Pseudo-regret: plays of the worse arm times what it is worse by.
        assert own.mean[-1] == pytest.approx(0.2 * own.plays[0], rel=1e-9)
    assert found["thompson"].mean[-1] < found["ucb1"].mean[-1]
    assert bandits.simulate([0.1, 0.9], ["ucb1"], horizon=50, runs=5)["ucb1"].final.shape == (5,)


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("policy|expected", lambda: Bandit(2, "ucb9")),
        ("arm: expected one of", lambda: Bandit(["a", "b"]).observe("c", 1.0)),
        ("arms", lambda: Bandit(0)),
        ("horizon: expected a whole number from 1", lambda: bandits.simulate([0.1, 0.2], horizon=-1)),
        ("a name is there twice", lambda: Bandit(["a", "a"])),
        ("2|reward", lambda: Bandit(2, "ucb1").observe(0, 2.0)),
        ("low|high|bound", lambda: Bandit(2, low=1, high=0)),
        ("means|probability|success", lambda: bandits.simulate([2.0, 0.1])),
    ],
)
def test_errors_of_bandits_say_what_is_wrong(text, make):
    with pytest.raises(ValueError, match=text):
        make()
