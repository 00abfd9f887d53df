//! Models of factors: densities, posteriors, EM.

use posterior_dist::stream::stream;
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::principal_components::{
    FactorModel, FactorOptions, NoiseModel, fit_factors, probabilistic,
};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use proptest::prelude::*;
use rand::RngExt;

use super::{close, observations, of_four_variances, waves};

/// The waves with one in eleven numbers missing.
fn with_holes() -> Observations {
    let values =
        DMatrix::from_fn(60, 6, |i, t| if (7 * i + 3 * t) % 11 == 0 { f64::NAN } else { waves()[(i, t)] });
    Observations::with_missing(&values).unwrap()
}

fn careful(factors: usize, noise: NoiseModel) -> FactorOptions {
    let em = EmOptions { tolerance: 1e-15, max_iterations: 100_000, ..EmOptions::default() };
    FactorOptions { noise, em, ..FactorOptions::new(factors) }
}

#[test]
fn factor_analysis_as_in_another_program() {
    // scikit-learn 1.9.1, FactorAnalysis(2, tol=1e-14, svd_method="lapack"): n times the mean score.
    let data = observations(&waves());
    let found = fit_factors(&data, &careful(2, NoiseModel::Diagonal), &mut Silent).unwrap();
    close(found.model.ln_likelihood(&data).unwrap(), -294.3465784044877, 1e-10);
    let noise = [
        0.14969507730110793,
        0.12234347688966773,
        0.12395327496010503,
        0.1442427998256111,
        0.09533666651126205,
        0.12406226656106321,
    ];
    for (value, expected) in found.model.noise().iter().zip(noise) {
        close(*value, expected, 1e-4);
    }
    assert!(found.heywood.is_empty() && found.report.falls.is_empty());
    close(*found.report.trace.last().unwrap(), found.model.ln_likelihood(&data).unwrap(), 1e-12);
}

#[test]
fn em_of_complete_rows_finds_the_closed_form() {
    for values in [waves(), of_four_variances()] {
        let data = observations(&values);
        let closed = probabilistic(&data, 2).unwrap();
        let found = fit_factors(&data, &careful(2, NoiseModel::Isotropic), &mut Silent).unwrap();
        let best = closed.ln_likelihood(&data).unwrap();
        close(found.model.ln_likelihood(&data).unwrap(), best, 1e-12);
        close(found.model.noise()[0], closed.noise()[0], 1e-6);
        assert!((found.model.covariance() - closed.covariance()).amax() < 1e-5);
        assert!((found.model.loadings() - closed.loadings()).amax() < 1e-5);
    }
}

#[test]
fn missing_values_are_integrated_out() {
    // The likelihood of what is observed, maximised by SciPy's BFGS from four starts.
    let data = with_holes();
    let found = fit_factors(&data, &careful(2, NoiseModel::Isotropic), &mut Silent).unwrap();
    close(found.model.ln_likelihood(&data).unwrap(), -271.0799913439965, 1e-11);
    close(found.model.noise()[0], 0.12090941011637471, 1e-6);
    let mean = [
        0.028579353727703802,
        0.967701935467537,
        2.031356148236197,
        2.995146202717662,
        3.903423342800625,
        4.948645006453755,
    ];
    for (value, expected) in found.model.mean().iter().zip(mean) {
        assert!((value - expected).abs() < 1e-6);
    }
    // What was taken away comes back nearer than the mean is.
    let filled = found.model.impute(&data).unwrap();
    let (mut by_factors, mut by_means) = (0.0, 0.0);
    for i in 0..60 {
        for t in (0..6).filter(|t| data.values()[(i, *t)].is_nan()) {
            by_factors += (filled[(i, t)] - waves()[(i, t)]).powi(2);
            by_means += (found.model.mean()[t] - waves()[(i, t)]).powi(2);
        }
    }
    // Half of it is noise, which nothing predicts.
    assert!(by_factors < 0.6 * by_means, "{by_factors} {by_means}");
    assert!(data.values().iter().zip(filled.iter()).all(|(x, y)| x.is_nan() || x == y));
}

