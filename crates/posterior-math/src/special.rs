//! Special functions: the gamma family, and what probability builds from it.
//!
//! Every function takes and returns f64 and is total: a pole is an infinity (or NaN where its sign is
//! undefined), NaN in gives NaN out, and nothing panics. The accuracy in each function's documentation is the
//! largest relative error against tables of 30 digits, asserted by the tests.

mod bessel_i;
mod bessel_i_order;
mod bessel_k;
mod beta;
mod constants;
mod deviance;
mod digamma;
mod error_function;
mod exact;
mod exp_excess;
mod factorial;
mod gamma;
mod gamma_ratio;
mod incomplete_beta;
mod incomplete_gamma;
mod normal;
mod normal_quantile;
mod owens_t;
mod polygamma;
mod polynomial;
mod ratio_power;
mod rising;
mod sin_pi;
mod stirling;
mod zeta;

pub use bessel_i::{
    bessel_i1_over_i0, inverse_bessel_ratio, ln_bessel_i0, ln_bessel_i0_scaled, ln_bessel_i1,
};
pub use bessel_i_order::bessel_i_remainder;
pub use bessel_k::{bessel_k, ln_bessel_k};
pub use beta::{ln_beta, ln_multivariate_beta};
pub use constants::{HALF_LN_TAU, LN_TAU};
pub use deviance::poisson_deviance;
pub use digamma::{digamma, inverse_digamma, trigamma};
pub use error_function::{erf, erfc, erfcx};
pub use exact::exact_product;
pub use exp_excess::exp_excess;
pub use factorial::{ln_binomial, ln_factorial, ln_multinomial};
pub use gamma::{gamma, ln_gamma, ln_gamma_1p, ln_gamma_sign, multivariate_ln_gamma};
pub use incomplete_beta::{
    beta_deviance, beta_p, beta_p_gradient, beta_pq, beta_q, inverse_beta_p, inverse_beta_pq, inverse_beta_q,
    ln_beta_p, ln_beta_q,
};
pub use incomplete_gamma::{
    gamma_p, gamma_p_shape_derivative, gamma_pq, gamma_q, inverse_gamma_p, inverse_gamma_q, ln_gamma_p,
    ln_gamma_q,
};
pub use normal::{inverse_mills, ln_normal_cdf, normal_cdf, normal_sf};
pub use normal_quantile::{erf_inv, erfc_inv, normal_ln_quantile, normal_quantile, normal_upper_quantile};
pub use owens_t::{bivariate_normal_cdf, owens_t};
pub use polygamma::polygamma;
pub use ratio_power::ratio_power;
pub use rising::{digamma_difference, ln_pochhammer, ln_rising_factorial, trigamma_difference};
pub use stirling::{stirling_remainder, stirling_remainder_derivative};
pub use zeta::{hurwitz_zeta_scaled, hurwitz_zeta_scaled_with_slope};
