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

/// Numbers with noise that has nothing to do with anything else, in five groups.
fn numbers(place: &Place) {
    let mut table = "y,x,z,g,share,count,time,seen,grade,positive\n".to_owned();
    for row in 0..60_u32 {
        let (x, z) = (f64::from(row % 12) / 4.0, f64::from(row * 7 % 10) / 10.0);
        let noise = f64::from(row * row * 29 % 101) / 101.0 - 0.5;
        let y = 1.0 + 0.8 * x + f64::from(row % 5) * 0.3 + noise;
        let share = 1.0 / (1.0 + (-0.5 * (y - 2.5)).exp());
        let count = if row % 6 == 0 { 0 } else { (0.6 * y).exp().round() as u32 };
        let (time, seen) = ((0.5 * y + noise).exp(), u8::from(row % 7 != 0));
        let grade = ["low", "medium", "high"][((y / 1.6) as usize).min(2)];
        let positive = (0.5 * y).exp();
        writeln!(table, "{y},{x},{z},g{},{share},{count},{time},{seen},{grade},{positive}", row % 5).unwrap();
    }
    place.write("numbers.csv", table);
    place.write("next.csv", "x,z,g\n1.5,0.3,g1\n2.0,0.9,g9\n");
}

#[test]
fn families_beyond_generalised_linear_models() {
    let place = Place::new();
    numbers(&place);
    let fit = |family: &str, formula: &str, more: &[&str]| {
        let own = ["regress", "fit", "numbers.csv", "--family", family, "--formula", formula];
        json(&place, &[&own[..], &["--predict", "next.csv"], more].concat())
    };
    let components = |answer: &Value| -> Vec<String> {
        let all = answer["hierarchical"]["components"].as_array().unwrap();
        all.iter().map(|own| own["name"].as_str().unwrap().to_owned()).collect()
    };
    let mean = |answer: &Value, name: &str| number(&named(&answer["coefficients"], name)["mean"]);
    let plain = fit("gaussian", "y ~ x + (1 | g)", &[]);
    let slope = mean(&plain, "x");
    let student = fit("student", "y ~ x + (1 | g)", &[]);
    assert_eq!(components(&student), ["scale", "degrees_of_freedom", "sd(g)"]);
    assert!((mean(&student, "x") - slope).abs() < 0.02, "{} {slope}", mean(&student, "x"));
    // The logarithm of the outcome is a number like any other.
    let (own, logarithm) =
        (fit("log-normal", "positive ~ x", &[]), fit("gaussian", "log(positive) ~ x + (1 | g)", &[]));
    assert!((mean(&own, "x") / mean(&logarithm, "x") - 1.0).abs() < 0.1);
    assert_eq!(components(&own), ["sd"]);
    let beta = fit("beta", "share ~ x + (1 | g)", &[]);
    assert!((mean(&beta, "x") - 0.5 * slope).abs() < 0.02, "{} {slope}", mean(&beta, "x"));
    let zeros = fit("zero-inflated-poisson", "count ~ x + (1 | g)", &[]);
    let share = number(&named(&zeros["hierarchical"]["components"], "zeros")["mean"]);
    assert!((share - 1.0 / 6.0).abs() < 0.08, "{share}");
    let weibull = fit("weibull", "time ~ x + (1 | g)", &["--event", "seen"]);
    assert_eq!(components(&weibull), ["shape", "sd(g)"]);
    let all_seen = fit("weibull", "time ~ x + (1 | g)", &[]);
    // Times that were longer than what was seen of them are longer.
    assert!(mean(&weibull, "intercept") > mean(&all_seen, "intercept"));
    let exponential = fit("exponential", "time ~ x", &["--event", "seen"]);
    assert!(components(&exponential).is_empty());
    for answer in [&student, &own, &beta, &zeros, &weibull, &exponential] {
        for row in answer["predictions"].as_array().unwrap() {
            let interval = [number(&row["interval"][0]), number(&row["interval"][1])];
            let of_mean = [number(&row["mean_interval"][0]), number(&row["mean_interval"][1])];
            let mean = number(&row["mean"]);
            assert!(interval[0] <= of_mean[0] && of_mean[0] < mean && mean < of_mean[1], "{row}");
            assert!(
                of_mean[1] <= interval[1] && number(&row["sd"]) > number(&row["sd_of_function"]),
                "{row}"
            );
        }
    }
    let grades = fit("ordinal", "grade ~ x + (1 | g)", &["--levels", "low,medium,high"]);
    assert_eq!(components(&grades), ["threshold", "gap[1]", "sd(g)"]);
    assert!(mean(&grades, "x") > 0.5);
    for row in grades["predictions"].as_array().unwrap() {
        let probabilities: Vec<f64> = row["probabilities"].as_array().unwrap().iter().map(number).collect();
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row}");
        for (p, ends) in probabilities.iter().zip(row["probability_intervals"].as_array().unwrap()) {
            assert!(0.0 < number(&ends[0]) && number(&ends[0]) < *p && *p < number(&ends[1]), "{row}");
        }
    }
    // A saved model says the same.
    let saved = ["regress", "fit", "numbers.csv", "--family", "weibull", "--formula", "time ~ x + (1 | g)"];
    place.succeed(&[&saved[..], &["--event", "seen", "--out", "out"]].concat());
    let later = json(&place, &["regress", "predict", "out/model.json", "next.csv"]);
    assert_eq!(later["predictions"], weibull["predictions"]);
}

