//! Edges: what is refused and with which words, and limits that are met.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFit, GlmFitOptions, ResponseDistribution, Term,
};
use rand::RngExt;

fn line(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, 2, |i, j| if j == 0 { 1.0 } else { i as f64 })
}

fn fit<L: ResponseDistribution + Sync>(distribution: L, data: GlmData<'_>) -> Result<GlmFit, Error> {
    Ok(Glm::new(distribution, data)?.fit(&GlmFitOptions::default(), &mut Silent)?.model)
}

#[test]
fn responses_outside_of_the_family_are_refused_with_their_row() {
    let design = line(3);
    for (family, bad) in [
        (Family::Gaussian, f64::INFINITY),
        (Family::Logit, 1.5),
        (Family::Probit, -0.1),
        (Family::Poisson, 2.5),
        (Family::NegativeBinomial { size: 1.0 }, -1.0),
        (Family::GammaLog, 0.0),
        (Family::GammaInverse, -3.0),
    ] {
        for bad in [bad, f64::NAN] {
            let y = [1.0, 1.0, bad];
            let outcome = GlmData::new(&design, &y).and_then(|data| fit(family, data));
            assert!(matches!(outcome, Err(Error::Observation { row: 2, .. })), "{family:?}: {outcome:?}");
        }
    }
}

#[test]
fn sizes_and_numbers_that_cannot_be_are_refused() {
    let design = line(3);
    let y = [1.0, 2.0, 0.5];
    assert!(matches!(GlmData::new(&design, &y[..2]), Err(Error::Dimension { .. })));
    assert!(GlmData::new(&DMatrix::zeros(0, 2), &[]).is_err());
    assert!(GlmData::new(&DMatrix::zeros(3, 0), &y).is_err());
    let mut bad = design.clone();
    bad[(1, 1)] = f64::NAN;
    assert!(matches!(GlmData::new(&bad, &y), Err(Error::Observation { row: 1, .. })));
    let data = || GlmData::new(&design, &y).unwrap();
    assert!(data().with_offset(&[0.0]).is_err());
    assert!(matches!(data().with_offset(&[0.0, f64::NAN, 0.0]), Err(Error::Observation { row: 1, .. })));
    assert!(matches!(data().with_weights(&[1.0, -1.0, 0.0]), Err(Error::Observation { row: 1, .. })));
    assert!(data().with_weights(&[0.0; 3]).is_err());
    assert!(data().with_names(["one"]).is_err());
    assert!(Family::negative_binomial(0.0).is_err());
    assert!(CoefficientPrior::isotropic(2, 0.0).is_err());
    assert!(CoefficientPrior::isotropic(2, f64::NAN).is_err());
    assert!(CoefficientPrior::isotropic(2, 1e-200).is_err());
    assert!(Glm::new(Family::Gaussian, data()).unwrap().with_prior(CoefficientPrior::flat(3)).is_err());
    assert!(Glm::new(Family::Gaussian, data()).unwrap().with_dispersion(-1.0).is_err());
    // Without a dispersion there is no density.
    assert!(Glm::new(Family::Gaussian, data()).unwrap().ln_density(&[0.0, 0.0]).is_err());
    assert!(Glm::new(Family::Gaussian, data()).unwrap().laplace(&GlmFitOptions::default()).is_err());
}

#[test]
fn aliased_columns_are_named() {
    // A constant column beside the intercept; a sum of two; more columns than rows.
    let y = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let mut design = DMatrix::from_fn(6, 4, |i, j| [1.0, i as f64, (i * i % 5) as f64, 0.0][j]);
    for column in [3.0 * design.column(0), design.column(1) + design.column(2), design.column(3).into_owned()]
    {
        design.set_column(3, &column);
        let data = GlmData::new(&design, &y).unwrap().with_names(["one", "time", "square", "last"]).unwrap();
        let outcome = fit(Family::Logit, data);
        assert!(matches!(&outcome, Err(Error::Collinear { column }) if column == "last"), "{outcome:?}");
        // A proper prior tells them apart.
        let data = GlmData::new(&design, &y).unwrap();
        let model = Glm::new(Family::Logit, data).unwrap();
        let model = model.with_prior(CoefficientPrior::isotropic(4, 2.0).unwrap()).unwrap();
        assert!(model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().report.converged());
    }
    let wide = DMatrix::from_fn(2, 3, |i, j| (i + 2 * j * j) as f64 + 1.0);
    let outcome = fit(Family::Poisson, GlmData::new(&wide, &[1.0, 2.0]).unwrap());
    assert!(matches!(outcome, Err(Error::Collinear { .. })), "{outcome:?}");
}

