"""Networks beside sums over all states, files, learning, errors."""

import itertools
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

from posterior_rs import networks
from posterior_rs.estimators import BayesianNetworkClassifier
from posterior_rs.networks import Network

# Lauritzen and Spiegelhalter 1988.
YES_NO = ["yes", "no"]
ASIA = Network(
    {name: YES_NO for name in ("asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp")},
    {
        "asia": ([], [0.01, 0.99]),
        "smoke": ([], [0.5, 0.5]),
        "tub": (["asia"], [[0.05, 0.95], [0.01, 0.99]]),
        "lung": (["smoke"], [[0.1, 0.9], [0.01, 0.99]]),
        "bronc": (["smoke"], [[0.6, 0.4], [0.3, 0.7]]),
        "either": (["lung", "tub"], [[[1, 0], [1, 0]], [[1, 0], [0, 1]]]),
        "xray": (["either"], [[0.98, 0.02], [0.05, 0.95]]),
        "dysp": (["bronc", "either"], [[[0.9, 0.1], [0.8, 0.2]], [[0.7, 0.3], [0.1, 0.9]]]),
    },
)


def joint(network):
    """p of every joint state, an axis for each variable, by multiplication."""
    names = list(network.states)
    product = np.ones([len(network.states[name]) for name in names])
    for states in itertools.product(*(range(n) for n in product.shape)):
        for name in names:
            at = [states[names.index(one)] for one in (*network.parents(name), name)]
            product[states] *= network.table(name)[tuple(at)]
    return product


P = joint(ASIA)
NAMES = list(ASIA.states)


@pytest.mark.parametrize("engine", ["auto", "jt", "ve"])
@pytest.mark.parametrize("seen", [{}, {"xray": "yes"}, {"dysp": "yes", "asia": "yes"}, {"either": "no", "smoke": "yes"}])
def test_answers_are_sums_over_all_states(engine, seen):
    at = tuple(YES_NO.index(seen[name]) if name in seen else slice(None) for name in NAMES)
    rest = [name for name in NAMES if name not in seen]
    table = P[at]
    assert ASIA.log_evidence(seen) == pytest.approx(np.log(table.sum()), rel=1e-12, abs=1e-14)
    found = ASIA.query(evidence=seen, engine=engine)
    for axis, name in enumerate(rest):
        expected = table.sum(axis=tuple(k for k in range(len(rest)) if k != axis)) / table.sum()
        assert list(found[name]) == YES_NO
        np.testing.assert_allclose(list(found[name].values()), expected, rtol=1e-12, atol=1e-15)
    for name, state in seen.items():
        assert found[name][state] == 1
    states, ln_p = ASIA.most_probable(seen)
    assert ln_p == pytest.approx(np.log(table.max()), rel=1e-12)
    assert P[tuple(YES_NO.index(states[name]) for name in NAMES)] == pytest.approx(table.max(), rel=1e-12)


def test_joint_answers_and_some_best_states():
    found = ASIA.joint(["dysp", "lung"], {"xray": "yes"})
    table = P[:, :, :, :, :, :, 0, :].sum(axis=(0, 1, 2, 4, 5)).T
    np.testing.assert_allclose(found, table / table.sum(), rtol=1e-12)
    states, ln_p = ASIA.most_probable({"xray": "yes"}, of=["dysp", "lung"])
    assert ln_p == pytest.approx(np.log(table.max()))
    best = np.unravel_index(table.argmax(), (2, 2))
    assert states == {"dysp": YES_NO[best[0]], "lung": YES_NO[best[1]]}


def test_likelihoods_of_states_are_evidence():
    soft = {"xray": {"yes": 0.7, "no": 0.1}}
    weighted = P * np.array([0.7, 0.1]).reshape(1, 1, 1, 1, 1, 1, 2, 1)
    assert ASIA.log_evidence(soft) == pytest.approx(np.log(weighted.sum()), rel=1e-12)
    expected = weighted.sum(axis=(0, 1, 2, 4, 5, 6, 7)) / weighted.sum()
    np.testing.assert_allclose(list(ASIA.query("lung", soft)["lung"].values()), expected, rtol=1e-12)


