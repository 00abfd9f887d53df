//! `posterior topics`: each model on two themes, saved and applied; seeds, sweeps, runs, scores.

mod files;
mod labels_and_responses;
mod models;
mod structural;
mod studies;

use serde_json::Value;

use crate::program::{Place, Ran, read};

/// Twelve texts of two themes in turn, each word three times and more, with columns beside them.
fn texts(place: &Place) -> &'static str {
    let themes = ["river stone bridge", "violin concert melody"];
    let rows: Vec<String> = (0..12)
        .map(|d| {
            let words = vec![themes[d % 2]; 3 + d % 3].join(" ");
            format!("{words} evening,doc {d},{},{}", 1990 + d, ["wet", "loud"][d % 2])
        })
        .collect();
    place.write("texts.csv", format!("text,title,year,kind\n{}\n", rows.join("\n")));
    "texts.csv"
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The words of `more` behind those of a quick fit of texts.
fn fit(place: &Place, more: &str) -> Ran {
    let short = "topics fit texts.csv --name title --min-df 1 --max-df 1 --out out --format json";
    let words: Vec<&str> = short.split(' ').chain(more.split(' ')).collect();
    place.run(&words)
}

#[track_caller]
fn fitted(place: &Place, more: &str) -> Value {
    let ran = fit(place, more);
    assert_eq!(ran.code, Some(0), "{more}: {ran:?}");
    json(&ran)
}

/// The first line of a refusal, and its code.
#[track_caller]
fn refused(place: &Place, more: &str) -> (Option<i32>, String) {
    let ran = fit(place, more);
    assert_ne!(ran.code, Some(0), "{more}: {ran:?}");
    (ran.code, ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap().to_owned())
}

/// A table as its rows of cells.
fn table(place: &Place, name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(read(place.path(name))).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
