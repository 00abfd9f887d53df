//! `posterior dist show`.

use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::dist::text::{AnyLaw, AnyVectorLaw, Call, LAWS_OF_VECTORS, LAWS_ON_THE_LINE, Value};
use serde::Serialize;

use super::describe::{Described, Shown, described, lines, number, numbers, rounded, short};
use super::learn::{self, Learning};
use super::{picture, text_input};
use crate::args::{DistShow, Format};
use crate::failure::Failure;
use crate::output;
use crate::text_table;

/// What the verb answers, in JSON; what was not asked for is left out.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    law: Described,
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
    seed: u64,
    seconds: f64,
}

/// The law at points: as many numbers as points in each list.
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
    let start = Instant::now();
    let call = text_input::call("law", &args.law)?;
    let shown = shown(&args.law, &call)?;
    let learning = args
        .observe
        .as_deref()
        .map(|observed| learn::learn(&args.law, &call, observed, args.likelihood.as_deref()))
        .transpose()?;
    let (text, answer) = match &shown {
        Shown::OnTheLine(law) => on_the_line(args, law, learning)?,
        Shown::OfVectors(law) => of_vectors(args, law, learning)?,
        Shown::Named => named(args, &call, learning)?,
    };
    match args.common.format {
        Format::Text => output::print(&text),
        Format::Json => output::print_json(&Answer { seconds: start.elapsed().as_secs_f64(), ..answer }),
    }
}

/// The law, or why there is none of this name with these parameters.
fn shown(text: &str, call: &Call) -> Result<Shown, Failure> {
    let refused = |error| text_input::failure("law", text, &error, 0);
    let is_prior = posterior::dist::text::CONJUGATE_PAIRS.iter().any(|pair| pair.prior == call.name);
    if LAWS_OF_VECTORS.iter().any(|law| law.name == call.name) {
        return AnyVectorLaw::try_from(call).map(Shown::OfVectors).map_err(refused);
    }
    if is_prior && LAWS_ON_THE_LINE.iter().all(|law| law.name != call.name) {
        return Ok(Shown::Named);
    }
    AnyLaw::try_from(call).map(Shown::OnTheLine).map_err(|error| {
        let list = "`posterior dist list` shows every law with its parameters";
        refused(error).with_hint(list)
    })
}

fn answer(args: &DistShow, law: Described, learning: Option<Learning>) -> Answer {
    Answer {
        law,
        discrete: None,
        support: None,
        at: None,
        p: None,
        quantile: None,
        sample: None,
        learning,
        seed: args.common.seed,
        seconds: 0.0,
    }
}

