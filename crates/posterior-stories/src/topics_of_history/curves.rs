//! Topics over time, by a prior that knows when, by whom and how an address was given.

use std::io::Write;

use posterior::math::iteration::Silent;
use posterior::report::{BandPoint, Figure, Page, Ribbon, grouped, ribbons};
use posterior::topics::corpus::Document;
use posterior::topics::kernel_topics::{self, BandOptions, Covariates, KernelTopics, KernelTopicsOptions};
use posterior::topics::{TopicModel, TrendBands};

use super::{Addresses, SEED, words};
use crate::Outcome;

const TOPICS: usize = 12;
/// Every so many years an address is left out.
const LEFT_OUT: usize = 6;
/// Years between points of the curves.
const STEP: usize = 4;

/// Fits the kernel topic model to all addresses but some, prints the bounds, scales and effects, scores what
/// was left out, and draws the curves.
pub(super) fn follow(out: &mut dyn Write, addresses: &Addresses, page: &mut Page) -> Outcome<()> {
    let (kept, left): (Vec<usize>, Vec<usize>) =
        (0..addresses.corpus.documents()).partition(|d| d % LEFT_OUT != LEFT_OUT / 2);
    let training = addresses.corpus.select(&kept)?;
    let options = KernelTopicsOptions { topics: TOPICS, seed: SEED, ..KernelTopicsOptions::default() };
    let fitted = kernel_topics::fit(&training, &covariates(addresses, &kept)?, &options, &mut Silent)?;
    writeln!(
        out,
        "\nkernel topic model: proportions follow the year, the president and the form\n{}",
        fitted.report
    )?;
    let model = &fitted.model;
    output(out, model)?;
    left_out(out, addresses, model, &left, page)?;
    draw(addresses, model, page)
}

fn covariates(addresses: &Addresses, documents: &[usize]) -> Outcome<Covariates> {
    let pick = |values: &[String]| documents.iter().map(|&d| values[d].clone()).collect::<Vec<_>>();
    let years: Vec<f64> = documents.iter().map(|&d| addresses.years[d]).collect();
    let forms: Vec<&str> = documents.iter().map(|&d| addresses.forms[d]).collect();
    let presidents = pick(&addresses.presidents);
    Ok(Covariates::new(&years)?.with_labels("president", &presidents)?.with_labels("form", &forms)?)
}

/// The length scales of the curves, and what speaking instead of writing does.
fn output(out: &mut dyn Write, model: &KernelTopics) -> Outcome<()> {
    let forms = model.effects(1)?;
    writeln!(out, "length scale (years), what a speech adds, and words")?;
    for (k, (scales, effects)) in model.curves().scales().iter().zip(&forms).enumerate() {
        let speech = effects.iter().find(|effect| effect.label == "speech");
        let speech =
            speech.map_or_else(String::new, |effect| format!("{:+.2} ({:.2})", effect.mean, effect.sd));
        writeln!(out, "{:6.0}  {speech:14}  {}", scales.length_scale, words::of_topic(model.topics(), k, 6))?;
    }
    Ok(())
}

/// Predicts the addresses of the years that were left out from the year, the president and the form alone,
/// and without.
fn left_out(
    out: &mut dyn Write,
    addresses: &Addresses,
    model: &KernelTopics,
    left: &[usize],
    page: &mut Page,
) -> Outcome<()> {
    let fresh = addresses.corpus.select(left)?;
    let nothing = Document { words: &[], counts: &[] };
    let (mut with, mut without, mut tokens) = (0.0, 0.0, 0);
    for (document, &d) in fresh.iter().zip(left) {
        let labels = [addresses.presidents[d].as_str(), addresses.forms[d]];
        let place = model.covariates().place(addresses.years[d], &labels)?;
        with += model.ln_predictive_at(nothing, document, &place)?;
        without += model.ln_predictive(nothing, document);
        tokens += document.tokens();
    }
    let perplexity = |ln: f64| (-ln / tokens as f64).exp();
    page.fact(
        "years left out: perplexity with year, president, form",
        grouped(perplexity(with).round() as u64),
    );
    page.fact("and without", grouped(perplexity(without).round() as u64));
    writeln!(
        out,
        "\n{} addresses that were left out, from their year, president and form alone: perplexity {:.0}; from the average: {:.0}",
        left.len(),
        perplexity(with),
        perplexity(without)
    )?;
    Ok(())
}

fn draw(addresses: &Addresses, model: &KernelTopics, page: &mut Page) -> Outcome<()> {
    let (first, last) =
        addresses.years.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &y| (a.min(y), b.max(y)));
    let times: Vec<f64> = (first as usize..=last as usize).step_by(STEP).map(|year| year as f64).collect();
    let bands = model.bands(&times, &BandOptions { seed: SEED, ..BandOptions::default() })?;
    let mut figures = Vec::new();
    for k in 0..TOPICS {
        let label = words::of_topic(model.topics(), k, 5);
        let picture = ribbons(("year", "proportion of the words"), &[ribbon(&bands, k)], &[], None);
        let caption = format!("{label}: the proportion in a typical address of its year, with 95 % bands.");
        figures.push(Figure::new(picture, caption));
    }
    page.section(
        "Topics over two centuries",
        "Bands are narrow where addresses are many and agree.",
        figures,
    );
    Ok(())
}

fn ribbon(bands: &TrendBands, k: usize) -> Ribbon {
    let middle = bands.median.column(k);
    let points = bands.times.iter().zip(middle.iter());
    let band = |(i, &x): (usize, &f64)| BandPoint { x, low: bands.lower[(i, k)], high: bands.upper[(i, k)] };
    Ribbon {
        name: String::new(),
        line: points.map(|(&x, &y)| (x, y)).collect(),
        bands: vec![bands.times.iter().enumerate().map(band).collect()],
    }
}
