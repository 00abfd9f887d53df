//! Monte Carlo means, inversion and quasi-random points.
