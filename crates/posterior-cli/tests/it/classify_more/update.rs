//! `posterior classify update`: a model of a first and then a second table is that of both.

use std::fmt::Write as _;

use serde_json::Value;

use super::{json, number, refused};
use crate::program::{Place, read};

const FIRST: [(&str, &str); 6] = [
    ("spam", "cheap cash now"),
    ("ham", "the meeting is at noon"),
    ("spam", "win cash call now"),
    ("ham", "lunch after the meeting"),
    ("ham", "see you at lunch"),
    ("spam", "cheap product now now"),
];
/// With words and a class that the first has not, between those of the first in the alphabet.
const SECOND: [(&str, &str); 5] = [
    ("news", "elections at noon"),
    ("ham", "an early lunch"),
    ("spam", "cheap lottery cash"),
    ("news", "early results of elections"),
    ("ham", "the train is late"),
];

fn texts(rows: &[(&str, &str)]) -> String {
    rows.iter().fold(String::from("text,label\n"), |all, (label, text)| all + &format!("{text},{label}\n"))
}

fn model(place: &Place, folder: &str) -> Value {
    serde_json::from_slice::<Value>(&read(place.path(folder).join("model.json"))).unwrap()["model"].take()
}

#[test]
fn counts_of_texts_add_exactly() {
    let place = Place::new();
    place.write("first.csv", texts(&FIRST));
    place.write("second.csv", texts(&SECOND));
    place.write("all.csv", texts(&[&FIRST[..], &SECOND].concat()));
    place.write("stop.txt", "the\nat\n");
    for method in ["naive-bayes", "bernoulli-nb", "polya-nb", "complement-nb"] {
        for more in [
            &[][..],
            &["--pseudocount", "evidence"],
            &["--ngrams", "1:2", "--stop-words", "stop.txt"],
            &["--characters", "2:3", "--min-letters", "3"],
            &["--class-weights", "balanced", "--pseudocount", "evidence"],
            &["--class-weights", "spam=3"],
        ] {
            let fit =
                |data, out| json(&place, &[&["fit", data, "--method", method, "--out", out], more].concat());
            fit("all.csv", "both");
            fit("first.csv", "old");
            let output = json(&place, &["update", "old", "second.csv", "--out", "later"]);
            assert_eq!(model(&place, "later"), model(&place, "both"), "{method} {more:?}");
            assert_eq!(output["evaluated_on"], "second.csv before it was learned");
            // A class that is new is never predicted before: the loss is that of the other rows.
            assert_eq!(output["rows"], 5);
            assert!(number(&output, "ln_loss") < 5.0 && number(&output, "accuracy") <= 0.6, "{output}");
            let note = output["warnings"][0].as_str().unwrap();
            assert!(note.contains("never saw: 2 (\"news\")"), "{note}");
            let [later, both] =
                ["later", "both"].map(|own| json(&place, &["predict", own, "all.csv"])["predictions"].take());
            assert_eq!(later, both);
        }
    }
    // The page and the words are those of the later model.
    let page = String::from_utf8(read(place.path("later/report.html"))).unwrap();
    assert!(page.contains("Words that tell news"));
}

#[test]
fn statistics_of_rows_add() {
    let place = Place::new();
    let rows = |range: std::ops::Range<u32>| {
        range.fold(String::from("x,colour,kind\n"), |mut all, i| {
            let colour = ["red", "blue", "amber"][(i % if i < 20 { 2 } else { 3 }) as usize];
            let kind = ["a", "b", "c"][(i * 7 % if i < 20 { 2 } else { 3 }) as usize];
            let x = if i == 5 { "NA".to_owned() } else { f64::from(i * i % 17).to_string() };
            writeln!(all, "{x},{colour},{kind}").unwrap();
            all
        })
    };
    place.write("first.csv", rows(0..20));
    place.write("second.csv", rows(20..45));
    place.write("all.csv", rows(0..45));
    for more in [&[][..], &["--class-weights", "balanced"]] {
        for (data, out) in [("all.csv", "both"), ("first.csv", "old")] {
            json(&place, &[&["fit", data, "--label", "kind", "--out", out], more].concat());
        }
        json(&place, &["update", "old", "second.csv", "--out", "later"]);
        let [later, both] =
            ["later", "both"].map(|own| json(&place, &["predict", own, "all.csv"])["predictions"].take());
        for (later, both) in later.as_array().unwrap().iter().zip(both.as_array().unwrap()) {
            assert_eq!((&later["class"], &later["unknown"]), (&both["class"], &both["unknown"]));
            for class in ["a", "b", "c"] {
                let [own, other] = [later, both].map(|own| number(&own["probabilities"], class));
                assert!((own - other).abs() < 1e-12, "{class} {own} {other}");
            }
        }
    }
    // A number that was one for all is a category: what it is with others no model of the first can say.
    place.write("same.csv", "x,y,kind\n7,1,a\n7,2,b\n7,3,a\n7,5,b\n");
    place.write("other.csv", "x,y,kind\n8,1,a\n");
    json(&place, &["fit", "same.csv", "--label", "kind", "--out", "same"]);
    refused(&place.run(&["classify", "update", "same", "other.csv"]), 1, "column x was 7 in all rows");
}

#[test]
fn models_that_cannot_learn_more_say_why() {
    let place = Place::new();
    place.write("first.csv", texts(&FIRST));
    place.write("second.csv", texts(&SECOND));
    place.write("no_label.csv", "text\nhello\n");
    for (more, says) in [
        (&["--method", "logistic", "--penalty", "1"][..], "fitted to all rows at once"),
        (&["--calibrate", "platt"], "its calibration was learned by folds"),
        (&["--pseudocount", "folds"], "its pseudocount was chosen by folds"),
        (&["--min-df", "2"], "--min-df"),
    ] {
        json(&place, &[&["fit", "first.csv", "--out", "out"], more].concat());
        let ran = place.run(&["classify", "update", "out", "second.csv", "--out", "later"]);
        refused(&ran, 1, says);
        assert!(ran.stderr.contains("hint: fit again"), "{}", ran.stderr);
        assert!(!place.path("later/model.json").exists());
    }
    json(&place, &["fit", "first.csv", "--out", "out"]);
    refused(&place.run(&["classify", "update", "out", "no_label.csv"]), 1, "label");
    refused(&place.run(&["classify", "update", "none", "second.csv"]), 1, "none");
}
