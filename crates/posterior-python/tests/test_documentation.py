"""Examples of the documentation give what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

MODULES = [
    "posterior_rs",
    "posterior_rs._core",
    "posterior_rs.bandits",
    "posterior_rs.datasets",
    "posterior_rs.dist",
    "posterior_rs.estimators",
    "posterior_rs.estimators._components",
    "posterior_rs.estimators._factorization",
    "posterior_rs.estimators._generalized",
    "posterior_rs.estimators._groups",
    "posterior_rs.estimators._linear",
    "posterior_rs.estimators._naive_bayes",
    "posterior_rs.estimators._processes",
    "posterior_rs.estimators._topics",
    "posterior_rs.model",
    "posterior_rs.networks",
    "posterior_rs.optimize",
    "posterior_rs.regression",
    "posterior_rs.sampling",
    "posterior_rs.sequences",
    "posterior_rs.sequences._hidden_markov",
    "posterior_rs.sequences._random_field",
    "posterior_rs.series",
    "posterior_rs.topics",
    "posterior_rs.topics._corpus",
    "posterior_rs.topics._fits",
    "posterior_rs.topics._informed",
    "posterior_rs.topics._known",
    "posterior_rs.topics._model",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_examples_of_the_first_page():
    page = Path(__file__).parents[1] / "README.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0 and result.attempted > 5


def test_everything_public_has_a_documentation():
    for name in MODULES:
        module = importlib.import_module(name)
        for item in getattr(module, "__all__", []):
            assert getattr(module, item).__doc__, f"{name}.{item}"
