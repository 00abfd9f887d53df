//! The page of a study: the course of its outcomes, what they depend on, and all trials.

use posterior_report::{
    BandPoint, Body, Figure, Interval, Page, PageTable, Picture, Ribbon, intervals, ribbons_marked,
};

use super::history::Outcome;
use super::input::Input;
use super::outcome_bound::OutcomeBound;
use super::standing::{Found, HEADER, Standing};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::output::significant;
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};

/// Points of a curve.
const POINTS: usize = 81;

/// The page and its pictures.
pub(super) fn report(run: &Run<'_>, standing: &Standing) -> Result<(Pictures, Page), Failure> {
    let goal = standing.study.goal;
    let title = standing.found.as_ref().map_or_else(
        || match standing.nothing() {
            "no outcome yet" => "No outcome yet".to_owned(),
            why => format!("Nothing to settle on: {why}"),
        },
        |found| format!("The {} outcome so far: {}", goal.best(), significant(found.best.1)),
    );
    let mut page = Page::new("Optimisation", title);
    page.fact("Goal", goal.name());
    page.fact("Trials", standing.optimizer.trials().len().to_string());
    page.fact("Failed", standing.failed().to_string());
    page.fact("Pending", standing.optimizer.pending().len().to_string());
    let mut pictures = Vec::new();
    if let Some(found) = &standing.found {
        let (_, mean, sd, point) = &found.recommended;
        let named = |(input, &own): (&Input, &f64)| format!("{} {}", input.name, input.short(own));
        let named: Vec<String> = standing.study.inputs.iter().zip(point).map(named).collect();
        page.standfirst.push(format!(
            "To settle on, by the fitted function: {}. There it is {} ± {} (standard deviation).",
            named.join(", "),
            significant(*mean),
            significant(*sd)
        ));
        let course = course(standing);
        page.lead = Some(Figure::new(
            course.clone(),
            "Outcomes in the order in which they were reported, and the best so far.",
        ));
        pictures.push(("course".to_owned(), Some(course)));
        let slices = slices(standing, found)?;
        let figures: Vec<Figure> = slices
            .iter()
            .map(|(name, picture)| Figure::new(picture.clone(), format!("{name}, the other inputs held.")))
            .collect();
        let text = "The fitted function along each input, the others as at the point to settle on: median and 95 % interval, without the noise of outcomes. \
                    Dots are outcomes, with other values of the other inputs.";
        page.section("What it depends on", text, Body::Figures(figures));
        for (place, (_, picture)) in slices.into_iter().enumerate() {
            pictures.push((format!("input-{}", place + 1), Some(picture)));
        }
        let text = "Importance is the part of the variation of the fitted function over all points that is left when the other inputs are known; with \
                    interactions the parts sum to more than 1.";
        page.section("Points and inputs", text, PageTable::new(HEADER, standing.rows(found)));
    }
    let mut header = vec!["trial".to_owned()];
    header.extend(standing.study.inputs.iter().map(|input| input.name.clone()));
    header.push("outcome".to_owned());
    header.extend(standing.bounds.iter().map(OutcomeBound::text));
    let row = |trial: &super::history::Trial| {
        let outcome = match trial.outcome {
            Some(Outcome::Value(value)) => significant(value),
            Some(Outcome::Failed) => "failed".to_owned(),
            None => "pending".to_owned(),
        };
        let texts = standing.study.short(&trial.point);
        let bounded = |(place, bound): (usize, &OutcomeBound)| {
            trial.constrained.get(place).map_or_else(String::new, |&own| {
                let mark = if bound.is_kept(own) { "" } else { " (not kept)" };
                format!("{}{mark}", significant(own))
            })
        };
        let bounded = standing.bounds.iter().enumerate().map(bounded);
        std::iter::once(trial.number.to_string()).chain(texts).chain([outcome]).chain(bounded).collect()
    };
    let rows: Vec<Vec<String>> = standing.history.trials.iter().map(row).collect();
    page.section("Trials", "", PageTable::new(&header, rows));
    let constraints =
        [&standing.study.constraints[..], &standing.study.outcome_constraints].concat().join("; ");
    let settings: &[(&str, &dyn std::fmt::Display)] = &[("constraints", &constraints)];
    let settings = if constraints.is_empty() { &settings[..0] } else { settings };
    run.sign(&mut page, read_by_posterior(&standing.source), settings);
    Ok((Pictures::of(pictures), page))
}

/// Outcomes and the best so far.
fn course(standing: &Standing) -> Picture {
    let trials = standing.optimizer.trials().iter().enumerate();
    let dots: Vec<(f64, f64)> = trials
        .filter_map(|(place, trial)| Some((place as f64 + 1.0, standing.study.goal.turned(trial.value()?))))
        .collect();
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (place, own) in standing.curve().into_iter().enumerate().filter(|(_, own)| own.is_finite()) {
        let place = place as f64 + 1.0;
        line.extend(line.last().map(|&(_, before)| (place, before)));
        line.push((place, own));
    }
    ribbons_marked(("trial", "outcome"), &[Ribbon::line("best so far", line)], &dots, None, None)
}

/// The fitted function along each input, with the name of the input.
fn slices(standing: &Standing, found: &Found) -> Result<Vec<(String, Picture)>, Failure> {
    let study = &standing.study;
    let mut pictures = Vec::new();
    for (axis, input) in study.inputs.iter().enumerate() {
        let values = input.grid(POINTS);
        let place = |value: f64| if input.is_log() { value.log10() } else { value };
        let mut points = Vec::new();
        for &value in &values {
            let mut point = found.recommended.3.clone();
            point[axis] = value;
            points.push(point);
        }
        // What constraints forbid has no outcome to be compared with.
        let allowed: Vec<bool> =
            points.iter().map(|point| standing.optimizer.space().check(point).is_ok()).collect();
        let keep = |place: &usize| allowed[*place];
        let kept: Vec<usize> = (0..points.len()).filter(keep).collect();
        let points: Vec<Vec<f64>> = kept.iter().map(|&own| points[own].clone()).collect();
        let [low, high] = Level::default().ends();
        let quantiles = found.surrogate.quantiles(&points, &[low, 0.5, high]).map_err(refused)?;
        let band = |(own, &at): (&Vec<f64>, &usize)| {
            let [one, middle, other] = [own[0], own[1], own[2]].map(|value| study.goal.turned(value));
            (
                values[at],
                middle,
                BandPoint { x: place(values[at]), low: one.min(other), high: one.max(other) },
            )
        };
        let bands: Vec<(f64, f64, BandPoint)> = quantiles.iter().zip(&kept).map(band).collect();
        let picture = if input.is_number() {
            let ribbon = Ribbon {
                name: "expected".to_owned(),
                line: bands.iter().map(|(_, mean, band)| (band.x, *mean)).collect(),
                bands: vec![bands.iter().map(|(_, _, band)| *band).collect()],
            };
            let trials = standing.optimizer.trials().iter();
            let dots: Vec<(f64, f64)> = trials
                .filter_map(|trial| Some((place(trial.point[axis]), study.goal.turned(trial.value()?))))
                .collect();
            let name = if input.is_log() { format!("log10 {}", input.name) } else { input.name.clone() };
            ribbons_marked((&name, "outcome"), &[ribbon], &dots, None, None)
        } else {
            let rows: Vec<Interval> = bands
                .iter()
                .map(|(value, mean, band)| Interval {
                    name: input.text(*value),
                    low: band.low,
                    middle: *mean,
                    high: band.high,
                })
                .collect();
            intervals(&input.name, &rows)
        };
        pictures.push((input.name.clone(), picture));
    }
    Ok(pictures)
}
