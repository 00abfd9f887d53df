"""PyMaxflow on the grids of `cargo xtask compare cut`. Usage: graph_cut.py FOLDER

Reads from standard input the number of a problem and its side, a line each time; from FOLDER the files NUMBER.zero, .one, .right and
.below (64-bit integers, row by row; weights padded to squares). Answers with the CPU seconds of building and of the flow, and
with the energy of the labels, which it works out from the files."""
import sys
import time
from pathlib import Path

import maxflow
import numpy as np

RIGHT = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]])
BELOW = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0]])
folder = Path(sys.argv[1])

for line in sys.stdin:
    number, side = line.split()
    side = int(side)
    zero, one, right, below = (
        np.fromfile(folder / f"{number}.{part}", dtype=np.int64).reshape(side, side)
        for part in ("zero", "one", "right", "below")
    )
    start = time.process_time()
    graph = maxflow.GraphInt(side * side, 2 * side * side)
    nodes = graph.add_grid_nodes((side, side))
    graph.add_grid_edges(nodes, right, RIGHT, symmetric=True)
    graph.add_grid_edges(nodes, below, BELOW, symmetric=True)
    graph.add_grid_tedges(nodes, one, zero)
    built = time.process_time()
    graph.maxflow()
    end = time.process_time()
    labels = graph.get_grid_segments(nodes)
    energy = np.where(labels, one, zero).sum()
    energy += (right[:, :-1] * (labels[:, 1:] != labels[:, :-1])).sum()
    energy += (below[:-1] * (labels[1:] != labels[:-1])).sum()
    print(built - start, end - built, energy, flush=True)
