"""Verbs of the command line beside the peers' default calls, for `cargo xtask compare verbs`. Usage: verbs.py FOLDER

Draws a table for each verb and size and leaves it as FOLDER/VERB_ROWS.csv. Our program, the one that the variable POSTERIOR names, and each peer
read it in processes of their own, one thread each. A line a measurement: rows, ours or the peer, verb and what, value, with tabs between. What is `cpu` (seconds: of our whole process, as
a person calls it, for text; of the peer's from reading the table on, without its imports), `cpu with files` (ours, with JSON and `--out`: all predictions of all rows, tables and pictures), `memory` (the most of the process, megabytes) and `quality` (what the row of VERBS says,
high is good). What takes longer than LIMIT seconds is left out, and so is any larger size."""
import json
import os
import resource
import sys
import time
from pathlib import Path

LIMIT = 150
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


# The tables.


def write(path, columns):
    import pandas

    pandas.DataFrame(columns).to_csv(path, index=False, float_format="%.7g")


def draw_series(r, n):
    import numpy as np

    season = list(r.normal(0, 2, 11))
    for _ in range(n):
        season.append(-sum(season[-11:]) + r.normal(0, 0.05))
    return {"t": np.arange(n), "y": np.cumsum(r.normal(0, 0.3, n)) + np.array(season[11:]) + r.normal(0, 1, n)}


def draw_states(r, n):
    import numpy as np

    steps, z, states = np.array([[0.95, 0.03, 0.02], [0.02, 0.95, 0.03], [0.05, 0.05, 0.9]]).cumsum(1), 0, np.empty(n, int)
    for t, u in enumerate(r.random(n)):
        z = int(np.searchsorted(steps[z], u))
        states[t] = min(z, 2)
    return {"y": r.normal(np.array([-2.0, 0.0, 3.0])[states], np.array([1.0, 0.7, 1.5])[states])}


def draw_groups(r, n, d=10, k=5):
    import numpy as np

    means, z, x = r.normal(0, 1.2, (k, d)), r.integers(0, k, n), np.empty((n, d))
    for j in range(k):
        turn = np.linalg.qr(r.normal(size=(d, d)))[0] * np.exp(r.normal(0, 0.5, d))
        own = z == j
        x[own] = means[j] + r.normal(size=(own.sum(), d)) @ turn.T
    return {f"x{j}": x[:, j] for j in range(d)}, z


def draw_curve(r, n):
    import numpy as np

    x = np.sort(r.uniform(0, 10, n))
    return {"x": x, "y": np.sin(2 * x) + 0.5 * np.cos(5 * x) + r.normal(0, 0.3, n)}


def draw_regression(r, n, family, d=10):
    import numpy as np

    x, w = r.normal(size=(n, d)), r.normal(0, 0.4, d)
    signal = x @ w
    y = {
        "gaussian": lambda: signal + r.normal(size=n),
        "bernoulli": lambda: (r.random(n) < 1 / (1 + np.exp(-signal))).astype(int),
        "poisson": lambda: r.poisson(np.exp(0.5 + signal)),
    }[family]()
    return {**{f"x{j}": x[:, j] for j in range(d)}, "y": y}


def draw_classes(r, n):
    columns, z = draw_groups(r, n)
    return {**columns, "class": [f"c{j}" for j in z]}


def draw_texts(r, n, words=2_000, classes=4, length=30):
    import numpy as np

    chances = r.dirichlet(np.full(words, 0.3), classes)
    z = r.integers(0, classes, n)
    texts = [" ".join(f"w{j:04}" for j in r.choice(words, length, p=chances[own])) for own in z]
    return {"text": texts, "class": [f"c{j}" for j in z]}


def draw_mixed(r, n):
    import numpy as np

    days = np.datetime64("2020-01-01") + np.arange(n) % 2_000
    gaps = np.where(r.random(n) < 0.05, np.nan, r.normal(size=n))
    return {"day": days.astype(str), "amount": r.gamma(2, 30, n), "count": r.poisson(3, n), "gaps": gaps, "kind": r.choice(["a", "b", "c"], n)}


# The peers: the default call, from the table to what the verb tells. Each returns the quality.


def statsmodels_series(table):
    from statsmodels.tsa.statespace.structural import UnobservedComponents

    found = UnobservedComponents(table["y"].to_numpy(), "local level", seasonal=12).fit(disp=False)
    found.level["smoothed"], found.seasonal["smoothed"]
    # Its likelihood leaves out the values that the start takes.
    return {"parameters": list(map(float, found.params)), "names": list(found.model.param_names)}


