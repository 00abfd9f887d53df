//! The same curve by one dense matrix and by a filter along time.

use std::io::Write;
use std::time::Instant;

use posterior::gp::markov::{MarkovOptions, MarkovProcessPosterior};
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::linalg::DMatrix;
use posterior::report::Page;

use super::{Months, noise};
use crate::Outcome;

/// A trend and weather whose kernels are those of Markov processes.
pub(super) fn compared(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let months = Months::those(1, |_| true);
    let average = months.values.iter().sum::<f64>() / months.values.len() as f64;
    let values: Vec<f64> = months.values.iter().map(|value| value - average).collect();
    let kernel = 500.0 * Kernel::matern52(30.0)? + 5.0 * Kernel::matern32(0.3)?;
    let prior = GaussianProcess::new(kernel.clone());
    let at = DMatrix::from_fn(24, 1, |month, _| 18.0 + month as f64 / 12.0);

    let begin = Instant::now();
    let dense = prior.condition(&months.inputs, &values, &noise()?)?;
    let predicted = dense.latent(&at)?;
    let by_matrix = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let filtered =
        MarkovProcessPosterior::new(&prior, (&months.inputs, &values), &noise()?, &MarkovOptions::default())?;
    let followed = filtered.latent(&at)?;
    let along_time = begin.elapsed().as_secs_f64();

    let apart = (predicted.mean - followed.mean).amax();
    let evidence = (dense.ln_evidence() - filtered.ln_evidence()).abs();
    let output = format!(
        "With {kernel}: means of the next two years differ by at most {apart:.0e} ppm, the ln evidences by {evidence:.0e}; {by_matrix:.3} s with a \
         matrix, {along_time:.3} s along time."
    );
    writeln!(out, "\nTwo routes to one curve. {output}")?;
    let text = "Where the kernels are those of Markov processes, a filter along time says the same as one large matrix, and its cost grows with the months only.";
    page.section("Two routes", text, vec![output]);
    Ok(())
}
