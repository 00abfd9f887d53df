//! `posterior bandit advise`.

use std::fmt::Write as _;

use posterior::decision::bandit::{Reason, Scaled, advise, parse_policy};
use posterior::dist::stream::stream;
use serde::Serialize;

use super::advise_report::{self, Said};
use super::history_input::Input;
use super::when_to_stop::{Standing, level};
use crate::args::BanditAdvise;
use crate::failure::Failure;
use crate::json::Number;
use crate::output::grouped;
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output<'a> {
    policy: String,
    arms: Vec<ArmOutput<'a>>,
    choice: &'a str,
    leader: &'a str,
    settled: bool,
    /// `coins` or `numbers`: what rewards were taken as for P(best) and loss.
    rewards: &'static str,
    /// The probability that no `interval` of any arm is wrong at any time.
    interval_level: f64,
    interval_of: &'static str,
    notes: &'a [String],
    plays: usize,
}

#[derive(Serialize)]
struct ArmOutput<'a> {
    arm: &'a str,
    plays: u64,
    mean: Option<f64>,
    sd: Option<f64>,
    index: Number,
    probability_best: f64,
    expected_loss: f64,
    interval: [f64; 2],
}

/// Runs the verb.
pub(crate) fn run(args: &BanditAdvise) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    if !(args.threshold >= 0.0 && args.threshold.is_finite()) {
        return Err(Failure::Usage(format!("--threshold {}: expected a number from 0 on", args.threshold)));
    }
    let policy = parse_policy(&args.policy)?;
    let input = Input::read(args)?;
    run.claim(args.out.as_deref(), &["arms.svg", "report.html"])?;
    let [low, high] = input.bounds;
    let scaled = Scaled::new(policy, low, high).map_err(|error| Failure::Usage(error.to_string()))?;
    let advice = advise(&scaled, &input.history, &mut stream(args.common.seed, &[]))
        .map_err(|error| Failure::data(format!("{}: {error}", input.source)))?;
    let standing = Standing::of(&input.history, input.bounds)?;
    let said = Said { args, input: &input, advice: &advice, standing: &standing };
    run.write("report.html", |folder| {
        let picture = advise_report::picture(&said);
        folder.put_picture("arms", &picture)?;
        folder.put_text("report.html", &advise_report::page(&run, &said, picture).html())
    })?;
    run.print(|| said.output(), || said.text())
}

impl<'a> Said<'a> {
    fn output(&self) -> Output<'a> {
        let Self { args, input, advice, standing } = *self;
        let arm = |(name, reason): (&'a String, &Reason)| ArmOutput {
            arm: name,
            plays: reason.plays,
            mean: reason.mean,
            sd: reason.sd,
            index: Number(reason.index),
            probability_best: standing.judgement.probability_best[reason.arm],
            expected_loss: standing.judgement.expected_loss[reason.arm],
            interval: standing.intervals[reason.arm],
        };
        Output {
            policy: args.policy.clone(),
            arms: input.names.iter().zip(&advice.reasons).map(arm).collect(),
            choice: &input.names[advice.choice],
            leader: &input.names[standing.judgement.leader],
            settled: standing.judgement.settled(args.threshold),
            rewards: if standing.coins { "coins" } else { "numbers" },
            interval_level: level(),
            interval_of: "mean reward of the arm, for all arms and at all times together",
            notes: &advice.notes,
            plays: input.history.plays().len(),
        }
    }

    /// The answer as text.
    fn text(&self) -> String {
        let Self { args, input, advice, .. } = *self;
        let plays = grouped(input.history.plays().len() as u64);
        let mut text = format!("{}: {plays} plays, {}\n\n", input.source, args.policy);
        text += &text_table::aligned(&advise_report::HEADER, advise_report::rows(self));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nnext: {}", input.names[advice.choice]);
        for note in &advice.notes {
            let _ = writeln!(text, "note: {note}");
        }
        let _ = writeln!(text, "{}", advise_report::verdict(self));
        text
    }
}
