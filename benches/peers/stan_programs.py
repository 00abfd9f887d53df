"""Stan's NUTS on the programs of `cargo xtask compare model`. Usage: stan_programs.py FOLDER

Reads from standard input the files of a program and of its data and a seed, a line each time. Writes the draws after the warm-up to
FOLDER/draws (64-bit numbers: draw, column) and the names of the columns to FOLDER/names, a line each, and answers with the seconds of
compiling, of the warm-up and of the draws, the gradients of the draws, and the divergences."""
import json
import os
import re
import sys
import time
from pathlib import Path

folder = Path(sys.argv[1])
# Compiled programs are not kept: what compiling takes is measured.
os.environ["XDG_CACHE_HOME"] = str(folder)

import numpy as np
import stan

answers, sys.stdout = sys.stdout, sys.stderr
# Its compiler leaves a folder `build` where it runs.
os.chdir(folder)
for line in sys.stdin:
    program, data, seed = line.split()
    begin = time.time()
    model = stan.build(Path(program).read_text(), data=json.loads(Path(data).read_text()), random_seed=int(seed))
    compiled = time.time() - begin
    fit = model.sample(num_chains=1, num_samples=1000, num_warmup=1000)
    messages = fit.stan_outputs[0].decode()
    warm_up, draws = (
        float(re.search(rf"([0-9.e-]+) seconds \({part}\)", messages).group(1)) for part in ("Warm-up", "Sampling")
    )
    table = np.stack([fit[name].reshape(-1) for name in fit.sample_and_sampler_param_names])
    statistics = dict(zip(fit.sample_and_sampler_param_names, table))
    columns = fit._draws[len(table) :, :, 0]
    np.ascontiguousarray(columns.T, dtype="f8").tofile(folder / "draws")
    (folder / "names").write_text("\n".join(fit.constrained_param_names))
    gradients, divergent = (int(statistics[name].sum()) for name in ("n_leapfrog__", "divergent__"))
    print(compiled, warm_up, draws, gradients, divergent, file=answers, flush=True)
