"""Data sets that come with the package, beside what is known of them."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from posterior_rs import datasets


def test_series_have_their_dates():
    nile = datasets.series("nile")
    assert (str(nile.index[0]), str(nile.index[-1]), len(nile)) == ("1871", "1970", 100)
    assert nile.iloc[:3].tolist() == [1120, 1160, 963]
    co2 = datasets.series("co2")
    assert (str(co2.index[0]), str(co2.index[-1])) == ("1959-01", "1997-12")
    flown = datasets.series("air-passengers")
    assert flown.loc["1949-01"] == 112 and flown.loc["1960-12"] == 432


def test_tables():
    iris, (X, y) = datasets.table("iris"), load_iris(return_X_y=True)
    # Two flowers differ between Fisher's paper and the file of scikit-learn's source, which has corrected them.
    np.testing.assert_allclose(iris.iloc[:, :4].to_numpy(), X, atol=0.51)
    assert (iris.iloc[:, :4].to_numpy() != X).sum() <= 3
    assert datasets.table("galaxies").shape == (82, 1)
    sleep = datasets.table("sleep-study")
    assert sleep.shape == (180, 3) and sleep["subject"].nunique() == 18


def test_addresses():
    counts, vocabulary, about = datasets.addresses()
    assert counts.shape == (241, 10_000) == (len(about), len(vocabulary))
    assert counts.sum() == 752_659
    lincoln = about[about["president"] == "Abraham Lincoln"].index
    slavery = counts[:, [vocabulary.index("slavery")]].toarray().ravel()
    assert slavery[lincoln].mean() > 5 * slavery.mean()


def test_sources_are_named():
    assert "Nile" in datasets.source("nile")
    for make in (datasets.source, datasets.series, datasets.table):
        with pytest.raises(ValueError, match="name"):
            make("moon")
