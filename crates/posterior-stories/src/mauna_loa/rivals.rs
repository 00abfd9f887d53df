//! Kernels of more and more sense: their evidence, and how they predict.

use std::io::Write;

use posterior::datasets::series::CO2;
use posterior::gp::hyperparameters::compare;
use posterior::gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Mean};
use posterior::math::linalg::DMatrix;
use posterior::report::{Card, Ribbon, ribbons};

use super::{FITTED_BEFORE, Months, ORIGIN, noise, options};
use crate::Outcome;

/// Predictions are made at these dates, from what is known then, for some years.
const ASKED_AT: [f64; 6] = [1970.0, 1975.0, 1980.0, 1985.0, 1990.0, 1994.0];

const AHEAD: f64 = 4.0;

/// Each kernel's evidence, and how it predicts.
pub(super) fn compared(
    out: &mut dyn Write,
    candidates: &[(&'static str, Kernel)],
    step: usize,
) -> Outcome<Vec<Card>> {
    let past = Months::those(step, |time| time < FITTED_BEFORE);
    let average = past.values.iter().sum::<f64>() / past.values.len() as f64;
    let prior = |(_, kernel): &(&str, Kernel)| -> Outcome<GaussianProcess> {
        let mean = Mean::constant(average)?;
        // A kernel with a constant needs no other one.
        let has_constant = kernel.to_string().contains("constant");
        Ok(GaussianProcess::new(kernel.clone()).with_mean(if has_constant { mean.fixed() } else { mean }))
    };
    let priors = candidates.iter().map(prior).collect::<Outcome<Vec<_>>>()?;
    writeln!(
        out,
        "Fitted to {} months; asked for {AHEAD} years at {} dates\n",
        past.values.len(),
        ASKED_AT.len()
    )?;
    writeln!(
        out,
        "{:38} {:>12} {:>9} {:>10} {:>12} {:>8}",
        "kernel", "ln evidence", "BIC", "error, ppm", "in units sd", "in 90 %"
    )?;
    let mut cards = Vec::new();
    for one in compare(&priors, &noise()?, &past.inputs, &past.values, &options())? {
        let (name, posterior) = (candidates[one.place].0, &one.fitted.model);
        let Predicted { error, in_sds, coverage } = predicted(posterior, step)?;
        writeln!(
            out,
            "{name:38} {:12.1} {:9.1} {error:10.2} {in_sds:12.2} {:6.0} %",
            one.fitted.report.ln_evidence,
            one.bic,
            100.0 * coverage
        )?;
        let meta = format!(
            "ln evidence {:.1}; {:.0} % of the months to come are in the band of 90 %",
            one.fitted.report.ln_evidence,
            100.0 * coverage
        );
        cards.push(Card { title: name.to_owned(), meta, pictures: vec![extrapolated(posterior)?] });
    }
    writeln!(
        out,
        "\nThe evidence asks for a season that drifts. It knows little of the decades to come: a trend that may bend at any time has the"
    )?;
    writeln!(
        out,
        "honest band, one that is smooth for ever is too sure, and a single RBF forgets and falls back to the mean."
    )?;
    Ok(cards)
}

/// How far predictions were off: root mean squares, in ppm and in their own standard deviations, and the
/// proportion in the bands of 90 %.
struct Predicted {
    error: f64,
    in_sds: f64,
    coverage: f64,
}

/// With the parameters of `fitted`, from the months before each date.
fn predicted(fitted: &GaussianProcessPosterior, step: usize) -> Outcome<Predicted> {
    let (mut squares, mut scaled, mut inside, mut count) = (0.0, 0.0, 0.0, 0.0);
    for date in ASKED_AT {
        let past = Months::those(step, |time| time < date);
        let future = Months::those(step, |time| (date..date + AHEAD).contains(&time));
        let posterior = fitted.prior().condition(&past.inputs, &past.values, fitted.noise())?;
        let noise = fitted.noise().of_new_observation().unwrap_or(0.0);
        let prediction = posterior.latent(&future.inputs)?.plus_noise(noise);
        for ((value, mean), sd) in future.values.iter().zip(&prediction.mean).zip(&prediction.sd()) {
            squares += (value - mean).powi(2);
            scaled += ((value - mean) / sd).powi(2);
        }
        let months = future.values.len() as f64;
        inside += months * prediction.coverage(&future.values, 0.9);
        count += months;
    }
    Ok(Predicted {
        error: (squares / count).sqrt(),
        in_sds: (scaled / count).sqrt(),
        coverage: inside / count,
    })
}

/// The function from 1985 on with its band, over all months since then.
fn extrapolated(posterior: &GaussianProcessPosterior) -> Outcome<posterior::report::Picture> {
    let noise = posterior.noise().of_new_observation().unwrap_or(0.0);
    let times: Vec<f64> = (0..=360).map(|month| 1985.0 + f64::from(month) / 12.0).collect();
    let inputs = DMatrix::from_iterator(times.len(), 1, times.iter().map(|time| time - ORIGIN));
    let prediction = posterior.latent(&inputs)?.plus_noise(noise);
    let ribbon = Ribbon::around("", &times, prediction.mean.as_slice(), prediction.sd().as_slice(), 1.645);
    let dots: Vec<(f64, f64)> =
        CO2.times().zip(CO2.values.iter().copied()).filter(|(time, _)| *time >= 1985.0).collect();
    Ok(ribbons(("year", "CO2 (ppm)"), &[ribbon], &dots, Some(FITTED_BEFORE)))
}
