//! The pictures.

use posterior::datasets::series::CO2;
use posterior::dist::stream::stream;
use posterior::gp::{GaussianProcess, GaussianProcessPosterior};
use posterior::math::linalg::DMatrix;
use posterior::report::{Card, Figure, Page, Ribbon, ribbons};

use super::ORIGIN;
use super::parts::{Parts, shortened};
use crate::Outcome;

pub(super) fn page(parts: &Parts, rivals: Vec<Card>) -> Outcome<Page> {
    let posterior = &parts.posterior;
    let times: Vec<f64> = (0..=12 * 59).map(|month| 1959.0 + f64::from(month) / 12.0).collect();
    let inputs = DMatrix::from_iterator(times.len(), 1, times.iter().map(|time| time - ORIGIN));
    let noise = posterior.noise().of_new_observation().unwrap_or(0.0);
    let ribbon = |name: &str, means: &[f64], sds: &[f64]| Ribbon::around(name, &times, means, sds, 1.96);
    let whole = posterior.latent(&inputs)?.plus_noise(noise);
    let dots: Vec<(f64, f64)> = CO2.times().zip(CO2.values.iter().copied()).collect();
    let lead = ribbons(
        ("year", "CO2 (ppm)"),
        &[ribbon("", whole.mean.as_slice(), whole.sd().as_slice())],
        &dots,
        Some(1998.0),
    );

    let mut page = Page::new("Gaussian process", "A line, a trend, a season, and the weather");
    page.standfirst.push(
        "Monthly carbon dioxide over Mauna Loa as a sum of functions, each with a kernel of its own: a line, a trend that may bend, a season whose \
         shape drifts, and weather."
            .to_owned(),
    );
    page.lead = Some(Figure::new(
        lead,
        "Dots: the months of 1959 to 1997. Line and band: the model, with 95 %, and what it predicts for twenty years.",
    ));
    page.fact("rise of the line, ppm a year", format!("{:.2} ± {:.2}", parts.slope.0, parts.slope.1));
    page.fact("ln evidence", format!("{:.1}", parts.ln_evidence));
    let squares: f64 = parts.residuals.iter().map(|(_, z)| z * z).sum::<f64>() / parts.residuals.len() as f64;
    page.fact("months left out are off by, in sd", format!("{:.2}", squares.sqrt()));
    let mut cards = Vec::new();
    for term in posterior.components().into_iter().skip(1) {
        let own = term.latent(&inputs)?;
        let picture = ribbons(
            ("year", "its part (ppm)"),
            &[ribbon("", own.mean.as_slice(), own.sd().as_slice())],
            &[],
            Some(1998.0),
        );
        cards.push(Card { title: shortened(term.kernel())?, meta: String::new(), pictures: vec![picture] });
    }
    let text = "Each but the constant, given all months, with bands of 95 %. Terms that can stand in for each other have wide bands of their own.";
    page.section("The terms", text, cards);
    page.section(
        "Before any data",
        "Functions drawn from the prior with the same parameters, without the constant and the line.",
        Figure::new(prior_draws(posterior, &times, &inputs)?, "Three draws from the prior."),
    );
    page.section("Rivals", "Fitted to the months before 1990, by falling evidence; bands of 90 %.", rivals);
    page.section(
        "Residuals",
        "Each month against its prediction from all others, in standard deviations.",
        Figure::new(
            ribbons(("year", "standardised residual"), &[], &parts.residuals, None),
            "No drift, no season left.",
        ),
    );
    CO2.title.clone_into(&mut page.source);
    Ok(page)
}

/// Draws of all terms but the constant and the line.
fn prior_draws(
    posterior: &GaussianProcessPosterior,
    times: &[f64],
    inputs: &DMatrix<f64>,
) -> Outcome<posterior::report::Picture> {
    let terms = posterior.prior().kernel().terms();
    let Some(wiggles) = terms.into_iter().skip(2).reduce(|sum, term| sum + term) else {
        return Err("the kernel has no terms beside the constant and the line".into());
    };
    let sampler = GaussianProcess::new(wiggles).sampler(inputs)?;
    let mut rng = stream(2, &[0]);
    let draws = (0..3).map(|_| {
        let draw = sampler.sample(&mut rng);
        let line = times.iter().copied().zip(draw.iter().copied());
        Ribbon::line("", line)
    });
    Ok(ribbons(("year", "ppm"), &draws.collect::<Vec<_>>(), &[], None))
}