#[test]
fn a_coordinate_that_factors_explain_entirely_is_held_at_the_floor_and_reported() {
    // SciPy's BFGS takes the noise of coordinate 4 to 10⁻¹¹ here.
    let found = fit_factors(
        &with_holes(),
        &FactorOptions { floor: 1e-4, ..careful(2, NoiseModel::Diagonal) },
        &mut Silent,
    )
    .unwrap();
    assert_eq!(found.heywood, [4]);
    assert!(found.report.falls.is_empty());
    // Without bound: the likelihood near that without a floor, -269.469.
    let last = *found.report.trace.last().unwrap();
    assert!(last < -269.4694 && last > -269.6, "{last}");
}

fn any_model(d: usize, k: usize, seed: u64) -> FactorModel {
    let mut rng = stream(seed, &[]);
    let mean: Vec<f64> = (0..d).map(|_| rng.random::<f64>() * 4.0).collect();
    let loadings = DMatrix::from_fn(d, k, |_, _| rng.random::<f64>() * 2.0 - 1.0);
    let noise: Vec<f64> = (0..d).map(|_| 0.05 + rng.random::<f64>()).collect();
    FactorModel::new(&mean, &loadings, &noise).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The dense joint Gaussian of (z, x), conditioned on what is observed.
    #[test]
    fn densities_and_posteriors_are_those_of_the_joint_gaussian(d in 1..6_usize, k in 1..4_usize, seed: u64) {
        let model = any_model(d, k, seed);
        let mut rng = stream(seed, &[1]);
        let values = model.sample(5, &mut rng).map(|x| if rng.random::<f64>() < 0.3 { f64::NAN } else { x });
        let data = Observations::with_missing(&values)?;
        let ln_densities = model.ln_densities(&data)?;
        let means = model.posterior_means(&data)?;
        let filled = model.impute(&data)?;
        let covariance = model.covariance();
        for i in 0..5 {
            let seen: Vec<usize> = (0..d).filter(|&t| !values[(i, t)].is_nan()).collect();
            let gram = covariance.select_rows(&seen).select_columns(&seen);
            let residual = DVector::from_iterator(seen.len(), seen.iter().map(|&t| values[(i, t)] - model.mean()[t]));
            let factor = Cholesky::new(&gram)?;
            let solved = factor.solve_vector(&residual);
            let ln_density = -0.5
                * (seen.len() as f64 * std::f64::consts::TAU.ln() + factor.ln_determinant() + residual.dot(&solved));
            prop_assert!((ln_densities[i] - ln_density).abs() < 1e-10 * (1.0 + ln_density.abs()));
            let loadings = model.loadings().select_rows(&seen);
            let mean = loadings.transpose() * &solved;
            prop_assert!((means.row(i).transpose() - mean).amax() < 1e-11);
            let spread = DMatrix::identity(k, k) - loadings.transpose() * factor.solve(&loadings);
            prop_assert!((model.posterior_covariance(&seen)? - spread).amax() < 1e-11);
            let cross = covariance.select_columns(&seen);
            for t in (0..d).filter(|&t| values[(i, t)].is_nan()) {
                let expected = model.mean()[t] + (cross.row(t) * &solved)[0];
                prop_assert!((filled[(i, t)] - expected).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn em_never_lowers_the_likelihood(d in 2..5_usize, diagonal: bool, seed: u64) {
        let mut rng = stream(seed, &[2]);
        let values = any_model(d, 1, seed).sample(15, &mut rng);
        let values = values.map(|x| if rng.random::<f64>() < 0.2 { f64::NAN } else { x });
        let weights: Vec<f64> = (0..15).map(|_| rng.random::<f64>() * 3.0).collect();
        let data = Observations::with_missing(&values)?.weighted(&weights)?;
        let noise = if diagonal { NoiseModel::Diagonal } else { NoiseModel::Isotropic };
        let options = FactorOptions { noise, em: EmOptions { max_iterations: 200, ..EmOptions::default() }, ..FactorOptions::new(1) };
        // Random holes may leave a coordinate with one number.
        if let Ok(found) = fit_factors(&data, &options, &mut Silent) {
            let trace = &found.report.trace;
            for pair in trace.windows(2) {
                prop_assert!(pair[1] >= pair[0] - 1e-11 * pair[0].abs().max(1.0), "{trace:?}");
            }
            let last = trace[trace.len() - 1];
            prop_assert!((found.model.ln_likelihood(&data)? - last).abs() <= 1e-9 * last.abs().max(1.0));
        }
    }
}

#[test]
fn weights_are_copies() {
    let values = with_holes().values().rows(0, 20).into_owned();
    let counts: Vec<usize> = (0..20).map(|i| 1 + i % 3).collect();
    let places: Vec<usize> = counts.iter().enumerate().flat_map(|(i, &count)| vec![i; count]).collect();
    let copies = Observations::with_missing(&values.select_rows(&places)).unwrap();
    let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let weighted = Observations::with_missing(&values).unwrap().weighted(&weights).unwrap();
    // The starts differ, as principal components divide by Σ w - 1: not here, where that is the same too.
    let options = FactorOptions {
        em: EmOptions { max_iterations: 50, ..EmOptions::default() },
        ..FactorOptions::new(2)
    };
    let one = fit_factors(&weighted, &options, &mut Silent).unwrap();
    let other = fit_factors(&copies, &options, &mut Silent).unwrap();
    assert!((one.model.covariance() - other.model.covariance()).amax() < 1e-10);
    for (a, b) in one.report.trace.iter().zip(&other.report.trace) {
        close(*a, *b, 1e-11);
    }
}

#[test]
fn draws_have_the_moments_of_the_model() {
    let model = any_model(3, 2, 7);
    let drawn = model.sample(40_000, &mut stream(11, &[]));
    let (mean, covariance) = (drawn.row_mean(), model.covariance());
    for t in 0..3 {
        // Four standard errors: a false alarm once in 2,000 seeds for the twelve comparisons.
        let error = 4.0 * (covariance[(t, t)] / 40_000.0).sqrt();
        assert!((mean[t] - model.mean()[t]).abs() < error);
        for s in 0..3 {
            let product = drawn
                .column(t)
                .iter()
                .zip(drawn.column(s).iter())
                .map(|(a, b)| (a - mean[t]) * (b - mean[s]))
                .sum::<f64>()
                / 40_000.0;
            let variance = covariance[(t, t)] * covariance[(s, s)] + covariance[(t, s)].powi(2);
            assert!((product - covariance[(t, s)]).abs() < 4.0 * (variance / 40_000.0).sqrt());
        }
    }
}

#[test]
fn an_offset_costs_digits_of_the_data_only() {
    let moved = observations(&waves().add_scalar(2_f64.powi(20)));
    let found = fit_factors(&moved, &careful(2, NoiseModel::Diagonal), &mut Silent).unwrap();
    close(found.model.ln_likelihood(&moved).unwrap(), -294.3465784044877, 1e-8);
}

#[test]
fn misuse() {
    let data = observations(&waves());
    let refused = |options: FactorOptions| fit_factors(&data, &options, &mut Silent).is_err();
    assert!(refused(FactorOptions::new(0)) && refused(FactorOptions::new(6)));
    assert!(
        refused(FactorOptions { floor: 0.0, ..FactorOptions::new(1) })
            && refused(FactorOptions { floor: f64::NAN, ..FactorOptions::new(1) })
    );
    let with_column = |column: [f64; 3]| {
        let values = DMatrix::from_fn(3, 3, |i, t| if t == 2 { column[i] } else { (i * i + t) as f64 });
        fit_factors(&Observations::with_missing(&values).unwrap(), &FactorOptions::new(1), &mut Silent)
    };
    assert!(with_column([f64::NAN; 3]).is_err());
    assert!(with_column([0.1; 3]).is_err());
    assert!(with_column([f64::NAN, f64::NAN, 0.1]).is_err());
    let one = DMatrix::from_element(2, 1, 1.0);
    assert!(FactorModel::new(&[0.0], &one, &[1.0, 1.0]).is_err());
    assert!(FactorModel::new(&[0.0, 0.0], &one, &[1.0, 0.0]).is_err());
    assert!(FactorModel::new(&[0.0, f64::NAN], &one, &[1.0, 1.0]).is_err());
    assert!(FactorModel::new(&[], &DMatrix::zeros(0, 1), &[]).is_err());
    let model = FactorModel::new(&[0.0, 0.0], &one, &[1.0, 1.0]).unwrap();
    assert!(model.ln_likelihood(&data).is_err() && model.posterior_covariance(&[2]).is_err());
    // Nothing observed says nothing.
    let nothing = Observations::with_missing(&DMatrix::from_element(1, 2, f64::NAN)).unwrap();
    assert_eq!(model.ln_likelihood(&nothing).unwrap(), 0.0);
    assert_eq!(model.posterior_means(&nothing).unwrap()[0], 0.0);
}
