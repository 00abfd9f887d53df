"""Kalman filters on the workload of `cargo xtask compare series`. Usage: state_space.py FOLDER

Writes FOLDER/kf_N_M_{F,H,Q,R,m0,P0,obs}.csv for three models (N states, M observed), then times the peers on them and prints one line a
measurement: N, peer, what, microseconds an observation (or a log-likelihood), with tabs between. The least CPU time of several passes, one thread.

The law N(m0, P0) is that of the state at the first observation."""
import os
import sys
import time
import warnings
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
import numpy as np

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
LENGTH, SHORT = (2_000, 200) if "--quick" in sys.argv else (100_000, 5_000)


def model(k, m):
    """A stable random model, and observations drawn from it; with two states a lightly damped constant velocity."""
    r = np.random.Generator(np.random.PCG64(50 + k))
    f = r.standard_normal((k, k))
    f *= 0.97 / np.max(np.abs(np.linalg.eigvals(f)))
    h = r.standard_normal((m, k))
    b = r.standard_normal((k, k)) * 0.3
    q = b @ b.T + 0.1 * np.eye(k)
    b = r.standard_normal((m, m)) * 0.3
    noise = b @ b.T + 0.5 * np.eye(m)
    if k == 2:
        f = np.array([[0.99, 1.0], [0.0, 0.95]])
        h = np.array([[1.0, 0.0]])
        q = np.array([[0.05, 0.02], [0.02, 0.05]])
        noise = np.array([[1.0]])
    lq, lr = np.linalg.cholesky(q), np.linalg.cholesky(noise)
    e, v = r.standard_normal((LENGTH, k)) @ lq.T, r.standard_normal((LENGTH, m)) @ lr.T
    x, y = np.zeros(k), np.empty((LENGTH, m))
    for t in range(LENGTH):
        x = f @ x + e[t] if t else e[t]
        y[t] = h @ x + v[t]
    return f, h, q, noise, np.zeros(k), np.eye(k), y


def write(name, rows):
    np.savetxt(folder / f"{name}.csv", np.atleast_2d(rows), delimiter=",", fmt="%.17g")


def tell(k, peer, what, value):
    print(f"{k}\t{peer}\t{what}\t{float(value)!r}", flush=True)


def seconds(call, passes=3):
    call()
    least = np.inf
    for _ in range(passes):
        start = time.process_time()
        call()
        least = min(least, time.process_time() - start)
    return least


def statsmodels(k, m, f, h, q, noise, m0, p0, y):
    from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother

    smoother = KalmanSmoother(k_endog=m, k_states=k, design=h, obs_cov=noise, transition=f, selection=np.eye(k), state_cov=q)
    smoother.bind(np.ascontiguousarray(y))
    smoother.initialize_known(m0, p0)
    tell(k, "statsmodels", "ln_p", smoother.loglike())
    for name, tolerance in (("statsmodels", smoother.tolerance), ("statsmodels, no steady state", 0)):
        smoother.tolerance = tolerance
        tell(k, name, "filter", seconds(smoother.filter) / LENGTH * 1e6)
        tell(k, name, "filter and smoother", seconds(smoother.smooth) / LENGTH * 1e6)
        tell(k, name, "likelihood", seconds(smoother.loglike) / LENGTH * 1e6)


def filterpy(k, m, f, h, q, noise, m0, p0, y):
    from filterpy.kalman import KalmanFilter

    y = y[:SHORT]

    def run(smooth):
        kf = KalmanFilter(dim_x=k, dim_z=m)
        kf.F, kf.H, kf.Q, kf.R, kf.x, kf.P = f, h, q, noise, m0[:, None].copy(), p0.copy()
        means, covariances = np.empty((SHORT, k, 1)), np.empty((SHORT, k, k))
        for t in range(SHORT):
            if t:
                kf.predict()
            kf.update(y[t][:, None])
            means[t], covariances[t] = kf.x, kf.P
        if smooth:
            kf.rts_smoother(means, covariances)

    tell(k, "filterpy", "filter", seconds(lambda: run(False), 1) / SHORT * 1e6)
    tell(k, "filterpy", "filter and smoother", seconds(lambda: run(True), 1) / SHORT * 1e6)


def dynamax(k, m, f, h, q, noise, m0, p0, y):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    from dynamax.linear_gaussian_ssm import LinearGaussianSSM
    from dynamax.linear_gaussian_ssm.inference import lgssm_filter, lgssm_smoother

    parameters, _ = LinearGaussianSSM(k, m).initialize(
        jax.random.PRNGKey(0), initial_mean=jnp.array(m0), initial_covariance=jnp.array(p0), dynamics_weights=jnp.array(f),
        dynamics_covariance=jnp.array(q), emission_weights=jnp.array(h), emission_covariance=jnp.array(noise),
        dynamics_bias=jnp.zeros(k), emission_bias=jnp.zeros(m))
    y = jnp.array(y)
    run = jax.jit(lambda y: lgssm_filter(parameters, y))
    back = jax.jit(lambda y: lgssm_smoother(parameters, y))
    tell(k, "dynamax", "ln_p", run(y).marginal_loglik)
    tell(k, "dynamax", "filter", seconds(lambda: jax.block_until_ready(run(y))) / LENGTH * 1e6)
    tell(k, "dynamax", "filter and smoother", seconds(lambda: jax.block_until_ready(back(y))) / LENGTH * 1e6)


for k, m in ((2, 1), (4, 2), (10, 3)):
    parts = model(k, m)
    for name, part in zip(("F", "H", "Q", "R", "m0", "P0", "obs"), parts):
        write(f"kf_{k}_{m}_{name}", part)
    for peer in (statsmodels, filterpy, dynamax):
        try:
            peer(k, m, *parts)
        except ImportError:
            pass
