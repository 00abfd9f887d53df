//! The tables and the page of an experiment.

use posterior_report::{Body, Figure, Interval, Page, PageTable, Picture, intervals};

use super::ab_standing::{ArmStanding, Experiment, Measured, Versus};
use crate::output::{grouped, percent, significant};
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};

/// The names of the columns of [`arms`].
pub(super) const ARMS: [&str; 7] =
    ["arm", "units", "mean", "interval", "at all times", "P(best)", "loss if chosen now"];

/// The names of the columns of [`against`].
pub(super) const AGAINST: [&str; 7] =
    ["arm", "difference", "interval", "at all times", "lift", "interval", "P(better)"];

/// An interval as text.
fn ends(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |[low, high]| format!("{} to {}", significant(low), significant(high)),
    )
}

/// A row for each arm.
pub(super) fn arms(experiment: &Experiment<'_>) -> Vec<Vec<String>> {
    let row = |own: &ArmStanding| {
        vec![
            own.arm.clone(),
            grouped(own.units),
            significant(own.mean.estimate),
            ends(Some(own.mean.interval)),
            ends(own.mean.interval_at_all_times),
            percent(own.probability_best),
            significant(own.expected_loss),
        ]
    };
    experiment.arms.iter().map(row).collect()
}

/// A lift as text, in percent.
fn lift(own: Option<Measured>) -> [String; 2] {
    let Some(own) = own else { return ["-".to_owned(), "-".to_owned()] };
    let part = |value: f64| format!("{} %", significant(100.0 * value));
    let [low, high] = own.interval.map(part);
    [part(own.estimate), format!("{low} to {high}")]
}

/// A row for each arm but the control.
pub(super) fn against(experiment: &Experiment<'_>) -> Vec<Vec<String>> {
    let row = |(own, versus): (&ArmStanding, &Versus)| {
        let Versus { difference, lift: of_control, probability_better } = versus;
        let [estimate, interval] = lift(*of_control);
        vec![
            own.arm.clone(),
            significant(difference.estimate),
            ends(Some(difference.interval)),
            ends(difference.interval_at_all_times),
            estimate,
            interval,
            percent(*probability_better),
        ]
    };
    compared(experiment).map(row).collect()
}

/// The arms that are compared with the control.
fn compared<'a>(experiment: &'a Experiment<'_>) -> impl Iterator<Item = (&'a ArmStanding, &'a Versus)> {
    experiment.arms.iter().filter_map(|own| Some((own, own.versus_control.as_ref()?)))
}

/// The pictures and the page.
pub(super) fn report(run: &Run<'_>, experiment: &Experiment<'_>) -> (Pictures, Page) {
    let line = |name: String, own: &Measured| Interval {
        name,
        low: own.interval[0],
        middle: own.estimate,
        high: own.interval[1],
    };
    let level = experiment.args.level;
    let rows: Vec<Interval> = experiment.arms.iter().map(|own| line(own.arm.clone(), &own.mean)).collect();
    let means = intervals(if experiment.coins() { "proportion of successes" } else { "mean" }, &rows);
    let mut rows = Vec::new();
    for (own, Versus { difference, .. }) in compared(experiment) {
        rows.push(line(own.arm.clone(), difference));
        if let Some([low, high]) = difference.interval_at_all_times {
            let name = format!("{}, at all times", own.arm);
            rows.push(Interval { name, low, middle: difference.estimate, high });
        }
    }
    let differences: Picture = intervals(&format!("difference from {}", experiment.arms[0].arm), &rows);
    let leader = &experiment.arms[experiment.leader];
    let title =
        format!("{} leads: the best with probability {}", leader.arm, percent(leader.probability_best));
    let mut page = Page::new("Experiment", title);
    page.standfirst.push(format!("{}.", experiment.verdict()));
    page.standfirst.extend(experiment.notes.iter().map(|note| format!("Note: {note}.")));
    page.lead = Some(Figure::new(
        differences.clone(),
        format!(
            "Differences from {} with intervals of {level}. {}",
            experiment.arms[0].arm,
            experiment.looking()
        ),
    ));
    page.fact("Arms", experiment.arms.len().to_string());
    page.fact("Units", grouped(experiment.arms.iter().map(|own| own.units).sum()));
    page.fact("Outcome", if experiment.coins() { "successes" } else { "numbers" });
    page.fact("Control", experiment.arms[0].arm.clone());
    let text = "Difference: of the means. Lift: the difference as a part of the control's mean; none where that mean may be 0. Each interval is by itself.";
    page.section(
        format!("Against {}", experiment.arms[0].arm),
        text,
        PageTable::new(AGAINST, against(experiment)),
    );
    let text = if experiment.coins() {
        "Proportions with Jeffreys' prior, Beta(1/2, 1/2). P(best) and the loss per unit of a choice made now are those of the independent posteriors."
    } else {
        "Means of numbers with a variance of each arm, by Student's t. P(best) and the loss per unit of a choice made now are those of the independent \
         posteriors. Of very skewed outcomes many units are needed before intervals are right."
    };
    page.section("The arms", text, PageTable::new(ARMS, arms(experiment)));
    let caption = format!("Means with intervals of {level}.");
    page.section("Means", "", Body::Figure(Figure::new(means.clone(), caption)));
    run.sign(&mut page, read_by_posterior(&experiment.source), &[("level", &experiment.args.level)]);
    (Pictures::of([("arms", Some(means)), ("differences", Some(differences))]), page)
}
