//! Treatments whose cures must be learned from patients.

use std::io::Write;

use posterior::decision::bandit::{
    Curve, Environment, Policy, SimulatedGames, SimulationOptions, parse_policy, simulate, theory,
};
use posterior::decision::stopping::{judge, least_plays};
use posterior::dist::Beta;
use posterior::report::{BandPoint, Figure, Page, PageTable, Picture, Ribbon, ribbons};

use crate::Outcome;
use crate::story::tell_table;

/// How often each treatment cures, which the policies do not know.
const CURES: [f64; 3] = [0.9, 0.8, 0.5];
const POLICIES: [&str; 5] = ["ucb-sd:1", "ucb1", "kl-ucb", "thompson", "explore-then-commit:100"];
const PATIENTS: u64 = 10_000;
const RUNS: u64 = 200;

/// Policies learn from patients.
pub(super) fn learned(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let policies: Vec<Box<dyn Policy>> =
        POLICIES.iter().map(|text| parse_policy(text)).collect::<Result<_, _>>()?;
    let policies: Vec<&dyn Policy> = policies.iter().map(AsRef::as_ref).collect();
    let options = SimulationOptions { horizon: PATIENTS, runs: RUNS, ..SimulationOptions::default() };
    let games = simulate(&policies, &Environment::bernoulli(&CURES)?, &options)?;
    let constant = theory::lai_robbins(&CURES)?;
    let names = ["policy", "patients lost", "90 % of trials", "best treatment", "per unit of ln n"];
    let mut table = PageTable::with_columns(&names);
    for curve in &games.curves {
        let [low, .., high] = *curve.quantiles.last().ok_or("no times")?;
        table.rows.push(vec![
            curve.policy.clone(),
            format!("{:.1}", curve.final_regret()),
            format!("{low:.1} to {high:.1}"),
            format!("{:.1} %", 100.0 * curve.proportion_of_best.last().ok_or("no times")?),
            format!("{:.2}", curve.slope(&games.times)),
        ]);
    }
    let bound = theory::ucb1_bound(&CURES, PATIENTS)?;
    let text = format!(
        "{PATIENTS} patients, three treatments that cure {CURES:?}, the mean of {RUNS} trials. Lai and Robbins allow no less than {constant:.2} \
             per unit of ln n in the long run; the bound of UCB1 is {bound:.0}."
    );
    writeln!(out, "\n{text}")?;
    tell_table(out, page, "Patients lost", text, table)?;
    page.section(
        "Who got the best treatment",
        "A policy that explores less and less gives nearly everybody the best treatment in the end.",
        Figure::new(
            proportions(&games)?,
            "The proportion of patients so far who got the best of the three treatments.",
        ),
    );
    for (curve, name) in games.curves.iter().zip(["ucb-sd:1", "ucb1"]) {
        page.fact(format!("patients lost by {name}"), format!("{:.0}", curve.final_regret()));
    }
    let room = room(&games);
    let (shown, beyond): (Vec<&Curve>, Vec<&Curve>) =
        games.curves.iter().partition(|curve| worst_trials(curve) <= room);
    let left_out: Vec<String> = beyond
        .iter()
        .map(|curve| {
            let (mean, worst) = (curve.final_regret(), worst_trials(curve));
            format!("{} loses {mean:.0}, and {worst:.0} in the worst of twenty trials", curve.policy)
        })
        .collect();
    page.lead = Some(Figure::new(
        regret(&games, &shown, constant),
        format!(
            "Patients lost while learning which of three treatments is best, the mean of {RUNS} trials and where 90 % of them were; the line is what \
             Lai and Robbins allow in the long run. Beyond the picture: {}.",
            if left_out.is_empty() { "nobody".to_owned() } else { left_out.join(", ") }
        ),
    ));
    Ok(())
}

/// What a policy loses in the end in the worst of twenty trials.
fn worst_trials(curve: &Curve) -> f64 {
    curve.quantiles.last().map_or(0.0, |quantiles| quantiles[4])
}

/// The height of the picture: a policy that loses much more than the others would leave them no room.
fn room(games: &SimulatedGames) -> f64 {
    let mut lost: Vec<f64> = games.curves.iter().map(worst_trials).collect();
    lost.sort_by(f64::total_cmp);
    4.0 * lost[lost.len() / 2]
}

fn regret(games: &SimulatedGames, shown: &[&Curve], constant: f64) -> Picture {
    let x: Vec<f64> = games.times.iter().map(|&time| (time as f64).log10()).collect();
    let of = |curve: &&Curve| Ribbon {
        name: curve.policy.clone(),
        line: x.iter().copied().zip(curve.regret.iter().copied()).collect(),
        bands: vec![
            x.iter().zip(&curve.quantiles).map(|(&x, q)| BandPoint { x, low: q[0], high: q[4] }).collect(),
        ],
    };
    let mut all: Vec<Ribbon> = shown.iter().map(of).collect();
    let line = [0.0, (PATIENTS as f64).log10()].map(|x| (x, constant * std::f64::consts::LN_10 * x)).to_vec();
    all.push(Ribbon::line("Lai and Robbins", line));
    ribbons(("log10 of patients", "patients lost"), &all, &[], None)
}

/// The proportion of the best treatment, and the rough (n - K ln n)/n.
fn proportions(games: &SimulatedGames) -> Outcome<Picture> {
    let x: Vec<f64> = games.times.iter().map(|&time| (time as f64).log10()).collect();
    let line = |proportions: &[f64]| x.iter().copied().zip(proportions.iter().copied()).collect::<Vec<_>>();
    let of = |curve: &Curve| Ribbon::line(curve.policy.clone(), line(&curve.proportion_of_best));
    let mut all: Vec<Ribbon> = games.curves.iter().map(of).collect();
    let rough = games.times.iter().map(|&time| theory::proportion_of_best(CURES.len(), time));
    let rough = rough.collect::<Result<Vec<f64>, _>>()?;
    all.push(Ribbon::line("(n - K ln n)/n", line(&rough)));
    Ok(ribbons(("log10 of patients", "proportion of the best treatment"), &all, &[], None))
}

/// When is enough known?
pub(super) fn stopping(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    writeln!(out, "\nafter 6 cures of 10 and 3 of 10:")?;
    let found = judge(&[Beta::new(7.0, 5.0)?, Beta::new(4.0, 8.0)?])?;
    page.fact(
        "6 of 10 is better than 3 of 10, with probability",
        format!("{:.4}", found.probability_best[0]),
    );
    writeln!(out, "  the first is better with probability {:.4} (445/494)", found.probability_best[0])?;
    writeln!(out, "  to choose it now loses {:.4} cures per patient in expectation", found.expected_loss[0])?;
    let least = least_plays(&CURES, 0.05)?;
    writeln!(out, "  at least {least:.0} patients to find the best of {CURES:?} with an error of 5 %")?;
    let text = "What is known after 6 cures of 10 by one treatment and 3 of 10 by another, from nothing known before.";
    page.section(
        "When to stop",
        text,
        vec![
            format!(
                "The first is better with probability {:.4}, which is 445/494.",
                found.probability_best[0]
            ),
            format!("To choose it now loses {:.4} cures per patient in expectation.", found.expected_loss[0]),
            format!("To find the best of {CURES:?} with an error of 5 % takes at least {least:.0} patients."),
        ],
    );
    Ok(())
}
