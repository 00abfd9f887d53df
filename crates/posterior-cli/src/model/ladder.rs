//! `posterior model ladder`.

use std::sync::atomic::{AtomicUsize, Ordering};

use posterior::dist::target::{EvalError, GradTarget, Target};
use posterior::math::iteration::Silent;
use posterior::math::streaming::MeanVariance;
use posterior::model::StanPosterior;
use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::importance::{SmoothedWeights, pareto_smoothed};
use posterior::sampling::variational::Pathfinder;
use posterior::sampling::{Draws, Run as Chains, Start};
use posterior_report::{PageTable, TableColumn};
use serde::Serialize;

use super::input::Input;
use super::laplace;
use super::marginal::Marginal;
use super::quantities::{bracketed, mapped};
use super::sample::STATISTICS;
use crate::args::{Marginalize, ModelLadder};
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{cell, grouped, significant};
use crate::run::Run;
use crate::text_table;

const FILE: &str = "ladder.csv";

/// How far from those of chains the means of draws may be that can be used, in standard deviations: more
/// than chance explains from a few hundred effective draws.
const FAR: f64 = 0.25;

/// The parameters that a table of text shows.
const SHOWN: usize = 40;

/// A posterior that counts its gradients.
struct Counted<'a> {
    posterior: &'a StanPosterior,
    gradients: AtomicUsize,
}

impl<'a> Counted<'a> {
    const fn new(posterior: &'a StanPosterior) -> Self {
        Self { posterior, gradients: AtomicUsize::new(0) }
    }
}

impl Target for Counted<'_> {
    fn dim(&self) -> usize {
        self.posterior.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.posterior.ln_density(x)
    }
}

impl GradTarget for Counted<'_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.gradients.fetch_add(1, Ordering::Relaxed);
        self.posterior.ln_density_grad(x, gradient)
    }
}

/// A way to the posterior, the cheapest first; its JSON is the contract of the command line.
#[derive(Serialize)]
struct Answer {
    method: &'static str,
    gradients: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pareto_k: Option<Number>,
    usable: bool,
    verdict: String,
    /// The largest distance of a mean from that of the last that can be used, or of the chains, in standard
    /// deviations of that.
    off_by: Number,
    /// Empty where nothing was found.
    parameters: Vec<Moments>,
}

#[derive(Serialize)]
struct Moments {
    name: String,
    mean: Number,
    /// A mode has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<Number>,
}

#[derive(Serialize)]
struct Output {
    methods: Vec<Answer>,
    /// The cheapest that can be used.
    enough: Option<&'static str>,
}

/// Runs the verb.
pub(crate) fn run(args: &ModelLadder) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    let input = Input::read(&args.input, &run)?;
    run.claim(args.input.out.as_deref(), &[FILE])?;
    let (chains, paths) = (usize::from(args.chains.num_chains), Pathfinder::default().paths);
    let kept = chains * args.chains.num_samples as usize + paths * args.num_draws as usize;
    input.check_memory(&args.input, kept, STATISTICS)?;
    let work = run.work(5, "methods");
    let mut answers = vec![];
    for climb in [mode, gaussian, path, nested, chain] {
        answers.push(climb(&input, args)?);
        work.step();
    }
    drop(work);
    measure(&mut answers);
    let enough = answers.iter().find(|answer| answer.usable).map(|answer| answer.method);
    let output = Output { methods: answers, enough };
    run.write(FILE, |folder| {
        let rows = output.methods.iter().flat_map(|answer| {
            answer.parameters.iter().map(|own| {
                let sd = own.sd.map_or_else(String::new, |sd| cell(sd.0));
                [answer.method.to_owned(), own.name.clone(), cell(own.mean.0), sd]
            })
        });
        folder.put_table(FILE, ["method", "parameter", "mean", "sd"], rows)?;
        input.put_levels(folder)
    })?;
    run.print(|| &output, || text(&output))
}

/// A method that found nothing; what the user must mend ends the run.
fn nothing(method: &'static str, gradients: usize, why: Failure) -> Result<Answer, Failure> {
    let Failure::Data { message, .. } = why else { return Err(why) };
    let (verdict, off_by) = (format!("nothing was found: {message}"), Number(f64::NAN));
    Ok(Answer { method, gradients, pareto_k: None, usable: false, verdict, off_by, parameters: vec![] })
}

