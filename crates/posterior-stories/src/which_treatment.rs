//! Which treatment? First with probabilities that are known, then with patients from whom they must be learnt.
//!
//! `cargo run --release -p posterior --example which_treatment [-- --out DIR]`
//!
//! Two treatments end in death, recovery, or recovery with severe side effects. Prints expected losses for several ways to weigh these, and
//! why A is right for everybody for whom recovery is best; then lets policies learn from patients which of three treatments cures most often,
//! and counts who was lost by each policy, beside what theory says. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::PathBuf;

use posterior::decision::bandit::{
    Curve, Environment, Policy, Simulated, SimulationOptions, parse_policy, simulate, theory,
};
use posterior::decision::loss::Prospects;
use posterior::decision::stopping::{judge, least_plays};
use posterior::dist::Beta;
use posterior::report::{BandPoint, Body, Column, Figure, Page, Ribbon, Section, Table, ribbons};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How often each treatment cures, which the policies do not know.
const CURES: [f64; 3] = [0.9, 0.8, 0.5];
const POLICIES: [&str; 5] = ["ucb-sd:1", "ucb1", "kl-ucb", "thompson", "explore-then-commit:100"];
const PATIENTS: u64 = 10_000;
const RUNS: u64 = 200;

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let mut page = Page::new("Decisions", "Treatment A, unless recovery is not the best that can happen");
    known(&mut page)?;
    learnt(&mut page)?;
    stopping()?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        "cargo run --release -p posterior --example which_treatment -- --out DIR"
            .clone_into(&mut page.command);
        "Simulated with seed 0.".clone_into(&mut page.source);
        std::fs::write(folder.join("report.html"), page.html())?;
        println!("\nwrote {}", folder.join("report.html").display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

/// The table of the two treatments.
fn known(page: &mut Page) -> Outcome<()> {
    let treatments = Prospects::new(
        &["death", "recovery", "side effects"],
        &[("A", [0.1, 0.2, 0.7].as_slice()), ("B", &[0.2, 0.01, 0.79])],
    )?;
    println!("losses of death, recovery, side effects: expected of A and of B");
    let mut rows = Vec::new();
    for losses in [
        [1.0, 0.0, 0.5],
        [1.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [100.0, 0.0, 10.0],
        [10.0, 6.0, 2.0],
        [0.0, 1.0, 0.0],
    ] {
        let decision = treatments.decide(&losses)?;
        let best: Vec<&str> =
            decision.best.iter().map(|&action| treatments.actions()[action].as_str()).collect();
        println!(
            "  {losses:?}: {:.3} {:.3}, take {}",
            decision.expected[0],
            decision.expected[1],
            best.join(" or ")
        );
        let cells = [decision.expected[0], decision.expected[1]].map(|loss| format!("{loss:.3}"));
        rows.push([format!("{losses:?}")].into_iter().chain(cells).chain([best.join(" or ")]).collect());
    }
    let line = treatments.indifference(0, 1)?;
    let always = treatments.never_worse_if_best(0, 1, 1)?;
    println!("A is never worse where recovery is best: {always}");
    let tie = line.break_even(2, &[0.0, 1.0, 0.0])?.unwrap_or(f64::NAN);
    println!(
        "with losses 0 of death and 1 of recovery, B is better up to a loss of {tie:.4} of side effects"
    );
    page.standfirst.push(format!(
        "The loss of B exceeds that of A by {:.2} times what death is worse than recovery, and {:.2} times what side effects are worse.",
        line.coefficients[0], line.coefficients[2]
    ));
    let columns = ["losses of death, recovery, side effects", "A", "B"];
    let columns = columns.map(|name| Column::Number(name.to_owned())).into_iter();
    page.sections.push(Section {
        title: "Expected losses".to_owned(),
        text: "Where recovery is the best outcome, A is right for every loss; the last row has it the other way round.".to_owned(),
        body: Body::Table(Table { columns: columns.chain([Column::Text("take".to_owned())]).collect(), rows }),
    });
    // The line on which both are equally good, for a loss of 1 of recovery.
    let end = line.break_even(2, &[0.0, 1.0, 0.0])?.unwrap_or(0.0);
    let other = line.break_even(0, &[0.0, 1.0, 0.0])?.unwrap_or(0.0);
    let indifferent =
        Ribbon { name: "indifferent".to_owned(), line: vec![(0.0, end), (other, 0.0)], bands: Vec::new() };
    page.sections.push(Section {
        title: "Where B would be right".to_owned(),
        text: "Below the line B loses less; recovery has the loss 1, so that there death or side effects are thought better than recovery.".to_owned(),
        body: Body::Figure(Figure::new(
            ribbons(("loss of death", "loss of side effects"), &[indifferent], &[(1.0, 1.0)], None),
            "The dot is where all three outcomes are equally bad: it lies on the line.",
        )),
    });
    Ok(())
}

/// Policies learn from patients.
fn learnt(page: &mut Page) -> Outcome<()> {
    let policies: Vec<Box<dyn Policy>> =
        POLICIES.iter().map(|text| parse_policy(text)).collect::<Result<_, _>>()?;
    let policies: Vec<&dyn Policy> = policies.iter().map(AsRef::as_ref).collect();
    let options = SimulationOptions::default().with_horizon(PATIENTS).with_runs(RUNS);
    let games = simulate(&policies, &Environment::bernoulli(&CURES)?, &options)?;
    let constant = theory::lai_robbins(&CURES)?;
    println!(
        "\n{PATIENTS} patients, treatments that cure {CURES:?}: patients lost by learning, in the mean of {RUNS} trials"
    );
    for curve in &games.curves {
        let [low, .., high] = *curve.quantiles.last().ok_or("no times")?;
        println!(
            "  {:24} {:7.1} (90 % of trials: {low:.1} to {high:.1}), {:.1} % got the best, {:.2} per unit of ln n",
            curve.policy,
            curve.final_regret(),
            100.0 * curve.share_of_best.last().ok_or("no times")?,
            curve.slope(&games.times)
        );
    }
    println!(
        "  Lai and Robbins: no less than {constant:.2} per unit of ln n in the long run, {:.1} here",
        constant * (PATIENTS as f64).ln()
    );
    println!("  bound of UCB1: {:.1}", theory::ucb1_bound(&CURES, PATIENTS)?);
    page.lead = Some(Figure::new(
        regret(&games, constant),
        "Patients lost while learning which of three treatments is best, the mean of 200 trials and where 90 % of them were; the line is what \
         Lai and Robbins allow in the long run.",
    ));
    Ok(())
}

fn regret(games: &Simulated, constant: f64) -> posterior::report::Picture {
    let x: Vec<f64> = games.times.iter().map(|&time| (time as f64).log10()).collect();
    let of = |curve: &Curve| Ribbon {
        name: curve.policy.clone(),
        line: x.iter().copied().zip(curve.regret.iter().copied()).collect(),
        bands: vec![
            x.iter().zip(&curve.quantiles).map(|(&x, q)| BandPoint { x, low: q[0], high: q[4] }).collect(),
        ],
    };
    let mut all: Vec<Ribbon> = games.curves.iter().map(of).collect();
    let line = [0.0, (PATIENTS as f64).log10()].map(|x| (x, constant * std::f64::consts::LN_10 * x)).to_vec();
    all.push(Ribbon { name: "Lai and Robbins".to_owned(), line, bands: Vec::new() });
    ribbons(("log10 of patients", "patients lost"), &all, &[], None)
}

/// When is enough known?
fn stopping() -> Outcome<()> {
    println!("\nafter 6 cures of 10 and 3 of 10:");
    let found = judge(&[Beta::new(7.0, 5.0)?, Beta::new(4.0, 8.0)?])?;
    println!("  the first is better with probability {:.4} (445/494)", found.probability_best[0]);
    println!("  to choose it now loses {:.4} cures per patient in expectation", found.expected_loss[0]);
    println!(
        "  at least {:.0} patients to find the best of {CURES:?} with an error of 5 %",
        least_plays(&CURES, 0.05)?
    );
    Ok(())
}
