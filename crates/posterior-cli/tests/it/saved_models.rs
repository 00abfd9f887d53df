//! A model that one run leaves and the next one uses: in every area the same predictions, and no others.

#![expect(clippy::format_collect, reason = "a table of a few lines")]

mod folds;
mod groups;
mod processes;
mod regress;
mod series;

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::program::Place;

/// Numbers that look random, between -2 and 2.
fn number(i: usize, j: usize) -> f64 {
    ((i * (37 + 22 * j) + 11 * j + i * i % 13) % 101) as f64 / 25.0 - 2.0
}

/// A table of rows from `from` on: a name, two numbers, a category; then a number, two classes, three
/// classes, a count.
fn table(from: usize, rows: usize) -> String {
    let mut text = "id,a,b,site,y,two,three,n\n".to_owned();
    for i in from..from + rows {
        let (a, b) = (number(i, 1), number(i, 2));
        let site = ["north", "south", "west"][i % 3];
        let noise = number(i, 5);
        let y = 2.0 + a - 0.5 * b + 0.3 * noise;
        let two = if a + noise > 0.0 { "yes" } else { "no" };
        let three = ["x", "y", "z"][usize::from(a + noise > -0.7) + usize::from(a + noise > 0.7)];
        let n = (0.5 + 0.5 * a + 0.4 * noise).exp().round();
        writeln!(text, "row {i},{a},{b},{site},{y},{two},{three},{n}").unwrap();
    }
    text
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all = [arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

/// The cells of the columns of a CSV without quotes.
fn column(csv: &str, name: &str) -> Vec<String> {
    let place = csv.lines().next().unwrap().split(',').position(|own| own == name).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').nth(place).unwrap().to_owned()).collect()
}

fn numbers(csv: &str, name: &str) -> Vec<f64> {
    column(csv, name).iter().map(|cell| cell.parse().unwrap()).collect()
}

/// Scores of models beside each other by their own files of predictions, and weights that no other beats.
#[test]
fn models_are_compared_on_one_table() {
    let place = Place::new();
    place.write("old.csv", table(0, 60));
    place.write("new.csv", table(60, 30));
    let fit = |arguments: &[&str]| {
        place.succeed(&[arguments, &["--quiet"]].concat());
    };
    fit(&["regress", "fit", "old.csv", "--x", "a", "--y", "y", "--out", "narrow"]);
    fit(&["regress", "fit", "old.csv", "--x", "a,b", "--y", "y", "--out", "wide"]);
    let kernel = ["--kernel", "rbf(1)", "--noise", "0.1"];
    fit(&[&["gp", "fit", "old.csv", "--x", "a,b", "--y", "y", "--out", "process"][..], &kernel].concat());
    let models = ["narrow", "wide", "process"];
    let output = json(&place, &[&["compare"][..], &models, &["--data", "new.csv"]].concat());
    assert_eq!((&output["y"], &output["rows"]), (&"y".into(), &30.into()));
    let compared = output["models"].as_array().unwrap();
    for (own, name) in compared.iter().zip(models) {
        let verb = if name == "process" { "gp" } else { "regress" };
        let scores = &json(&place, &[verb, "predict", name, "new.csv"])["scores"];
        for field in ["ln_score", "ln_score_error"] {
            let (a, b) = (own[field].as_f64().unwrap(), scores[field].as_f64().unwrap());
            assert!((a - b).abs() < 1e-12, "{name} {field} {a} {b}");
        }
    }
    let best = compared[1]["ln_score"].as_f64().unwrap();
    assert_eq!((&compared[1]["below_best"], &compared[1]["below_best_error"]), (&0.0.into(), &0.0.into()));
    assert!(compared[0]["below_best"].as_f64().unwrap() > 0.0);
    let below = compared[2]["below_best"].as_f64().unwrap();
    assert!((best - compared[2]["ln_score"].as_f64().unwrap() - below).abs() < 1e-12);
    let weight = |own: &Value| own["stacking_weight"].as_f64().unwrap();
    assert!((compared.iter().map(weight).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(weight(&compared[1]) > weight(&compared[0]));
    let text = place.succeed(&["compare", "narrow", "wide", "--data", "new.csv"]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[3].starts_with("wide/model.json") && lines[4].starts_with("narrow/model.json"), "{text}");

    fit(&["regress", "fit", "old.csv", "--x", "a", "--y", "n", "--family", "poisson", "--out", "counts"]);
    fit(&["regress", "fit", "old.csv", "--x", "a", "--y", "n", "--out", "numbers"]);
    fit(&["cluster", "fit", "old.csv", "--x", "a,b", "--method", "kmeans", "--out", "groups"]);
    place.write("bare.csv", "a,b\n1,2\n");
    place.write("blank.csv", "a,b,y\n1,2,\n");
    for (arguments, code, says) in [
        (
            &["wide", "counts", "--data", "new.csv"][..],
            1,
            "predicts n (a count): expected models of one outcome",
        ),
        (&["numbers", "counts", "--data", "new.csv"], 1, "expected models of one outcome"),
        (&["wide", "groups", "--data", "new.csv"], 1, "groups/model.json: no model of"),
        (&["wide", "narrow", "--data", "bare.csv"], 1, "no column is called \"y\": scores need the outcome"),
        (&["wide", "narrow", "--data", "blank.csv"], 1, "column y: all cells are missing"),
        (&["wide", "narrow", "--data", "-"], 2, "name a file"),
        (&["wide", "--data", "new.csv"], 2, "required"),
        (&["wide", "narrow"], 2, "--data"),
    ] {
        let ran = place.run(&[&["compare"], arguments].concat());
        assert!(ran.code == Some(code) && ran.stderr.contains(says), "{arguments:?} {ran:?}");
    }
}

/// Classifiers of two areas on one table, each with the scores that its own verbs give.
#[test]
fn classifiers_are_compared_with_regressions() {
    let place = Place::new();
    place.write("old.csv", table(0, 60));
    let new = table(60, 30).replacen(",yes,", ",,", 1);
    place.write("new.csv", &new);
    let fit = |arguments: &[&str]| {
        place.succeed(&[arguments, &["--quiet"]].concat());
    };
    let bayes = ["classify", "fit", "old.csv", "--label", "two", "--method", "gaussian-nb", "--x"];
    fit(&[&bayes[..], &["a,b", "--out", "bayes"]].concat());
    fit(&["regress", "fit", "old.csv", "--x", "a,b", "--y", "two", "--family", "bernoulli", "--out", "line"]);
    let output = json(&place, &["compare", "bayes", "line", "--data", "new.csv"]);
    assert_eq!((&output["y"], &output["rows"]), (&"two".into(), &29.into()));
    for (own, area) in output["models"].as_array().unwrap().iter().zip(["classify", "regress"]) {
        let model = own["model"].as_str().unwrap();
        let scores = &json(&place, &[area, "predict", model, "new.csv", "--out", area])["scores"];
        assert_eq!((&own["ln_score"], &scores["rows"]), (&scores["ln_score"], &29.into()), "{area}");
        let csv = read(&place, &format!("{area}/predictions.csv"));
        assert_eq!(column(&csv, "two"), column(&new, "two"), "{area}");
    }
    let known: String =
        new.lines().filter(|line| !line.contains(",,")).map(|line| format!("{line}\n")).collect();
    place.write("known.csv", known);
    let eval = json(&place, &["classify", "eval", "known.csv", "--label", "two", "--model", "bayes"]);
    let scores = &json(&place, &["classify", "predict", "bayes", "known.csv"])["scores"];
    for (own, field) in [(&eval["accuracy"], "accuracy"), (&eval["brier"], "brier")] {
        assert!((own.as_f64().unwrap() - scores[field].as_f64().unwrap()).abs() < 1e-12, "{field}");
    }
    let (loss, score) = (eval["ln_loss"].as_f64().unwrap(), scores["ln_score"].as_f64().unwrap());
    assert!((loss + score).abs() < 1e-12, "{loss} {score}");
}
