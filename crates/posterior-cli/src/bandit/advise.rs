//! `posterior bandit advise`.

use std::fmt::Write as _;
use std::time::Instant;

use posterior::decision::bandit::{Advice, Scaled, advise, parse_policy};
use posterior::dist::stream::stream;
use serde::Serialize;

use super::advise_report;
use super::history_input::Input;
use super::when_to_stop::{LEVEL, Standing};
use crate::args::{BanditAdvise, Format};
use crate::failure::Failure;
use crate::json::Number;
use crate::output::{grouped, percent, significant};
use crate::output_folder::OutputFolder;
use crate::{output, text_table, threads};

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
    seed: u64,
    seconds: f64,
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
    let start = Instant::now();
    threads::limit(&args.common)?;
    if !(args.threshold >= 0.0 && args.threshold.is_finite()) {
        return Err(Failure::Usage(format!("--threshold {}: expected a number from 0 on", args.threshold)));
    }
    let policy = parse_policy(&args.policy).map_err(|error| super::wrong(&error))?;
    let input = Input::read(args)?;
    let out = OutputFolder::claim(args.out.as_deref(), &["arms.svg", "report.html"])?;
    let [low, high] = input.bounds;
    let scaled = Scaled::new(policy, low, high).map_err(|error| Failure::Usage(error.to_string()))?;
    let advice = advise(&scaled, &input.history, &mut stream(args.common.seed, &[]))
        .map_err(|error| Failure::data(format!("{}: {error}", input.source)))?;
    let standing = Standing::of(&input.history, input.bounds)?;
    if let Some(folder) = out {
        let page = advise_report::page(args, &input, &advice, &standing);
        let picture = advise_report::picture(&input, &standing);
        folder.put_text("arms.svg", &picture.standalone())?;
        folder.put_text("report.html", &page.html())?;
        folder.finish(args.common.quiet, "report.html")?;
    }
    match args.common.format {
        Format::Text => output::print(&text(args, &input, &advice, &standing)),
        Format::Json => output::print_json(&output(args, &input, &advice, &standing, start)),
    }
}

fn output<'a>(
    args: &BanditAdvise,
    input: &'a Input,
    advice: &'a Advice,
    standing: &Standing,
    start: Instant,
) -> Output<'a> {
    let arm = |(name, reason): (&'a String, &posterior::decision::bandit::Reason)| ArmOutput {
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
        interval_level: LEVEL,
        interval_of: "mean reward of the arm, for all arms and at all times together",
        notes: &advice.notes,
        plays: input.history.plays().len(),
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// The cells of the table of arms, for text and page: name, plays, mean, sd, index, P(best), loss.
pub(super) fn rows(input: &Input, advice: &Advice, standing: &Standing) -> Vec<Vec<String>> {
    let known = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), significant);
    let row = |(name, reason): (&String, &posterior::decision::bandit::Reason)| {
        vec![
            name.clone(),
            grouped(reason.plays),
            known(reason.mean),
            known(reason.sd),
            significant(reason.index),
            percent(standing.judgement.probability_best[reason.arm]),
            significant(standing.judgement.expected_loss[reason.arm]),
        ]
    };
    input.names.iter().zip(&advice.reasons).map(row).collect()
}

/// The names of those cells.
pub(super) const HEADER: [&str; 7] = ["arm", "plays", "mean", "sd", "index", "P(best)", "loss if chosen now"];

/// Whether to go on.
pub(super) fn verdict(args: &BanditAdvise, input: &Input, standing: &Standing) -> String {
    let judgement = &standing.judgement;
    let (leader, loss) = (&input.names[judgement.leader], judgement.expected_loss[judgement.leader]);
    let sure = percent(judgement.probability_best[judgement.leader]);
    let (loss, threshold) = (significant(loss), significant(args.threshold));
    if judgement.settled(args.threshold) {
        format!(
            "{leader} may be chosen for good: best with probability {sure}; a choice now loses {loss} per play, no more than {threshold}"
        )
    } else {
        format!(
            "go on: {leader} leads, best with probability {sure}; a choice now loses {loss} per play, more than {threshold}"
        )
    }
}

fn text(args: &BanditAdvise, input: &Input, advice: &Advice, standing: &Standing) -> String {
    let plays = grouped(input.history.plays().len() as u64);
    let mut text = format!("{}: {plays} plays, {}\n\n", input.source, args.policy);
    text += &text_table::aligned(&HEADER, rows(input, advice, standing));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nnext: {}", input.names[advice.choice]);
    for note in &advice.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(text, "{}", verdict(args, input, standing));
    text
}
