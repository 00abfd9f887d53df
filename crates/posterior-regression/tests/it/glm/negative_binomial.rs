//! The size of negative binomial counts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, NegativeBinomialFit, NegativeBinomialRegression,
};

use super::data::{Table, with_intercept};
use super::reference::discoveries;

fn fit(data: GlmData<'_>) -> NegativeBinomialFit {
    let model = NegativeBinomialRegression::new(data).unwrap();
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    for pair in fitted.report.trace.windows(2) {
        assert!(pair[1] >= pair[0] - 1e-9, "{pair:?}");
    }
    fitted.model
}

/// Figures of statsmodels 0.15.0 (`discrete.NegativeBinomial`, Newton's method): coefficients and 1/θ, with
/// their errors by the observed information of all.
fn compare(fitted: &NegativeBinomialFit, parameters: &[f64], errors: &[f64], ln_likelihood: f64) {
    let size = fitted.size.as_ref().unwrap();
    let last = parameters.len() - 1;
    for j in 0..last {
        assert!((fitted.fit.coefficients[j] / parameters[j] - 1.0).abs() < 1e-8);
        let error = size.covariance[(j, j)].sqrt();
        assert!((error / errors[j] - 1.0).abs() < 1e-7, "{error} {}", errors[j]);
    }
    assert!((size.value * parameters[last] - 1.0).abs() < 1e-8, "{} {}", size.value, 1.0 / parameters[last]);
    let error = size.standard_error / size.value.powi(2);
    assert!((error / errors[last] - 1.0).abs() < 1e-7, "{error} {}", errors[last]);
    assert!((fitted.fit.ln_likelihood.unwrap() - ln_likelihood).abs() < 1e-9);
}

#[test]
fn inventions_have_the_figures_of_another_program() {
    let Some((design, y)) = discoveries("inventions_size") else { return };
    let fitted = fit(GlmData::new(&design, &y).unwrap());
    let parameters = [1.416248864634229, -0.352306772229871, -1.033034085642217, 0.08671842169655011];
    let errors = [0.09102997385750507, 0.12730086325573617, 0.24169729920632918, 0.05579273404930882];
    compare(&fitted, &parameters, &errors, -199.10720005129906);
}

#[test]
fn deaths_on_roads_have_the_figures_of_another_program() {
    let Some(table) = Table::shared("deaths_size", "data/timeseries/seatbelts.csv") else { return };
    let design = with_intercept(&["PetrolPrice", "law"].map(|name| table.column(name)));
    let y = table.column("DriversKilled");
    let offset: Vec<f64> = table.column("kms").iter().map(|kms| kms.ln()).collect();
    let fitted = fit(GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap());
    let parameters = [-3.831693098190122, -8.635551241182416, -0.39098178474081297, 0.06390879587801844];
    let errors = [0.17795271799145052, 1.7363910621296725, 0.06551770923461096, 0.0072854100692889045];
    compare(&fitted, &parameters, &errors, -941.9822377471442);
}

#[test]
fn no_other_size_is_more_likely_and_weights_are_numbers_of_rows() {
    let design = DMatrix::from_fn(12, 2, |i, j| if j == 0 { 1.0 } else { i as f64 / 6.0 - 1.0 });
    let y = [0.0, 3.0, 1.0, 9.0, 0.0, 2.0, 14.0, 1.0, 0.0, 22.0, 5.0, 3.0];
    let data = GlmData::new(&design, &y).unwrap();
    let prior = CoefficientPrior::isotropic(2, 1.5).unwrap();
    let model = NegativeBinomialRegression::new(data.clone()).unwrap().with_prior(prior.clone()).unwrap();
    let best = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
    let size = best.size.unwrap().value;
    let value = |size: f64| {
        let family = Family::negative_binomial(size).unwrap();
        let model = Glm::new(family, data.clone()).unwrap().with_prior(prior.clone()).unwrap();
        let fit = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap().model;
        fit.ln_likelihood.unwrap() + prior.ln_density(&fit.coefficients)
    };
    let top = value(size);
    for ln_ratio in [-1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0, 4.0] {
        assert!(value(size * f64::exp(ln_ratio)) < top, "{ln_ratio}");
    }
    // Each row twice, as rows and by weights.
    let twice = DMatrix::from_fn(24, 2, |i, j| design[(i / 2, j)]);
    let y_twice: Vec<f64> = (0..24).map(|i| y[i / 2]).collect();
    let rows = fit(GlmData::new(&twice, &y_twice).unwrap());
    let weighted = fit(data.with_weights(&[2.0; 12]).unwrap());
    let (a, b) = (rows.size.unwrap(), weighted.size.unwrap());
    assert!((a.value / b.value - 1.0).abs() < 1e-9);
    assert!((a.standard_error / b.standard_error - 1.0).abs() < 1e-9);
}

#[test]
fn counts_that_vary_no_more_than_poisson_counts_have_no_size() {
    let design = DMatrix::from_element(6, 1, 1.0);
    let y = [3.0, 4.0, 3.0, 2.0, 4.0, 3.0];
    let data = GlmData::new(&design, &y).unwrap();
    let fitted = fit(data.clone());
    assert!(fitted.size.is_none());
    let poisson =
        Glm::new(Family::Poisson, data).unwrap().fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.fit, poisson.model);
    assert!(NegativeBinomialRegression::new(GlmData::new(&design, &[0.5; 6]).unwrap()).is_err());
    let nothing = GlmData::new(&design, &[0.0; 6]).unwrap();
    let outcome =
        NegativeBinomialRegression::new(nothing).unwrap().fit(&GlmFitOptions::default(), &mut Silent);
    assert!(outcome.is_err());
}
