//! Carbon dioxide over Mauna Loa, taken apart: regression with a sum of kernels.
//!
//! `cargo run --release -p posterior --example mauna_loa [-- --out DIR]`
//!
//! Four kernels are fitted to the months of 1959 to 1989, and asked for the four years that follow each of six dates: where a kernel does not know
//! the future, its band has to say so. The best one is then fitted to all months, and its terms are looked at one by one. With `--out` it writes a page with
//! the pictures.

use std::error::Error;
use std::path::PathBuf;

use posterior::datasets::series::CO2;
use posterior::dist::stream::stream;
use posterior::gp::hyperparameters::{FitOptions, Learnable, Regression, compare, curvature, fit, refine};
use posterior::gp::{GaussianProcess, Kernel, Mean, Noise, Posterior};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::optimize::LbfgsOptions;
use posterior::report::{Body, Card, Figure, Page, Ribbon, Section, ribbons};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Times are counted from here, so that the weights of a line are those of this year.
const ORIGIN: f64 = 1980.0;
/// Parameters are fitted to the months before.
const FITTED_BEFORE: f64 = 1990.0;
/// Predictions are made at these dates, from what is known then, for some years.
const ASKED_AT: [f64; 6] = [1970.0, 1975.0, 1980.0, 1985.0, 1990.0, 1994.0];
const AHEAD: f64 = 4.0;
/// The variance of an instrument that is right to 0.1 ppm; what else differs from month to month is to be learnt.
const INSTRUMENT: f64 = 0.01;
/// The variance of a constant, wide enough for any level.
const LEVEL: f64 = 1e5;

/// Months with their values.
struct Months {
    inputs: DMatrix<f64>,
    values: Vec<f64>,
}

impl Months {
    fn those(wanted: impl Fn(f64) -> bool) -> Self {
        let kept = || CO2.times().zip(CO2.values).filter(|(time, _)| wanted(*time));
        let times: Vec<f64> = kept().map(|(time, _)| time - ORIGIN).collect();
        Self {
            values: kept().map(|(_, value)| *value).collect(),
            inputs: DMatrix::from_vec(times.len(), 1, times),
        }
    }
}

