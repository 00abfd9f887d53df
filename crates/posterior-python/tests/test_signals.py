"""Ctrl-C stops what takes long within half a second; the process goes on, and so does what was stopped."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")

HEAD = """
import pickle, sys
import numpy as np
from posterior_rs import Model, regress, sampling, topics
from posterior_rs.estimators import GaussianMixture, GaussianProcessRegressor, KMeans, LatentDirichletAllocation
from posterior_rs.networks import Network
from posterior_rs.optimize import Optimizer
rng = np.random.default_rng(0)
counts = rng.integers(0, 3, (200, 100))
rows = rng.normal(size=(20000, 20))
"""

# A name, what is made before, what takes long, and what shows that nothing is left behind.
WORK = {
    "topics": ("", "LatentDirichletAllocation(5, max_iter=10**7).fit(counts)", "topics.lda(counts, 2, max_iter=5)"),
    "processes of topics": ("", "topics.hdp(counts, max_iter=10**7)", "topics.lda(counts, 2, max_iter=5)"),
    "groups": ("", "GaussianMixture(30, n_init=200).fit(rows)", "KMeans(2).fit(rows[:100])"),
    "a process": (
        "x = rng.uniform(size=(1500, 3))",
        "GaussianProcessRegressor('matern32(1)', n_restarts=50).fit(x, x.sum(axis=1))",
        "KMeans(2).fit(rows[:100])",
    ),
    "a function": (
        "f = lambda x: (-0.5 * x @ x, -x)",
        "sampling.sample(f, dim=2, draws=10**7)",
        "sampling.sample(f, dim=2, draws=10, warm_up=10)",
    ),
    "a program": (
        "m = Model('parameters { vector[50] x; } model { x ~ normal(0, 1); }')",
        "m.sample(draws=10**7)",
        "m.sample(draws=10, warm_up=10)",
    ),
    "a query": (
        """
n = 17
names = [[f"v{i}_{j}" for j in range(n)] for i in range(n)]
tables = {}
for i in range(n):
    for j in range(n):
        above = [own for own in ((i - 1, j), (i, j - 1)) if min(own) >= 0]
        p = rng.uniform(0.2, 0.8, (2,) * len(above))
        tables[names[i][j]] = ([names[a][b] for a, b in above], np.stack([p, 1 - p], axis=-1))
network = Network({name: ["no", "yes"] for name in tables}, tables)
""",
        "network.query('v16_0', {'v16_16': 'yes'}, engine='jt')",
        "assert network.query('v0_0', engine='ve')",
    ),
    "the optimiser": (
        """
optimizer = Optimizer({name: (0.0, 1.0) for name in "abcdefgh"}, random_state=1)
for point in rng.uniform(size=(500, 8)):
    optimizer.tell(dict(zip("abcdefgh", point)), float(point.sum()))
before = pickle.dumps(optimizer)
""",
        "optimizer.ask()",
        "assert pickle.dumps(optimizer) == before",
    ),
}


def stopped(code, *arguments):
    """Runs a program, interrupts it a moment after it began its work, and gives the seconds it took to stop."""
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.3)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline()
        took = time.perf_counter() - sent
        assert line == "stopped\n", f"not interrupted: {line}"
        assert process.stdout.readline() == "goes on\n"
        return took


@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_stops_work_within_half_a_second(name):
    before, work, after = WORK[name]
    code = f"""{HEAD}
{before}
print("begins", flush=True)
try:
    {work}
    print("it was done before", flush=True)
except KeyboardInterrupt:
    print("stopped", flush=True)
{after}
print("goes on", flush=True)
import os
os._exit(0)
"""
    assert stopped(code) < 0.5


def test_topics_go_on_where_they_were_stopped():
    code = HEAD + """
def fit(**options):
    return LatentDirichletAllocation(8, max_iter=1000, random_state=3, **options)
print("begins", flush=True)
own = fit()
try:
    own.fit(counts)
except KeyboardInterrupt:
    print("stopped", flush=True)
assert not hasattr(own, "components_") and own.checkpoint_
own = pickle.loads(pickle.dumps(own)).resume(counts)
assert not hasattr(own, "checkpoint_")
np.testing.assert_array_equal(own.components_, fit().fit(counts).components_)
print("goes on", flush=True)
"""
    assert stopped(code) < 0.5


RESUMED = {
    "topics.lda": "topics.lda(counts, 8, max_iter=1000, **options).topic_word",
    "topics.hdp": "topics.hdp(counts[:80], max_iter=1000, **options).topic_word",
    "a function": "sampling.sample(f, dim=2, draws=10000, **options).values",
    "a slow function": "sampling.sample(slow, dim=2, draws=3, warm_up=5, chains=2, **options).values",
    "a program": "m.sample(draws=20000, **options).values",
}


@pytest.mark.parametrize("name", RESUMED)
def test_what_was_stopped_goes_on_to_the_same_numbers(name, tmp_path):
    code = HEAD + f"""
import time
m = Model('parameters {{ vector[20] x; }} model {{ x ~ student_t(5, 0, 1); }} generated quantities {{ real y = normal_rng(0, 1); }}')
f = lambda x: (-0.5 * x @ x, -x)
def slow(x):
    time.sleep(0.02)
    return f(x)
def run(**options):
    return {RESUMED[name]}
print("begins", flush=True)
try:
    run(checkpoint=sys.argv[1])
except KeyboardInterrupt:
    print("stopped", flush=True)
np.testing.assert_array_equal(run(resume=sys.argv[1]), run())
print("goes on", flush=True)
"""
    assert stopped(code, tmp_path / "state") < 0.5
    assert [own.name for own in tmp_path.iterdir()] == ["state"]
