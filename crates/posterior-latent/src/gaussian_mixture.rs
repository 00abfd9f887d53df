//! Gaussian mixtures with full, tied, diagonal and spherical covariances.
