//! The page about the next arm: which, why, and whether enough is known.

use posterior::decision::bandit::{Advice, Arm, Reason};
use posterior_report::{Figure, Interval, Page, PageTable, Picture, intervals};

use super::history_input::Input;
use super::when_to_stop::Standing;
use crate::args::BanditAdvise;
use crate::output::{grouped, percent, significant};
use crate::run::{Run, read_by_posterior};

/// What was asked, and what comes out.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) args: &'a BanditAdvise,
    pub(super) input: &'a Input,
    pub(super) advice: &'a Advice,
    pub(super) standing: &'a Standing,
}

/// The cells of the table of arms, for text and page: name, plays, mean, sd, index, P(best), loss.
pub(super) fn rows(said: &Said<'_>) -> Vec<Vec<String>> {
    let Said { input, advice, standing, .. } = *said;
    let known = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), significant);
    let row = |(name, reason): (&String, &Reason)| {
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
pub(super) fn verdict(said: &Said<'_>) -> String {
    let Said { args, input, standing, .. } = *said;
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

/// The mean of each arm with its interval.
pub(super) fn picture(said: &Said<'_>) -> Picture {
    let Said { input, standing, .. } = *said;
    let statistics = input.history.statistics();
    let row = |(name, (arm, &[low, high])): (&String, (&Arm, &[f64; 2]))| Interval {
        name: name.clone(),
        low,
        middle: if arm.plays() == 0 { low.midpoint(high) } else { arm.mean() },
        high,
    };
    let rows: Vec<Interval> =
        input.names.iter().zip(statistics.iter().zip(&standing.intervals)).map(row).collect();
    intervals("mean reward", &rows)
}

/// The page.
pub(super) fn page(run: &Run<'_>, said: &Said<'_>, picture: Picture) -> Page {
    let Said { args, input, standing, .. } = *said;
    let mut page = Page::new("Bandit", format!("Next: {}", input.names[said.advice.choice]));
    page.standfirst.push(format!("When to stop: {}.", verdict(said)));
    page.standfirst.extend(said.advice.notes.iter().map(|note| format!("Note: {note}.")));
    page.lead = Some(Figure::new(
        picture,
        "Mean rewards with intervals that hold for all arms and at all times together with probability 95 %: one may look after every play.",
    ));
    page.facts = vec![
        ("Plays".to_owned(), grouped(input.history.plays().len() as u64)),
        ("Arms".to_owned(), input.names.len().to_string()),
        ("Policy".to_owned(), args.policy.clone()),
    ];
    let text = format!(
        "The arm with the largest index is next, the first of several, unless the note says otherwise. P(best) and the loss per play of a \
             choice made now are those of independent uniform priors of the means; {}.",
        if standing.coins {
            "rewards are successes and failures"
        } else {
            "rewards are taken as normal, with variances that are estimated too"
        }
    );
    page.section("Why", text, PageTable::new(HEADER, rows(said)));
    run.sign(
        &mut page,
        read_by_posterior(&input.source),
        &[("policy", &args.policy), ("bounds", &args.bounds), ("threshold", &args.threshold)],
    );
    page
}
