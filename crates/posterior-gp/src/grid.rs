//! Inputs on grids: Kronecker products and Toeplitz matrices.
