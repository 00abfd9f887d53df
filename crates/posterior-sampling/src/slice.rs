//! Slice samplers: uniform under the density, without a step size to tune.
