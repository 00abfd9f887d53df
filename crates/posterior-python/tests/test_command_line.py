"""The same numbers as the command line gives, where its program was built beside."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from posterior_rs import dist, regress

PROGRAM = Path(__file__).parents[3] / "target" / "debug" / "posterior"

pytestmark = pytest.mark.skipif(not PROGRAM.is_file(), reason="the command line was not built")


def answer(*arguments):
    command = [str(PROGRAM), *arguments, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


@pytest.mark.parametrize(
    "text",
    ["gamma(2, 3)", "poisson(4)", "mixture([0.5, 0.5], [normal(0, 1), normal(5, 1)])", "dirichlet([1, 2, 3])"],
)
def test_draws(text):
    sample = answer("dist", "show", text, "--sample", "20", "--seed", "7")["sample"]
    np.testing.assert_array_equal(dist.read(text).rvs(20, random_state=7), sample)


def test_a_regression_with_groups(tmp_path):
    rng = np.random.default_rng(0)
    groups, hours = np.repeat(list("abcdef"), 5), rng.uniform(0, 4, 30)
    counts = rng.poisson(np.exp(0.3 * hours + np.repeat(rng.normal(0, 0.5, 6), 5)))
    frame = pd.DataFrame({"n": counts, "hours": hours, "group": groups})
    frame.to_csv(tmp_path / "table.csv", index=False)
    formula = "n ~ hours + (1 | group)"
    arguments = ("--formula", formula, "--family", "poisson")
    theirs = answer("regress", "fit", str(tmp_path / "table.csv"), *arguments)
    ours = regress(formula, frame, family="poisson")
    for own, table in ((theirs["coefficients"], ours.coefficients), (theirs["hierarchical"]["components"], ours.components)):
        for key, column in (("mean", "mean"), ("sd", "sd"), ("q025", "low"), ("q975", "high")):
            np.testing.assert_allclose(table[column], [row[key] for row in own], rtol=1e-9, err_msg=key)
    intervals = [row["mean_interval"] for row in theirs["predictions"]]
    np.testing.assert_allclose(ours.fitted[["low", "high"]], intervals, rtol=1e-9)
    assert ours.criteria["elpd_loo"] == pytest.approx(theirs["hierarchical"]["criteria"]["elpd_loo"], rel=1e-9)
