//! Filters, smoothers and likelihoods of state-space models.

use std::hint::black_box;

use criterion::Criterion;
use posterior_kalman::{
    CovarianceForm, Error, FilterOptions, Initial, ObservationEquation, Series, StateSpace, SteadyState,
    TransitionEquation, batch, filter, ln_likelihood,
};
use posterior_math::linalg::DMatrix;

const LENGTH: usize = 1000;

/// Damped rotations of pairs of states, of which the first `width` states are seen.
fn model(states: usize, width: usize) -> Result<StateSpace, Error> {
    let transition = DMatrix::from_fn(states, states, |i, j| match (i, j) {
        _ if i == j => 0.9,
        _ if i + 1 == j && i % 2 == 0 => 0.3,
        _ if j + 1 == i && j % 2 == 0 => -0.3,
        _ => 0.0,
    });
    StateSpace::new(
        TransitionEquation::constant(&transition, &DMatrix::identity(states, states))?,
        ObservationEquation::constant(&DMatrix::identity(width, states), &DMatrix::identity(width, width))?,
        Initial::known(&vec![0.0; states], &DMatrix::identity(states, states))?,
    )
}

fn series(width: usize, phase: f64) -> Result<Series, Error> {
    Series::new(&DMatrix::from_fn(LENGTH, width, |t, i| (0.37 * t as f64 + i as f64 + phase).sin() * 2.0))
}

fn measure(c: &mut Criterion) -> Result<(), Error> {
    for (states, width) in [(2, 1), (4, 2), (10, 3)] {
        let (model, series) = (model(states, width)?, series(width, 0.0)?);
        for (name, form, steady_state) in [
            ("steady", CovarianceForm::SquareRoot, SteadyState::Detect),
            ("square root", CovarianceForm::SquareRoot, SteadyState::Ignore),
            ("joseph", CovarianceForm::Joseph, SteadyState::Ignore),
        ] {
            let options = FilterOptions { form, steady_state, ..FilterOptions::default() };
            let filtered = filter(&model, &series, &options)?;
            let label = |what: &str| format!("kalman/{what}/{states} states, {width} seen, {name}");
            c.bench_function(&label("filter"), |b| b.iter(|| filter(black_box(&model), &series, &options)));
            c.bench_function(&label("smooth"), |b| b.iter(|| filtered.smooth(black_box(&model))));
            c.bench_function(&label("ln p"), |b| {
                b.iter(|| ln_likelihood(black_box(&model), &series, &options));
            });
        }
    }
    let model = model(4, 2)?;
    let many = (0..64).map(|k| series(2, f64::from(k))).collect::<Result<Vec<_>, _>>()?;
    let options = FilterOptions::default();
    c.bench_function("kalman/batch/64 series", |b| {
        b.iter(|| batch::filter(black_box(&model), &many, &options));
    });
    Ok(())
}

#[expect(clippy::unwrap_used, reason = "the models are fixed")]
pub(super) fn benchmarks(c: &mut Criterion) {
    measure(c).unwrap();
}
