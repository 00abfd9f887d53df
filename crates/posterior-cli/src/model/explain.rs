//! `posterior model explain`.

use std::fmt::Write as _;

use posterior::dist::target::Target as _;
use posterior::stan::{
    BlockKind, ConditionalKind, ExplainedParameter, ExplainedTerm, PriorKind, ProgramExplanation, TextPlace,
    TypedProgram,
};
use serde::Serialize;

use super::input::{Input, program};
use super::{Finding, finding};
use crate::args::{ModelExplain, uses};
use crate::failure::Failure;
use crate::run::Run;

#[derive(Serialize)]
struct Output<'a> {
    program: &'a str,
    /// Whether all of it was followed.
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a Size>,
    parameters: Vec<Parameter<'a>>,
    gaussian_together: &'a [Vec<String>],
    terms: Vec<Term<'a>>,
    mixtures: Vec<Mixture<'a>>,
    findings: Vec<Finding<'a>>,
}

/// What is known with data.
#[derive(Serialize)]
struct Size {
    coordinates: usize,
    /// Instructions of the log density and their lanes, unless its course depends on the parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<[usize; 2]>,
    #[serde(skip)]
    parameters: Vec<(Vec<usize>, usize)>,
}

#[derive(Serialize)]
struct Parameter<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    declared: &'a str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinates: Option<usize>,
    prior: &'static str,
    /// Places in the list of terms, from 0, as all that follow.
    priors: &'a [usize],
    stands_in: &'a [usize],
    quantities: &'a [String],
    given_others: Conditional<'a>,
    centred_by: &'a [String],
    changed_in: &'a [usize],
}

#[derive(Serialize)]
#[serde(tag = "distribution", rename_all = "snake_case")]
enum Conditional<'a> {
    Gaussian {
        within_constraints: bool,
    },
    Conjugate {
        family: &'a str,
        likelihoods: &'a [usize],
    },
    Unknown {
        #[serde(skip_serializing_if = "Option::is_none")]
        because_of: Option<usize>,
    },
}

#[derive(Serialize)]
struct Term<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<&'a str>,
    parameters: &'a [String],
    truncated: bool,
}

#[derive(Serialize)]
struct Mixture<'a> {
    function: &'a str,
    file: &'a str,
    line: usize,
}

/// Runs the verb.
pub(crate) fn run(args: &ModelExplain) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let read = program(&args.given.program)?;
    let (name, typed) = &read;
    let size = size(args, &read, &run)?;
    let explained = typed.explain();
    let findings = typed.findings();
    run.print(
        || Output {
            program: name,
            complete: explained.complete,
            size: size.as_ref(),
            parameters: parameters(&explained, size.as_ref()),
            gaussian_together: &explained.joint,
            terms: explained.terms.iter().map(term).collect(),
            mixtures: explained.mixtures.iter().map(|own| mixture(&own.function, &own.place)).collect(),
            findings: findings.as_slice().iter().map(|own| finding(findings, own)).collect(),
        },
        || {
            let notes = if findings.is_empty() { String::new() } else { format!("\n{findings}") };
            text(name, &explained, size.as_ref()) + &notes
        },
    )
}

/// Sizes, if there are data or the program needs none.
fn size(args: &ModelExplain, read: &(String, TypedProgram), run: &Run<'_>) -> Result<Option<Size>, Failure> {
    let needs = read.1.tree().block(BlockKind::Data).is_some_and(|block| !block.statements.is_empty());
    if needs && args.given.data.is_none() && args.given.set.is_empty() {
        uses::check_facts(&[("data-as", "nothing")])?;
        return Ok(None);
    }
    let input = Input::of(read, &args.given, args.common.seed, run)?;
    let posterior = &input.posterior;
    Ok(Some(Size {
        coordinates: posterior.dim(),
        instructions: posterior.graph_size().map(|(instructions, lanes)| [instructions, lanes]),
        parameters: posterior.parameters().into_iter().map(|own| (own.sizes, own.free)).collect(),
    }))
}

fn parameters<'a>(explained: &'a ProgramExplanation, size: Option<&'a Size>) -> Vec<Parameter<'a>> {
    let own = |(at, own): (usize, &'a ExplainedParameter)| {
        let known = size.map(|size| &size.parameters[at]);
        Parameter {
            name: &own.name,
            declared: &own.declared,
            line: own.place.line,
            sizes: known.map(|known| known.0.as_slice()),
            coordinates: known.map(|known| known.1),
            prior: match own.prior {
                PriorKind::Stated => "stated",
                PriorKind::Uniform => "uniform",
                PriorKind::Flat => "flat",
                PriorKind::Unclear => "unclear",
            },
            priors: &own.priors,
            stands_in: &own.terms,
            quantities: &own.quantities,
            given_others: match &own.conditional {
                ConditionalKind::Gaussian { within } => Conditional::Gaussian { within_constraints: *within },
                ConditionalKind::Conjugate { family, likelihoods } => {
                    Conditional::Conjugate { family, likelihoods }
                }
                ConditionalKind::Unknown { obstacle } => Conditional::Unknown { because_of: *obstacle },
            },
            centred_by: &own.scales,
            changed_in: &own.changed,
        }
    };
    explained.parameters.iter().enumerate().map(own).collect()
}