#[test]
fn one_row_has_a_posterior() {
    let design = DMatrix::from_element(1, 1, 1.0);
    let data = GlmData::new(&design, &[4.0]).unwrap();
    let fitted = fit(Family::Poisson, data.clone()).unwrap();
    assert!((fitted.coefficients[0] - 4.0_f64.ln()).abs() < 1e-14);
    assert!(fitted.deviance.abs() < 1e-14);
    // No degrees of freedom are left for a dispersion.
    let fitted = fit(Family::Gaussian, data.clone()).unwrap();
    assert!(fitted.dispersion.is_nan() && fitted.coefficients == [4.0]);
    let model = Glm::new(Family::Logit, GlmData::new(&design, &[1.0]).unwrap()).unwrap();
    let model = model.with_prior(CoefficientPrior::isotropic(1, 1.0).unwrap()).unwrap();
    // β = 1 - σ(β).
    let b = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model.coefficients[0];
    assert!((b - 1.0 / (1.0 + b.exp())).abs() < 1e-14);
}

#[test]
fn rows_without_weight_say_nothing_and_weights_count_rows() {
    let x = [0.5, -1.0, 2.0, 0.0, 1.5, -0.3];
    let y = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let weights = [1.0, 2.0, 1.0, 0.0, 3.0, 2.0];
    let design = DMatrix::from_fn(6, 2, |i, j| if j == 0 { 1.0 } else { x[i] });
    let weighted =
        fit(Family::Logit, GlmData::new(&design, &y).unwrap().with_weights(&weights).unwrap()).unwrap();
    let repeated: Vec<usize> = (0..6).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let design = DMatrix::from_fn(repeated.len(), 2, |i, j| if j == 0 { 1.0 } else { x[repeated[i]] });
    let y: Vec<f64> = repeated.iter().map(|i| y[*i]).collect();
    let plain = fit(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
    for j in 0..2 {
        assert!((weighted.coefficients[j] - plain.coefficients[j]).abs() < 1e-12);
    }
    assert!((&weighted.covariance - &plain.covariance).amax() < 1e-12);
    assert!((weighted.deviance - plain.deviance).abs() < 1e-12);
    assert_eq!(weighted.rows, 5);
}

#[test]
fn an_offset_of_a_thousand_is_taken_back_by_the_intercept() {
    let design = line(6);
    let y = [1.0, 0.0, 2.0, 3.0, 5.0, 4.0];
    let plain = fit(Family::Poisson, GlmData::new(&design, &y).unwrap()).unwrap();
    for shift in [1e3, -1e3] {
        let offset = [shift; 6];
        let data = GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap();
        let shifted = fit(Family::Poisson, data).unwrap();
        assert!((shifted.coefficients[0] + shift - plain.coefficients[0]).abs() < 1e-11);
        assert!((shifted.coefficients[1] - plain.coefficients[1]).abs() < 1e-11);
    }
}

#[test]
fn huge_counts_and_scales_have_fits() {
    let design = line(4);
    let y: Vec<f64> = (0..4).map(|i| (30.0 + 0.5 * f64::from(i)).exp().round()).collect();
    let fitted = fit(Family::Poisson, GlmData::new(&design, &y).unwrap()).unwrap();
    assert!((fitted.coefficients[0] - 30.0).abs() < 1e-10 && (fitted.coefficients[1] - 0.5).abs() < 1e-10);
    assert!(fitted.deviance < 1e-8);
    // Units of 1e±100 of a column change its coefficient by the inverse.
    let y = [1.0, 0.0, 2.0, 3.0];
    let plain = fit(Family::Poisson, GlmData::new(&design, &y).unwrap()).unwrap();
    for unit in [1e-100, 1e100] {
        let mut scaled = design.clone();
        scaled.column_mut(1).scale_mut(unit);
        let fitted = fit(Family::Poisson, GlmData::new(&scaled, &y).unwrap()).unwrap();
        assert!((fitted.coefficients[1] * unit / plain.coefficients[1] - 1.0).abs() < 1e-11);
    }
}

#[test]
fn a_dispersion_under_a_prior_is_found_with_the_coefficients() {
    let design = line(8);
    let y = [0.1, 1.3, 1.8, 3.4, 3.9, 5.2, 5.7, 7.4];
    let data = GlmData::new(&design, &y).unwrap();
    let prior = CoefficientPrior::isotropic(2, 0.5).unwrap();
    let model = Glm::new(Family::Gaussian, data.clone()).unwrap().with_prior(prior.clone()).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    // It is a fixed point: known, it gives the same coefficients.
    let known = Glm::new(Family::Gaussian, data).unwrap().with_prior(prior).unwrap();
    let known = known
        .with_dispersion(fitted.dispersion)
        .unwrap()
        .fit(&GlmFitOptions::default(), &mut Silent)
        .unwrap();
    for j in 0..2 {
        assert!((known.model.coefficients[j] - fitted.coefficients[j]).abs() < 1e-11);
    }
    assert!((&known.model.covariance - &fitted.covariance).amax() < 1e-11);
}

#[test]
fn many_rows_begin_with_a_sample_and_end_at_the_same_place() {
    // More than 256 blocks of 256 rows; a thirty-second of them begins.
    let n = 70_000;
    let mut rng = stream(5, &[]);
    let design = DMatrix::from_fn(n, 6, |_, j| if j == 0 { 1.0 } else { rng.random::<f64>() - 0.5 });
    let truth = [0.3, 1.0, -2.0, 0.0, 0.5, 3.0];
    let y: Vec<f64> = (0..n)
        .map(|i| {
            let eta: f64 = (0..6).map(|j| design[(i, j)] * truth[j]).sum();
            f64::from(u8::from(rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp())))
        })
        .collect();
    let fitted = fit(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
    // The score is zero, by a plain sum.
    let errors = fitted.standard_errors();
    for j in 0..6 {
        let score: f64 = (0..n)
            .map(|i| {
                let eta: f64 = (0..6).map(|j| design[(i, j)] * fitted.coefficients[j]).sum();
                design[(i, j)] * (y[i] - 1.0 / (1.0 + (-eta).exp()))
            })
            .sum();
        // In standard deviations of the score.
        assert!(score.abs() * errors[j] < 1e-9, "{j}: {score}");
        assert!((fitted.coefficients[j] - truth[j]).abs() < 5.0 * errors[j]);
    }
}

/// Poisson with a square-root link, which the library does not have.
struct RootLink;

impl ResponseDistribution for RootLink {
    fn mean(&self, predictor: f64) -> f64 {
        predictor * predictor
    }

    fn term(&self, y: f64, predictor: f64) -> Term {
        let mean = predictor * predictor;
        let saturated = if y == 0.0 { 0.0 } else { y * y.ln() - y };
        let ln_likelihood =
            if predictor > 0.0 { y * mean.ln() - mean - saturated } else { f64::NEG_INFINITY };
        let slope = 2.0 * (y - mean) / predictor;
        Term { ln_likelihood, slope, observed: 2.0 + 2.0 * y / mean, expected: 4.0 }
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        (!(y >= 0.0)).then_some("a count")
    }

    fn start(&self, y: f64) -> f64 {
        (y + 0.1).sqrt()
    }
}

#[test]
fn a_distribution_of_a_users_own_is_fitted() {
    // Two groups: the roots of the means.
    let design = DMatrix::from_fn(6, 2, |i, j| f64::from(u8::from((i < 3) == (j == 0))));
    let y = [1.0, 2.0, 6.0, 10.0, 12.0, 14.0];
    let fitted = fit(RootLink, GlmData::new(&design, &y).unwrap()).unwrap();
    assert!((fitted.coefficients[0] - 3.0_f64.sqrt()).abs() < 1e-13);
    assert!((fitted.coefficients[1] - 12.0_f64.sqrt()).abs() < 1e-13);
    assert_eq!(fitted.ln_likelihood, None);
    assert!((fitted.covariance[(0, 0)] - 1.0 / 12.0).abs() < 1e-13);
}
