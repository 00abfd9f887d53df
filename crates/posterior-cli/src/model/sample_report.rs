//! The page of `posterior model sample`: that of chains, parameters against each other, replicated data
//! beside those that were observed, and predictions of what was left out.

use posterior::dist::{Empirical, Univariate as _};
use posterior::sampling::Draws;
use posterior::sampling::diagnostics::ChainSummary;
use posterior_report::{Figure, PageTable, Picture, Section, pairs};

use super::input::Input;
use crate::args::ModelData;
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::mcmc::compare::left_out;
use crate::mcmc::draws_input;
use crate::mcmc::report::{worst_first, write_page};
use crate::output::{grouped, significant};
use crate::output_folder::OutputFolder;

/// Parameters that are shown against each other, and how many draws of them, those that diverged apart.
const PAIRED: usize = 5;
const DOTS: usize = 1000;

/// Writes the page.
pub(super) fn write(
    folder: &OutputFolder,
    (input, given): (&Input, &ModelData),
    draws: &Draws,
    summary: &ChainSummary,
    level: Level,
) -> Result<(), Failure> {
    let mut sections = vec![];
    let parameters = input.posterior.names(false, false).map_err(refused)?.len();
    if let Some((picture, diverged)) = against_each_other(draws, summary, parameters) {
        sections.push(pairs_section(picture, diverged));
    }
    sections.extend(replicated(input, draws, level)?);
    sections.extend(cross_validated(draws)?);
    let source = match &given.data {
        Some(data) => format!("{}, {}", given.program.display(), data.display()),
        None => given.program.display().to_string(),
    };
    let input = draws_input::Input { source, draws: draws.clone() };
    write_page(folder, &input, summary, level, sections)
}

/// The parameters that mix worst against each other, and how many draws in the picture diverged.
fn against_each_other(draws: &Draws, summary: &ChainSummary, parameters: usize) -> Option<(Picture, usize)> {
    let places: Vec<usize> =
        worst_first(summary).into_iter().filter(|place| *place < parameters).take(PAIRED).collect();
    if places.len() < 2 {
        return None;
    }
    let flags = draws.statistic("diverging");
    let is_diverged =
        |row: usize| flags.as_ref().is_some_and(|flags| flags[row / draws.len()][row % draws.len()] != 0.0);
    let thinned = |wanted: bool| {
        let rows: Vec<usize> =
            (0..draws.chains() * draws.len()).filter(|&row| is_diverged(row) == wanted).collect();
        let step = rows.len().div_ceil(DOTS).max(1);
        rows.into_iter().step_by(step).collect::<Vec<usize>>()
    };
    let (usual, diverged) = (thinned(false), thinned(true));
    // Those that diverged are drawn last, over the others.
    let rows: Vec<usize> = usual.iter().chain(&diverged).copied().collect();
    let groups: Vec<usize> = (0..rows.len()).map(|at| usize::from(at >= usual.len())).collect();
    let names: Vec<String> = places.iter().map(|&place| draws.names()[place].clone()).collect();
    let columns: Vec<Vec<f64>> = places
        .iter()
        .map(|&place| {
            rows.iter().map(|row| draws.draw(row / draws.len(), row % draws.len())[place]).collect()
        })
        .collect();
    Some((pairs("parameters that mix worst", &names, &columns, &groups, &[]), diverged.len()))
}

fn pairs_section(picture: Picture, diverged: usize) -> Section {
    let caption = match diverged {
        0 => "No trajectory diverged.".to_owned(),
        _ => format!(
            "{} diverged trajectories are in the second colour: where they gather, steps are too long for the posterior.",
            grouped(diverged as u64)
        ),
    };
    Section::new(
        "Against each other",
        "Draws of the parameters that mix worst.",
        Figure::new(picture, caption),
    )
}

