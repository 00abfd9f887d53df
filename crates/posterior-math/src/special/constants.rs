//! Logarithms of 2π, which every normal density has.

/// ln 2π, the nearest f64.
pub const LN_TAU: f64 = 1.837_877_066_409_345_6;

/// ½ ln 2π, the nearest f64.
pub const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;
