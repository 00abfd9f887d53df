//! `posterior decide contextual`.

use posterior::regression::formula::ModelFormula;
use posterior::regression::linear::{
    AveragedPosterior, CoefficientScale, LinearData, StudentMixture, averaged_with,
};
use posterior::table::{DataFrame, TableFile};
use posterior_report::{Figure, Page, PageTable, bars};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::DecideContextual;
use crate::failure::{Failure, refused};
use crate::level::{Ends, Level};
use crate::output::{cell, grouped, percent, significant};
use crate::output_folder::OutputFolder;
use crate::regress::coding::{FormulaFeatures, parsed};
use crate::run::{Run, read_by_posterior};
use crate::text_table;

/// What a run writes.
const NAMES: &[&str] = &["cases.csv", "arms.svg", "report.html"];
/// Points of the quadrature on each side of the mean of an arm.
const POINTS: i32 = 60;
/// Plays of an arm at least: with fewer, Student's t has no variance.
const FEWEST: usize = 4;
/// Cases that are printed.
const SHOWN: usize = 20;

/// New cases with their arms; its JSON is the contract of the command line.
#[derive(Serialize)]
struct Output {
    level: Level,
    /// The columns of the regression, without the intercept.
    columns: Vec<String>,
    arms: Vec<ArmOutput>,
    /// The mean reward per play, if each case gets its best arm.
    reward: f64,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct ArmOutput {
    arm: String,
    plays: usize,
    /// What it earned in the log per play.
    earned: f64,
    noise_sd: f64,
    /// The new cases of which it is the best.
    cases: usize,
    /// The mean reward per play, if each case gets this arm.
    reward: f64,
}

/// A new case.
#[derive(Serialize)]
struct Case {
    row: usize,
    arm: String,
    /// How much less than the best arm, whichever it is, the arm is expected to earn.
    expected_loss: f64,
    /// In the order of the arms.
    arms: Vec<ArmOfCase>,
}

#[derive(Serialize)]
struct ArmOfCase {
    /// Of the mean reward.
    mean: f64,
    #[serde(flatten)]
    ends: Ends,
    p_best: f64,
}

/// The regression of an arm.
struct Arm {
    name: String,
    rewards: Vec<f64>,
    posterior: AveragedPosterior,
}

/// Runs the verb.
pub(crate) fn run(args: &DecideContextual) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let options = args.table.options()?;
    let formula = args.formula.as_deref().unwrap_or("~ .");
    let formula: ModelFormula = parsed(formula)?;
    if let Some(effect) = formula.effects().first() {
        return Err(Failure::Usage(format!(
            "--formula: `{effect}` is a latent effect, which arms do not have"
        )));
    }
    if formula.outcome().is_some() {
        let message = format!(
            "--formula \"{formula}\": rewards are in the column of --reward: write nothing before the `~`"
        );
        return Err(Failure::Usage(message));
    }
    let cases = TableFile::open(&args.cases, &options)?;
    let known: Vec<String> =
        cases.header().iter().filter(|name| **name != args.arm && **name != args.reward).cloned().collect();
    let x = formula.inputs(&known).map_err(|error| {
        Failure::data(format!("{}: {error}", args.cases.display()))
            .with_hint("the formula names columns that both tables have")
    })?;
    let cases = cases.read(&x, |rows| 64 * rows as u64)?;
    let log = TableFile::open(&args.log, &options)?;
    let names: Vec<&String> = x.iter().chain([&args.arm, &args.reward]).collect();
    let log = log.read(&names, |rows| 64 * rows as u64)?;
    run.claim(args.out.as_deref(), NAMES)?;
    let mut row_names = Vec::new();
    let features = FormulaFeatures::learn(&formula, &log, &x, &mut row_names)?;
    if features.has_offset() {
        return Err(Failure::Usage(format!("--formula \"{formula}\": rewards have no offset")));
    }
    for name in &row_names {
        run.note(&format!("note: column {name} names rows, and is left out"));
    }
    let arms = arms(args, &log, &features)?;
    let output = output(args.level, &features, &arms, &cases)?;
    run.write("report.html", |folder| write(folder, &run, &output, &log.source))?;
    run.print(|| &output, || text(&output, &log.source))
}

/// A regression for each arm, in the order of their names.
fn arms(args: &DecideContextual, log: &DataFrame, features: &FormulaFeatures) -> Result<Vec<Arm>, Failure> {
    let rewards = log.complete_numbers(&args.reward)?;
    let (names, of_row) = log.ordered_classes(&args.arm)?;
    if names.len() < 2 {
        let message = format!("{}: column {}: one arm: there is nothing to choose", log.source, args.arm);
        return Err(Failure::data(message));
    }
    let design = features.design(log)?;
    let arm = |(place, name): (usize, String)| {
        let rows: Vec<usize> = (0..of_row.len()).filter(|&row| of_row[row] == place).collect();
        let own: Vec<f64> = rows.iter().map(|&row| rewards[row]).collect();
        let refused = |why: String| {
            Failure::data(format!("{}: the {} plays of arm {name}: {why}", log.source, own.len())).with_hint(
                format!("an arm needs {FEWEST} plays whose rewards differ: leave its rows out, or play it more often"),
            )
        };
        if own.len() < FEWEST {
            return Err(refused(format!("fewer than {FEWEST}: its mean reward has no variance")));
        }
        let design = design.select_rows(&rows);
        let posterior = LinearData::new(&design, &own)
            .and_then(|data| averaged_with(&data, features.has_intercept(), CoefficientScale::Averaged))
            .map_err(|error| refused(error.to_string()))?;
        Ok(Arm { name, rewards: own, posterior })
    };
    names.into_iter().enumerate().map(arm).collect()
}

