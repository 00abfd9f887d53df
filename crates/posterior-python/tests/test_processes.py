"""Other processes and many fits: no dead lock, no growth of memory."""

import multiprocessing
import resource
import sys

import numpy as np
import pytest

from posterior_rs import dist, sampling, topics
from posterior_rs.estimators import GaussianMixture, KMeans, LatentDirichletAllocation, NaiveBayes


def numbers(_):
    rng = np.random.default_rng(0)
    counts, rows = rng.integers(0, 3, (100, 40)), rng.normal(size=(500, 3))
    return [
        LatentDirichletAllocation(3, max_iter=10).fit(counts).components_.sum(),
        NaiveBayes().fit(counts, np.arange(100) % 2).predict_proba(counts)[0, 0],
        KMeans(4, n_init=2).fit(rows).inertia_,
        GaussianMixture(2, n_init=2).fit(rows).lower_bound_,
        dist.gamma(2, 3).rvs(random_state=1),
        topics.structural(counts, 3, max_iter=5).held_out(counts).per_word,
        topics.hdp(counts, max_iter=5).held_out(counts, method="chib").per_word,
        sampling.Draws(rows.reshape(2, 250, 3)).summary()["mcse"].sum(),
        sampling.sample(lambda x: (-0.5 * x @ x, -x), dim=2, draws=20, warm_up=20).values.sum(),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_process_that_was_begun_after_fits_fits(method):
    own = numbers(0)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(numbers, range(3)).get(timeout=120) == [own] * 3


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes are those of Linux")
def test_ten_thousand_fits_need_no_more_memory_than_a_hundred():
    rows = np.random.default_rng(0).normal(size=(50, 3))

    def fits(count):
        for seed in range(count):
            KMeans(2, n_init=1, random_state=seed).fit(rows)
            dist.normal(0, 1).cdf(rows)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    begun = fits(100)
    assert fits(10_000) - begun < 10_000
