//! Logistic regression: the posterior of its coefficients, saved, and probabilities for new rows.
//!
//! `cargo run -p posterior-regression --features serde --example probability_of_passing`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_regression::gaussian::Gaussian;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, Predictor};
use posterior_regression::math::linalg::DMatrix;
use posterior_regression::math::quadrature::GaussHermite;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Hours of study of twenty students, and whether they passed.
    let hours = [
        0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 4.0, 4.25, 4.5, 4.75,
        5.0, 5.5,
    ];
    let passed = [0., 0., 0., 0., 0., 0., 1., 0., 1., 0., 1., 0., 1., 0., 1., 1., 1., 1., 1., 1.];
    let design = |hours: &[f64]| DMatrix::from_fn(hours.len(), 2, |i, j| if j == 0 { 1.0 } else { hours[i] });

    let rows = design(&hours);
    let data = GlmData::new(&rows, &passed)?.with_names(["intercept", "hours"])?;
    let prior = CoefficientPrior::diagonal(vec![0.0, 0.0], &[10.0, 2.5])?;
    let posterior = Glm::new(Family::Logit, data)?.with_prior(prior)?.laplace(&GlmFitOptions::default())?;
    println!("ln p(data) = {:.4}", posterior.ln_evidence);
    for coefficient in posterior.table()? {
        println!("{}: {:.3}, sd {:.3}", coefficient.name, coefficient.mean, coefficient.sd);
    }

    // The distribution of the coefficients is all that predictions need; it is read back to the same bits.
    let saved = serde_json::to_string(&(&posterior.names, &posterior.distribution))?;
    let (_, read): (Vec<String>, Gaussian) = serde_json::from_str(&saved)?;
    assert_eq!(read, posterior.distribution);
    let (new, rule) = ([1.0, 3.0, 5.0], GaussHermite::new(32)?);
    for (hours, predictor) in new.iter().zip(Predictor::of_rows(&read, &design(&new))?) {
        println!("{hours} hours: {:.3}", predictor.averaged(&Family::Logit, &rule));
    }
    Ok(())
}
