//! Hamiltonian Monte Carlo and the no-U-turn sampler.