def test_approximate_engines_are_near_on_this_tree_but_for_one_loop():
    exact = ASIA.query("lung", {"dysp": "yes"})["lung"]["yes"]
    assert ASIA.query("lung", {"dysp": "yes"}, engine="bp")["lung"]["yes"] == pytest.approx(exact, abs=0.02)
    # It leaves out what tables with zeros tie together: far off here, and a distribution all the same.
    assert sum(ASIA.query("bronc", {"dysp": "yes"}, engine="mean-field")["bronc"].values()) == pytest.approx(1)


def test_graph():
    assert ("smoke", "lung") in ASIA.arrows and len(ASIA.arrows) == 8
    assert ASIA.parents("either") == ["lung", "tub"] and ASIA.children("smoke") == ["lung", "bronc"]
    assert set(ASIA.markov_blanket("lung")) == {"smoke", "either", "tub"}
    assert ASIA.d_separated("asia", "smoke")
    assert not ASIA.d_separated("asia", "smoke", given="dysp")
    assert "either" in ASIA.active_path("asia", "smoke", ["dysp"])
    assert ASIA.d_separated(["asia"], "xray", ["either"]) and ASIA.active_path("asia", "xray", "either") is None
    assert repr(ASIA) == "<Network of 8 variables and 8 tables>"


def test_draws_have_the_probabilities():
    frame = ASIA.sample(20_000, random_state=3)
    assert list(frame.columns) == NAMES
    for axis, name in enumerate(NAMES):
        p = P.sum(axis=tuple(k for k in range(8) if k != axis))[0]
        assert abs((frame[name] == "yes").mean() - p) < 5 * np.sqrt(p * (1 - p) / 20_000)
    pd.testing.assert_frame_equal(frame, ASIA.sample(20_000, random_state=3))
    # Learned from these the tables are near: rows that are seen 200 times are off by less than 0.18 at 5 sd.
    learned = Network.learn(frame, ASIA.arrows, prior=1)
    assert set(learned.arrows) == set(ASIA.arrows) and learned.states["asia"] == ("no", "yes")
    again = ASIA.fit(frame, prior=0)
    counts = pd.crosstab(frame["smoke"], frame["lung"], normalize="index").loc[YES_NO, YES_NO]
    np.testing.assert_allclose(again.table("lung"), counts, rtol=1e-12)
    added = pd.crosstab(frame["smoke"], frame["lung"]).loc[YES_NO, YES_NO] + 1
    np.testing.assert_allclose(ASIA.fit(frame).table("lung"), added.div(added.sum(axis=1), axis=0), rtol=1e-12)
    assert len(again.trace) == 1 and again.trace[0] > ASIA.fit(frame).trace[0]
    rows = [[YES_NO.index(label) for label in row] for row in frame.to_numpy()[:500]]
    assert ASIA.fit(frame[:500], prior=0).trace[0] >= sum(np.log(P[tuple(row)]) for row in rows)


def test_missing_values_are_summed_over():
    frame = ASIA.sample(400, random_state=1)[["smoke", "bronc"]].astype(object)
    frame.loc[::5, "bronc"] = None
    small = Network.learn(frame, [("smoke", "bronc")], prior=0)
    assert len(small.trace) > 1 and np.all(np.diff(small.trace) > -1e-9)
    # What is missing at random says nothing: proportions of what was seen.
    seen = pd.crosstab(frame["smoke"], frame["bronc"], normalize="index")
    np.testing.assert_allclose(small.table("bronc"), seen, atol=1e-4)
    hidden = Network.learn(frame[["bronc"]].dropna(), [("h", "bronc")], states={"h": ["a", "b"]}, n_init=3, random_state=1)
    assert hidden.table("bronc").shape == (2, 2)
    as_polars = Network.learn(pl.DataFrame(frame.to_dict("list")), [("smoke", "bronc")], prior=0)
    np.testing.assert_array_equal(as_polars.table("bronc"), small.table("bronc"))


