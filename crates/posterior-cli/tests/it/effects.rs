//! `regress fit --formula` with effects: the numbers of lme4, new groups, saved models, chains, and what is
//! refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::{Place, read};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn named<'a>(all: &'a Value, name: &str) -> &'a Value {
    all.as_array().unwrap().iter().find(|own| own["name"] == name).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// R's lme4 1.1-31: `lmer(Reaction ~ Days + (Days | Subject), sleepstudy)`.
#[test]
fn reaction_times_are_those_of_lme4() {
    let place = Place::new();
    place.succeed(&["data", "export", "sleep-study"]);
    let formula = "reaction ~ days + (days | subject)";
    let fit = ["regress", "fit", "sleep-study/sleep_study.csv", "--formula", formula];
    let answer = json(&place, &[&fit[..], &["--engine", "reml"]].concat());
    let close = |found: &Value, expected: f64, within: f64| {
        let found = number(found);
        assert!((found / expected - 1.0).abs() < within, "{found} {expected}");
    };
    let components = &answer["hierarchical"]["components"];
    close(&named(components, "sd")["mean"], 25.591_797, 1e-6);
    close(&named(components, "sd(subject: (Intercept))")["mean"], 24.740_449, 1e-4);
    close(&named(components, "sd(subject: days)")["mean"], 5.922_133, 1e-4);
    close(&answer["hierarchical"]["ln_likelihood"], -1_743.628_27 / 2.0, 1e-8);
    close(&named(&answer["coefficients"], "days")["mean"], 10.467_286, 1e-7);
    close(&named(&answer["coefficients"], "days")["sd"], 1.545_790, 1e-4);
    assert!(named(components, "sd")["q025"].is_null());
    // The posterior is wider, and has the same middle.
    let answer = json(&place, &fit);
    assert_eq!(answer["engine"], "nested-laplace");
    close(&named(&answer["coefficients"], "days")["mean"], 10.467, 1e-2);
    assert!(number(&named(&answer["coefficients"], "days")["sd"]) > 1.55);
    let explained = answer["hierarchical"]["explained"].as_array().unwrap();
    let sum: f64 = explained.iter().map(|part| number(&part["proportion"])).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let values = answer["hierarchical"]["values"].as_array().unwrap();
    assert_eq!((values.len(), &values[1]["name"]), (2, &Value::from("subject: days")));
    assert_eq!(values[1]["values"].as_array().unwrap().len(), 18);
}

/// Counts of wards over years; a table of new rows has a ward and years that nobody saw.
fn wards(place: &Place) {
    let (mut seen, mut new) = ("count,ward,year,beds\n".to_owned(), "count,ward,year,beds\n".to_owned());
    for ward in 0..12_u32 {
        for year in 0..8_u32 {
            let rate = 4.0 + f64::from(ward * 7 % 12) + f64::from(year) * 0.5;
            let count = (rate + f64::from((ward * 31 + year * 17) % 7) - 3.0).round();
            writeln!(seen, "{count},w{ward},{},{}", 2000 + year, 10 + ward % 3).unwrap();
        }
    }
    new.push_str("9,w3,2007,11\n,w99,2008,12\n6,w2,2009,10\n");
    place.write("wards.csv", seen);
    place.write("new.csv", new);
}

#[test]
fn a_saved_model_predicts_what_the_fit_does() {
    let place = Place::new();
    wards(&place);
    let formula = "count ~ (1 | ward) + rw1(year) + offset(log(beds))";
    let fit = ["regress", "fit", "wards.csv", "--family", "poisson", "--formula", formula];
    let answer = json(&place, &[&fit[..], &["--predict", "new.csv", "--out", "out"]].concat());
    let later = json(&place, &["regress", "predict", "out/model.json", "new.csv"]);
    assert_eq!(answer["predictions"], later["predictions"]);
    assert_eq!(answer["scores"], later["scores"]);
    let sd = |row: usize| number(&answer["predictions"][row]["sd_of_function"]);
    assert!(sd(1) > 2.0 * sd(0), "a new ward is known less: {} {}", sd(1), sd(0));
    let text = |name: &str| String::from_utf8(read(place.path(name))).unwrap();
    let page = text("out/report.html");
    assert!(page.contains("Variance components") && page.contains("rw1(year)"));
    for file in ["components.csv", "effect_values.csv", "effect_1.svg", "effect_2.svg", "predictions.csv"] {
        assert!(place.path("out").join(file).exists(), "{file}");
    }
    let values = text("out/effect_values.csv");
    assert!(values.starts_with("effect,name,mean,sd,q025,q975\nward,w0,"), "{values}");
    assert!(values.contains("\nward,w99,") && values.contains("\nrw1(year),2009,"));
    // Rows that are held out may have groups that are not seen.
    let folds = json(&place, &[&fit[..], &["--folds", "4"]].concat());
    assert!(number(&folds["cross_validation"]["ln_score"]) < 0.0);
    let plain =
        ["regress", "fit", "wards.csv", "--family", "poisson", "--formula", "count ~ offset(log(beds))"];
    place.succeed(&[&plain[..], &["--out", "plain"]].concat());
    let compared = json(&place, &["compare", "out/model.json", "plain/model.json", "--data", "wards.csv"]);
    let score = |place: usize| number(&compared["models"][place]["ln_score"]);
    assert!(score(0) > score(1), "{compared}");
}

