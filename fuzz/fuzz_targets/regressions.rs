//! Designs and responses of any numbers: linear models, generalised ones, and their posteriors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::stream::stream;
use posterior_fuzz::Input;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{CoefficientPrior, Family, GlmFitOptions, Glm, GlmData, SoftmaxRegression};
use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, known_noise, unknown_noise};

fn linear(input: &mut Input<'_>, design: &DMatrix<f64>, response: &[f64]) {
    let columns = design.ncols();
    let Ok(mut data) = LinearData::new(design, response) else { return };
    let weights = input.numbers(response.len());
    if input.byte() < 60 {
        let Ok(weighted) = data.with_weights(&weights) else { return };
        data = weighted;
    }
    let prior = match input.size(0, 2) {
        0 => Ok(WeightPrior::flat(columns)),
        1 => WeightPrior::isotropic(columns, input.number()),
        _ => WeightPrior::independent(&input.numbers(columns), &input.numbers(columns)),
    };
    let Ok(prior) = prior else { return };
    if let Ok(posterior) = known_noise(&data, &prior, input.number()) {
        let _ = (posterior.covariance(), posterior.effective_parameters(), posterior.coefficients());
        let _ = (posterior.predict(design), posterior.leave_one_out(&data), posterior.as_prior());
        let _ = (posterior.update(&data), posterior.forget(&data), posterior.sample(&mut stream(1, &[])));
    }
    let Ok(noise) = NoisePrior::inverse_gamma(input.number(), input.number()) else { return };
    if let Ok(posterior) = unknown_noise(&data, &prior, noise) {
        let _ = (
            posterior.weights(),
            posterior.coefficients(),
            posterior.predict(design),
            posterior.update(&data),
        );
        let _ = (posterior.leave_one_out(&data), posterior.sample(&mut stream(1, &[])));
    }
}

fn generalised(input: &mut Input<'_>, design: &DMatrix<f64>, response: &[f64]) {
    let family = match input.size(0, 7) {
        0 => Ok(Family::Gaussian),
        1 => Ok(Family::Logit),
        2 => Ok(Family::Probit),
        3 => Ok(Family::ComplementaryLogLog),
        4 => Ok(Family::Poisson),
        5 => Ok(Family::GammaLog),
        6 => Ok(Family::GammaInverse),
        _ => Family::negative_binomial(input.number()),
    };
    let columns = design.ncols();
    let (Ok(family), Ok(data)) = (family, GlmData::new(design, response)) else { return };
    let Ok(mut model) = Glm::new(family, data) else { return };
    if input.byte() < 128 {
        let Ok(prior) = CoefficientPrior::isotropic(columns, input.number()) else { return };
        let Ok(with_prior) = model.with_prior(prior) else { return };
        model = with_prior;
    }
    let options = GlmFitOptions::default();
    if let Ok(fit) = model.fit(&options, &mut Silent) {
        let fit = fit.model;
        let _ = (fit.standard_errors(), fit.table(), fit.intervals(0.9), fit.aic());
    }
    let _ = model.laplace(&options).map(|posterior| posterior.table());
    let coefficients = input.numbers(columns);
    let _ = model.ln_likelihood(&coefficients, 1.0);
    let labels: Vec<usize> = response.iter().map(|y| if *y > 0.0 { 1 } else { 0 }).collect();
    if let Ok(softmax) = SoftmaxRegression::new(design, &labels, 3) {
        let _ = softmax.fit(&options, &mut Silent);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (rows, columns, kind) = (input.size(0, 7), input.size(0, 3), input.byte());
    let design = DMatrix::from_vec(rows, columns, input.numbers(rows * columns));
    let whole = input.byte() < 128;
    let response: Vec<f64> =
        (0..rows).map(|_| if whole { f64::from(input.byte() % 3) } else { input.number() }).collect();
    if kind < 128 {
        linear(&mut input, &design, &response)
    } else {
        generalised(&mut input, &design, &response)
    }
});