fn main() -> Outcome<()> {
    let folder = out_folder()?;
    let candidates = candidates()?;
    let pictures = rivals(&candidates)?;
    let (posterior, whole) = taken_apart(&candidates[3].1)?;
    if let Some(folder) = folder {
        std::fs::create_dir_all(&folder)?;
        let path = folder.join("report.html");
        std::fs::write(&path, page(&posterior, whole, pictures)?.html())?;
        println!("\nwrote {}", path.display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("usage: mauna_loa [--out DIR]".into()),
    }
}

/// Kernels from the naive to the one of Rasmussen and Williams, section 5.4.3, here with a constant and a line of unknown weights.
fn candidates() -> Outcome<Vec<(&'static str, Kernel)>> {
    let trend = || -> Outcome<Kernel> { Ok(2000.0 * Kernel::rbf(50.0)?) };
    let rough = || -> Outcome<Kernel> { Ok(100.0 * Kernel::matern32(20.0)?) };
    let season = || -> Outcome<Kernel> { Ok(6.0 * (Kernel::rbf(90.0)? * Kernel::periodic(1.3, 1.0)?)) };
    let years = || -> Outcome<Kernel> { Ok(0.4 * Kernel::rational_quadratic(1.2, 0.8)?) };
    let weather = || -> Outcome<Kernel> { Ok(0.03 * Kernel::rbf(0.13)?) };
    let line =
        || -> Outcome<Kernel> { Ok(Kernel::constant(LEVEL)?.fixed() + 1.0 * Kernel::linear().fixed()) };
    Ok(vec![
        ("one RBF", 100.0 * Kernel::rbf(1.0)?),
        ("trend and strict season", trend()? + 6.0 * Kernel::periodic(1.3, 1.0)?),
        ("smooth trend, season, years, weather", trend()? + season()? + years()? + weather()?),
        ("line, rough trend, season, weather", line()? + rough()? + season()? + weather()?),
    ])
}

fn options() -> FitOptions {
    let search = LbfgsOptions::default()
        .with_gradient_tolerance(1e-5)
        .with_value_tolerance(1e-9)
        .with_max_iterations(500);
    FitOptions::default().with_search(search).with_restarts(1).with_seed(1)
}

fn noise() -> Outcome<Noise> {
    Ok(Noise::known(INSTRUMENT)?.plus_variance(0.04)?)
}

/// Each kernel's evidence, and how it foretells.
fn rivals(candidates: &[(&'static str, Kernel)]) -> Outcome<Vec<Card>> {
    let past = Months::those(|time| time < FITTED_BEFORE);
    let average = past.values.iter().sum::<f64>() / past.values.len() as f64;
    let prior = |(_, kernel): &(&str, Kernel)| -> Outcome<GaussianProcess> {
        let mean = Mean::constant(average)?;
        // A kernel with a constant needs no other one.
        let has_constant = kernel.to_string().contains("constant");
        Ok(GaussianProcess::new(kernel.clone()).with_mean(if has_constant { mean.fixed() } else { mean }))
    };
    let priors = candidates.iter().map(prior).collect::<Outcome<Vec<_>>>()?;
    println!("Fitted to {} months; asked for {AHEAD} years at {} dates\n", past.values.len(), ASKED_AT.len());
    println!(
        "{:38} {:>12} {:>9} {:>10} {:>12} {:>8}",
        "kernel", "ln evidence", "BIC", "error, ppm", "in units sd", "in 90 %"
    );
    let mut cards = Vec::new();
    for one in compare(&priors, &noise()?, &past.inputs, &past.values, &options())? {
        let (name, posterior) = (candidates[one.place].0, &one.fitted.model);
        let Foretold { error, in_sds, coverage } = foretold(posterior)?;
        println!(
            "{name:38} {:12.1} {:9.1} {error:10.2} {in_sds:12.2} {:6.0} %",
            one.fitted.report.ln_evidence,
            one.bic,
            100.0 * coverage
        );
        let meta = format!(
            "ln evidence {:.1}; {:.0} % of the months to come are in the band of 90 %",
            one.fitted.report.ln_evidence,
            100.0 * coverage
        );
        cards.push(Card { title: name.to_owned(), meta, pictures: vec![extrapolated(posterior)?] });
    }
    println!(
        "\nThe evidence asks for a season that drifts. It knows little of the decades to come: a trend that may bend at any time has the"
    );
    println!(
        "honest band, one that is smooth for ever is too sure, and a single RBF forgets and falls back to the mean."
    );
    Ok(cards)
}

/// How far predictions were off: root mean squares, in ppm and in their own standard deviations, and the share in the bands of 90 %.
struct Foretold {
    error: f64,
    in_sds: f64,
    coverage: f64,
}

/// With the parameters of `fitted`, from the months before each date.
fn foretold(fitted: &Posterior) -> Outcome<Foretold> {
    let (mut squares, mut scaled, mut inside, mut count) = (0.0, 0.0, 0.0, 0.0);
    for date in ASKED_AT {
        let (past, future) =
            (Months::those(|time| time < date), Months::those(|time| (date..date + AHEAD).contains(&time)));
        let posterior = fitted.prior().condition(&past.inputs, &past.values, fitted.noise())?;
        let noise = fitted.noise().of_new_observation().unwrap_or(0.0);
        let prediction = posterior.predict(&future.inputs)?.plus_noise(noise);
        for ((value, mean), sd) in future.values.iter().zip(&prediction.mean).zip(&prediction.sd()) {
            squares += (value - mean).powi(2);
            scaled += ((value - mean) / sd).powi(2);
        }
        let months = future.values.len() as f64;
        inside += months * prediction.coverage(&future.values, 0.9);
        count += months;
    }
    Ok(Foretold {
        error: (squares / count).sqrt(),
        in_sds: (scaled / count).sqrt(),
        coverage: inside / count,
    })
}

/// The function from 1985 on with its band, over all months since then.
fn extrapolated(posterior: &Posterior) -> Outcome<posterior::report::Picture> {
    let noise = posterior.noise().of_new_observation().unwrap_or(0.0);
    let times: Vec<f64> = (0..=360).map(|month| 1985.0 + f64::from(month) / 12.0).collect();
    let inputs = DMatrix::from_iterator(times.len(), 1, times.iter().map(|time| time - ORIGIN));
    let prediction = posterior.predict(&inputs)?.plus_noise(noise);
    let ribbon = Ribbon::around("", &times, prediction.mean.as_slice(), prediction.sd().as_slice(), 1.645);
    let dots: Vec<(f64, f64)> =
        CO2.times().zip(CO2.values.iter().copied()).filter(|(time, _)| *time >= 1985.0).collect();
    Ok(ribbons(("year", "CO2 (ppm)"), &[ribbon], &dots, Some(FITTED_BEFORE)))
}

/// The best kernel on all months: its parameters, its terms, the line's weights, its residuals, the next twenty years.
fn taken_apart(kernel: &Kernel) -> Outcome<(Posterior, Vec<f64>)> {
    let all = Months::those(|_| true);
    let average = all.values.iter().sum::<f64>() / all.values.len() as f64;
    let prior = GaussianProcess::new(kernel.clone()).with_mean(Mean::constant(average)?.fixed());
    let problem = Regression::new(prior, noise()?, &all.inputs, &all.values)?;
    let fitted = fit(&problem, &options(), &mut Silent)?;
    let searched: Vec<f64> = fitted.report.parameters.iter().map(|own| own.free).collect();
    let refined = refine(&problem, &searched)?;
    let (posterior, _) = problem.model(&refined.free)?;
    println!(
        "\nOn all {} months: ln evidence {:.3}, {:.0e} below its peak\n",
        all.values.len(),
        refined.ln_evidence,
        refined.remaining
    );
    let errors = curvature(&problem, &refined.free)?.standard_errors;
    for (own, error) in posterior.parameters().iter().zip(errors) {
        let error = error.map_or("-".to_owned(), |error| format!("{error:.3}"));
        println!("{:24} {:>12.5}   standard error of its logarithm {error}", own.name, own.value);
    }
    println!();

    let terms = posterior.components();
    let month = DMatrix::from_element(1, 1, 1990.5 - ORIGIN);
    println!("In July 1990, of {:.2} ppm above {average:.2}:\n", posterior.mean(&month)?[0] - average);
    for term in &terms {
        let own = term.predict(&month)?;
        println!("{:9.3} +- {:8.3}  {}", own.mean[0], own.sd()[0], shortened(term.kernel())?);
    }
    let parts: f64 = terms.iter().map(|term| Ok(term.predict(&month)?.variance[0])).sum::<Outcome<f64>>()?;
    let whole = posterior.predict(&month)?;
    println!(
        "The variances of the terms add to {parts:.3}, and that of the whole is {:.4}:",
        whole.variance[0]
    );
    println!(
        "terms vary against each other; line and trend, for instance, with a covariance of {:.2}.\n",
        terms[1].cross_covariance(&month, &terms[2], &month)?[(0, 0)]
    );
    let slope = line_of(&posterior)?;
    println!("The line rises by {:.2} +- {:.2} ppm a year.", slope.0, slope.1);

    let loo = posterior.leave_one_out();
    let squares = loo.residuals.iter().map(|z| z * z).sum::<f64>() / loo.residuals.len() as f64;
    println!(
        "Left out one by one, months are {:.2} standard deviations off in the root mean square; {:.0} % are in the band of 90 %.",
        squares.sqrt(),
        100.0 * loo.prediction.coverage(&all.values, 0.9)
    );
    let residuals = loo.residuals.as_slice().to_vec();
    Ok((posterior, residuals))
}

/// A kernel with three digits of each number.
fn shortened(kernel: &Kernel) -> Outcome<String> {
    let digits = |value: f64| format!("{value:.2e}").parse::<f64>();
    let values = kernel.parameters().iter().map(|own| digits(own.value)).collect::<Result<Vec<_>, _>>()?;
    Ok(kernel.with_parameters(&values)?.to_string())
}

/// The posterior of the slope: mean and standard deviation.
fn line_of(posterior: &Posterior) -> Outcome<(f64, f64)> {
    let slope = posterior.weights(|x| vec![x[0]], &DMatrix::from_element(1, 1, 1.0))?;
    Ok((slope.mean()[0], slope.covariance()[(0, 0)].sqrt()))
}

fn page(posterior: &Posterior, residuals: Vec<f64>, rivals: Vec<Card>) -> Outcome<Page> {
    let times: Vec<f64> = (0..=12 * 59).map(|month| 1959.0 + f64::from(month) / 12.0).collect();
    let inputs = DMatrix::from_iterator(times.len(), 1, times.iter().map(|time| time - ORIGIN));
    let noise = posterior.noise().of_new_observation().unwrap_or(0.0);
    let ribbon = |name: &str, means: &[f64], sds: &[f64]| Ribbon::around(name, &times, means, sds, 1.96);
    let whole = posterior.predict(&inputs)?.plus_noise(noise);
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
        "Dots: the months of 1959 to 1997. Line and band: the model, with 95 %, and what it foretells for twenty years.",
    ));
    let mut cards = Vec::new();
    for term in posterior.components() {
        let own = term.predict(&inputs)?;
        let picture = ribbons(
            ("year", "its part (ppm)"),
            &[ribbon("", own.mean.as_slice(), own.sd().as_slice())],
            &[],
            Some(1998.0),
        );
        cards.push(Card { title: shortened(term.kernel())?, meta: String::new(), pictures: vec![picture] });
    }
    page.sections.push(Section {
        title: "The terms".to_owned(),
        text: "Each given all months, with bands of 95 %. Terms that can stand in for each other have wide bands of their own."
            .to_owned(),
        body: Body::Cards(cards),
    });
    page.sections.push(Section {
        title: "Before any data".to_owned(),
        text: "Functions drawn from the prior with the same parameters, without the constant and the line."
            .to_owned(),
        body: Body::Figure(Figure::new(
            prior_draws(posterior, &times, &inputs)?,
            "Three draws from the prior.",
        )),
    });
    page.sections.push(Section {
        title: "Rivals".to_owned(),
        text: "Fitted to the months before 1990, by falling evidence; bands of 90 %.".to_owned(),
        body: Body::Cards(rivals),
    });
    let by_time: Vec<(f64, f64)> = CO2.times().zip(residuals).collect();
    page.sections.push(Section {
        title: "Residuals".to_owned(),
        text: "Each month against its prediction from all others, in standard deviations.".to_owned(),
        body: Body::Figure(Figure::new(
            ribbons(("year", "standardised residual"), &[], &by_time, None),
            "No drift, no season left.",
        )),
    });
    "cargo run --release -p posterior --example mauna_loa -- --out DIR".clone_into(&mut page.command);
    CO2.title.clone_into(&mut page.source);
    Ok(page)
}

/// Draws of all terms but the constant and the line.
fn prior_draws(
    posterior: &Posterior,
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
        Ribbon { name: String::new(), line: line.collect(), bands: Vec::new() }
    });
    Ok(ribbons(("year", "ppm"), &draws.collect::<Vec<_>>(), &[], None))
}
