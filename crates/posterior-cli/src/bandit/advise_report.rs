//! The page about the next arm: which, why, and whether enough is known.

use posterior::decision::bandit::Advice;
use posterior_report::{Body, Column, Figure, Interval, Page, Picture, Section, Table, intervals};

use super::advise::{HEADER, rows, verdict};
use super::history_input::Input;
use super::when_to_stop::Standing;
use crate::args::BanditAdvise;
use crate::output::{called, grouped};

/// The mean of each arm with its interval.
pub(super) fn picture(input: &Input, standing: &Standing) -> Picture {
    let statistics = input.history.statistics();
    let row =
        |(name, (arm, &[low, high])): (&String, (&posterior::decision::bandit::Arm, &[f64; 2]))| Interval {
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
pub(super) fn page(args: &BanditAdvise, input: &Input, advice: &Advice, standing: &Standing) -> Page {
    let mut page = Page::new("Bandit", format!("Next: {}", input.names[advice.choice]));
    let said = verdict(args, input, standing);
    page.standfirst.push(format!("When to stop: {said}."));
    page.standfirst.extend(advice.notes.iter().map(|note| format!("Note: {note}.")));
    page.lead = Some(Figure::new(
        picture(input, standing),
        "Mean rewards with intervals that hold for all arms and at all times together with probability 95 %: one may look after every play.",
    ));
    page.facts = vec![
        ("Plays".to_owned(), grouped(input.history.plays().len() as u64)),
        ("Arms".to_owned(), input.names.len().to_string()),
        ("Policy".to_owned(), args.policy.clone()),
    ];
    let number = HEADER.iter().skip(1).map(|name| Column::Number((*name).to_owned()));
    page.sections.push(Section {
        title: "Why".to_owned(),
        text: format!(
            "The arm with the largest index is next, the first of several, unless the note says otherwise. P(best) and the loss per play of a \
             choice made now are those of independent uniform priors of the means; {}.",
            if standing.coins {
                "rewards are successes and failures"
            } else {
                "rewards are taken as normal, with variances that are estimated too"
            }
        ),
        body: Body::Table(Table {
            columns: std::iter::once(Column::Text(HEADER[0].to_owned())).chain(number).collect(),
            rows: rows(input, advice, standing),
        }),
    });
    page.command = called();
    page.settings = vec![
        ("policy".to_owned(), args.policy.clone()),
        ("bounds".to_owned(), args.bounds.clone()),
        ("threshold".to_owned(), args.threshold.to_string()),
        ("seed".to_owned(), args.common.seed.to_string()),
    ];
    page.source = format!("{}, read by posterior {}.", input.source, env!("CARGO_PKG_VERSION"));
    page
}
