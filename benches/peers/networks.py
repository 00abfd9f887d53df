"""pyAgrum and pgmpy on the networks of `cargo xtask compare net`. Usage: networks.py FOLDER [--quick]

For each NAME.bif in FOLDER, with variables v0, v1, ... and states s0, s1, ..., there is NAME.json:
{"cards": [...], "cpts": [{"scope": [parents..., child], "values": [child fastest]}], "evidence": [{"3": 0, ...}, ...]}.
Prints one JSON line a network and engine: {network, peer, load_ms, first_ms, evidence_ms}: reading the file; building the
engine and all marginals without evidence; the median over the sets of evidence of setting one and asking for all marginals.
Each is the least of several passes, in milliseconds of one thread's processor time. An engine that takes more than the budget, or
fails, has {network, peer, failed}. Writes NAME.marginals.json: all marginals of each set by pyAgrum, from tables in double precision
(its BIF reader keeps single precision)."""
import itertools
import json
import signal
import sys
import time
from pathlib import Path

import numpy as np

FOLDER = Path(sys.argv[1])
QUICK = "--quick" in sys.argv
BUDGET = 10 if QUICK else 60
PASSES = 1 if QUICK else 5


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong


signal.signal(signal.SIGPROF, too_long)
now = time.thread_time


def report(network, peer, **figures):
    print(json.dumps({"network": network, "peer": peer, **figures}), flush=True)


def least(call, passes=PASSES, enough=1.0):
    """The least time of several calls, and the last result."""
    best, total, result = float("inf"), 0.0, None
    for _ in range(passes):
        start = now()
        result = call()
        took = now() - start
        best, total = min(best, took), total + took
        if total > enough:
            break
    return 1e3 * best, result


def median(values):
    return sorted(values)[len(values) // 2]


def fill_double_precision(network, model):
    """Puts the tables of the model into a network that was read in single precision."""
    for table in model["cpts"]:
        cpt = network.cpt(f"v{table['scope'][-1]}")
        names = [f"v{v}" for v in table["scope"]]
        values = np.array(table["values"]).reshape([model["cards"][v] for v in table["scope"]])
        for order in (list(cpt.names), list(cpt.names)[::-1]):
            candidate = values.transpose([names.index(name) for name in order])
            old = cpt.toarray()
            if candidate.shape == old.shape and np.max(np.abs(candidate - old)) < 1e-5:
                cpt[:] = np.ascontiguousarray(candidate)
                break
        else:
            raise RuntimeError(f"the axes of {names[-1]}")


def pyagrum_engine(gum, engine, network, model):
    names = [f"v{v}" for v in range(len(model["cards"]))]

    def all_marginals(inference):
        inference.makeInference()
        return [inference.posterior(name) for name in names]

    def first():
        inference = getattr(gum, engine)(network)
        all_marginals(inference)
        return inference

    first_ms, inference = least(first)

    def under(evidence):
        inference.setEvidence({f"v{v}": state for v, state in evidence.items()})
        return all_marginals(inference)

    times = [least(lambda: under(evidence), 3, 0.5)[0] for evidence in model["evidence"]]
    return {"first_ms": first_ms, "evidence_ms": median(times)}


def run_pyagrum(name, model):
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    load_ms, network = least(lambda: gum.loadBN(str(FOLDER / f"{name}.bif")))
    fill_double_precision(network, model)
    for engine in ("LazyPropagation", "ShaferShenoyInference", "VariableElimination"):
        try:
            signal.setitimer(signal.ITIMER_PROF, BUDGET)
            figures = pyagrum_engine(gum, engine, network, model)
            signal.setitimer(signal.ITIMER_PROF, 0)
            report(name, f"pyagrum.{engine}", load_ms=load_ms, **figures)
        except TooLong:
            report(name, f"pyagrum.{engine}", failed=f"over {BUDGET} s")
        except Exception as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            report(name, f"pyagrum.{engine}", failed=str(error)[:80])
    write_marginals(gum, network, name, model)


def write_marginals(gum, network, name, model):
    inference = gum.LazyPropagation(network)
    answers = []
    for evidence in [{}, *model["evidence"]]:
        inference.setEvidence({f"v{v}": state for v, state in evidence.items()})
        inference.makeInference()
        answers.append([inference.posterior(f"v{v}").tolist() for v in range(len(model["cards"]))])
    (FOLDER / f"{name}.marginals.json").write_text(json.dumps(answers))


def run_pgmpy(name, model):
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    load_ms, network = least(lambda: BIFReader(str(FOLDER / f"{name}.bif")).get_model(), 1)
    names = [f"v{v}" for v in range(len(model["cards"]))]

    def all_marginals(evidence):
        engine = VariableElimination(network)
        free = [v for v in names if v not in evidence]
        return [engine.query([v], evidence=evidence, show_progress=False) for v in free]

    first_ms, _ = least(lambda: all_marginals({}), 1)
    sets = itertools.islice(model["evidence"], 3)
    named = [{f"v{v}": f"s{state}" for v, state in evidence.items()} for evidence in sets]
    times = [least(lambda: all_marginals(evidence), 1)[0] for evidence in named]
    report(name, "pgmpy.VariableElimination", load_ms=load_ms, first_ms=first_ms, evidence_ms=median(times))


def guarded(run, peer, name, model):
    try:
        signal.setitimer(signal.ITIMER_PROF, BUDGET * 4)
        run(name, model)
    except ImportError:
        report(name, peer, failed="not installed")
    except TooLong:
        report(name, peer, failed=f"over {4 * BUDGET} s")
    except Exception as error:
        report(name, peer, failed=f"{type(error).__name__} {error}"[:80])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


for path in sorted(FOLDER.glob("*.bif"), key=lambda path: path.stat().st_size):
    model = json.loads(path.with_suffix(".json").read_text())
    guarded(run_pyagrum, "pyagrum", path.stem, model)
    if sum(model["cards"]) < 200:
        guarded(run_pgmpy, "pgmpy", path.stem, model)
