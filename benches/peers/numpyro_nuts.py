"""NumPyro's NUTS on the targets of `cargo xtask compare mcmc`. Usage: numpyro_nuts.py FOLDER

Reads from standard input the number of a target and a seed, a line each time; from FOLDER logistic.csv, the label and the features of
a row in each line. Writes the draws to FOLDER/draws (64-bit numbers: chain, draw, coordinate) and answers with the gradients of the
warm-up and of the draws, the CPU seconds without those of compiling, and the divergences."""
import os
import sys
import time
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.infer import NUTS

jax.config.update("jax_enable_x64", True)
WARM_UP, DRAWS, CHAINS = 1000, 1000, 4
folder = Path(sys.argv[1])
table = np.loadtxt(folder / "logistic.csv", delimiter=",")
labels, features = jnp.array(table[:, 0]), jnp.array(table[:, 1:])
effects = jnp.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
errors = jnp.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def standard_normal(x):
    return 0.5 * x @ x


def autoregression(x):
    residual = x[1:] - 0.95 * x[:-1]
    return 0.5 * (x[0] ** 2 + residual @ residual / (1 - 0.95**2))


def eight_schools(x):
    mu, ln_tau, z = x[0], x[1], x[2:]
    tau = jnp.exp(ln_tau)
    residual = (effects - mu - tau * z) / errors
    return mu**2 / 50 + jnp.log1p(tau**2 / 25) - ln_tau + 0.5 * (z @ z + residual @ residual)


def funnel(x):
    v, rest = x[0], x[1:]
    return v**2 / 18 + 0.5 * rest.size * v + 0.5 * rest @ rest * jnp.exp(-v)


def logistic(x):
    eta = features @ x
    return 0.5 * x @ x - labels @ eta + jnp.logaddexp(0.0, eta).sum()


TARGETS = [
    (standard_normal, 100),
    (autoregression, 100),
    (eight_schools, 10),
    (funnel, 10),
    (logistic, features.shape[1]),
]
compiled = {}


def run_of(number):
    """The compiled chain of a target, and what makes its start."""
    if number not in compiled:
        potential, dim = TARGETS[number]
        kernel = NUTS(potential_fn=potential, target_accept_prob=0.8, max_tree_depth=10)

        def step(state, _):
            state = kernel.sample(state, (), {})
            return state, (state.z, state.num_steps, state.diverging)

        def start(key, position):
            return kernel.init(key, WARM_UP, position, (), {})

        example = start(jax.random.PRNGKey(0), jnp.zeros(dim) + 0.1)
        chain = jax.jit(lambda state: jax.lax.scan(step, state, None, length=WARM_UP + DRAWS)[1])
        compiled[number] = start, chain.lower(example).compile(), dim
    return compiled[number]


for line in sys.stdin:
    number, seed = (int(word) for word in line.split())
    start, chain, dim = run_of(number)
    positions = np.random.default_rng(seed).uniform(-2, 2, (CHAINS, dim))
    keys = jax.random.split(jax.random.PRNGKey(seed), CHAINS)
    states = [start(key, jnp.array(position)) for key, position in zip(keys, positions)]
    begin = time.process_time()
    results = [jax.block_until_ready(chain(state)) for state in states]
    seconds = time.process_time() - begin
    draws, steps, diverging = (np.stack([np.asarray(r[k]) for r in results]) for k in range(3))
    np.ascontiguousarray(draws[:, WARM_UP:], dtype="f8").tofile(folder / "draws")
    gradients = [int(part.sum()) for part in (steps[:, :WARM_UP], steps[:, WARM_UP:])]
    print(*gradients, seconds, int(diverging[:, WARM_UP:].sum()), flush=True)