/// The posterior mode, without Jacobian.
fn mode(input: &Input, args: &ModelLadder) -> Result<Answer, Failure> {
    const METHOD: &str = "mode";
    let posterior = &input.posterior;
    let start = input.point(&args.start.init, args.input.common.seed)?;
    let found = match posterior.maximize(false, &start, &laplace::search(), &mut Silent) {
        Ok(found) => found,
        Err(error) => return nothing(METHOD, 0, refused(error)),
    };
    let names = posterior.names(false, false).map_err(refused)?;
    let values = posterior.values(&found.model.point, false, None).map_err(refused)?;
    let moments =
        |(name, value): (&String, f64)| Moments { name: bracketed(name), mean: Number(value), sd: None };
    let verdict = if found.report.converged() {
        "a point, without a spread".to_owned()
    } else {
        format!("no mode was reached ({:?})", found.report.stop)
    };
    Ok(Answer {
        method: METHOD,
        gradients: found.model.gradients,
        pareto_k: None,
        usable: false,
        verdict,
        off_by: Number(f64::NAN),
        parameters: names.iter().zip(values).map(moments).collect(),
    })
}

/// The Gaussian at the mode of the unconstrained coordinates.
fn gaussian(input: &Input, args: &ModelLadder) -> Result<Answer, Failure> {
    let counted = Counted::new(&input.posterior);
    let seed = args.input.common.seed;
    let start = input.point(&args.start.init, seed)?;
    let found = laplace::drawn(&counted, &start, args.num_draws as usize, seed);
    weighted("laplace", &counted, found.map(|found| (found.free, found.smoothed)))
}

/// The best Gaussians along climbs.
fn path(input: &Input, args: &ModelLadder) -> Result<Answer, Failure> {
    let counted = Counted::new(&input.posterior);
    let (count, seed) = (args.num_draws as usize, args.input.common.seed);
    let pathfinder = Pathfinder { path_draws: count, draws: count, ..Pathfinder::default() };
    let start = input.start(&args.start.init, pathfinder.paths, seed)?;
    let found = pathfinder.fit(&counted, &start, seed).map_err(refused);
    weighted("pathfinder", &counted, found.map(|found| (found.draws, found.smoothed)))
}

/// Chains of what is left where parameters are integrated out: exactly, or by Laplace's method.
fn nested(input: &Input, args: &ModelLadder) -> Result<Answer, Failure> {
    const METHOD: &str = "nested laplace";
    let (posterior, counted) = (&input.posterior, Counted::new(&input.posterior));
    let point = input.point(&args.start.init, args.input.common.seed)?;
    let of = |how| Marginal::of(&counted, posterior, how, &point);
    let marginal = match of(Marginalize::Auto) {
        Ok(Ok(own)) => own,
        _ => match of(Marginalize::Laplace) {
            Ok(Ok(own)) => own,
            Ok(Err(why)) => return nothing(METHOD, 0, Failure::data(why)),
            Err(why) => return nothing(METHOD, 0, why),
        },
    };
    let found = || -> Result<_, Failure> {
        let rest = chains(&marginal.target, &marginal.start(start(input, args)?), args)?;
        let (free, ln_weights) = marginal.whole(&rest, args.input.common.seed, 0)?;
        Ok((rest, free, pareto_smoothed(ln_weights, 1.0).map_err(refused)?))
    };
    let (rest, found) = match found() {
        Ok((rest, free, smoothed)) => (Some(rest), Ok((free, smoothed))),
        Err(why) => (None, Err(why)),
    };
    let mut answer = weighted(METHOD, &counted, found)?;
    if let Some(warning) = rest.and_then(|rest| rest.summary().warnings.into_iter().next()) {
        (answer.usable, answer.verdict) = (false, format!("warning: {warning}"));
    }
    Ok(answer)
}

/// The answer of draws that are judged by their weights.
fn weighted(
    method: &'static str,
    counted: &Counted<'_>,
    found: Result<(Draws, SmoothedWeights), Failure>,
) -> Result<Answer, Failure> {
    let gradients = counted.gradients.load(Ordering::Relaxed);
    let (free, smoothed) = match found {
        Ok(found) => found,
        Err(why) => return nothing(method, gradients, why),
    };
    let (usable, limit) = (smoothed.is_reliable(), significant(smoothed.threshold()));
    let verdict = if usable {
        format!("can be used: k-hat is below {limit}")
    } else {
        format!("misses a part: k-hat is not below {limit}")
    };
    Ok(Answer {
        method,
        gradients,
        pareto_k: Some(Number(smoothed.shape)),
        usable,
        verdict,
        off_by: Number(f64::NAN),
        parameters: moments(counted.posterior, &free)?,
    })
}

/// Where the chains start.
fn start(input: &Input, args: &ModelLadder) -> Result<Start, Failure> {
    input.start(&args.start.init, usize::from(args.chains.num_chains), args.input.common.seed)
}

fn chains<T: GradTarget + Sync>(target: &T, start: &Start, args: &ModelLadder) -> Result<Draws, Failure> {
    let options = Chains {
        chains: usize::from(args.chains.num_chains),
        warm_up: args.chains.num_warmup as usize,
        draws: args.chains.num_samples as usize,
        seed: args.input.common.seed,
        ..Chains::default()
    };
    let nuts = Nuts { target_accept: args.chains.adapt_delta, ..Nuts::default() };
    Ok(options.sample(target, &nuts, start).map_err(refused)?.draws)
}