@pytest.mark.parametrize("ending", ["bif", "xml", "uai"])
def test_files_hold_the_same_network(tmp_path, ending):
    path = tmp_path / f"asia.{ending}"
    ASIA.write(path)
    again = networks.read(path)
    names = list(again.states)
    for name, own in zip(NAMES, names):
        np.testing.assert_array_equal(again.table(own), ASIA.table(name))
    assert again.warnings == []


def test_fields_have_no_arrows(tmp_path):
    path = tmp_path / "field.uai"
    path.write_text("MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n")
    field = networks.read(path)
    first, second = field.states
    np.testing.assert_allclose(list(field.query(first)[first].values()), [6 / 21, 15 / 21])
    assert field.log_evidence({}) == pytest.approx(np.log(21))
    assert field.arrows == [] and "Markov random field" in repr(field)
    with pytest.raises(ValueError, match="no arrows"):
        field.d_separated(first, second)
    again = pickle.loads(pickle.dumps(field))
    assert again.query(second) == field.query(second)


def test_pickles():
    again = pickle.loads(pickle.dumps(ASIA))
    assert again.query("dysp", {"xray": "yes"}) == ASIA.query("dysp", {"xray": "yes"})


def test_graphs_of_networkx_come_and_go():
    graph = ASIA.to_networkx()
    assert set(graph.nodes) == set(ASIA.states) and set(graph.edges) == set(ASIA.arrows)
    assert nx.is_d_separator(graph, {"asia"}, {"smoke"}, set())
    frame = ASIA.sample(200, random_state=1)
    learned = Network.learn(frame, graph, states=ASIA.states)
    assert set(learned.arrows) == set(ASIA.arrows)
    classifier = BayesianNetworkClassifier(nx.DiGraph([("class", "x0")])).fit([[0.0], [1.0]] * 5, [0, 1] * 5)
    assert classifier.predict([[1.0]]).tolist() == [1]


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "rian|rain", lambda: ASIA.query("rain")),
        (ValueError, "maybe.*yes, no|yes", lambda: ASIA.query("lung", {"xray": "maybe"})),
        (ValueError, "impossible", lambda: ASIA.query("lung", {"either": "no", "tub": "yes"})),
        (ValueError, "n: expected a whole number from 0", lambda: ASIA.sample(-1)),
        (ValueError, "engine: expected auto, jt", lambda: ASIA.query("lung", engine="x")),
        (ValueError, "'maybe' is none of yes, no", lambda: ASIA.query("lung", {"xray": {"maybe": 1.0}})),
        (ValueError, "tables: b has none", lambda: Network({"a": YES_NO, "b": YES_NO}, {"a": ([], [0.5, 0.5])})),
        (ValueError, "adds up to 1.1", lambda: Network({"a": YES_NO}, {"a": ([], [0.5, 0.6])})),
        (ValueError, r"expected the shape \(2,\), found \(3,\)", lambda: Network({"a": YES_NO}, {"a": ([], [0.5, 0.5, 0])})),
        (ValueError, "c is no variable", lambda: Network({"a": YES_NO}, {"a": (["c"], [0.5, 0.5])})),
        (ValueError, "expected one of yes, no, found 'x' in row 0", lambda: ASIA.fit({"asia": ["x"]})),
        (ValueError, "arrows: c is no column", lambda: Network.learn({"a": ["x"]}, [("c", "a")])),
        (ValueError, "cycle|cyclic|loop", lambda: Network.learn({"a": ["x", "y"], "b": ["x", "y"]}, [("a", "b"), ("b", "a")])),
        (TypeError, "a frame of pandas or polars", lambda: ASIA.fit(3)),
        (ValueError, "expected the ending .bif", lambda: ASIA.write("asia.txt")),
        (ValueError, "'x' is no variable", lambda: ASIA.table("x")),
        (FileNotFoundError, "nothing.bif", lambda: networks.read("nothing.bif")),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_a_file_that_is_none_is_refused_with_its_place(tmp_path):
    path = tmp_path / "wrong.bif"
    path.write_text("network a {\n}\nvariable x {\n  type discrete [ 2 ] { yes };\n}\n")
    with pytest.raises(ValueError, match="line|:4"):
        networks.read(path)
