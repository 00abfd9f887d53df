//! `posterior series`: models that are chosen, scales, scores in the past, breaks, regressors.

#![expect(clippy::format_collect, reason = "a table of a few lines")]

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::{Place, read};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["series"], arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Noise of variance near 1/12 from an integer.
fn noise(t: u32) -> f64 {
    f64::from(t.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5
}

/// Quarters whose season and noise grow with the level.
fn growing(count: u32) -> String {
    let rows = (0..count).map(|t| {
        let season = [0.3, -0.1, -0.4, 0.2][t as usize % 4];
        let value = (3.0 + 0.03 * f64::from(t) + season + 0.08 * noise(t)).exp();
        format!("{}Q{},{value}\n", 2000 + t / 4, t % 4 + 1)
    });
    format!("quarter,use\n{}", rows.collect::<String>())
}

#[test]
fn a_model_is_chosen_by_what_it_predicts() {
    let place = Place::new();
    place.write("use.csv", growing(48));
    let output = json(&place, &["smooth", "use.csv", "--model", "auto", "--forecast", "4"]);
    let chosen = &output["models"][0];
    // The logarithm has one season and one noise, and dates in quarters have four.
    assert_eq!(chosen["transform"], "log");
    assert!(chosen["model"].as_str().unwrap().ends_with(":4"), "{chosen}");
    let candidates = chosen["candidates"].as_array().unwrap();
    assert_eq!((candidates.len(), &candidates[0]["model"]), (13, &chosen["model"]));
    let weights: f64 = candidates.iter().map(|own| number(&own["weight"])).sum();
    assert!((weights - 1.0).abs() < 1e-12);
    let aics: Vec<f64> = candidates.iter().map(|own| number(&own["aic"])).collect();
    assert!(aics.is_sorted(), "{aics:?}");
    // exp(3 + 0.03 t + season) goes on.
    for (h, own) in output["forecast"].as_array().unwrap().iter().enumerate() {
        let truth = (3.0 + 0.03 * (48 + h) as f64 + [0.3, -0.1, -0.4, 0.2][h]).exp();
        let [low, high] = ["observation_q025", "observation_q975"].map(|name| number(&own[name]));
        assert!(low < truth && truth < high && high < 1.3 * low, "{own} {truth}");
    }
    let text = place.succeed(&["series", "smooth", "use.csv", "--model", "auto", "--out", "out"]).stdout;
    assert!(text.contains("ln score") && text.contains("local-linear-trend+seasonal:4"), "{text}");
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("The models that were compared"));
    for (arguments, says) in [
        (&["--model", "auto", "--fit"][..], "--fit: `--model auto` has no use for it"),
        (&["--season", "4"], "--season: the model has no use for it"),
        (&["--transform", "boxcox:3"], "boxcox:L with L from 0 to 2"),
    ] {
        let ran = place.run(&[&["series", "smooth", "use.csv"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(says), "{ran:?}");
    }
}

/// The logarithms smoothed by themselves: quantiles come back by exp, the density with its Jacobian.
#[test]
fn a_transform_comes_back() {
    let place = Place::new();
    place.write("use.csv", growing(24));
    let mut logarithms = String::from("quarter,ln\n");
    let mut jacobian = 0.0;
    for line in growing(24).lines().skip(1) {
        let (time, value) = line.split_once(',').unwrap();
        let ln = value.parse::<f64>().unwrap().ln();
        jacobian -= ln;
        writeln!(logarithms, "{time},{ln}").unwrap();
    }
    place.write("ln.csv", logarithms);
    let model =
        ["--model", "local-linear-trend(1e-4, 1e-5) + seasonal:4(1e-5) + noise(1e-3)", "--forecast", "3"];
    let run = |more: &[&str]| json(&place, &[&["smooth"], more, &model].concat());
    let (own, plain) = (run(&["use.csv", "--transform", "log"]), run(&["ln.csv"]));
    let ln_likelihood = |own: &Value| number(&own["ln_likelihood"]);
    assert!((ln_likelihood(&own) - ln_likelihood(&plain) - jacobian).abs() < 1e-9);
    for (one, other) in own["forecast"].as_array().unwrap().iter().zip(plain["forecast"].as_array().unwrap())
    {
        for name in ["signal_q025", "observation_q025", "observation_q975"] {
            assert!((number(&one[name]).ln() - number(&other[name])).abs() < 1e-9, "{name}");
        }
        // Of a log-normal distribution.
        let (mean, variance) = (number(&other["mean"]), number(&other["variance"]));
        assert!((number(&one["mean"]).ln() - mean - 0.5 * variance).abs() < 1e-9);
    }
    // A power of zero is the logarithm, one of one only moves the values.
    let zero = run(&["use.csv", "--transform", "boxcox:0"]);
    assert!((ln_likelihood(&zero) - ln_likelihood(&own)).abs() < 1e-9);
    place.write("zero.csv", "t,x\n1,2\n2,0\n3,4\n");
    let ran = place.run(&["series", "smooth", "zero.csv", "--transform", "log"]);
    let says = "column x: --transform log needs positive numbers, found 0 at 2";
    assert!(ran.code == Some(1) && ran.stderr.contains(says), "{ran:?}");
}

#[test]
fn the_past_is_forecast_again() {
    let place = Place::new();
    place.write("use.csv", growing(40));
    let arguments = [
        "backtest",
        "use.csv",
        "--model",
        "local-linear-trend+seasonal:4",
        "--transform",
        "log",
        "--horizon",
        "4",
    ];
    let output = json(&place, &[&arguments[..], &["--folds", "3", "--out", "out"]].concat());
    let own = &output["columns"][0];
    let scores = own["scores"].as_array().unwrap();
    let names: Vec<&str> = scores.iter().map(|own| own["forecasts"].as_str().unwrap()).collect();
    assert_eq!(names, ["local-linear-trend+seasonal:4", "seasonal naive", "drift"]);
    assert!(scores.iter().all(|own| own["rows"] == 12));
    assert!(number(&scores[0]["mase"]) < 0.6 * number(&scores[1]["mase"]), "{scores:?}");
    // The last season repeated, by hand: values a year before the last, in units of yearly steps.
    let values: Vec<f64> =
        growing(40).lines().skip(1).map(|line| line.split_once(',').unwrap().1.parse().unwrap()).collect();
    let errors = (28..40).map(|t| {
        let origin = 28 + (t - 28) / 4 * 4;
        let steps: Vec<f64> = (4..origin).map(|t| (values[t] - values[t - 4]).abs()).collect();
        (values[t] - values[t - 4]).abs() * steps.len() as f64 / steps.iter().sum::<f64>()
    });
    let mase = errors.sum::<f64>() / 12.0;
    assert!((number(&scores[1]["mase"]) - mase).abs() < 1e-12, "{scores:?} {mase}");
    assert_eq!(own["folds"][1]["origin"], "2007-Q4");
    let table = String::from_utf8(read(place.path("out/forecasts.csv"))).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 12);
    assert!(String::from_utf8(read(place.path("out/report.html"))).unwrap().contains("By steps ahead"));
    // One origin is what --held-out-after scores.
    let one = json(&place, &[&arguments[..], &["--folds", "1"]].concat());
    let held_out = ["smooth", "use.csv", "--held-out-after", "2008-Q4"];
    let held_out = json(&place, &[&held_out[..], &arguments[2..6]].concat());
    for name in ["mase", "smape", "ln_score", "coverage_80"] {
        let (a, b) = (&one["columns"][0]["scores"][0][name], &held_out["scores"][0][name]);
        assert!((number(a) - number(b)).abs() < 1e-9, "{name}: {a} {b}");
    }
    assert_eq!(held_out["forecast"].as_array().unwrap().len(), 4);
    let ran = place.run(&["series", "backtest", "use.csv", "--horizon", "12"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("40 times are too few for 5 horizons of 12"),
        "{ran:?}"
    );
    let ran = place.run(&["series", "smooth", "use.csv", "--held-out-after", "2030-Q1"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("before 2009-Q4"), "{ran:?}");
}

/// Durbin and Koopman (2012), section 2.12 and figure 2.8: the dam of 1899, and the flood that failed in
/// 1913.
#[test]
fn the_dam_of_the_nile_is_found() {
    let book = ["smooth", "--params", "level.variance=1469.1,noise.variance=15099"];
    let output = json(&Place::new(), &book);
    let found: Vec<(f64, &str)> = output["unusual"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (number(&own["time"]), own["what"].as_str().unwrap()))
        .collect();
    assert_eq!(found, [(1899.0, "level"), (1913.0, "value")]);
    let text = Place::new().succeed(&[&["series"], &book[..]].concat()).stdout;
    assert!(text.contains("break at 1899: of the level, -3.2 sd"), "{text}");
}

#[test]
fn regressors_are_part_of_the_model() {
    let place = Place::new();
    let mut table = String::from("t,y,holiday,price\n");
    for t in 0..60_u32 {
        let (holiday, price) = (f64::from(u8::from(t % 7 == 3)), 2.0 + noise(t + 99));
        let y = 10.0 + 4.0 * holiday - 3.0 * price + 0.2 * noise(t);
        let cell = if t < 54 { y.to_string() } else { String::new() };
        writeln!(table, "{t},{cell},{holiday},{price}").unwrap();
    }
    place.write("shop.csv", &table);
    let arguments = ["smooth", "shop.csv", "--y", "y", "--regressors", "holiday,price"];
    let output = json(&place, &arguments);
    let coefficient = |name: &str| {
        let all = output["components"].as_array().unwrap();
        number(&all.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("{output}"))["mean"][53])
    };
    assert!((coefficient("coefficient of holiday") - 4.0).abs() < 0.1);
    assert!((coefficient("coefficient of price") - -3.0).abs() < 0.2);
    // Rows without values are to come.
    let forecast = output["forecast"].as_array().unwrap();
    assert_eq!(forecast.len(), 6);
    let truth = |t: u32| 10.0 + 4.0 * f64::from(u8::from(t % 7 == 3)) - 3.0 * (2.0 + noise(t + 99));
    assert!(
        (0..6).all(|h| (number(&forecast[h as usize]["mean"]) - truth(54 + h)).abs() < 0.2),
        "{forecast:?}"
    );
    let gap: String =
        table.lines().filter(|line| !line.starts_with("20,")).map(|line| format!("{line}\n")).collect();
    place.write("gap.csv", gap);
    for (name, more, says) in [
        ("shop.csv", &["--forecast", "2"][..], "--forecast has no use with --regressors"),
        ("gap.csv", &[], "there is no row for 20"),
        ("shop.csv", &["--regressors", "y"], "that is the column of --y or of the times"),
        ("shop.csv", &["--regressors", "cost"], "no column is called \"cost\""),
    ] {
        let own = [&["series", "smooth", name, "--y", "y", "--regressors", "holiday"], more].concat();
        let ran = place.run(&own);
        assert!(matches!(ran.code, Some(1 | 2)) && ran.stderr.contains(says), "{ran:?}");
    }
}

/// Averages over parameters are wider than what takes them as known, most of all of few values.
#[test]
fn what_is_not_known_of_parameters_makes_intervals_wider() {
    let place = Place::new();
    let rows = |count: u32| {
        (0..count).map(|t| format!("{t},{}\n", noise(t) + noise(t / 4 * 31))).collect::<String>()
    };
    let ratio = |count: u32| {
        place.write("few.csv", format!("t,x\n{}", rows(count)));
        let width = |more: &[&str]| {
            let output = json(&place, &[&["smooth", "few.csv", "--forecast", "1"], more].concat());
            let own = &output["forecast"][0];
            number(&own["observation_q975"]) - number(&own["observation_q025"])
        };
        width(&[]) / width(&["--parameters", "known"])
    };
    let (few, many) = (ratio(12), ratio(200));
    assert!(few > 1.05 && (0.97..1.06).contains(&many) && few > many, "{few} {many}");
}
