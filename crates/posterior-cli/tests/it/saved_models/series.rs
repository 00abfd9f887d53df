//! Series that go on.

use serde_json::Value;

use super::{json, number};
use crate::program::Place;

/// A series of months with a season, some of them missing.
fn months(from: usize, rows: usize) -> String {
    let row = |i: usize| {
        let value = 100.0 + i as f64 + [5.0, -3.0, 1.0][i % 3] + 2.0 * number(i, 4);
        let cell = if i % 11 == 5 { String::new() } else { value.to_string() };
        format!("{}-{:02},{cell}\n", 2010 + i / 12, 1 + i % 12)
    };
    "month,sold\n".to_owned() + &(from..from + rows).map(row).collect::<String>()
}

/// Numbers that stand at the same places of two documents, within a relative tolerance.
fn close(a: &Value, b: &Value, at: &str) {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            assert!((x - y).abs() <= 1e-9 * x.abs().max(1.0), "{at}: {x} {y}");
        }
        (Value::Array(x), Value::Array(y)) => {
            assert_eq!(x.len(), y.len(), "{at}");
            x.iter().zip(y).enumerate().for_each(|(i, (x, y))| close(x, y, &format!("{at}[{i}]")));
        }
        (Value::Object(x), Value::Object(y)) => {
            assert!(x.keys().eq(y.keys()), "{at}");
            x.iter().for_each(|(name, x)| close(x, &y[name], &format!("{at}.{name}")));
        }
        _ => assert_eq!(a, b, "{at}"),
    }
}

#[test]
fn a_series_goes_on_after_its_fit() {
    let place = Place::new();
    place.write("old.csv", months(0, 60));
    place.write("later.csv", months(60, 12));
    place.write("all.csv", months(0, 72));
    let model = ["--model", "local-level+seasonal:3", "--parameters", "known"];
    let fit = ["series", "smooth", "old.csv", "--forecast", "7", "--out", "fit"];
    let fitted = json(&place, &[&fit[..], &model].concat());
    let same = json(&place, &["series", "forecast", "fit/model.json", "--forecast", "7"]);
    close(&fitted["forecast"], &same["forecast"], "forecast");
    close(&fitted["smoothed"], &same["smoothed"], "smoothed");

    let updated =
        json(&place, &["series", "forecast", "fit", "later.csv", "--forecast", "5", "--out", "next"]);
    let parameters = fitted["parameters"].as_array().unwrap().iter();
    let parameters: Vec<String> = parameters
        .map(|own| format!("{}={}", own["name"].as_str().unwrap(), own["value"].as_f64().unwrap()))
        .collect();
    let whole = ["series", "smooth", "all.csv", "--forecast", "5", "--params", &parameters.join(",")];
    let whole = json(&place, &[&whole[..], &model[..2]].concat());
    for name in ["ln_likelihood", "filtered", "smoothed", "forecast", "components"] {
        close(&updated[name], &whole[name], name);
    }
    assert_eq!(updated["forecast"][0]["time"], "2016-01");
    assert_eq!(updated["parameters"][0]["status"], "of the model");
    let text = place.succeed(&["series", "forecast", "fit", "later.csv"]).stdout;
    assert!(text.contains("Parameters are taken as known"), "{text}");
    // The next model has seen all rows.
    close(
        &json(&place, &["series", "forecast", "next", "--forecast", "5"])["forecast"],
        &whole["forecast"],
        "next",
    );
    for (later, says) in [
        ("month,sold\n2014-10,1\n", "line 2, column month: expected a time from 2014-12 on"),
        ("month,price\n2015-01,1\n", "no column is called \"sold\""),
        ("month,sold\n2015-01,many\n", "line 2, column sold: expected a number"),
        ("month,sold\n17,1\n", "line 2, column month: expected a date"),
    ] {
        place.write("wrong.csv", later);
        let ran = place.run(&["series", "forecast", "fit", "wrong.csv"]);
        assert!(ran.code == Some(1) && ran.stderr.contains(says), "{later} {ran:?}");
    }
}

#[test]
fn several_columns_of_numbered_times_go_on() {
    let place = Place::new();
    let rows = |from: usize, count: usize| {
        let row = |i: usize| format!("{},{},{}\n", i as f64 * 0.5, number(i, 1), 3.0 * number(i, 2));
        "t,x,y\n".to_owned() + &(from..from + count).map(row).collect::<String>()
    };
    place.write("old.csv", rows(0, 30));
    place.write("later.csv", rows(30, 6));
    place.succeed(&["series", "smooth", "old.csv", "--y", "x,y", "--model", "local-level", "--out", "fit"]);
    let updated = json(&place, &["series", "forecast", "fit", "later.csv", "--forecast", "2"]);
    let forecast = updated["forecast"].as_array().unwrap();
    assert_eq!(forecast.len(), 4);
    assert_eq!((&forecast[0]["column"], &forecast[0]["time"]), (&"x".into(), &18.0.into()));
    assert_eq!((&forecast[3]["column"], &forecast[3]["time"]), (&"y".into(), &18.5.into()));
    // The embedded series has a model, too.
    place.succeed(&["series", "smooth", "--out", "nile"]);
    assert_eq!(json(&place, &["series", "forecast", "nile"])["forecast"].as_array().unwrap().len(), 12);
}

/// What is not known of the parameters is part of the model, and so are its transform and its regressors.
#[test]
fn what_is_not_known_of_parameters_is_saved() {
    let place = Place::new();
    let rows = |from: usize, count: usize| {
        let row = |i: usize| {
            let (x, noise) = (number(i, 7), number(i, 5));
            format!("{i},{},{x}\n", (3.0 + 0.02 * i as f64 + 0.5 * x + 0.1 * noise).exp())
        };
        "t,y,x\n".to_owned() + &(from..from + count).map(row).collect::<String>()
    };
    place.write("old.csv", rows(0, 40));
    let later = rows(40, 3).replace("\n41,", "\n41,NA;").replace("\n42,", "\n42,NA;");
    let without = |line: &str| match line.split_once("NA;") {
        Some((time, rest)) => format!("{time},{}\n", rest.split_once(',').unwrap().1),
        None => format!("{line}\n"),
    };
    place.write("later.csv", later.lines().map(without).collect::<String>());
    place.write(
        "all.csv",
        format!("{}{}", rows(0, 40), later.lines().skip(1).map(without).collect::<String>()),
    );
    let fit = [
        "series",
        "smooth",
        "old.csv",
        "--y",
        "y",
        "--regressors",
        "x",
        "--transform",
        "log",
        "--out",
        "fit",
    ];
    let fitted = json(&place, &fit);
    assert_eq!(fitted["parameters_known"], false);
    let same = json(&place, &["series", "forecast", "fit"]);
    close(&fitted["smoothed"], &same["smoothed"], "smoothed");
    let updated = json(&place, &["series", "forecast", "fit", "later.csv"]);
    let forecast = updated["forecast"].as_array().unwrap();
    assert_eq!((forecast.len(), &forecast[0]["time"]), (2, &41.0.into()));
    assert_eq!(updated["models"][0]["transform"], "log");
    let ran = place.run(&["series", "forecast", "fit", "later.csv", "--forecast", "2"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("--forecast has no use with --regressors"), "{ran:?}");
}