def hmmlearn_states(table):
    from hmmlearn.hmm import GaussianHMM

    x = table[["y"]].to_numpy()
    model = GaussianHMM(3, covariance_type="full", random_state=0).fit(x)
    model.predict(x)
    return model.score(x) / len(x)


def sklearn_mixture(table):
    from sklearn.mixture import GaussianMixture

    x = table.to_numpy()
    model = GaussianMixture(5, random_state=0).fit(x)
    model.predict(x)
    return model.score(x)


def sklearn_k_means(table):
    from sklearn.cluster import KMeans

    x = table.to_numpy()
    return -KMeans(5, random_state=0).fit(x).inertia_ / len(x)


def sklearn_components(table):
    from sklearn.decomposition import PCA

    x = table.to_numpy()
    model = PCA(5).fit(x)
    model.transform(x)
    return model.explained_variance_ratio_.sum()


def sklearn_process(table):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    x, y = table[["x"]].to_numpy(), table["y"].to_numpy()
    model = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(0.1)).fit(x, y - y.mean())
    model.predict(x[:200], return_std=True)
    return model.log_marginal_likelihood_value_ / len(y)


def regression(table, model, loss):
    x, y = table.drop(columns="y").to_numpy(), table["y"].to_numpy()
    fitted = model.fit(x, y)
    return -loss(y, fitted, x)


def sklearn_gaussian(table):
    from sklearn.linear_model import BayesianRidge

    return regression(table, BayesianRidge(), lambda y, m, x: ((y - m.predict(x)) ** 2).mean() ** 0.5)


def sklearn_bernoulli(table):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    return regression(table, LogisticRegression(), lambda y, m, x: log_loss(y, m.predict_proba(x)))


def sklearn_poisson(table):
    from sklearn.linear_model import PoissonRegressor
    from sklearn.metrics import mean_poisson_deviance

    return regression(table, PoissonRegressor(), lambda y, m, x: mean_poisson_deviance(y, m.predict(x)))


def sklearn_softmax(table):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    x, y = table.drop(columns="class").to_numpy(), table["class"].to_numpy()
    model = LogisticRegression().fit(x, y)
    return -log_loss(y, model.predict_proba(x))


def sklearn_text(table):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    x = CountVectorizer().fit_transform(table["text"])
    return MultinomialNB().fit(x, table["class"]).score(x, table["class"])


def pandas_describe(table):
    return float(len(table.describe(include="all")))


def sklearn_bayes(table):
    from sklearn.naive_bayes import GaussianNB

    x, y = table.drop(columns="class").to_numpy(), table["class"].to_numpy()
    return GaussianNB().fit(x, y).score(x, y)


# What our answer says of the quality.


def per_row(name, sign=1):
    return lambda answer, n: sign * answer[name] / n


class Verb:
    def __init__(self, name, draw, arguments, peer, quality, sizes=(1_000, 10_000, 100_000)):
        self.name, self.draw, self.arguments, self.peer, self.quality, self.sizes = name, draw, arguments, peer, quality, sizes


def fit(family):
    return ["regress", "fit", "--y", "y", "--family", family]


VERBS = [
    Verb("series smooth", draw_series, ["series", "smooth", "--model", "local-level + seasonal:12"], statsmodels_series, None),
    Verb("hmm fit", draw_states, ["hmm", "fit", "--states", "3"], hmmlearn_states, per_row("ln_likelihood")),
    Verb("cluster fit, gmm", lambda r, n: draw_groups(r, n)[0], ["cluster", "fit", "--k", "5"], sklearn_mixture, per_row("ln_likelihood")),
    Verb("cluster fit, kmeans", lambda r, n: draw_groups(r, n)[0], ["cluster", "fit", "--method", "kmeans", "--k", "5"], sklearn_k_means, per_row("inertia", -1)),
    Verb("pca fit", lambda r, n: draw_groups(r, n)[0], ["pca", "fit", "--k", "5"], sklearn_components, lambda own, _: sum(own["explained_proportion"])),
    Verb("gp fit", draw_curve, ["gp", "fit", "--x", "x", "--y", "y", "--kernel", "rbf(1)", "--optimize"], sklearn_process, per_row("ln_marginal_likelihood"), (500, 1_500, 4_500)),
    Verb("regress fit, gaussian", lambda r, n: draw_regression(r, n, "gaussian"), fit("gaussian"), sklearn_gaussian, None),
    Verb("regress fit, bernoulli", lambda r, n: draw_regression(r, n, "bernoulli"), fit("bernoulli"), sklearn_bernoulli, None),
    Verb("regress fit, poisson", lambda r, n: draw_regression(r, n, "poisson"), fit("poisson"), sklearn_poisson, None),
    Verb("regress fit, softmax", draw_classes, ["regress", "fit", "--y", "class", "--family", "softmax"], sklearn_softmax, None),
    Verb("classify fit", draw_classes, ["classify", "fit", "--label", "class", "--x", ",".join(f"x{j}" for j in range(10))], sklearn_bayes, None),
    Verb("classify fit, text", draw_texts, ["classify", "fit", "--label", "class", "--text", "text"], sklearn_text, None),
    Verb("data show", draw_mixed, ["data", "show"], pandas_describe, None),
]


