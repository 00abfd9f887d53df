//! The page about a cipher: the plain text, how sure each letter is, and how it was found.

use posterior_report::{Figure, Page, PageTable, bars};
use serde::Serialize;

use crate::output::percent;
use crate::run::{Run, read_by_posterior};

/// What a run tells.
#[derive(Serialize)]
pub(super) struct Output<'a> {
    pub(super) characters: usize,
    pub(super) symbols: usize,
    pub(super) plaintext: &'a str,
    pub(super) key: Vec<Pair>,
    pub(super) ln_likelihood: f64,
    pub(super) unicity_distance: f64,
    pub(super) stages: Vec<StageOutput>,
    pub(super) starts: &'a [f64],
}

/// A symbol and its letter.
#[derive(Serialize)]
pub(super) struct Pair {
    pub(super) symbol: char,
    pub(super) letter: char,
    pub(super) probability: f64,
    pub(super) count: usize,
}

/// A stage.
#[derive(Serialize)]
pub(super) struct StageOutput {
    pub(super) name: &'static str,
    pub(super) ln_likelihood: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) right: Option<f64>,
}

/// The page.
pub(super) fn page(run: &Run<'_>, source: &str, output: &Output<'_>) -> Page {
    let sure = output.key.iter().filter(|pair| pair.probability >= 0.99).count();
    let headline = format!("{sure} of {} letters are certain", output.key.len());
    let mut page = Page::new("Substitution cipher", headline);
    let beginning: String = output.plaintext.chars().take(600).collect();
    let more = if beginning.len() < output.plaintext.len() { " …" } else { "" };
    page.standfirst.push(format!("{}{more}", beginning.trim_end()));
    let heights: Vec<f64> = output.key.iter().map(|pair| 100.0 * pair.probability).collect();
    let below = "symbols of the cipher text in their order; upwards per cent";
    page.lead = Some(Figure::new(
        bars("certainty of the letters", below, &heights, &[], ""),
        "How probable the letter of each symbol is, by draws of keys around the best one.",
    ));
    let highest = output.starts.iter().filter(|&&ln| ln >= output.ln_likelihood - 1e-6).count();
    page.facts = vec![
        ("Starts that ended with this key".to_owned(), format!("{highest} of {}", output.starts.len())),
        ("ln likelihood".to_owned(), format!("{:.2}", output.ln_likelihood)),
        ("Letters that make one key likely".to_owned(), format!("{:.0}", output.unicity_distance)),
    ];
    let rows = output.key.iter().map(|pair| {
        let [symbol, letter] = [pair.symbol, pair.letter].map(|own| own.to_string());
        vec![symbol, letter, percent(pair.probability), pair.count.to_string()]
    });
    page.section("The key", "", PageTable::new(["symbol", "letter", "probability", "times"], rows));
    let text = "The text under the key of each stage, in the language.";
    page.section("How it was found", text, PageTable::new(stage_header(output), stage_rows(output)));
    run.sign(&mut page, read_by_posterior(source), &[]);
    page
}

/// The names of the cells of [`stage_rows`].
pub(super) fn stage_header(output: &Output<'_>) -> &'static [&'static str] {
    let right = output.stages.iter().any(|stage| stage.right.is_some());
    if right { &["stage", "ln likelihood", "right"] } else { &["stage", "ln likelihood"] }
}

/// A row for each stage of the search.
pub(super) fn stage_rows(output: &Output<'_>) -> Vec<Vec<String>> {
    let row = |stage: &StageOutput| {
        let first = [stage.name.to_owned(), format!("{:.2}", stage.ln_likelihood)];
        first.into_iter().chain(stage.right.map(percent)).collect()
    };
    output.stages.iter().map(row).collect()
}
