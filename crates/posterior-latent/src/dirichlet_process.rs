//! Mixtures of an unknown number of components: Dirichlet and Pitman-Yor processes.
