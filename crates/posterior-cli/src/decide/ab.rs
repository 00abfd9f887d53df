//! `posterior decide ab`.

use std::fmt::Write as _;

use serde::Serialize;

use super::ab_input::{Input, Seen};
use super::ab_report::{self, AGAINST, ARMS};
use super::ab_standing::{ArmStanding, Experiment, Terms, standing};
use crate::args::DecideAb;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{cell, percent, significant};
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output<'a> {
    /// `proportion` or `mean`.
    outcome: &'static str,
    control: &'a str,
    leader: &'a str,
    level: Level,
    arms: &'a [ArmStanding],
    notes: &'a [String],
}

/// Runs the verb.
pub(crate) fn run(args: &DecideAb) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let bounds = args.bounds.as_deref().map(crate::bandit::bounds).transpose()?;
    let input = Input::read(args)?;
    run.claim(args.out.as_deref(), &["arms.csv", "arms.svg", "differences.svg", "report.html"])?;
    let terms = Terms { level: args.level.probability(), minimize: args.minimize, bounds };
    if let Some([low, high]) = bounds {
        if matches!(input.arms[0].1, Seen::Counts(_)) {
            return Err(Failure::Usage(
                "--bounds: outcomes are successes or not, which need none".to_owned(),
            ));
        }
        let [least, largest] = input.ends;
        if least < low || largest > high {
            let message = format!("{}: outcomes go from {least} to {largest}", input.source);
            return Err(
                Failure::data(message).with_hint("say with --bounds LOW:HIGH what outcomes there can be")
            );
        }
    }
    let (arms, leader) = standing(&input.arms, terms)?;
    let experiment = Experiment { args, source: input.source, arms, leader, notes: input.notes };
    run.notes(&experiment.notes);
    run.write("report.html", |folder| {
        folder.put_table("arms.csv", HEADER.map(str::to_owned), experiment.arms.iter().map(row))?;
        let (pictures, page) = ab_report::report(&run, &experiment);
        folder.put_report(&pictures, &page)
    })?;
    run.print(|| experiment.output(), || experiment.text())
}

/// The columns of `arms.csv`.
const HEADER: [&str; 15] = [
    "arm",
    "units",
    "mean",
    "mean_low",
    "mean_high",
    "sd",
    "difference",
    "difference_low",
    "difference_high",
    "lift",
    "lift_low",
    "lift_high",
    "probability_better",
    "probability_best",
    "expected_loss",
];

fn row(own: &ArmStanding) -> Vec<String> {
    let mut numbers = vec![own.mean.estimate, own.mean.interval[0], own.mean.interval[1], own.sd];
    let versus = own.versus_control.as_ref();
    let lift = versus.and_then(|versus| versus.lift);
    for estimate in [versus.map(|versus| versus.difference), lift] {
        numbers
            .extend(estimate.map_or([f64::NAN; 3], |own| [own.estimate, own.interval[0], own.interval[1]]));
    }
    numbers.push(versus.map_or(f64::NAN, |versus| versus.probability_better));
    numbers.extend([own.probability_best, own.expected_loss]);
    [own.arm.clone(), own.units.to_string()].into_iter().chain(numbers.into_iter().map(cell)).collect()
}

impl<'a> Experiment<'a> {
    /// Whether outcomes are successes and failures.
    pub(super) fn coins(&self) -> bool {
        self.arms[0].successes.is_some()
    }

    fn output(&'a self) -> Output<'a> {
        Output {
            outcome: if self.coins() { "proportion" } else { "mean" },
            control: &self.arms[0].arm,
            leader: &self.arms[self.leader].arm,
            level: self.args.level,
            arms: &self.arms,
            notes: &self.notes,
        }
    }

    /// Which arm to choose, and what that may cost.
    pub(super) fn verdict(&self) -> String {
        let leader = &self.arms[self.leader];
        format!(
            "{} is the best with probability {}; if it is chosen now, {} per unit is lost in expectation",
            leader.arm,
            percent(leader.probability_best),
            significant(leader.expected_loss)
        )
    }

    /// Of which use the intervals are.
    pub(super) fn looking(&self) -> &'static str {
        let known = self.arms[0].mean.interval_at_all_times.is_some();
        if known {
            "Intervals hold for a number of units that was fixed beforehand; those \"at all times\" for all arms together and for everyone who looks \
             on the way and stops when they like."
        } else {
            "Intervals hold for a number of units that was fixed beforehand, not for looking on the way until something is found: for that say with \
             --bounds what outcomes there can be."
        }
    }

    fn text(&self) -> String {
        let kind = if self.coins() { "proportions of successes" } else { "means" };
        let mut text = format!(
            "{}: {} arms, {kind}, intervals of {}\n\n",
            self.source,
            self.arms.len(),
            self.args.level
        );
        text += &text_table::aligned(&ARMS, ab_report::arms(self));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nagainst {}:", self.arms[0].arm);
        text += &text_table::aligned(&AGAINST, ab_report::against(self));
        let _ = writeln!(text, "\n{}.\n{}", self.verdict(), self.looking());
        text
    }
}
