//! Hamiltonian Monte Carlo and NUTS.
