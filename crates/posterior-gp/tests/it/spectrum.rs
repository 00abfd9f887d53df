//! Spectra of kernels.