fn term(own: &ExplainedTerm) -> Term<'_> {
    Term {
        file: &own.place.file,
        line: own.place.line,
        column: own.place.column,
        text: &own.text,
        distribution: own.distribution.as_deref(),
        parameters: &own.parameters,
        truncated: own.truncated,
    }
}

fn mixture<'a>(function: &'a str, place: &'a TextPlace) -> Mixture<'a> {
    Mixture { function, file: &place.file, line: place.line }
}

/// The longest statement that is shown whole.
const WIDEST: usize = 90;

/// What a person reads.
fn text(name: &str, explained: &ProgramExplanation, size: Option<&Size>) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut out = format!("{name}: {}", counted(explained.parameters.len(), "parameter"));
    match size {
        Some(size) => {
            let _ = write!(out, " of {}", counted(size.coordinates, "unconstrained coordinate"));
            match size.instructions {
                Some([instructions, lanes]) => {
                    let _ = write!(out, "; {instructions} instructions for {lanes} numbers");
                }
                None => out += "; its course depends on the parameters",
            }
        }
        None => out += "; sizes are known with --data",
    }
    out += "\n";
    if !explained.complete {
        out +=
            "not all calls and loops were followed: nothing is claimed of distributions given the others\n";
    }
    for (at, own) in explained.parameters.iter().enumerate() {
        let known = size.map(|size| &size.parameters[at]);
        let _ = write!(out, "\n{}: {}", own.name, own.declared);
        if let Some((sizes, free)) = known {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let sizes = if sizes.is_empty() { String::new() } else { format!("{}, ", sizes.join(" x ")) };
            let _ = write!(out, " ({sizes}{})", counted(*free, "coordinate"));
        }
        out += "\n";
        for (title, lines) in about(own, explained) {
            for (place, line) in lines.iter().enumerate() {
                let _ = writeln!(out, "  {:<14}{line}", if place == 0 { title } else { "" });
            }
        }
    }
    out + &whole(explained)
}

/// Titles and lines of a parameter.
fn about(own: &ExplainedParameter, explained: &ProgramExplanation) -> Vec<(&'static str, Vec<String>)> {
    let lines = |places: &[usize]| places.iter().map(|at| line(&explained.terms[*at])).collect::<Vec<_>>();
    let prior = match own.prior {
        PriorKind::Stated => lines(&own.priors),
        PriorKind::Uniform => vec!["none stated: uniform on the values of its type".to_owned()],
        PriorKind::Flat => {
            vec!["NONE: flat and improper; the data alone must make its posterior one".to_owned()]
        }
        PriorKind::Unclear => vec!["none stated; a term below may hold it".to_owned()],
    };
    let given = match &own.conditional {
        ConditionalKind::Gaussian { within: false } => "Gaussian".to_owned(),
        ConditionalKind::Gaussian { within: true } => "Gaussian, cut off by constraints".to_owned(),
        ConditionalKind::Conjugate { family, .. } => format!("{family}: the prior is conjugate"),
        ConditionalKind::Unknown { obstacle: Some(at) } => {
            format!("not Gaussian because of {}", line(&explained.terms[*at]))
        }
        ConditionalKind::Unknown { obstacle: None } => "no known family".to_owned(),
    };
    let mut all = vec![("prior", prior), ("stands in", lines(&own.terms))];
    if !own.quantities.is_empty() {
        all.push(("makes", vec![own.quantities.join(", ")]));
    }
    all.push(("given others", vec![given]));
    if !own.scales.is_empty() {
        let scales = own.scales.join(" and ");
        all.push((
            "centred",
            vec![
                format!("its prior is scaled by {scales}: a funnel where the data say little of each;"),
                format!(
                    "<offset=.., multiplier=..> in its type, or a standard normal times {scales}, mends it"
                ),
            ],
        ));
    }
    if !own.changed.is_empty() {
        let mut shown = lines(&own.changed);
        shown.push("a distribution of a function of it: ln of the derivative must be added".to_owned());
        all.push(("changed in", shown));
    }
    all
}

/// What is known of several parameters, and of the program.
fn whole(explained: &ProgramExplanation) -> String {
    let mut out = String::new();
    for set in &explained.joint {
        let _ = write!(out, "\nGaussian together, given the others: {}\n", set.join(", "));
    }
    if !explained.mixtures.is_empty() {
        let all: Vec<String> = explained
            .mixtures
            .iter()
            .map(|own| format!("{} (line {})", own.function, own.place.line))
            .collect();
        let _ = write!(out, "\nsums over what is discrete and not observed: {}\n", all.join(", "));
    }
    out
}

/// A statement with its line.
fn line(own: &ExplainedTerm) -> String {
    let mut text: String = own.text.chars().take(WIDEST).collect();
    if text.len() < own.text.len() {
        text += " ...";
    }
    format!("line {}: {text}", own.place.line)
}