fn output(
    level: Level,
    features: &FormulaFeatures,
    arms: &[Arm],
    cases: &DataFrame,
) -> Result<Output, Failure> {
    let design = features.design(cases)?;
    let means = arms.iter().map(|arm| arm.posterior.latent(&design).map_err(refused));
    let means: Vec<Vec<StudentMixture>> = means.collect::<Result<_, _>>()?;
    let of_case = |row: usize| {
        let own: Vec<&StudentMixture> = means.iter().map(|arm| &arm[row]).collect();
        let best =
            (1..own.len()).fold(0, |best, arm| if own[arm].mean() > own[best].mean() { arm } else { best });
        let (p_best, expected_loss) = best_arms(&own, best);
        let of_arm = |(mean, p_best): (&&StudentMixture, f64)| ArmOfCase {
            mean: mean.mean(),
            ends: Ends::of(level, |p| mean.quantile(p)),
            p_best,
        };
        let case = Case {
            row: cases.row_number(row),
            arm: arms[best].name.clone(),
            expected_loss,
            arms: own.iter().zip(p_best).map(of_arm).collect(),
        };
        (best, case)
    };
    let (best_of, all): (Vec<usize>, Vec<Case>) = (0..cases.len()).into_par_iter().map(of_case).unzip();
    let average = |reward: &dyn Fn(usize) -> f64| (0..all.len()).map(reward).sum::<f64>() / all.len() as f64;
    let of_arm = |(place, arm): (usize, &Arm)| ArmOutput {
        arm: arm.name.clone(),
        plays: arm.rewards.len(),
        earned: arm.rewards.iter().sum::<f64>() / arm.rewards.len() as f64,
        noise_sd: arm.posterior.noise_sd(),
        cases: best_of.iter().filter(|&&best| best == place).count(),
        reward: average(&|row| means[place][row].mean()),
    };
    Ok(Output {
        level,
        columns: features.names(),
        arms: arms.iter().enumerate().map(of_arm).collect(),
        reward: average(&|row| means[best_of[row]][row].mean()),
        cases: all,
    })
}

/// The probability of each of independent quantities to be the largest, and what `chosen` is expected to be
/// below the largest of the others, where it is below: by the trapezoidal rule over products of their
/// distribution functions, at points that are dense where any of them is.
///
/// `stopping::judge` of posterior-decision integrates adaptively to 1e-10, by hundreds of distribution
/// functions for each integral; here each function is a sum over scales, and there are many cases.
fn best_arms(arms: &[&StudentMixture], chosen: usize) -> (Vec<f64>, f64) {
    let of_arm = |arm: &&StudentMixture| {
        let (mean, sd) = (arm.mean(), arm.sd());
        (-POINTS..=POINTS)
            .map(move |point| mean + sd * (4.0 * f64::from(point) / f64::from(POINTS)).sinh() / 2.0)
    };
    let mut points: Vec<f64> = arms.iter().flat_map(of_arm).collect();
    points.sort_by(f64::total_cmp);
    let below: Vec<Vec<f64>> = arms.iter().map(|arm| points.iter().map(|&x| arm.cdf(x)).collect()).collect();
    let others = |own: usize, point: usize| -> f64 {
        (0..arms.len()).filter(|&other| other != own).map(|other| below[other][point]).product()
    };
    let probability = |own: usize| -> f64 {
        let pieces = (1..points.len()).map(|point| {
            let step = below[own][point] - below[own][point - 1];
            step * 0.5 * (others(own, point - 1) + others(own, point))
        });
        pieces.sum()
    };
    let all: Vec<f64> = (0..arms.len()).map(probability).collect();
    let sum: f64 = all.iter().sum();
    // Not by the difference of two means, which are large where the loss is small.
    let lost = |point: usize| below[chosen][point] * (1.0 - others(chosen, point));
    let pieces = (1..points.len())
        .map(|point| 0.5 * (points[point] - points[point - 1]) * (lost(point - 1) + lost(point)));
    (all.into_iter().map(|own| own / sum).collect(), pieces.sum())
}

fn arm_rows(output: &Output) -> Vec<Vec<String>> {
    let row = |own: &ArmOutput| {
        vec![
            own.arm.clone(),
            grouped(own.plays as u64),
            significant(own.earned),
            significant(own.reward),
            grouped(own.cases as u64),
        ]
    };
    output.arms.iter().map(row).collect()
}

