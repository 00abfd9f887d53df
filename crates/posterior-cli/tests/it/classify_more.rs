//! `posterior classify`: calibration, weights of classes, logistic regression, n-grams, updates, several
//! labels a row.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod labels;
mod update;

use std::fmt::Write as _;

use posterior::dist::{Normal, stream::stream};
use rand::RngExt as _;
use serde_json::Value;

use crate::program::{Place, Ran, read};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["classify"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} {value}"))
}

fn refused(ran: &Ran, code: i32, says: &str) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    assert!(ran.stderr.contains(says), "{says:?} {}", ran.stderr);
}

/// Two normal classes one standard deviation apart in a column that is there three times: naive Bayes takes
/// it for three witnesses.
fn copies(rows: usize, seed: u64) -> String {
    let (mut rng, normal) = (stream(seed, &[]), Normal::mean_sd(0.0, 1.0).unwrap());
    let mut text = String::from("a,b,c,class\n");
    for _ in 0..rows {
        let class = usize::from(rng.random::<f64>() < 0.4);
        let x = class as f64 + rng.sample(normal);
        writeln!(text, "{x},{x},{x},c{class}").unwrap();
    }
    text
}

#[test]
fn calibrated_probabilities_come_true_on_new_rows() {
    let place = Place::new();
    place.write("data.csv", copies(600, 1));
    place.write("new.csv", copies(4000, 2));
    let plain = json(&place, &["fit", "data.csv", "--label", "class", "--out", "plain"]);
    assert_eq!((&plain["method"], &plain["calibration"]), (&"gaussian-nb".into(), &Value::Null));
    let error = number(&plain, "calibration_error");
    assert!(error > 0.1, "{plain}");
    for method in ["platt", "isotonic"] {
        let fit = ["fit", "data.csv", "--label", "class", "--calibrate", method, "--out", method];
        let output = json(&place, &fit);
        let before = &output["calibration"]["before"];
        assert_eq!(output["calibration"]["method"], method);
        assert_eq!(number(before, "calibration_error"), error);
        assert_eq!(before["ln_loss"], plain["ln_loss"]);
        assert!(number(&output, "calibration_error") < 0.06, "{method} {output}");
        assert!(number(&output, "ln_loss") < number(before, "ln_loss"));
        // The groups hold all rows, and their intervals the rates.
        let groups = output["reliability"].as_array().unwrap();
        assert_eq!(groups.iter().map(|own| own["rows"].as_u64().unwrap()).sum::<u64>(), 600);
        for own in groups {
            let [low, rate, high] = ["rate_q025", "rate", "rate_q975"].map(|name| number(own, name));
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{own}");
            assert!((number(own, "low")..=number(own, "high")).contains(&number(own, "mean_probability")));
        }
        let csv = String::from_utf8(read(place.path(method).join("reliability.csv"))).unwrap();
        assert!(
            csv.starts_with("low,high,rows,happened,mean_probability,rate,rate_q025,rate_q975\n"),
            "{csv}"
        );
        assert_eq!(csv.lines().count(), groups.len() + 1);
        let page = String::from_utf8(read(place.path(method).join("report.html"))).unwrap();
        assert!(page.contains("Before the calibration") && page.contains("Groups of like probability"));
        assert!(!read(place.path(method).join("uncalibrated.svg")).is_empty());
        // Of 4,000 new rows as many are right as the model says: the standard error is 0.7 %.
        let said = json(&place, &["predict", method, "new.csv"]);
        let rows = said["predictions"].as_array().unwrap();
        let stated = rows.iter().map(|own| number(own, "probability")).sum::<f64>() / rows.len() as f64;
        let right = number(&said["scores"], "accuracy");
        assert!((stated - right).abs() < 0.035, "{method} {stated} {right}");
        assert!(number(&said["scores"], "calibration_error") < 0.05, "{method} {}", said["scores"]);
        let eval = json(&place, &["eval", "new.csv", "--label", "class", "--model", method]);
        assert!((number(&eval, "ln_loss") + number(&said["scores"], "ln_score")).abs() < 1e-12);
        for own in rows {
            let p = own["probabilities"].as_object().unwrap();
            assert!((p.values().map(|p| p.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    let said = json(&place, &["predict", "plain", "new.csv"]);
    assert!(number(&said["scores"], "calibration_error") > 0.1);
}

/// The map that predicts is that of all held-out rows: by hand for Platt's curve from the file of the model.
#[test]
fn the_model_has_the_map_and_a_changed_one_is_refused() {
    let place = Place::new();
    place.write("data.csv", copies(200, 4));
    json(&place, &["fit", "data.csv", "--label", "class", "--out", "plain"]);
    json(&place, &["fit", "data.csv", "--label", "class", "--calibrate", "platt", "--out", "out"]);
    let model: Value = serde_json::from_slice(&read(place.path("out/model.json"))).unwrap();
    let map = &model["model"]["models"][0]["calibration"]["maps"][0]["platt"];
    let [slope, intercept] = [0, 1].map(|place| map[place].as_f64().unwrap());
    place.write("new.csv", "a,b,c\n0.3,0.3,0.3\n2,2,2\n");
    let p = |folder: &str| -> Vec<f64> {
        let said = json(&place, &["predict", folder, "new.csv"]);
        said["predictions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|own| number(&own["probabilities"], "c1"))
            .collect()
    };
    for (before, after) in p("plain").into_iter().zip(p("out")) {
        let ln_odds = slope * (before / (1.0 - before)).ln() + intercept;
        assert!((after - 1.0 / (1.0 + (-ln_odds).exp())).abs() < 1e-9, "{before} {after}");
    }
}

#[test]
fn weights_of_classes_shift_what_is_predicted() {
    let place = Place::new();
    place.write("data.csv", copies(300, 5));
    let recall = |output: &Value| number(&output["classes"][1], "recall");
    for method in ["gaussian-nb", "logistic"] {
        let fit = |weights: &[&str]| {
            let base = ["fit", "data.csv", "--label", "class", "--method", method];
            json(&place, &[&base, weights].concat())
        };
        let plain = fit(&[]);
        let [balanced, heavy] = ["balanced", "c1=10"].map(|weights| fit(&["--class-weights", weights]));
        assert!(recall(&plain) < recall(&balanced) && recall(&balanced) < recall(&heavy), "{method}");
        assert_eq!(plain["warnings"].as_array().unwrap().len(), 0);
        assert!(heavy["warnings"][0].as_str().unwrap().contains("--class-weights"));
    }
    for (weights, says) in [
        ("c1", "expected `balanced` or NAME=W"),
        ("c3=2", "no class is called \"c3\": the classes are"),
        ("c1=0", "expected a number above 0"),
        ("c1=x", "expected a number above 0"),
        ("c1=2,c1=3", "two weights"),
    ] {
        let ran = place.run(&["classify", "fit", "data.csv", "--label", "class", "--class-weights", weights]);
        refused(&ran, 2, says);
    }
}

/// Reviews whose words tell by pairs: "not good" is bad, and "good" alone says nothing.
fn reviews(count: usize) -> String {
    let mut text = String::from("text,class\n");
    for i in 0..count {
        let (own, class) =
            [("good food", "yes"), ("not good food", "no"), ("bad food", "no"), ("not bad food", "yes")]
                [i % 4];
        let more = ["today", "really", "here again", "in the evening", "again"][i % 5];
        writeln!(text, "{own} {more},{class}").unwrap();
    }
    text
}

#[test]
fn sequences_of_words_tell_what_words_cannot() {
    let place = Place::new();
    place.write("data.csv", reviews(80));
    let fit = |more: &[&str]| {
        json(&place, &[&["fit", "data.csv", "--label", "class", "--penalty", "0.1"], more].concat())
    };
    let logistic = ["--method", "logistic"];
    let words = fit(&logistic);
    let pairs = fit(&[&logistic[..], &["--ngrams", "1:2", "--intervals", "--out", "out"]].concat());
    assert!(words["top_words"][0]["words"][0]["sd"].is_null());
    assert!(number(&words, "accuracy") < 0.9 && number(&pairs, "accuracy") == 1.0, "{words} {pairs}");
    assert_eq!(words["vocabulary"], 11);
    assert!(number(&pairs, "vocabulary") > 20.0);
    assert_eq!(number(&pairs["penalty"], "strength"), 0.1);
    let telling = pairs["top_words"][0]["words"].as_array().unwrap();
    assert!(telling.iter().any(|own| own["word"] == "not good"), "{telling:?}");
    for own in telling {
        assert!(number(own, "q025") < number(own, "ln_odds") && number(own, "ln_odds") < number(own, "q975"));
    }
    // Words tell all rows apart: the mean is further from 0 than the coefficient that predicts.
    let model: Value = serde_json::from_slice(&read(place.path("out/model.json"))).unwrap();
    let text = model.to_string();
    let coefficients = text.split("\"coefficients\":").nth(1).unwrap().split("]]]").next().unwrap();
    let largest = coefficients
        .split(['[', ']', ',', '}'])
        .filter(|own| own.contains('.'))
        .map(|own| own.parse::<f64>().unwrap().abs())
        .fold(0.0, f64::max);
    assert!(number(&telling[0], "ln_odds") > 1.1 * largest, "{telling:?} {largest}");
    // New words are unknown, known pairs are found.
    place.write("new.csv", "text\nnot good wine\n");
    let said = &json(&place, &["predict", "out", "new.csv"])["predictions"][0];
    assert_eq!((&said["class"], &said["unknown"]), (&"no".into(), &2.into()));
    // A word of which only a part is known.
    json(&place, &["fit", "data.csv", "--label", "class", "--characters", "2:4", "--out", "parts"]);
    place.write("new.csv", "text\nbadly\nzzzz\n");
    let said = json(&place, &["predict", "parts", "new.csv"]);
    // dl, adl, dly, badl, adly and dly with the end of the word.
    assert_eq!(said["predictions"][0]["unknown"], 6);
    assert_eq!(said["predictions"][1]["unknown"], 12);
    for (arguments, says) in [
        (vec!["--ngrams", "0"], "expected a number from 1 to 20"),
        (vec!["--ngrams", "3:2"], "expected a number from 1 to 20"),
        (vec!["--ngrams", "2", "--characters", "2"], "cannot be used with"),
        (vec!["--characters", "2", "--stop-words", "en"], "--stop-words"),
        (vec!["--penalty", "0"], "--penalty"),
        (vec!["--method", "logistic", "--penalty", "much"], "--penalty"),
        (vec!["--method", "logistic", "--mixing", "2"], "--mixing"),
        (vec!["--method", "logistic", "--mixing", "0.5", "--intervals"], "--intervals"),
    ] {
        refused(
            &place.run(&[&["classify", "fit", "data.csv", "--label", "class"], &arguments[..]].concat()),
            2,
            says,
        );
    }
}

#[test]
fn logistic_regression_of_rows_and_its_penalties() {
    let place = Place::new();
    let mut rng = stream(8, &[]);
    let mut text = String::from("x,noise,colour,kind\n");
    for i in 0..150 {
        let (x, noise) = (rng.random::<f64>() * 100.0, rng.random::<f64>());
        let colour = ["red", "green", "blue"][i % 3];
        let odds = 0.1 * (x - 50.0) + if colour == "red" { 2.0 } else { 0.0 };
        let kind = if rng.random::<f64>() < 1.0 / (1.0 + (-odds).exp()) { "yes" } else { "no" };
        writeln!(text, "{x},{noise},{colour},{kind}").unwrap();
    }
    place.write("rows.csv", text);
    let base = ["fit", "rows.csv", "--label", "kind", "--method", "logistic"];
    let fit = |more: &[&str]| json(&place, &[&base, more].concat());
    let ridge = fit(&["--out", "out"]);
    assert!(number(&ridge, "accuracy") > 0.75, "{ridge}");
    assert_eq!((&ridge["vocabulary"], &ridge["penalty"]["nonzero"]), (&3.into(), &5.into()));
    let telling: Vec<&str> = ridge["top_words"][1]["words"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["word"].as_str().unwrap())
        .collect();
    assert_eq!(telling[0], "x");
    assert!(telling.contains(&"colour=red"));
    // The lasso leaves few, and says no interval.
    let lasso = fit(&["--mixing", "1", "--penalty", "12", "--out", "lasso"]);
    assert!(number(&lasso["penalty"], "nonzero") < 3.0, "{lasso}");
    let first = &lasso["top_words"][1]["words"][0];
    assert_eq!((&first["word"], &first["sd"], &first["q025"]), (&"x".into(), &Value::Null, &Value::Null));
    let csv = String::from_utf8(read(place.path("lasso/top_words.csv"))).unwrap();
    assert!(csv.lines().nth(1).unwrap().ends_with(",,,"), "{csv}");
    // A new colour is unknown, a missing number refused.
    place.write("new.csv", "x,noise,colour\n90,0.5,red\n90,0.5,pink\n");
    let said = json(&place, &["predict", "out", "new.csv"]);
    assert_eq!(
        (&said["predictions"][0]["class"], &said["predictions"][1]["unknown"]),
        (&"yes".into(), &1.into())
    );
    place.write("gap.csv", "x,noise,colour\n90,0.5,red\nNA,0.5,red\n");
    refused(&place.run(&["classify", "predict", "out", "gap.csv"]), 1, "gap.csv: line 3, column x");
    for (cell, says) in [("NA", "a number"), ("inf", "a number of at most 1e150")] {
        place.write("bad.csv", format!("x,kind\n1.5,a\n2.5,b\n3.5,a\n{cell},b\n0.5,a\n"));
        let fit = place.run(&["classify", "fit", "bad.csv", "--label", "kind", "--method", "logistic"]);
        refused(&fit, 1, "bad.csv: line 5, column x");
        refused(&fit, 1, says);
    }
    place.write("few.csv", "x,kind\n5.5,a\n3.5,b\n");
    let few = ["classify", "fit", "few.csv", "--label", "kind", "--method", "logistic"];
    refused(&place.run(&few), 1, "too few rows to choose a penalty");
    let threads = |count| {
        let own = [&["classify"], &base[..], &["--threads", count]].concat();
        place.succeed(&own).stdout
    };
    assert_eq!(threads("1"), threads("2"));
}

/// Ten columns of numbers and no column of texts, as a peer's call has it.
#[test]
fn columns_of_numbers_need_no_options() {
    let place = Place::new();
    let (mut rng, normal) = (stream(9, &[]), Normal::mean_sd(0.0, 1.0).unwrap());
    let header: Vec<String> = (0..10).map(|column| format!("x{column}")).collect();
    let mut text = format!("{},class\n", header.join(","));
    for i in 0..90 {
        let row: Vec<String> = (0..10)
            .map(|column| (f64::from(i % 3 * (column + 1)) + rng.sample(normal)).to_string())
            .collect();
        writeln!(text, "{},c{}", row.join(","), i % 3).unwrap();
    }
    place.write("rows.csv", text);
    let output = json(&place, &["fit", "rows.csv", "--label", "class"]);
    assert_eq!((&output["method"], &output["vocabulary"]), (&"gaussian-nb".into(), &10.into()));
    assert_eq!(number(&output, "accuracy"), 1.0);
}