/// Markov chains, the measure of the others.
fn chain(input: &Input, args: &ModelLadder) -> Result<Answer, Failure> {
    const METHOD: &str = "nuts";
    let counted = Counted::new(&input.posterior);
    let sampled = chains(&counted, &start(input, args)?, args);
    let gradients = counted.gradients.load(Ordering::Relaxed);
    let draws = match sampled {
        Ok(draws) => draws,
        Err(why) => return nothing(METHOD, gradients, why),
    };
    let warnings = draws.summary().warnings;
    let verdict = match warnings.as_slice() {
        [] => "can be used: no warnings".to_owned(),
        [first, ..] => format!("warning: {first}"),
    };
    Ok(Answer {
        method: METHOD,
        gradients,
        pareto_k: None,
        usable: warnings.is_empty(),
        verdict,
        off_by: Number(f64::NAN),
        parameters: moments(&input.posterior, &draws)?,
    })
}

/// Mean and standard deviation of each parameter.
fn moments(posterior: &StanPosterior, free: &Draws) -> Result<Vec<Moments>, Failure> {
    let names = posterior.names(false, false).map_err(refused)?;
    let draws = mapped(free, &names, 0, |x, _| posterior.values(x, false, None))?;
    let own = |(place, name): (usize, &String)| {
        let all: MeanVariance = draws.parameter(place).into_iter().flatten().collect();
        let sd = Some(Number(all.sample_variance().sqrt()));
        Moments { name: name.clone(), mean: Number(all.mean()), sd }
    };
    Ok(draws.names().iter().enumerate().map(own).collect())
}

/// Compares each with the last that can be used, or with the chains: k-hat cannot see a part that no draw has
/// reached.
fn measure(answers: &mut [Answer]) {
    let Some(last) = answers.len().checked_sub(1) else { return };
    let sampled = [last, last.saturating_sub(1)];
    let best = sampled.into_iter().find(|at| answers[*at].usable).unwrap_or(last);
    let means: Vec<[f64; 2]> =
        answers[best].parameters.iter().map(|own| [own.mean.0, own.sd.map_or(f64::NAN, |sd| sd.0)]).collect();
    let others = answers.iter_mut().enumerate().filter(|(at, _)| *at != best).map(|(_, answer)| answer);
    for answer in others.filter(|answer| answer.parameters.len() == means.len()) {
        let pairs = answer.parameters.iter().zip(&means);
        let far = pairs.map(|(own, [mean, sd])| (own.mean.0 - mean).abs() / sd);
        answer.off_by = Number(far.fold(f64::NAN, f64::max));
        if answer.usable && answer.off_by.0 > FAR {
            answer.usable = false;
            "misses a part: k-hat is small, and chains are elsewhere".clone_into(&mut answer.verdict);
        }
    }
}

fn text(output: &Output) -> String {
    let number = |own: Number| if own.0.is_nan() { "-".to_owned() } else { significant(own.0) };
    let row = |own: &Answer| {
        let k = own.pareto_k.map_or_else(|| "-".to_owned(), number);
        vec![own.method.to_owned(), grouped(own.gradients as u64), k, number(own.off_by), own.verdict.clone()]
    };
    let columns = [
        TableColumn::text("method"),
        TableColumn::number("gradients"),
        TableColumn::number("k-hat"),
        TableColumn::number("off by"),
        TableColumn::text(""),
    ];
    let methods =
        PageTable { columns: columns.into(), rows: output.methods.iter().map(row).collect() }.text();
    let found: Vec<&Answer> = output.methods.iter().filter(|answer| !answer.parameters.is_empty()).collect();
    let (mut header, mut rows) = (vec![String::new()], vec![]);
    for answer in &found {
        header.push(answer.method.to_owned());
        if answer.parameters.iter().any(|own| own.sd.is_some()) {
            header.push("sd".to_owned());
        }
    }
    let count = found.first().map_or(0, |answer| answer.parameters.len());
    for place in 0..count.min(SHOWN) {
        let figures = found.iter().flat_map(|answer| {
            let own = &answer.parameters[place];
            std::iter::once(own.mean).chain(own.sd).map(number)
        });
        rows.push(std::iter::once(found[0].parameters[place].name.clone()).chain(figures).collect());
    }
    let more = if count > SHOWN { format!("({SHOWN} of {count} parameters)\n") } else { String::new() };
    let enough = match output.enough {
        Some("nuts") => "only chains give this posterior".to_owned(),
        Some(method) => format!("enough for this posterior: {method}"),
        None => "warning: nothing gives this posterior as it is: look at the warning of nuts".to_owned(),
    };
    format!(
        "{methods}off by: the largest distance of a mean from that of the last that can be used, or of nuts, in standard deviations\n\n{}{more}\n{enough}\n",
        text_table::aligned(&header, rows)
    )
}
