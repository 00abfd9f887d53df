//! The page of `posterior model sample`: that of chains, parameters against each other, replicated data
//! beside those that were observed, and predictions of what was left out.

use posterior::dist::stream::stream;
use posterior::dist::{Empirical, Univariate as _};
use posterior::math::streaming::MeanVariance;
use posterior::sampling::Draws;
use posterior::sampling::diagnostics::ChainSummary;
use posterior::sampling::estimate::predictive_check;
use posterior_report::{Figure, PageTable, Picture, Section, pairs};

use super::input::Input;
use crate::args::ModelData;
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::mcmc::compare::left_out;
use crate::mcmc::report::{worst_first, write_page};
use crate::output::{grouped, significant};
use crate::output_folder::OutputFolder;

/// Parameters that are shown against each other, and the most draws of them, of those that diverged and of
/// the others.
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
    sections.extend(against_each_other(draws, summary, parameters));
    sections.extend(replicated(input, draws, level)?);
    sections.extend(cross_validated(draws)?);
    let source = match &given.data {
        Some(data) => format!("{}, {}", given.program.display(), data.display()),
        None => given.program.display().to_string(),
    };
    write_page(folder, (&source, draws), summary, level, sections)
}

/// The parameters that mix worst against each other, with the draws that diverged; nothing of one parameter.
fn against_each_other(draws: &Draws, summary: &ChainSummary, parameters: usize) -> Option<Section> {
    let places: Vec<usize> =
        worst_first(summary).into_iter().filter(|place| *place < parameters).take(PAIRED).collect();
    if places.len() < 2 {
        return None;
    }
    let flags = draws.statistic("diverging");
    let is_diverged =
        |row: usize| flags.as_ref().is_some_and(|flags| flags[row / draws.len()][row % draws.len()] != 0.0);
    let (diverged, usual): (Vec<usize>, Vec<usize>) =
        (0..draws.chains() * draws.len()).partition(|&row| is_diverged(row));
    let caption = match diverged.len() {
        0 => "No trajectory diverged.".to_owned(),
        1 => "The trajectory that diverged is in the second colour.".to_owned(),
        count => format!(
            "{} trajectories that diverged are in the second colour: where they gather, steps are too long for the posterior.",
            grouped(count as u64)
        ),
    };
    let thinned = |rows: Vec<usize>| {
        let step = rows.len().div_ceil(DOTS).max(1);
        rows.into_iter().step_by(step).collect::<Vec<usize>>()
    };
    let (usual, diverged) = (thinned(usual), thinned(diverged));
    // Those that diverged are drawn last, over the others.
    let groups: Vec<usize> = usual.iter().map(|_| 0).chain(diverged.iter().map(|_| 1)).collect();
    let names: Vec<String> = places.iter().map(|&place| draws.names()[place].clone()).collect();
    let column = |&place: &usize| {
        let rows = usual.iter().chain(&diverged);
        rows.map(|row| draws.draw(row / draws.len(), row % draws.len())[place]).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = places.iter().map(column).collect();
    let picture: Picture = pairs("parameters that mix worst", &names, &columns, &groups, &[]);
    let text = "Draws of the parameters that mix worst.";
    Some(Section::new("Against each other", text, Figure::new(picture, caption)))
}

/// A figure of a data set.
type Statistic = (&'static str, fn(&[f64]) -> f64);

/// What replicated data are compared by.
const STATISTICS: [Statistic; 4] = [
    ("mean", |y| y.iter().copied().collect::<MeanVariance>().mean()),
    ("sd", |y| y.iter().copied().collect::<MeanVariance>().sample_variance().sqrt()),
    ("least", |y| y.iter().copied().fold(f64::INFINITY, f64::min)),
    ("largest", |y| y.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
];

/// The columns of an array of one dimension.
fn elements(draws: &Draws, name: &str) -> Vec<usize> {
    let is_own =
        |own: &str| own.strip_prefix(name).is_some_and(|rest| rest.starts_with('[') && !rest.contains(','));
    (0..draws.names().len()).filter(|&place| is_own(&draws.names()[place])).collect()
}

/// Figures of observed data `y` beside those of `y_rep`, of each list of the data that has such draws.
fn replicated(input: &Input, draws: &Draws, level: Level) -> Result<Option<Section>, Failure> {
    let title = "Replicated data";
    let tail = 0.5 * (1.0 - level.probability());
    let mut rows = vec![];
    for name in input.data.names() {
        let Some(y) = input.data.numbers(name).filter(|y| y.len() > 1) else { continue };
        let places = elements(draws, &format!("{name}_rep"));
        if places.len() != y.len() {
            continue;
        }
        for (what, statistic) in STATISTICS {
            // The program has simulated: nothing is random here.
            let simulated =
                |draw: &[f64], _: &mut _| places.iter().map(|&place| draw[place]).collect::<Vec<f64>>();
            let check = predictive_check(draws, &y, simulated, |y, _| statistic(y), &mut stream(0, &[]));
            let check = match check {
                Ok(check) => check,
                Err(error) => {
                    return Ok(Some(Section::new(title, "There are none.", vec![error.to_string()])));
                }
            };
            let all = Empirical::new(&check.replicated).map_err(refused)?;
            let [low, middle, high] = [tail, 0.5, 1.0 - tail].map(|p| significant(all.quantile(p)));
            let share = format!("{:.3} ± {:.3}", check.p_value.value, check.p_value.standard_error);
            rows.push(vec![
                name.to_owned(),
                what.to_owned(),
                significant(statistic(&y)),
                low,
                middle,
                high,
                share,
            ]);
        }
    }
    let text = "Figures of the observed data beside those of data that the model would have produced, a set for each draw. A proportion near \
                0 or 1 is a feature that the model does not have.";
    let [low, high] = &level.percents();
    let columns = ["data", "figure", "observed", low, "50 %", high, "as large or larger"];
    Ok((!rows.is_empty()).then(|| Section::new(title, text, PageTable::new(columns, rows))))
}

/// Leave-one-out cross-validation, if the program generates `log_lik`.
fn cross_validated(draws: &Draws) -> Result<Option<Section>, Failure> {
    let places = elements(draws, "log_lik");
    if places.is_empty() {
        return Ok(None);
    }
    let title = "Leave-one-out cross-validation";
    let names = places.iter().map(|&place| draws.names()[place].clone());
    let pick = |draw: &[f64], own: &mut [f64]| {
        own.iter_mut().zip(&places).for_each(|(own, &place)| *own = draw[place]);
    };
    let loo = match left_out(&draws.map(names, pick).map_err(refused)?) {
        Ok(loo) => loo,
        Err(error) => return Ok(Some(Section::new(title, "There is none.", vec![error.to_string()]))),
    };
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let k_hat = format!("observations with k-hat above {}", significant(loo.threshold));
    let rows = [
        row("expected log predictive density", significant(loo.elpd.value)),
        row("its standard error", significant(loo.elpd.standard_error)),
        row("effective parameters", significant(loo.effective_parameters)),
        row("observations", grouped(loo.pointwise.len() as u64)),
        row(&k_hat, grouped(loo.unreliable().len() as u64)),
    ];
    let text = "How well each observation is predicted by the others, by Pareto-smoothed importance sampling. Programs for the same data \
                are compared by it.";
    Ok(Some(Section::new(title, text, PageTable::new(["figure", "value"], rows))))
}