fn on_the_line(
    args: &DistShow,
    law: &AnyLaw,
    learning: Option<Learning>,
) -> Result<(String, Answer), Failure> {
    let law = law.law();
    let mut answer = answer(args, described(&law.call()), learning);
    let ends = law.ends();
    answer.discrete = Some(law.is_discrete());
    answer.support = Some(numbers(&[ends.0, ends.1]));
    let kind = if law.is_discrete() { "counted" } else { "continuous" };
    let mut sections =
        vec![format!("{}\n{kind}, from {} to {}\n", answer.law.law, rounded(ends.0), rounded(ends.1))];
    sections.extend(picture::of(law).map(|line| format!("{line}\n")));
    sections.push(text_table::pairs(&lines(&answer.law.moments)));
    if let Some(at) = &args.at {
        let points = text_input::numbers("--at", at)?;
        let column = |f: &dyn Fn(f64) -> f64| points.iter().map(|&x| f(x)).collect::<Vec<f64>>();
        let columns = [column(&|x| law.ln_pdf(x)), column(&|x| law.cdf(x)), column(&|x| law.sf(x))];
        let density = if law.is_discrete() { "P(X = x)" } else { "density" };
        let row = |i: usize| {
            let ln_pdf = columns[0][i];
            [points[i], ln_pdf.exp(), ln_pdf, columns[1][i], columns[2][i]].map(rounded).to_vec()
        };
        let rows: Vec<_> = (0..points.len()).map(row).collect();
        sections.push(text_table::right(&["x", density, "ln", "P(X <= x)", "P(X > x)"], &rows));
        answer.at = Some(AtPoints {
            at: points.iter().map(|&x| number(x)).collect(),
            ln_pdf: numbers(&columns[0]),
            cdf: Some(numbers(&columns[1])),
            sf: Some(numbers(&columns[2])),
        });
    }
    if let Some(quantile) = &args.quantile {
        let p = probabilities(quantile)?;
        let x: Vec<f64> = p.iter().map(|&p| law.quantile(p)).collect();
        let rows: Vec<_> = p.iter().zip(&x).map(|(&p, &x)| vec![rounded(p), rounded(x)]).collect();
        sections.push(text_table::right(&["p", "quantile"], &rows));
        answer.p = Some(numbers(&p));
        answer.quantile = Some(numbers(&x));
    }
    if let Some(draws) = args.sample {
        let mut rng = stream(args.common.seed, &[]);
        let draws = (0..draws).map(|_| number(law.sample(&mut rng))).collect();
        sections.push(sampled(&mut answer, draws));
    }
    sections.extend(answer.learning.as_ref().map(Learning::text));
    Ok((sections.join("\n"), answer))
}

fn of_vectors(
    args: &DistShow,
    law: &AnyVectorLaw,
    learning: Option<Learning>,
) -> Result<(String, Answer), Failure> {
    let law = law.law();
    without_line(args, "--quantile", args.quantile.is_some(), law.name())?;
    let mut answer = answer(args, described(&law.call()), learning);
    let mut sections = vec![
        format!("{}\n{} coordinates\n", answer.law.law, law.dimension()),
        text_table::pairs(&lines(&answer.law.moments)),
    ];
    if let Some(at) = &args.at {
        let points = text_input::vectors("--at", at, law.dimension())?;
        let ln_pdf: Vec<f64> = points.iter().map(|x| law.ln_pdf(x)).collect();
        let points: Vec<Value> = points.iter().map(|x| numbers(x)).collect();
        let row = |(x, &ln_pdf): (&Value, &f64)| vec![short(x), rounded(ln_pdf.exp()), rounded(ln_pdf)];
        let rows: Vec<_> = points.iter().zip(&ln_pdf).map(row).collect();
        sections.push(text_table::right(&["x", "density", "ln"], &rows));
        answer.at = Some(AtPoints { at: points, ln_pdf: numbers(&ln_pdf), cdf: None, sf: None });
    }
    if let Some(draws) = args.sample {
        let mut rng = stream(args.common.seed, &[]);
        let draws = (0..draws).map(|_| numbers(&law.sample(&mut rng))).collect();
        sections.push(sampled(&mut answer, draws));
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
        let message =
            format!("law {:?}: column {}: {} is known as a prior only", args.law, call.column, call.name);
        return Err(Failure::data(message).with_hint("add --observe with data"));
    }
    let answer = answer(args, described(call), learning);
    let law = format!("{}\n", answer.law.law);
    let sections: Vec<String> =
        std::iter::once(law).chain(answer.learning.as_ref().map(Learning::text)).collect();
    Ok((sections.join("\n"), answer))
}

/// Refuses an option that the law has no answer to.
fn without_line(args: &DistShow, option: &str, given: bool, name: &str) -> Result<(), Failure> {
    if given {
        return Err(Failure::data(format!(
            "law {:?}: {name} has no {}",
            args.law,
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
fn sampled(answer: &mut Answer, draws: Vec<Value>) -> String {
    let lines: Vec<String> = draws.iter().map(short).collect();
    answer.sample = Some(draws);
    format!("draws (seed {})\n{}\n", answer.seed, lines.join("\n"))
}
