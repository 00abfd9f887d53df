//! Kernels by their spectra: Mercer, Bochner, Nyström, reproducing-kernel spaces.
