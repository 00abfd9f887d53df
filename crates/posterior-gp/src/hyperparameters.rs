//! What the data say about the parameters of a kernel: maximum likelihood, maximum a posteriori, draws.
