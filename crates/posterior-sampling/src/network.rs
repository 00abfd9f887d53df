//! Monte Carlo engines for networks of discrete variables.