const ARMS: [&str; 5] = ["arm", "plays", "earned", "if always", "best of cases"];
const CASES: [&str; 5] = ["row", "arm", "mean reward", "p_best", "expected loss"];

fn case_rows(output: &Output) -> impl Iterator<Item = Vec<String>> {
    output.cases.iter().map(|case| {
        let place = output.arms.iter().position(|arm| arm.arm == case.arm).unwrap_or(0);
        let own = &case.arms[place];
        vec![
            case.row.to_string(),
            case.arm.clone(),
            significant(own.mean),
            percent(own.p_best),
            significant(case.expected_loss),
        ]
    })
}

fn summary(output: &Output) -> String {
    let single = output.arms.iter().map(|arm| arm.reward).fold(f64::NEG_INFINITY, f64::max);
    format!(
        "The best arm of each case earns {} per play on average, and the best single arm {}.",
        significant(output.reward),
        significant(single)
    )
}

fn text(output: &Output, source: &str) -> String {
    let arms = text_table::aligned(&ARMS, arm_rows(output));
    let cases = text_table::aligned(&CASES, case_rows(output).take(SHOWN).collect());
    let more = match output.cases.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("and {} cases more: --out DIR writes all\n", grouped(more as u64)),
    };
    format!("{source}\n\n{arms}\n{cases}{more}\n{}\n", summary(output))
}

/// Writes everything that a run leaves in `folder`.
fn write(folder: &OutputFolder, run: &Run<'_>, output: &Output, source: &str) -> Result<(), Failure> {
    let [low, high] = output.level.names();
    let columns = output.arms.iter().flat_map(|arm| {
        ["mean".to_owned(), low.clone(), high.clone(), "p_best".to_owned()]
            .map(|name| format!("{name}_{}", arm.arm))
    });
    let header = ["row", "arm", "expected_loss"].map(str::to_owned).into_iter().chain(columns);
    let rows = output.cases.iter().map(|case| {
        let arms = case.arms.iter().flat_map(|own| {
            let [low, high] = own.ends.ends;
            [own.mean, low, high, own.p_best].map(cell)
        });
        [case.row.to_string(), case.arm.clone(), cell(case.expected_loss)].into_iter().chain(arms)
    });
    folder.put_table("cases.csv", header, rows)?;
    let mut page = Page::new("Arms of cases", summary(output));
    let sure = case_bins(output);
    let picture = bars("cases", "probability that the chosen arm is the best, in tenths", &sure, &[], "");
    folder.put_picture("arms", &picture)?;
    let caption =
        "How sure the choice is: how many cases have an arm that is the best with such a probability.";
    page.lead = Some(Figure::new(picture, caption));
    page.fact("Plays", grouped(output.arms.iter().map(|arm| arm.plays as u64).sum()));
    page.fact("New cases", grouped(output.cases.len() as u64));
    page.fact("Columns", output.columns.join(", "));
    let text = "What each arm earned per play in the log, what it would earn if every new case got it, and of how many it is the best.";
    page.section("Arms", text, PageTable::new(ARMS, arm_rows(output)));
    let text = format!("The first {SHOWN}; cases.csv has all, with each arm's mean reward and probability.");
    page.section("Cases", text, PageTable::new(CASES, case_rows(output).take(SHOWN)));
    run.sign(&mut page, read_by_posterior(source), &[("level", &output.level)]);
    folder.put_text("report.html", &page.html())
}

/// How many cases have a chosen arm with such a probability, in tenths.
fn case_bins(output: &Output) -> Vec<f64> {
    let mut bins = vec![0.0; 10];
    for case in &output.cases {
        let place = output.arms.iter().position(|arm| arm.arm == case.arm).unwrap_or(0);
        bins[((10.0 * case.arms[place].p_best) as usize).min(9)] += 1.0;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::math::special::normal_cdf;

    /// Of two normal quantities, in closed form; of equal ones, each is the largest as often.
    #[test]
    fn the_largest_of_normal_quantities() {
        let normal = |mean: f64, sd: f64| StudentMixture::new(f64::INFINITY, vec![(1.0, mean, sd)]).unwrap();
        for (a, s, b, t) in [
            (0.0, 1.0, 1.0, 2.0),
            (3.0, 0.01, 3.0, 5.0),
            (0.0, 1.0, 6.0, 1.0),
            (6.0, 1.0, 0.0, 1.0),
            (-2e3, 1e-3, -2e3, 2e-3),
        ] {
            let (p, loss) = best_arms(&[&normal(a, s), &normal(b, t)], 0);
            let sd = f64::hypot(s, t);
            let z = (a - b) / sd;
            // E max(0, b - a).
            let expected =
                sd * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() - (a - b) * normal_cdf(-z);
            assert!((p[0] - normal_cdf(z)).abs() < 5e-4, "{p:?} {}", normal_cdf(z));
            assert!((loss - expected).abs() < 2e-3 * expected + 1e-9 * sd, "{loss} {expected}");
        }
        let (p, _) = best_arms(&[&normal(1.0, 2.0), &normal(1.0, 2.0), &normal(1.0, 2.0)], 1);
        assert!(p.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-9), "{p:?}");
    }
}
