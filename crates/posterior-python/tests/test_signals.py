"""Ctrl-C stops a fit, and the process goes on."""

import os
import signal
import subprocess
import sys
import time

import pytest

FIT = """
import numpy as np, sys, time
from posterior_rs.estimators import LatentDirichletAllocation
counts = np.random.default_rng(0).integers(0, 3, (200, 100))
print("begins", flush=True)
try:
    LatentDirichletAllocation(5, max_iter=10**7).fit(counts)
except KeyboardInterrupt:
    print("stopped", flush=True)
print(LatentDirichletAllocation(2, max_iter=5).fit(counts).components_.shape, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_stops_a_fit_within_half_a_second():
    with subprocess.Popen([sys.executable, "-c", FIT], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert time.perf_counter() - sent < 0.5
        assert process.stdout.readline() == "(2, 100)\n"
