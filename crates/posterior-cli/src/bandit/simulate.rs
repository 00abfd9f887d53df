//! `posterior bandit simulate`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter};
use std::time::Instant;

use posterior::decision::bandit::{
    Curve, Environment, Policy, SimulatedGames, SimulationOptions, parse_policy, simulate, theory,
};
use serde::Serialize;

use super::simulate_report;
use crate::args::{BanditSimulate, Format};
use crate::failure::Failure;
use crate::output::{grouped, percent, significant};
use crate::output_folder::OutputFolder;
use crate::{output, text_table, threads};

#[derive(Serialize)]
struct Output<'a> {
    arms: &'a [f64],
    horizon: u64,
    runs: u64,
    lai_robbins: f64,
    ucb1_bound: f64,
    times: &'a [u64],
    regret: Vec<CurveOutput<'a>>,
    seed: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct CurveOutput<'a> {
    policy: &'a str,
    /// After the last play.
    mean: f64,
    standard_error: f64,
    q05: f64,
    q50: f64,
    q95: f64,
    share_of_best: f64,
    slope: f64,
    plays: &'a [f64],
    curve: &'a [f64],
}

/// The games, and what theory says of them.
#[derive(Debug)]
pub(super) struct Games {
    pub(super) simulated: SimulatedGames,
    pub(super) lai_robbins: f64,
    pub(super) ucb1_bound: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &BanditSimulate) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let policies: Vec<Box<dyn Policy>> = args
        .policy
        .iter()
        .map(|text| parse_policy(text))
        .collect::<Result<_, _>>()
        .map_err(|e| super::wrong(&e))?;
    let arms = Environment::bernoulli(&args.arms).map_err(|error| super::wrong(&error))?;
    let out = OutputFolder::claim(args.out.as_deref(), &["curves.csv", "regret.svg", "report.html"])?;
    let options = SimulationOptions {
        horizon: args.horizon,
        runs: args.runs,
        seed: args.common.seed,
        ..SimulationOptions::default()
    };
    let policies: Vec<&dyn Policy> = policies.iter().map(AsRef::as_ref).collect();
    let simulated = simulate(&policies, &arms, &options).map_err(|error| super::wrong(&error))?;
    let games = Games {
        simulated,
        lai_robbins: theory::lai_robbins(&args.arms).map_err(|error| super::wrong(&error))?,
        ucb1_bound: theory::ucb1_bound(&args.arms, args.horizon).map_err(|error| super::wrong(&error))?,
    };
    if let Some(folder) = out {
        let picture = simulate_report::regret(args, &games);
        folder.put("curves.csv", |out| write_curves(out, &games.simulated))?;
        folder.put_text("regret.svg", &picture.standalone())?;
        let page = simulate_report::page(args, policies[0], &games)?;
        folder.put_text("report.html", &page.html())?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&text(args, &games)),
        Format::Json => output::print_json(&Output {
            arms: &args.arms,
            horizon: args.horizon,
            runs: args.runs,
            lai_robbins: games.lai_robbins,
            ucb1_bound: games.ucb1_bound,
            times: &games.simulated.times,
            regret: games
                .simulated
                .curves
                .iter()
                .map(|curve| output(curve, &games.simulated.times))
                .collect(),
            seed: args.common.seed,
            seconds: start.elapsed().as_secs_f64(),
        }),
    }
}

/// A number after the last play.
fn end<T: Copy>(values: &[T]) -> Option<T> {
    values.last().copied()
}

fn output<'a>(curve: &'a Curve, times: &[u64]) -> CurveOutput<'a> {
    let [q05, _, q50, _, q95] = end(&curve.quantiles).unwrap_or([f64::NAN; 5]);
    CurveOutput {
        policy: &curve.policy,
        mean: curve.final_regret(),
        standard_error: end(&curve.standard_errors).unwrap_or(f64::NAN),
        q05,
        q50,
        q95,
        share_of_best: end(&curve.share_of_best).unwrap_or(f64::NAN),
        slope: curve.slope(times),
        plays: &curve.plays,
        curve: &curve.regret,
    }
}

/// The names of the cells of [`rows`].
pub(super) const HEADER: [&str; 7] =
    ["policy", "regret", "standard error", "5 %", "95 %", "best arm", "slope over ln n"];

/// A row for each policy.
pub(super) fn rows(games: &Games) -> Vec<Vec<String>> {
    let row = |curve: &Curve| {
        let output = output(curve, &games.simulated.times);
        let numbers = [output.mean, output.standard_error, output.q05, output.q95].map(significant);
        let rest = [percent(output.share_of_best), significant(output.slope)];
        std::iter::once(curve.policy.clone()).chain(numbers).chain(rest).collect()
    };
    games.simulated.curves.iter().map(row).collect()
}

fn text(args: &BanditSimulate, games: &Games) -> String {
    let arms: Vec<String> = args.arms.iter().map(f64::to_string).collect();
    let (horizon, runs) = (grouped(args.horizon), grouped(args.runs));
    let mut text = format!("arms {}: {horizon} plays, {runs} games\n\n", arms.join(", "));
    text += &text_table::aligned(&HEADER, rows(games));
    let ln = (args.horizon as f64).ln();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\nLai and Robbins: no policy that is good everywhere grows slower than {} ln n, here {}\nbound of UCB1: {}",
        significant(games.lai_robbins),
        significant(games.lai_robbins * ln),
        significant(games.ucb1_bound)
    );
    text
}

/// A row for each time: of each policy the mean regret, its standard error, quantiles and the share of the
/// best arm.
fn write_curves(out: &mut BufWriter<File>, simulated: &SimulatedGames) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let of = |curve: &Curve| {
        ["regret", "standard error", "q05", "q25", "q50", "q75", "q95", "share of best"]
            .map(|name| format!("{} {name}", curve.policy))
    };
    csv.write_record(std::iter::once("plays".to_owned()).chain(simulated.curves.iter().flat_map(of)))?;
    for (place, time) in simulated.times.iter().enumerate() {
        let cells = simulated.curves.iter().flat_map(|curve| {
            let [q05, q25, q50, q75, q95] = curve.quantiles[place];
            [
                curve.regret[place],
                curve.standard_errors[place],
                q05,
                q25,
                q50,
                q75,
                q95,
                curve.share_of_best[place],
            ]
        });
        let cell = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
        csv.write_record(std::iter::once(time.to_string()).chain(cells.map(cell)))?;
    }
    csv.flush()
}
