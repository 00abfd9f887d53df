//! All benchmarks, by subject; `cargo xtask bench FILTER` runs those whose name contains FILTER.

mod dist;
mod gp;
mod inference;
mod kalman;
mod linalg;
mod math;
mod numeric;
mod pgm;
mod sampling;
mod topics;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    benches,
    math::special_functions,
    math::error_functions,
    math::incomplete_gamma,
    math::log_space,
    math::incomplete_beta,
    math::bessel_and_owen,
    numeric::quadrature,
    numeric::minimisation,
    numeric::gradients,
    linalg::cholesky,
    linalg::solve,
    linalg::product,
    linalg::others,
    dist::discrete_draws,
    dist::dirichlet,
    topics::sweeps,
    topics::joint,
    inference::cuts,
    inference::expansion,
    inference::junction_tree,
    inference::messages,
    kalman::benchmarks,
    pgm::networks,
    pgm::fields,
    sampling::gradients,
    sampling::chains,
    sampling::diagnostics,
    gp::regression,
    gp::parts
);
criterion_main!(benches);
