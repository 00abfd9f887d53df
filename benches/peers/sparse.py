"""CHOLMOD, by cvxopt, on the grids of `cargo xtask compare sparse`. Usage: sparse.py FOLDER

Reads from standard input a number of runs and the lengths of a grid's sides, a line each time. Answers with the CPU seconds of the analysis (AMD), of the factor
(supernodal) and of a solution, each the mean of as many runs as the line's first number says, and with the logarithm of the determinant of
the grid's Laplacian plus a tenth of the identity."""
import sys
import time

import numpy as np
from cvxopt import cholmod, matrix, spmatrix

cholmod.options["supernodal"] = 2


def grid(shape):
    n = int(np.prod(shape))
    index = np.arange(n).reshape(shape[::-1])
    below, above = [], []
    for axis in range(len(shape)):
        above.append(np.take(index, range(index.shape[axis] - 1), axis=axis).ravel())
        below.append(np.take(index, range(1, index.shape[axis]), axis=axis).ravel())
    below, above, own = np.concatenate(below), np.concatenate(above), np.arange(n)
    diagonal = 0.1 + np.bincount(below, minlength=n) + np.bincount(above, minlength=n)
    values = np.concatenate([-np.ones(len(below)), diagonal])
    rows, columns = np.concatenate([below, own]), np.concatenate([above, own])
    return spmatrix(matrix(values), matrix(rows.tolist()), matrix(columns.tolist()), (n, n))


for line in sys.stdin:
    runs, *shape = map(int, line.split())
    laplacian = grid(shape)
    start = time.process_time()
    for _ in range(runs):
        factor = cholmod.symbolic(laplacian)
    analysed = time.process_time()
    for _ in range(runs):
        cholmod.numeric(laplacian, factor)
    factored = time.process_time()
    for _ in range(runs):
        right = matrix(1.0, (laplacian.size[0], 1))
        cholmod.solve(factor, right)
    solved = time.process_time()
    times = [(end - begin) / runs for begin, end in ((start, analysed), (analysed, factored), (factored, solved))]
    ln_determinant = 2 * float(np.sum(np.log(np.array(cholmod.diag(factor)))))
    print(*times, ln_determinant, flush=True)
