//! Topics of the addresses, and the addresses by their topics.

use std::io::Write;

use posterior::report::{
    Figure, Page, PageTable, Stacked, StackedLayer, Stretch, TableColumn, colour, grouped,
};
use posterior::topics::lda::Lda;
use posterior::topics::{FittedTopics, SweepReport, TopicModel, Trend, similarity};

use super::{Addresses, words};
use crate::Outcome;
use crate::story::tell_table;

/// Prints each topic's words, its decade and its most typical address, and where neighbours in time differ
/// most; draws all topics over the years.
pub(super) fn close(
    out: &mut dyn Write,
    addresses: &Addresses,
    fitted: &FittedTopics<Lda, SweepReport>,
    page: &mut Page,
) -> Outcome<()> {
    let split = &addresses.split;
    let years: Vec<f64> = split.train_documents.iter().map(|&d| addresses.years[d]).collect();
    let lengths: Vec<u64> = split.train.iter().map(|document| document.tokens()).collect();
    let trend = Trend::new(&fitted.doc_topic, &lengths, &years)?;
    let decades: Vec<f64> = (179..=202).map(|decade| f64::from(10 * decade) + 5.0).collect();
    let smooth = trend.smoothed(&decades, 4.0);
    let mut columns =
        vec![TableColumn::Number("proportion".to_owned()), TableColumn::Number("decade".to_owned())];
    columns.extend(["words", "most typical address"].map(|name| TableColumn::Text(name.to_owned())));
    let mut table = PageTable { columns, rows: Vec::new() };
    let mut layers = Vec::new();
    for (k, weight) in fitted.model.topics().weights().iter().enumerate() {
        let decade = (0..decades.len()).max_by(|&a, &b| smooth[(a, k)].total_cmp(&smooth[(b, k)]));
        let decade = decade.map_or(f64::NAN, |i| decades[i] - 5.0);
        let (typical, proportion) = similarity::most_typical(&fitted.doc_topic, k, 1)?[0];
        let list = words::of_topic(fitted.model.topics(), k, 7);
        let typical = format!("{} ({:.0} %)", split.train.names()[typical], 100.0 * proportion);
        table.rows.push(vec![format!("{:.1} %", 100.0 * weight), format!("{decade:.0}s"), list, typical]);
        layers.push((decade, words::of_topic(fitted.model.topics(), k, 2), k));
    }
    layers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let times: Vec<f64> = (1790..=2022).step_by(2).map(f64::from).collect();
    let proportions = trend.smoothed(&times, 4.0);
    let count = layers.len();
    let layer = |(place, (_, label, k)): (usize, (f64, String, usize))| StackedLayer {
        label,
        colour: colour(place, count),
        proportions: proportions.column(k).iter().copied().collect(),
    };
    let layers = layers.into_iter().enumerate().map(layer).collect();
    let title = "Proportions of all topics over time".to_owned();
    let picture = Stacked { title, times, layers, bands: terms(addresses), events: Vec::new() }.wide();
    page.fact("addresses", grouped(addresses.corpus.documents() as u64));
    page.fact("words", grouped(addresses.corpus.tokens()));
    page.lead = Some(Figure::new(
        picture,
        "Proportions of the words of each topic, smoothed over years, from the topics of early decades to those of late ones; above, the presidents.",
    ));
    let text = "By their proportion of all words, with the decade in which each was largest.";
    tell_table(out, page, "The topics", text, table)?;
    alike(out, addresses, fitted, &years, page)
}

/// Who spoke, from when to when.
fn terms(addresses: &Addresses) -> Vec<Stretch> {
    let mut terms: Vec<(&str, Stretch)> = Vec::new();
    for (president, &year) in addresses.presidents.iter().zip(&addresses.years) {
        match terms.last_mut() {
            Some((name, last)) if name == president => last.to = year + 1.0,
            _ => {
                let label = president.split_whitespace().last().unwrap_or_default().to_owned();
                terms.push((president, Stretch { label, from: year, to: year + 1.0 }));
            }
        }
    }
    terms.into_iter().map(|(_, term)| term).collect()
}

fn alike(
    out: &mut dyn Write,
    addresses: &Addresses,
    fitted: &FittedTopics<Lda, SweepReport>,
    years: &[f64],
    page: &mut Page,
) -> Outcome<()> {
    let name = |d: usize| &addresses.split.train.names()[d];
    let mut items = Vec::new();
    writeln!(out, "\nthe sharpest turns between neighbours in time")?;
    for jump in similarity::largest_jumps(&fitted.doc_topic, years, 5)? {
        writeln!(out, "{:.2}  {} -> {}", jump.distance, name(jump.from), name(jump.to))?;
        items.push(format!("From {} to {}: {:.2}", name(jump.from), name(jump.to), jump.distance));
    }
    page.section(
        "The sharpest turns",
        "Distances between the topics of addresses that follow each other, 1 at most.",
        items,
    );
    if let Some(d) = addresses.split.train.names().iter().position(|name| name.contains("1865")) {
        writeln!(out, "\nnearest to {}", name(d))?;
        let mut items = Vec::new();
        for (other, distance) in similarity::nearest(&fitted.doc_topic, d, 4)? {
            writeln!(out, "{distance:.2}  {}", name(other))?;
            items.push(format!("{}: {distance:.2}", name(other)));
        }
        page.section(format!("Nearest to {}", name(d)), "Distances between topics.", items);
    }
    Ok(())
}