/// A figure of a data set.
type Statistic = (&'static str, fn(&[f64]) -> f64);

/// What replicated data are compared by.
const STATISTICS: [Statistic; 4] = [("mean", mean), ("sd", sd), ("least", least), ("largest", largest)];

fn mean(y: &[f64]) -> f64 {
    y.iter().sum::<f64>() / y.len() as f64
}

fn sd(y: &[f64]) -> f64 {
    let mean = mean(y);
    (y.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / (y.len() as f64 - 1.0)).sqrt()
}

fn least(y: &[f64]) -> f64 {
    y.iter().copied().fold(f64::INFINITY, f64::min)
}

fn largest(y: &[f64]) -> f64 {
    y.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Figures of observed data `y` beside those of `y_rep`, of each data variable of one dimension that has
/// such draws.
fn replicated(input: &Input, draws: &Draws, level: Level) -> Result<Option<Section>, Failure> {
    let mut rows = vec![];
    for name in input.data.names() {
        let Some(y) = input.data.numbers(name).filter(|y| y.len() > 1) else { continue };
        let stem = format!("{name}_rep[");
        let places: Vec<usize> =
            (0..draws.names().len()).filter(|&place| draws.names()[place].starts_with(&stem)).collect();
        if places.len() != y.len() {
            continue;
        }
        let tail = 0.5 * (1.0 - level.probability());
        for (what, statistic) in STATISTICS {
            let observed = statistic(&y);
            let all = (0..draws.chains() * draws.len()).map(|row| {
                let draw = draws.draw(row / draws.len(), row % draws.len());
                statistic(&places.iter().map(|&place| draw[place]).collect::<Vec<f64>>())
            });
            let all: Vec<f64> = all.filter(|value| value.is_finite()).collect();
            if all.is_empty() || !observed.is_finite() {
                continue;
            }
            // Ties count half, so that counts have no tail of their own.
            let beyond: f64 = all
                .iter()
                .map(|own| 0.5 + 0.5 * own.partial_cmp(&observed).map_or(0.0, |order| f64::from(order as i8)))
                .sum();
            let share = beyond / all.len() as f64;
            let all = Empirical::new(&all).map_err(refused)?;
            let [low, middle, high] = [tail, 0.5, 1.0 - tail].map(|p| significant(all.quantile(p)));
            rows.push(vec![
                name.to_owned(),
                what.to_owned(),
                significant(observed),
                low,
                middle,
                high,
                format!("{share:.3}"),
            ]);
        }
    }
    let text = "Figures of the observed data beside those of data that the model would have produced, a set for each draw. A proportion near \
                0 or 1 is a feature that the model does not have.";
    let [low, high] = &level.percents();
    let columns = ["data", "figure", "observed", low, "50 %", high, "replicated above"];
    Ok((!rows.is_empty()).then(|| Section::new("Replicated data", text, PageTable::new(columns, rows))))
}

/// Leave-one-out cross-validation, if the program generates `log_lik`.
fn cross_validated(draws: &Draws) -> Result<Option<Section>, Failure> {
    let wanted = "log_lik".to_owned();
    if !draws.names().iter().any(|name| name.split('[').next() == Some(&wanted)) {
        return Ok(None);
    }
    let own = draws_input::Input { source: String::new(), draws: draws.clone() }.only(&[wanted])?;
    let title = "Leave-one-out cross-validation";
    let loo = match left_out(&own.draws) {
        Ok(loo) => loo,
        Err(error) => return Ok(Some(Section::new(title, "There is none.", vec![error.to_string()]))),
    };
    let unreliable = loo.unreliable().len();
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("expected log predictive density", significant(loo.elpd.value)),
        row("its standard error", significant(loo.elpd.standard_error)),
        row("effective parameters", significant(loo.effective_parameters)),
        row("observations", grouped(loo.pointwise.len() as u64)),
        row("of these with k-hat above", format!("{}: {unreliable}", significant(loo.threshold))),
    ];
    let text = "How well each observation is predicted by the others, by Pareto-smoothed importance sampling. Programs for the same data \
                are compared by it.";
    Ok(Some(Section::new(title, text, PageTable::new(["figure", "value"], rows))))
}