#[test]
fn surfaces_columns_with_errors_and_priors() {
    let place = Place::new();
    numbers(&place);
    let fit = |formula: &str, more: &[&str]| {
        let own = ["regress", "fit", "numbers.csv", "--formula", formula];
        json(&place, &[&own[..], more].concat())
    };
    let surface = fit("y ~ te(x, z, k = 4) + (1 | g)", &["--predict", "next.csv", "--out", "surface"]);
    let names: Vec<&str> =
        surface["coefficients"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["intercept", "x", "z", "x:z"]);
    assert_eq!(surface["hierarchical"]["values"][0]["values"].as_array().unwrap().len(), 16);
    assert!(place.path("surface/effect_1.svg").exists());
    let plain = fit("y ~ x + (1 | g)", &[]);
    let measured = fit("y ~ measured(x, sd = 0.5) + (1 | g)", &["--predict", "next.csv"]);
    let slope = |answer: &Value| number(&named(&answer["coefficients"], "x")["mean"]);
    // Errors of x hide a part of its slope.
    assert!(slope(&measured) > 1.1 * slope(&plain), "{} {}", slope(&measured), slope(&plain));
    assert_eq!(measured["predictions"].as_array().unwrap().len(), 2);
    assert!(named(&measured["hierarchical"]["components"], "sd(x)")["mean"].is_number());
    let prior = |answer: &Value, name: &str| named(&answer["hierarchical"]["priors"], name)["prior"].clone();
    assert!(prior(&plain, "sd(g)").as_str().unwrap().starts_with("exponential("));
    let close = ["--effect-prior", "sd(g) ~ exponential(1000)", "--effect-prior", "sd ~ half-normal(2)"];
    let held = fit("y ~ x + (1 | g)", &close);
    let sd = |answer: &Value| number(&named(&answer["hierarchical"]["components"], "sd(g)")["mean"]);
    assert!(sd(&held) < 0.1 * sd(&plain));
    for (more, message) in [
        (&["--effect-prior", "sd(h) ~ flat"][..], "no hyperparameter \"sd(h)\": it has sd, sd(g)"),
        (&["--effect-prior", "sd(g) ~ cauchy(1)"], "there is no prior \"cauchy\""),
        (&["--family", "softmax"], "of softmax and mlp there are no effects"),
        (&["--event", "seen"], "--event is for times"),
    ] {
        let own = ["regress", "fit", "numbers.csv", "--formula", "y ~ x + (1 | g)"];
        let ran = place.run(&[&own[..], more].concat());
        assert!(ran.code != Some(0) && ran.stderr.contains(message), "{}", ran.stderr);
    }
    let refused =
        |arguments: &[&str]| place.run(&[&["regress", "fit", "numbers.csv"], arguments].concat()).stderr;
    let found = refused(&["--y", "y", "--x", "x", "--family", "student"]);
    assert!(found.contains("takes --formula"), "{found}");
    let found = refused(&["--formula", "y ~ x", "--family", "beta"]);
    assert!(found.contains("line 3") && found.contains("strictly between 0 and 1"), "{found}");
    let found = refused(&["--formula", "time ~ x", "--family", "weibull", "--event", "z"]);
    assert!(found.contains("1 where the event was seen, else 0"), "{found}");
    let found = refused(&["--formula", "y ~ x", "--effect-prior", "sd ~ flat"]);
    assert!(found.contains("--effect-prior needs a formula with effects"), "{found}");
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
        (&["--engine", "reml", "--effect-prior", "sd(ward) ~ flat"], "--effect-prior is for the posterior"),
        (&["--effect-prior", "sd(ward) ~ uniform(0, 1)"], "there is no prior \"uniform\""),
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

/// A surface that changes along one axis only, over knots at unequal distances.
#[test]
fn surfaces_and_curves_are_drawn_between_their_knots() {
    let place = Place::new();
    let mut table = "y,x,z,w,g\n".to_owned();
    for row in 0..120_u32 {
        let (x, z) = ((f64::from(row % 12) / 4.0).powi(2), f64::from(row * 7 % 10).powi(3) / 100.0);
        let noise = f64::from(row * row * 29 % 101) / 101.0 - 0.5;
        writeln!(table, "{},{x},{z},{},g{}", (0.7 * x).sin() + 0.2 * noise, row * 11 % 13, row % 5).unwrap();
    }
    place.write("hill.csv", table);
    let fit =
        ["regress", "fit", "hill.csv", "--formula", "y ~ te(x, z) + smooth(w) + (1 | g)", "--out", "out"];
    place.succeed(&fit);
    let text = |name: &str| String::from_utf8(read(place.path("out").join(name))).unwrap();
    let grids = text("effect_grids.csv");
    let rows: Vec<Vec<String>> = grids
        .lines()
        .map(|line| line.rsplitn(6, ',').map(str::to_owned).collect::<Vec<_>>().into_iter().rev().collect())
        .collect();
    assert_eq!(rows[0], ["effect", "x", "z", "mean", "q025", "q975"]);
    let numbers = |row: &Vec<String>| row[1..4].iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
    let of = |effect: &str| -> Vec<Vec<f64>> {
        rows.iter().filter(|row| row[0].trim_matches('"') == effect).map(numbers).collect()
    };
    let surface = of("te(x, z)");
    assert_eq!(surface.len(), 3600);
    // From one edge to the other: along x much happens, along z nothing.
    let along_x: Vec<f64> = surface[1800..1860].iter().map(|row| row[2]).collect();
    let along_z: Vec<f64> = surface.iter().skip(30).step_by(60).map(|row| row[2]).collect();
    let spread = |all: &[f64]| {
        all.iter().fold(f64::NEG_INFINITY, |most, own| most.max(*own))
            - all.iter().fold(f64::INFINITY, |least, own| least.min(*own))
    };
    assert!(spread(&along_x) > 1.0 && spread(&along_z) < 0.3, "{along_x:?} {along_z:?}");
    let curve = of("smooth(w)");
    assert!(curve.len() == 121 && curve[0][1].is_nan() && curve[0][0] == 0.0);
    let picture = text("effect_1.svg");
    assert!(picture.contains("class=\"shade\"") && picture.contains("class=\"mark\""));
    assert!(text("effect_3.svg").contains("class=\"ring\""));
}
