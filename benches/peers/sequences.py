"""Hidden Markov models and conditional random fields on the workload of `cargo xtask compare sequence`. Usage: sequences.py FOLDER

Writes FOLDER/symbols_S.i64 (200 sequences of 1000 symbols below 50) and FOLDER/vectors_S.f64 (200 000 rows of four numbers, one sequence), with
starts FOLDER/{symbols,vectors}_S_{initial,transition,emission,means,variances}.f64, all of this machine's numbers and nothing else, then times
hmmlearn (implementation "scaling", its faster one) on them and prints one line a measurement: states, peer, what, CPU seconds (or a value), with
tabs between. A step of EM is maximum likelihood without priors; the likelihood after the steps is that of the model they end at.

Then it writes FOLDER/labels_train.txt (5000 sequences) and FOLDER/labels_test.txt (1000) as CRFsuite's text, a position a line, label first, and
times CRFsuite: L-BFGS of memory 6, 50 steps, c1 = 0, c2 = 1, with the weights of attributes and labels, and of pairs of labels, that are
observed, and with all. The size of these lines is the number of training sequences."""
import hashlib
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pycrfsuite
from hmmlearn.hmm import CategoricalHMM, GaussianHMM

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
QUICK = "--quick" in sys.argv


def stochastic(x):
    x = np.round(np.atleast_2d(x), 8)
    x[:, -1] += 1.0 - x.sum(1)
    return x


def write(name, x, kind=np.float64):
    x.astype(kind).tofile(folder / f"{name}.{'i64' if kind == np.int64 else 'f64'}")
    return x


def symbols(s):
    r = np.random.default_rng(20260200 + s)
    m, n, t = 50, 10 if QUICK else 200, 1000
    a = r.dirichlet(np.full(s, 0.3), s) * 0.6 + np.eye(s) * 0.4
    b = r.dirichlet(np.full(m, 0.2), s)
    pi = r.dirichlet(np.ones(s))
    ca, cb = np.cumsum(a, 1), np.cumsum(b, 1)
    z = np.searchsorted(np.cumsum(pi), r.random(n)).clip(max=s - 1)
    x = np.empty((n, t), int)
    for i in range(t):
        x[:, i] = (cb[z] < r.random((n, 1))).sum(1).clip(max=m - 1)
        z = (ca[z] < r.random((n, 1))).sum(1).clip(max=s - 1)
    write(f"symbols_{s}", x, np.int64)
    initial = write(f"symbols_{s}_initial", stochastic(np.full(s, 1.0 / s)))
    transition = write(f"symbols_{s}_transition", stochastic(r.dirichlet(np.full(s, 5.0), s)))
    emission = write(f"symbols_{s}_emission", stochastic(r.dirichlet(np.full(m, 5.0), s)))

    def model():
        own = CategoricalHMM(s, implementation="scaling", init_params="", params="ste")
        own.n_features = m
        own.startprob_, own.transmat_, own.emissionprob_ = initial[0], transition, emission
        return own

    return model, x.reshape(-1, 1), np.full(n, t)


def vectors(s):
    r = np.random.default_rng(20260300 + s)
    d, t = 4, 10_000 if QUICK else 200_000
    a = r.dirichlet(np.full(s, 0.3), s) * 0.3 + np.eye(s) * 0.7
    ca = np.cumsum(a, 1)
    mu = r.normal(0, 3.0, (s, d))
    factors = np.array([np.linalg.cholesky(np.cov(r.normal(size=(d, 3 * d)))) for _ in range(s)])
    z = np.empty(t, int)
    z[0] = 0
    u = r.random(t)
    for i in range(1, t):
        z[i] = min(np.searchsorted(ca[z[i - 1]], u[i]), s - 1)
    x = write(f"vectors_{s}", np.round(mu[z] + np.einsum("tij,tj->ti", factors[z], r.normal(size=(t, d))), 6))
    initial = write(f"vectors_{s}_initial", stochastic(np.full(s, 1.0 / s)))
    transition = write(f"vectors_{s}_transition", stochastic(np.full((s, s), 0.3 / s) + 0.7 * np.eye(s)))
    means = write(f"vectors_{s}_means", x[r.choice(t, s, replace=False)])
    variances = write(f"vectors_{s}_variances", np.round(np.tile(x.var(0), (s, 1)), 6))

    def model(shape):
        own = GaussianHMM(s, covariance_type=shape, implementation="scaling", init_params="", params="stmc",
                          min_covar=0.0, covars_prior=0.0, covars_weight=1.0)
        own.n_features = d
        own.startprob_, own.transmat_, own.means_ = initial[0], transition, means
        own.covars_ = variances if shape == "diag" else np.array([np.diag(v) for v in variances])
        return own

    return model, x, None


