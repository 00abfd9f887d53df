//! `posterior bandit simulate`.

use std::fmt::Write as _;

use posterior::decision::bandit::{
    Curve, Environment, Policy, SimulatedGames, SimulationOptions, parse_policy, simulate, theory,
};
use serde::Serialize;

use super::simulate_report::{self, CurveOutput, Games, HEADER, rows};
use crate::args::BanditSimulate;
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::output_folder::OutputFolder;
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output<'a> {
    arms: &'a [f64],
    horizon: u64,
    runs: u64,
    lai_robbins: f64,
    ucb1_bound: f64,
    times: &'a [u64],
    regret: Vec<CurveOutput<'a>>,
}

/// Runs the verb.
pub(crate) fn run(args: &BanditSimulate) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let policies = args.policy.iter().map(|text| parse_policy(text)).collect::<Result<Vec<_>, _>>()?;
    let arms = Environment::bernoulli(&args.arms)?;
    run.claim(args.out.as_deref(), &["curves.csv", "regret.svg", "report.html"])?;
    let options = SimulationOptions {
        horizon: args.horizon,
        runs: args.runs,
        seed: args.common.seed,
        ..SimulationOptions::default()
    };
    let policies: Vec<&dyn Policy> = policies.iter().map(AsRef::as_ref).collect();
    let simulated = run.during("playing", || simulate(&policies, &arms, &options))?;
    let games = Games {
        simulated,
        lai_robbins: theory::lai_robbins(&args.arms)?,
        ucb1_bound: theory::ucb1_bound(&args.arms, args.horizon)?,
    };
    run.write("report.html", |folder| {
        write_curves(folder, &games.simulated)?;
        let regret = simulate_report::regret(args, &games);
        folder.put_picture("regret", &regret)?;
        let page = simulate_report::page(&run, args, policies[0], &games, regret)?;
        folder.put_text("report.html", &page.html())
    })?;
    let times = &games.simulated.times;
    let output = || Output {
        arms: &args.arms,
        horizon: args.horizon,
        runs: args.runs,
        lai_robbins: games.lai_robbins,
        ucb1_bound: games.ucb1_bound,
        times,
        regret: games.simulated.curves.iter().map(|curve| CurveOutput::of(curve, times)).collect(),
    };
    run.print(output, || text(args, &games))
}

/// A number after the last play.
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

/// The curves of all policies over the plays.
fn write_curves(folder: &OutputFolder, simulated: &SimulatedGames) -> Result<(), Failure> {
    let of = |curve: &Curve| {
        ["regret", "standard error", "q05", "q25", "q50", "q75", "q95", "proportion of best"]
            .map(|name| format!("{} {name}", curve.policy))
    };
    let header = std::iter::once("plays".to_owned()).chain(simulated.curves.iter().flat_map(of));
    let cell = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    let rows = simulated.times.iter().enumerate().map(|(place, time)| {
        let cells = simulated.curves.iter().flat_map(move |curve| {
            let [q05, q25, q50, q75, q95] = curve.quantiles[place];
            let (regret, error) = (curve.regret[place], curve.standard_errors[place]);
            [regret, error, q05, q25, q50, q75, q95, curve.proportion_of_best[place]]
        });
        std::iter::once(time.to_string()).chain(cells.map(cell))
    });
    folder.put_table("curves.csv", header, rows)
}