#[test]
fn a_chain_agrees() {
    let place = Place::new();
    wards(&place);
    let formula = "count ~ beds + (1 | ward)";
    let answer = json(
        &place,
        &["regress", "fit", "wards.csv", "--family", "poisson", "--formula", formula, "--verify"],
    );
    let verified = answer["hierarchical"]["verified"].as_array().unwrap();
    let names: Vec<&str> = verified.iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["sd(ward)", "(Intercept)", "beds"]);
    for own in verified {
        let allowed =
            4.0 + 0.05 * number(&own["sd"]) * number(&own["ess_bulk"]).sqrt() / number(&own["chain_sd"]);
        assert!(number(&own["difference_in_mcse"]).abs() < allowed, "{own}");
    }
}

#[test]
fn maps_have_neighbours() {
    let place = Place::new();
    wards(&place);
    let pairs: Vec<String> = (0..11).map(|ward| format!("w{ward},w{}", ward + 1)).collect();
    place.write("map.csv", format!("ward,next\n{}\n", pairs.join("\n")));
    let fit = |formula: &str| {
        [
            "regress",
            "fit",
            "wards.csv",
            "--family",
            "poisson",
            "--formula",
            formula,
            "--neighbours",
            "map.csv",
        ]
        .map(str::to_owned)
    };
    for term in ["car(ward)", "bym2(ward)"] {
        let arguments = fit(&format!("count ~ {term}"));
        let answer = json(&place, &arguments.each_ref().map(String::as_str));
        assert_eq!(answer["hierarchical"]["values"][0]["name"], term);
    }
}

#[test]
fn what_a_fit_with_effects_lacks_is_said() {
    let place = Place::new();
    wards(&place);
    let base = ["regress", "fit", "wards.csv", "--family", "poisson"];
    let refused = |more: &[&str]| {
        let ran = place.run(&[&base[..], more].concat());
        assert_ne!(ran.code, Some(0));
        ran.stderr
    };
    let groups = ["--formula", "count ~ (1 | ward)"];
    for (more, message) in [
        (&["--effects"][..], "--effects is for regressions without effects"),
        (&["--engine", "nuts"], "--verify runs the chain beside the fit"),
        (&["--prior", "lasso"], "--prior: coefficients are flat"),
        (&["--engine", "ml", "--verify"], "--verify is for the posterior"),
    ] {
        let found = refused(&[&groups[..], more].concat());
        assert!(found.contains(message), "{found}");
    }
    let found = refused(&["--formula", "count ~ beds", "--engine", "reml"]);
    assert!(found.contains("--engine reml needs a formula with effects"), "{found}");
    let found = refused(&["--formula", "count ~ car(ward)"]);
    assert!(found.contains("needs a map"), "{found}");
    let found = refused(&["--formula", "count ~ (1 | ward"]);
    assert!(found.contains("column"), "{found}");
    let found = refused(&["--formula", "count ~ (1 | nobody)"]);
    assert!(found.contains("there is no column \"nobody\""), "{found}");
    place.write("other.csv", "count,year\n3,2001\n");
    place.succeed(&[&base[..], &groups, &["--out", "out"]].concat());
    let ran = place.run(&["regress", "predict", "out/model.json", "other.csv"]);
    assert!(ran.code != Some(0) && ran.stderr.contains("ward"), "{}", ran.stderr);
}