# Processes.


def run(command, stdout):
    """CPU seconds and the most megabytes of a process, or None if it fails or takes too long."""
    with open(stdout, "wb") as out, open(os.devnull, "wb") as null:
        pid = os.posix_spawnp(command[0], command, {**os.environ, **THREADS}, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, null.fileno(), 2)])
        start = time.monotonic()
        while True:
            done, status, used = os.wait4(pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() - start > 2 * LIMIT:
                os.kill(pid, 9)
            time.sleep(0.002)
    cpu = used.ru_utime + used.ru_stime
    # A process begins with what its parent had, and says that much if it needs less.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    memory = used.ru_maxrss / 1024 if used.ru_maxrss > 1.01 * own else None
    return (cpu, memory) if status == 0 and cpu < LIMIT else None


def say(n, who, verb, what, value):
    if value is not None:
        print(n, who, f"{verb}: {what}", f"{value:.10g}", sep="\t", flush=True)


def peer(index, path):
    """In a process of its own: imports first, then the time from the table to the answer."""
    import pandas
    import warnings

    warnings.filterwarnings("ignore")
    verb = VERBS[int(index)]
    small = pandas.read_csv(path, nrows=200)
    try:
        verb.peer(small)
    except ValueError:
        pass
    start = time.process_time()
    quality = verb.peer(pandas.read_csv(path))
    print(json.dumps({"cpu": time.process_time() - start, "quality": quality}))


def likelihood_of(program, path, parameters, stdout):
    """Ours of the series at the variances that the peer found."""
    names = {"sigma2.irregular": "noise.variance", "sigma2.level": "level.variance", "sigma2.seasonal": "seasonal.variance"}
    given = ",".join(f"{names[own]}={max(value, 1e-12):.17g}" for own, value in zip(parameters["names"], parameters["parameters"]))
    if run([program, *VERBS[0].arguments, path, "--params", given, "--format", "json"], stdout) is None:
        return None
    return json.loads(Path(stdout).read_text())["ln_likelihood"]


def main():
    import numpy as np

    folder, program, quick = Path(sys.argv[1]), os.environ["POSTERIOR"], "--quick" in sys.argv
    stdout = str(folder / "stdout")
    for index, verb in enumerate(VERBS):
        for_us = for_peer = True
        for n in verb.sizes[:1] if quick else verb.sizes:
            path = str(folder / f"{verb.name.replace(' ', '_').replace(',', '')}_{n}.csv")
            write(path, verb.draw(np.random.default_rng(20261128), n))
            if for_us:
                used = run([program, *verb.arguments, path], stdout)
                for_us = used is not None
                if used:
                    say(n, "ours", verb.name, "cpu", used[0])
                    say(n, "ours", verb.name, "memory", used[1])
                files = [] if verb.peer is pandas_describe else ["--out", str(folder / f"out_{index}_{n}")]
                all_of_it = run([program, *verb.arguments, path, "--format", "json", *files], stdout)
                if all_of_it:
                    say(n, "ours", verb.name, "cpu with files", all_of_it[0])
                    answer = json.loads(Path(stdout).read_text())
                    quality = verb.quality or (per_row("ln_likelihood") if index == 0 else lambda own, _: None)
                    say(n, "ours", verb.name, "quality", quality(answer, n))
            if for_peer:
                used = run([sys.executable, __file__, "--peer", str(index), path], stdout)
                for_peer = used is not None
                if used:
                    found = json.loads(Path(stdout).read_text())
                    name = verb.peer.__name__.split("_")[0]
                    say(n, name, verb.name, "cpu", found["cpu"])
                    say(n, name, verb.name, "memory", used[1])
                    quality = found["quality"]
                    if isinstance(quality, dict):
                        quality = likelihood_of(program, path, quality, stdout)
                        quality = quality and quality / n
                    say(n, name, verb.name, "quality", quality)


if sys.argv[1] == "--peer":
    peer(*sys.argv[2:])
else:
    main()
