//! `posterior dist show`.

use posterior::dist::stream::stream;
use posterior::dist::text::{AnyUnivariate, Call, UNIVARIATE, Value};
use posterior::gaussian::text::{AnyMultivariate, MULTIVARIATE};
use serde::Serialize;

use super::describe::{Described, Shown, described, lines, number, numbers, rounded, short};
use super::learn::{self, Learning};
use super::{picture, text_input};
use crate::args::DistShow;
use crate::failure::Failure;
use crate::run::Run;
use crate::text_table;

/// What the verb answers, in JSON; what was not asked for is left out.
#[derive(Debug, Default, Serialize)]
struct Answer {
    #[serde(flatten)]
    distribution: Described,
    #[serde(skip_serializing_if = "Option::is_none")]
    discrete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<Value>,
    #[serde(flatten)]
    at: Option<AtPoints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quantile: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<Vec<Value>>,
    #[serde(flatten)]
    learning: Option<Learning>,
}

/// The distribution at points: as many numbers as points in each list.
#[derive(Debug, Serialize)]
struct AtPoints {
    at: Vec<Value>,
    ln_pdf: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cdf: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sf: Option<Value>,
}

/// Runs the verb.
pub(crate) fn run(args: &DistShow) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let call = text_input::call("distribution", &args.distribution)?;
    let shown = shown(&args.distribution, &call)?;
    let learning = args
        .observe
        .as_deref()
        .map(|observed| learn::learn(&args.distribution, &call, observed, args.likelihood.as_deref()))
        .transpose()?;
    let (text, answer) = match &shown {
        Shown::OnTheLine(distribution) => on_the_line(args, distribution, learning)?,
        Shown::OfVectors(distribution) => of_vectors(args, distribution, learning)?,
        Shown::Named => named(args, &call, learning)?,
    };
    run.print(|| answer, || text)
}

/// The distribution, or why there is none of this name with these parameters.
fn shown(text: &str, call: &Call) -> Result<Shown, Failure> {
    let refused = |error| text_input::failure("distribution", text, &error, 0);
    let is_prior = posterior::gaussian::text::CONJUGATE_PAIRS.iter().any(|pair| pair.prior == call.name);
    if MULTIVARIATE.iter().any(|distribution| distribution.name == call.name) {
        return AnyMultivariate::try_from(call).map(Shown::OfVectors).map_err(refused);
    }
    if is_prior && UNIVARIATE.iter().all(|distribution| distribution.name != call.name) {
        return Ok(Shown::Named);
    }
    AnyUnivariate::try_from(call).map(Shown::OnTheLine).map_err(|error| {
        let list = "`posterior dist list` shows every distribution with its parameters";
        refused(error).with_hint(list)
    })
}

fn on_the_line(
    args: &DistShow,
    distribution: &AnyUnivariate,
    learning: Option<Learning>,
) -> Result<(String, Answer), Failure> {
    let mut answer = Answer { distribution: described(&distribution.call()), learning, ..Answer::default() };
    let ends = distribution.ends();
    answer.discrete = Some(distribution.is_discrete());
    answer.support = Some(numbers(&[ends.0, ends.1]));
    let kind = if distribution.is_discrete() { "counted" } else { "continuous" };
    let mut sections = vec![format!(
        "{}\n{kind}, from {} to {}\n",
        answer.distribution.distribution,
        rounded(ends.0),
        rounded(ends.1)
    )];
    sections.extend(picture::of(&**distribution).map(|line| format!("{line}\n")));
    sections.push(text_table::pairs(&lines(&answer.distribution.moments)));
    if let Some(at) = &args.at {
        let points = text_input::numbers("--at", at)?;
        let column = |f: &dyn Fn(f64) -> f64| points.iter().map(|&x| f(x)).collect::<Vec<f64>>();
        let columns = [
            column(&|x| distribution.ln_pdf(x)),
            column(&|x| distribution.cdf(x)),
            column(&|x| distribution.sf(x)),
        ];
        let density = if distribution.is_discrete() { "P(X = x)" } else { "density" };
        let row = |i: usize| {
            let ln_pdf = columns[0][i];
            [points[i], ln_pdf.exp(), ln_pdf, columns[1][i], columns[2][i]].map(rounded).to_vec()
        };
        let rows: Vec<_> = (0..points.len()).map(row).collect();
        sections.push(text_table::right(&["x", density, "ln", "P(X <= x)", "P(X > x)"], rows));
        answer.at = Some(AtPoints {
            at: points.iter().map(|&x| number(x)).collect(),
            ln_pdf: numbers(&columns[0]),
            cdf: Some(numbers(&columns[1])),
            sf: Some(numbers(&columns[2])),
        });
    }
    if let Some(quantile) = &args.quantile {
        let p = probabilities(quantile)?;
        let x: Vec<f64> = p.iter().map(|&p| distribution.quantile(p)).collect();
        let rows: Vec<_> = p.iter().zip(&x).map(|(&p, &x)| vec![rounded(p), rounded(x)]).collect();
        sections.push(text_table::right(&["p", "quantile"], rows));
        answer.p = Some(numbers(&p));
        answer.quantile = Some(numbers(&x));
    }
    if let Some(draws) = args.sample {
        let mut rng = stream(args.common.seed, &[]);
        let draws = (0..draws).map(|_| number(distribution.sample(&mut rng))).collect();
        sections.push(sampled(&mut answer, args.common.seed, draws));
    }
    sections.extend(answer.learning.as_ref().map(Learning::text));
    Ok((sections.join("\n"), answer))
}