def least(f, runs=2):
    best = np.inf
    for _ in range(runs):
        began = time.process_time()
        value = f()
        best = min(best, time.process_time() - began)
    return best, value


def measure(task, states, model, x, lengths, steps):
    tell = lambda what, value: print(f"{states}\thmmlearn\t{task} {what}\t{float(value)!r}", flush=True)
    own = model()
    seconds, value = least(lambda: own.score(x, lengths))
    tell("score", seconds)
    tell("score value", value)
    seconds, (value, _) = least(lambda: own.decode(x, lengths, algorithm="viterbi"))
    tell("viterbi", seconds)
    tell("viterbi value", value)
    own.n_iter, own.tol = steps, -np.inf
    began = time.process_time()
    own.fit(x, lengths)
    tell("em", (time.process_time() - began) / steps)
    tell("em value", own.score(x, lengths))


for states, steps in ((5, 10), (30, 2), (100, 1)):
    measure("symbols", states, *symbols(states), steps)
for states, steps in ((5, 5), (20, 2)):
    model, x, lengths = vectors(states)
    for shape in ("diag", "full"):
        measure(f"vectors {shape}", states, lambda: model(shape), x, lengths, steps)


def labels():
    r = np.random.default_rng(20260400)
    kinds, buckets, words = 10, 20_000, 8000
    ca = np.cumsum(r.dirichlet(np.full(kinds, 0.4), kinds), 1)
    base = 1.0 / (np.arange(words) + 2.7)
    em = np.empty((kinds, words))
    for y in range(kinds):
        g = r.standard_gamma(25 * base / base.sum())
        em[y] = g / g.sum()
    ce = np.cumsum(em, 1)
    known = {}

    def bucket(*parts):
        if parts not in known:
            digest = hashlib.blake2b("|".join(map(str, parts)).encode(), digest_size=8).digest()
            known[parts] = int.from_bytes(digest, "little") % buckets
        return known[parts]

    def sequence():
        t = int(r.integers(10, 31))
        y = [int(r.integers(kinds))]
        for _ in range(t - 1):
            y.append(int(min(np.searchsorted(ca[y[-1]], r.random()), kinds - 1)))
        w = [int(min(np.searchsorted(ce[c], r.random()), words - 1)) for c in y]
        x = []
        for here, before, after in zip(w, [-1] + w[:-1], w[1:] + [-1]):
            x.append([f"f{i}" for i in sorted({
                bucket("bias"), bucket("w0", here), bucket("w-1", before), bucket("w+1", after),
                bucket("b-", before, here), bucket("b+", here, after), bucket("m97", here % 97),
                bucket("m31", here % 31), bucket("m97-", before % 97), bucket("m97+", after % 97)})])
        return x, [f"L{c}" for c in y]

    def write(name, n):
        sequences = [sequence() for _ in range(n)]
        with open(folder / name, "w") as file:
            for x, y in sequences:
                file.writelines("\t".join([label, *seen]) + "\n" for label, seen in zip(y, x))
                file.write("\n")
        return sequences

    train, test = (200, 50) if QUICK else (5000, 1000)
    return write("labels_train.txt", train), write("labels_test.txt", test)


def fields(train, test):
    tell = lambda what, value: print(f"{len(train)}\tcrfsuite\t{what}\t{float(value)!r}", flush=True)
    test = [(pycrfsuite.ItemSequence(x), y) for x, y in test]
    path = str(folder / "model.crfsuite")
    for name, everything in (("observed", False), ("all", True)):
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({
            "c1": 0.0, "c2": 1.0, "max_iterations": 50, "num_memories": 6, "epsilon": 0.0, "delta": 0.0,
            "feature.possible_states": everything, "feature.possible_transitions": everything, "feature.minfreq": 0})
        for x, y in train:
            trainer.append(x, y)
        seconds, _ = least(lambda: trainer.train(path))
        tell(f"train {name}", seconds)
        tell(f"train {name} value", trainer.logparser.last_iteration["loss"])
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        seconds, told = least(lambda: [tagger.tag(x) for x, _ in test], 3)
        right = sum(a == b for own, (_, y) in zip(told, test) for a, b in zip(own, y))
        tell(f"tag {name}", seconds)
        tell(f"tag {name} value", right / sum(len(y) for _, y in test))
        tagger.close()
        os.unlink(path)


fields(*labels())
