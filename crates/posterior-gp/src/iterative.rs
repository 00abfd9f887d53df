//! Large dense problems by conjugate gradients and stochastic Lanczos.