fn of_vectors(
    args: &DistShow,
    distribution: &AnyMultivariate,
    learning: Option<Learning>,
) -> Result<(String, Answer), Failure> {
    without_line(args, "--quantile", args.quantile.is_some(), distribution.name())?;
    let mut answer = Answer { distribution: described(&distribution.call()), learning, ..Answer::default() };
    let mut sections = vec![
        format!("{}\n{} coordinates\n", answer.distribution.distribution, distribution.dimension()),
        text_table::pairs(&lines(&answer.distribution.moments)),
    ];
    if let Some(at) = &args.at {
        let points = text_input::vectors("--at", at, distribution.dimension())?;
        let ln_pdf: Vec<f64> = points.iter().map(|x| distribution.ln_pdf(x)).collect();
        let points: Vec<Value> = points.iter().map(|x| numbers(x)).collect();
        let row = |(x, &ln_pdf): (&Value, &f64)| vec![short(x), rounded(ln_pdf.exp()), rounded(ln_pdf)];
        let rows: Vec<_> = points.iter().zip(&ln_pdf).map(row).collect();
        sections.push(text_table::right(&["x", "density", "ln"], rows));
        answer.at = Some(AtPoints { at: points, ln_pdf: numbers(&ln_pdf), cdf: None, sf: None });
    }
    if let Some(draws) = args.sample {
        let mut rng = stream(args.common.seed, &[]);
        let draws = (0..draws).map(|_| numbers(&distribution.sample(&mut rng))).collect();
        sections.push(sampled(&mut answer, args.common.seed, draws));
    }
    sections.extend(answer.learning.as_ref().map(Learning::text));
    Ok((sections.join("\n"), answer))
}

/// A prior of matrices or of several parameters: it can be updated, and that is all.
fn named(args: &DistShow, call: &Call, learning: Option<Learning>) -> Result<(String, Answer), Failure> {
    let asked = [
        ("--at", args.at.is_some()),
        ("--quantile", args.quantile.is_some()),
        ("--sample", args.sample.is_some()),
    ];
    for (option, given) in asked {
        without_line(args, option, given, &call.name)?;
    }
    if learning.is_none() {
        let message = format!(
            "distribution {:?}: column {}: {} is known as a prior only",
            args.distribution, call.column, call.name
        );
        return Err(Failure::data(message).with_hint("add --observe with data"));
    }
    let answer = Answer { distribution: described(call), learning, ..Answer::default() };
    let distribution = format!("{}\n", answer.distribution.distribution);
    let sections: Vec<String> =
        std::iter::once(distribution).chain(answer.learning.as_ref().map(Learning::text)).collect();
    Ok((sections.join("\n"), answer))
}

/// Refuses an option that the distribution has no answer to.
fn without_line(args: &DistShow, option: &str, given: bool, name: &str) -> Result<(), Failure> {
    if given {
        return Err(Failure::data(format!(
            "distribution {:?}: {name} has no {}",
            args.distribution,
            option.trim_start_matches('-')
        )));
    }
    Ok(())
}

fn probabilities(text: &str) -> Result<Vec<f64>, Failure> {
    let p = text_input::numbers("--quantile", text)?;
    match p.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(p) => Err(Failure::data(format!("--quantile {text:?}: {p} is no probability: expected 0 to 1"))),
        None => Ok(p),
    }
}

/// Keeps draws, and shows them a line each.
fn sampled(answer: &mut Answer, seed: u64, draws: Vec<Value>) -> String {
    let lines: Vec<String> = draws.iter().map(short).collect();
    answer.sample = Some(draws);
    format!("draws (seed {seed})\n{}\n", lines.join("\n"))
}
