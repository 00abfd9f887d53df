//! State-space models and series of any numbers: filter, smoother, forecast.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::Input;
use posterior_kalman::{
    FilterOptions, CovarianceForm, Initial, ObservationEquation, Series, StateSpace, SteadyState, TransitionEquation,
    filter, forecast, ln_likelihood,
};
use posterior_math::linalg::DMatrix;

fn matrix(input: &mut Input<'_>, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_vec(rows, columns, input.numbers(rows * columns))
}

/// L Lᵀ, or any matrix.
fn covariance(input: &mut Input<'_>, size: usize) -> DMatrix<f64> {
    let any = matrix(input, size, size);
    if input.byte() < 32 {
        return any;
    }
    let root = any.map(|x| if x.is_finite() { x.clamp(-1e100, 1e100) } else { 1.0 });
    let product = &root * root.transpose();
    (&product + product.transpose()) * 0.5
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (states, width, length) = (input.size(1, 3), input.size(1, 2), input.size(0, 8));
    let transition =
        TransitionEquation::constant(&matrix(&mut input, states, states), &covariance(&mut input, states));
    let observation =
        ObservationEquation::constant(&matrix(&mut input, width, states), &covariance(&mut input, width));
    let initial = if input.byte() < 100 {
        Initial::diffuse(states)
    } else {
        Initial::known(&input.numbers(states), &covariance(&mut input, states))
    };
    let (Ok(transition), Ok(observation), Ok(initial)) = (transition, observation, initial) else { return };
    let Ok(model) = StateSpace::new(transition, observation, initial) else { return };
    let mut rows = matrix(&mut input, length, width);
    if input.byte() < 200 {
        rows.apply(|x| *x = if x.is_infinite() { f64::NAN } else { *x });
    }
    let Ok(series) = Series::with_missing(&rows) else { return };
    for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
        let options = FilterOptions { form, ..FilterOptions::default() };
        let value = ln_likelihood(&model, &series, &options);
        if let Ok(filtered) = filter(&model, &series, &options) {
            assert!(!filtered.ln_likelihood().is_nan());
            assert_eq!(value.ok().map(f64::to_bits), Some(filtered.ln_likelihood().to_bits()));
            let _ = forecast(&model, &filtered, 3);
            if let Ok(smoothed) = filtered.smooth(&model) {
                for t in 0..smoothed.len() {
                    assert!(
                        smoothed.mean(t).iter().all(|x| x.is_finite()),
                        "time {t}: {:?}",
                        smoothed.mean(t)
                    );
                }
            }
        }
        let _ = SteadyState::default();
    }
});
