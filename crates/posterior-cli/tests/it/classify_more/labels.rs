//! Several labels a row.

use std::fmt::Write as _;

use posterior::dist::stream::stream;
use rand::RngExt as _;
use serde_json::Value;

use super::{json, number, refused};
use crate::program::{Place, read};

const WORDS: [(&str, &str); 3] = [("sport", "match"), ("money", "bank"), ("travel", "train")];

/// Texts with a word for each of their labels but for one time of ten, and others that say nothing.
fn notes(rows: usize, seed: u64) -> String {
    let mut rng = stream(seed, &[]);
    let mut text = String::from("tags,text\n");
    for _ in 0..rows {
        let (mut tags, mut words) = (Vec::new(), vec!["today", "we"]);
        for (tag, word) in WORDS {
            let there = rng.random::<f64>() < 0.4;
            if there {
                tags.push(tag);
            }
            if there != (rng.random::<f64>() < 0.1) {
                words.push(word);
            }
        }
        writeln!(text, "{},{}", tags.join("; "), words.join(" ")).unwrap();
    }
    text
}

#[test]
fn each_label_has_a_classifier_and_all_are_scored_together() {
    let place = Place::new();
    place.write("notes.csv", notes(300, 1));
    place.write("new.csv", notes(1500, 2));
    for method in ["bernoulli-nb", "logistic"] {
        let base = ["fit", "notes.csv", "--labels", "tags", "--method", method, "--out", "out"];
        let fit = json(&place, &[&base[..], &["--folds", "5"]].concat());
        let labels = fit["labels"].as_array().unwrap();
        let names: Vec<&str> = labels.iter().map(|own| own["label"].as_str().unwrap()).collect();
        assert_eq!(names, ["money", "sport", "travel"]);
        let mean = labels.iter().map(|own| number(own, "f1")).sum::<f64>() / 3.0;
        assert!((number(&fit, "macro_f1") - mean).abs() < 1e-12);
        // A label is right nine times of ten, and three are with 0.9³.
        assert!((number(&fit, "hamming_loss") - 0.1).abs() < 0.03, "{fit}");
        assert!((number(&fit, "subset_accuracy") - 0.729).abs() < 0.08, "{fit}");
        assert_eq!(fit["top_words"][1]["words"][0]["word"], "match");
        for name in ["model.json", "report.html", "labels.csv", "reliability.csv", "calibration.svg"] {
            assert!(!read(place.path("out").join(name)).is_empty(), "{name}");
        }
        let said = json(&place, &["predict", "out", "new.csv", "--out", "said"]);
        let csv = String::from_utf8(read(place.path("said/predictions.csv"))).unwrap();
        assert!(csv.starts_with("row,tags,predicted,p_money,p_sport,p_travel,unknown,line\n"), "{csv}");
        // The probability of a label is that with which it is there: 900 of 1,500 rows lack each.
        let (mut stated, mut found, mut count) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let rows = said["predictions"].as_array().unwrap();
        for (own, line) in rows.iter().zip(notes(1500, 2).lines().skip(1)) {
            let tags = line.split(',').next().unwrap().to_owned();
            for (tag, _) in WORDS {
                let p = number(&own["probabilities"], tag);
                let side = usize::from(p > 0.5);
                stated[side] += p;
                found[side] += f64::from(u8::from(tags.contains(tag)));
                count[side] += 1.0;
                let listed = own["labels"].as_array().unwrap().iter().any(|own| own == tag);
                assert_eq!(listed, p > 0.5);
            }
        }
        for side in 0..2 {
            assert!((stated[side] - found[side]).abs() / count[side] < 0.04, "{method} {stated:?} {found:?}");
        }
        let eval = json(&place, &["eval", "new.csv", "--model", "out"]);
        for field in ["micro_f1", "macro_f1", "subset_accuracy", "hamming_loss", "ln_loss"] {
            assert_eq!(eval[field], said["scores"][field], "{field}");
        }
    }
}

#[test]
fn rows_without_labels_other_separators_and_what_is_wrong() {
    let place = Place::new();
    let text = "tags,text\na|b,one two\n,three\na,one four\nb| a,two one\nNA,three four\nb,two\n";
    place.write("notes.csv", text);
    let fit = ["fit", "notes.csv", "--labels", "tags", "--separator", "|", "--folds", "3", "--out", "out"];
    let output = json(&place, &fit);
    assert_eq!(
        output["labels"].as_array().unwrap().iter().map(|own| own["rows"].as_u64().unwrap()).sum::<u64>(),
        6
    );
    // A label that the model does not know is never predicted.
    place.write("other.csv", "tags,text\na,one\nc,three\n");
    let eval = json(&place, &["eval", "other.csv", "--model", "out"]);
    let unknown = &eval["labels"][2];
    assert_eq!(
        (&unknown["label"], &unknown["recall"], &unknown["auc"]),
        (&"c".into(), &0.0.into(), &Value::Null)
    );
    assert!(number(&eval, "subset_accuracy") <= 0.5);
    // Counts of labels add as those of classes do.
    let lines: Vec<&str> = text.lines().collect();
    place.write("first.csv", lines[..4].join("\n"));
    place.write("second.csv", [&lines[..1], &lines[4..]].concat().join("\n"));
    let first = ["fit", "first.csv", "--labels", "tags", "--separator", "|", "--folds", "3", "--out", "old"];
    json(&place, &first);
    json(&place, &["update", "old", "second.csv", "--out", "later"]);
    assert_eq!(read(place.path("later/model.json")), read(place.path("out/model.json")));
    refused(&place.run(&["classify", "update", "old", "other.csv"]), 1, "line 3: label \"c\"");

    place.write("every.csv", "tags,text\na,one\na|b,two\na,three\n");
    place.write("none.csv", "tags,text\n,one\n,two\n");
    for (arguments, code, says) in [
        (vec!["fit", "every.csv", "--labels", "tags", "--separator", "|"], 1, "every row has \"a\""),
        (vec!["fit", "none.csv", "--labels", "tags"], 1, "no row has a label"),
        (vec!["fit", "notes.csv", "--labels", "tags", "--separator", ""], 2, "--separator"),
        (vec!["fit", "notes.csv", "--labels", "topics"], 1, "topics"),
        (vec!["fit", "notes.csv", "--labels", "tags", "--label", "tags"], 2, "cannot be used with"),
        (vec!["fit", "notes.csv", "--label", "tags", "--separator", "|"], 2, "--separator"),
        (vec!["eval", "other.csv", "--model", "out", "--label", "tags"], 2, "--label"),
    ] {
        refused(&place.run(&[&["classify"], &arguments[..]].concat()), code, says);
    }
    let compared = place.run(&["compare", "out", "out", "--data", "other.csv"]);
    refused(&compared, 1, "several labels a row");
}
