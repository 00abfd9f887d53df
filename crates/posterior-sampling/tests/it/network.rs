//! Monte Carlo engines for networks.
