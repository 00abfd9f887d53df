//! Conjugate gradients and Lanczos against dense factors.
