//! Kernels of Markov processes in one dimension: everything in O(n).
