//! How far off filter and smoother are, and how sure.

use std::io::Write;

use posterior::kalman::{Filtered, Smoothed};
use posterior::report::{Card, Figure, Page, Picture, Ribbon, path, ribbons};

use super::walk::Walk;
use super::{SECONDS, UNSEEN, distance};
use crate::Outcome;

pub(super) fn distances(
    out: &mut dyn Write,
    walk: &Walk,
    filtered: &Filtered,
    smoothed: &Smoothed,
    page: &mut Page,
) -> Outcome<()> {
    let (unseen, seen): (Vec<usize>, Vec<usize>) = (0..SECONDS).partition(|t| UNSEEN.contains(t));
    let place = |mean: &[f64]| [mean[0], mean[2]];
    writeln!(out, "Distance from the truth (root mean square)\n")?;
    writeln!(out, "{:14} {:>10} {:>16}", "", "when seen", "when not seen")?;
    let measured = distance(walk, |t| [walk.series.at(t)[0], walk.series.at(t)[1]], &seen);
    writeln!(out, "{:14} {measured:10.2} {:>16}", "measurements", "–")?;
    let by_filter = [&seen, &unseen].map(|times| distance(walk, |t| place(filtered.mean(t)), times));
    let by_smoother = [&seen, &unseen].map(|times| distance(walk, |t| place(smoothed.mean(t)), times));
    for (name, [near, far]) in [("filter", by_filter), ("smoother", by_smoother)] {
        writeln!(out, "{name:14} {near:10.2} {far:16.2}")?;
    }
    page.fact("measurements are off by", format!("{measured:.2}"));
    page.fact("the filter", format!("{:.2}", by_filter[0]));
    page.fact("the smoother", format!("{:.2}", by_smoother[0]));
    page.standfirst.push(format!(
        "Measurements are {measured:.2} from the truth, the filter {:.2}, and the smoother, which knows the future too, {:.2}.",
        by_filter[0], by_smoother[0]
    ));
    let dots: Vec<(f64, f64)> = seen.iter().map(|&t| (walk.series.at(t)[0], walk.series.at(t)[1])).collect();
    let line: Vec<(f64, f64)> = (0..SECONDS).map(|t| (smoothed.mean(t)[0], smoothed.mean(t)[2])).collect();
    let picture = path("The walk", ("x", "y"), &dots, &line);
    page.lead =
        Some(Figure::new(picture, "Dots are measurements, the line is the walk that the smoother finds."));
    Ok(())
}

/// The standard deviations of filter and smoother over time.
pub(super) fn bands(
    out: &mut dyn Write,
    walk: &Walk,
    filtered: &Filtered,
    smoothed: &Smoothed,
    page: &mut Page,
) -> Outcome<()> {
    writeln!(
        out,
        "\nStandard deviation of the position along x\n\n{:>8} {:>8} {:>9}",
        "second", "filter", "smoother"
    )?;
    for t in [5, 20, 27, 30, 33, 36, 39, 40, 42, 59] {
        let [of, with] = [filtered.covariance(t)[(0, 0)].sqrt(), smoothed.covariance(t)[(0, 0)].sqrt()];
        let unseen = if UNSEEN.contains(&t) { "  nothing seen" } else { "" };
        writeln!(out, "{t:8} {of:8.2} {with:9.2}{unseen}")?;
    }
    writeln!(
        out,
        "\nThe filter's error grows until something is seen again; the smoother's is largest in the middle of the gap."
    )?;
    let times: Vec<f64> = (0..SECONDS).map(|t| t as f64).collect();
    let ribbon = |name: &str, at: &dyn Fn(usize) -> (f64, f64)| {
        let (means, sds): (Vec<f64>, Vec<f64>) = (0..SECONDS).map(at).unzip();
        Ribbon::around(name, &times, &means, &sds, 2.0)
    };
    let filter = ribbon("filter", &|t| (filtered.mean(t)[0], filtered.covariance(t)[(0, 0)].sqrt()));
    let smoother = ribbon("smoother", &|t| (smoothed.mean(t)[0], smoothed.covariance(t)[(0, 0)].sqrt()));
    let dots: Vec<(f64, f64)> =
        times.iter().zip(0..).map(|(&time, t)| (time, walk.series.at(t)[0])).collect();
    let card = |title: &str, meta: &str, pictures: Vec<Picture>| Card {
        title: title.to_owned(),
        meta: meta.to_owned(),
        pictures,
    };
    page.section(
        "Knowing the past, and knowing all",
        "The position along x with two standard deviations to either side.",
        vec![
            card(
                "The filter",
                "given what was seen so far",
                vec![ribbons(("second", "x"), &[filter], &dots, None)],
            ),
            card(
                "The smoother",
                "given everything",
                vec![ribbons(("second", "x"), &[smoother], &dots, None)],
            ),
        ],
    );
    Ok(())
}
