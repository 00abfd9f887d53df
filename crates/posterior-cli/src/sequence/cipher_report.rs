//! The page about a cipher: the plain text, how sure each letter is, and how it was found.

use posterior_report::{Body, Column, Figure, Page, Section, Table, bars};

use super::cipher::Output;
use crate::output::{called, percent};

/// The page.
pub(super) fn page(source: &str, output: &Output<'_>, seed: u64) -> Page {
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
    page.sections.push(key(output));
    page.sections.push(stages(output));
    page.command = called();
    page.settings = vec![("seed".to_owned(), seed.to_string())];
    page.source = format!("{source}, read by posterior {}.", env!("CARGO_PKG_VERSION"));
    page
}

fn key(output: &Output<'_>) -> Section {
    let rows = output.key.iter().map(|pair| {
        vec![
            pair.symbol.to_string(),
            pair.letter.to_string(),
            percent(pair.probability),
            pair.count.to_string(),
        ]
    });
    Section {
        title: "The key".to_owned(),
        text: String::new(),
        body: Body::Table(Table {
            columns: columns(&["symbol", "letter", "probability", "times"]),
            rows: rows.collect(),
        }),
    }
}

fn stages(output: &Output<'_>) -> Section {
    let right = output.stages.iter().any(|stage| stage.right.is_some());
    let rows = output.stages.iter().map(|stage| {
        let mut row = vec![stage.name.to_owned(), format!("{:.2}", stage.ln_likelihood)];
        row.extend(stage.right.map(percent));
        row
    });
    let names = if right { &["stage", "ln likelihood", "right"][..] } else { &["stage", "ln likelihood"] };
    Section {
        title: "How it was found".to_owned(),
        text: "The text under the key of each stage, in the language.".to_owned(),
        body: Body::Table(Table { columns: columns(names), rows: rows.collect() }),
    }
}

fn columns(names: &[&str]) -> Vec<Column> {
    names
        .iter()
        .enumerate()
        .map(
            |(i, &name)| if i == 0 { Column::Text(name.to_owned()) } else { Column::Number(name.to_owned()) },
        )
        .collect()
}
