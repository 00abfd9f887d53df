//! `posterior series`: figures against the book's, files, and what is wrong with files.

use insta::assert_snapshot;
use serde_json::Value;

use crate::program::{Place, Ran, read};

/// The variances that Durbin and Koopman give for the Nile.
const BOOK: [&str; 2] = ["--params", "level.variance=1469.1,noise.variance=15099"];

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["series", "smooth"], arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

fn smooth(place: &Place, table: &str, more: &[&str]) -> Ran {
    place.write("data.csv", table);
    place.run(&[&["series", "smooth", "data.csv"], more].concat())
}

#[test]
fn the_nile_with_the_variances_of_the_book() {
    assert_snapshot!(
        "series smooth",
        Place::new().succeed(&[&["series", "smooth", "--forecast", "3"], &BOOK[..]].concat()).stdout
    );
    let output = json(&Place::new(), &[&["--forecast", "30"], &BOOK[..]].concat());
    // Durbin and Koopman (2012), section 2.10 and figure 2.6. KFAS prints -632.5456, without ½ ln 2π of the
    // spent observation.
    assert!((number(&output["ln_likelihood"]) - -633.4646).abs() < 1e-3, "{}", output["ln_likelihood"]);
    let [filtered, smoothed, forecast] =
        ["filtered", "smoothed", "forecast"].map(|key| output[key].as_array().unwrap());
    assert_eq!((filtered.len(), smoothed.len(), forecast.len()), (100, 100, 30));
    assert_eq!((number(&filtered[0]["time"]), number(&filtered[0]["mean"])), (1871.0, 1120.0));
    assert!((number(&filtered[0]["variance"]) - 15_099.0).abs() < 1e-6);
    let last = &filtered[99];
    assert!(
        (number(&last["mean"]) - 798.370).abs() < 1e-2 && (number(&last["variance"]) - 4032.2).abs() < 0.1,
        "{last}"
    );
    // With the last value seen, smoother and filter agree, and forecasts start from there.
    assert!((number(&smoothed[99]["mean"]) - number(&last["mean"])).abs() < 1e-9);
    for (step, own) in forecast.iter().enumerate() {
        let signal = number(&last["variance"]) + 1469.1 * (step + 1) as f64;
        assert_eq!(number(&own["time"]), 1971.0 + step as f64);
        assert!((number(&own["mean"]) - number(&last["mean"])).abs() < 1e-9);
        assert!((number(&own["variance"]) / (signal + 15_099.0) - 1.0).abs() < 1e-10);
        assert!((number(&own["signal_variance"]) / signal - 1.0).abs() < 1e-10);
    }
    let checks = &output["residuals"][0];
    assert!(
        (number(&checks["skewness"]) - -0.03).abs() < 0.0051 && number(&checks["normality"]["p_value"]) > 0.9
    );
}

#[test]
fn the_variances_of_the_nile_are_fitted() {
    let output = json(&Place::new(), &[]);
    let parameter = |name: &str| {
        let all = output["parameters"].as_array().unwrap();
        all.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("{output}")).clone()
    };
    let (level, noise) = (parameter("level.variance"), parameter("noise.variance"));
    // The book's estimates are rounded.
    assert!(
        (number(&level["value"]) - 1469.1).abs() < 2.0 && (number(&noise["value"]) - 15_099.0).abs() < 3.0
    );
    assert!(number(&level["standard_error"]) > 500.0 && level["status"] == "fitted");
    let fixed = json(&Place::new(), &["--params", "level=1000", "--fit"]);
    let all = fixed["parameters"].as_array().unwrap();
    let level = all.iter().find(|own| own["name"] == "level.variance").unwrap();
    assert!((number(&level["value"]) - 1000.0).abs() < 1e-9 && level["status"] == "fixed");
    assert!(number(&fixed["ln_likelihood"]) < number(&output["ln_likelihood"]));
}

/// A level that wanders, seen through noise, is ARIMA(0, 1, 1): likelihoods and forecasts are the same.
#[test]
fn arima_is_the_local_level_in_other_parameters() {
    let known = ["--parameters", "known", "--forecast", "4"];
    let level = json(&Place::new(), &known);
    let arima = json(&Place::new(), &[&["--model", "arima:0,1,1"], &known[..]].concat());
    let [a, b] = [&level, &arima].map(|own| number(&own["ln_likelihood"]));
    assert!((a - b).abs() < 1e-5, "{a} {b}");
    let parameters = arima["parameters"].as_array().unwrap();
    assert_eq!((&parameters[0]["name"], parameters.len()), (&Value::from("arima.ma[1]"), 2));
    // The manual of R and others: -0.7329 with a standard error of 0.1143.
    assert!((number(&parameters[0]["value"]) - -0.7329).abs() < 2e-3, "{}", parameters[0]);
    for step in 0..4 {
        let of = |own: &Value, what: &str| number(&own["forecast"][step][what]);
        assert!((of(&level, "mean") - of(&arima, "mean")).abs() < 0.5, "{step}");
        assert!((of(&level, "variance") / of(&arima, "variance") - 1.0).abs() < 2e-3, "{step}");
    }
    let wrong = Place::new().run(&["series", "smooth", "--model", "arima:0,1"]);
    refused(&wrong, 1, "arima:P,D,Q");
}

/// Twelve quarters of a season around a line, with one left out, one empty and one NA.
fn quarters() -> String {
    let rows = (0..16).filter(|t| *t != 5).map(|t| {
        let value =
            10.0 + 0.5 * f64::from(t) + [2.0, -1.0, -2.0, 1.0][t as usize % 4] + 0.01 * f64::from(t * t % 7);
        let cell = match t {
            7 => String::new(),
            9 => "NA".to_owned(),
            _ => value.to_string(),
        };
        format!("{},{cell}\n", 2000.0 + 0.25 * f64::from(t))
    });
    format!("quarter,use\n{}", rows.collect::<String>())
}

#[test]
fn a_season_with_gaps_is_taken_apart() {
    let place = Place::new();
    place.write("use.csv", quarters());
    let model = ["--model", "local-linear-trend + seasonal:4", "--forecast", "4"];
    let output = json(&place, &[&["use.csv"], &model[..]].concat());
    assert_eq!(output["smoothed"].as_array().unwrap().len(), 16);
    let components = output["components"].as_array().unwrap();
    let names: Vec<&str> = components.iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["trend", "slope", "seasonal"]);
    let seasonal = components[2]["mean"].as_array().unwrap();
    for (t, expected) in [2.0, -1.0, -2.0, 1.0].into_iter().enumerate() {
        assert!(
            (number(&seasonal[t]) - expected).abs() < 0.2
                && (number(&seasonal[16 + t]) - expected).abs() < 0.2
        );
    }
    // The trend and the season are the signal.
    let sum = |t: usize| number(&components[0]["mean"][t]) + number(&seasonal[t]);
    assert!((0..16).all(|t| (sum(t) - number(&output["smoothed"][t]["mean"])).abs() < 1e-9));
    // The place that was left out: 10 + 0.5 * 5 - 1.
    assert!((number(&output["smoothed"][5]["mean"]) - 11.5).abs() < 0.2);
    assert_eq!(number(&output["forecast"][0]["time"]), 2004.0);
}

#[test]
fn irregular_times_are_those_of_a_process() {
    let place = Place::new();
    place.write("walk.csv", "t,x\n0,0.1\n1,0.5\n1,0.7\n2.7,\n3.1,-0.4\n");
    let arguments = ["walk.csv", "--model", "matern32(2, 1.5) + noise(0.1)"];
    let output = json(&place, &arguments);
    let smoothed = output["smoothed"].as_array().unwrap();
    assert_eq!(smoothed.len(), 5);
    // One time, one signal.
    assert!((number(&smoothed[1]["mean"]) - number(&smoothed[2]["mean"])).abs() < 1e-10);
    // The first two rows alone, by hand: k = 2 (1 + √3 / 1.5) e^(-√3 / 1.5).
    place.write("walk.csv", "t,x\n0,0.1\n1,0.5\n");
    let two = json(&place, &arguments);
    let scaled = 3_f64.sqrt() / 1.5;
    let (k, diagonal) = (2.0 * (1.0 + scaled) * (-scaled).exp(), 2.1);
    let determinant = diagonal * diagonal - k * k;
    let square = (diagonal * (0.01 + 0.25) - 2.0 * k * 0.05) / determinant;
    let expected = -0.5 * (square + determinant.ln()) - (2.0 * std::f64::consts::PI).ln();
    assert!((number(&two["ln_likelihood"]) - expected).abs() < 1e-10, "{two}");
    let irregular = smooth(&place, "t,x\n0,1\n1,2\n2.6,3\n", &["--model", "local-level+seasonal:4"]);
    refused(&irregular, 1, "needs regular steps");
}

#[test]
fn two_columns_are_two_series() {
    let place = Place::new();
    place.write("track.csv", "t,x,y\n0,0,5\n1,1.1,4\n2,1.9,\n3,3.2,2.1\n4,4.1,0.9\n5,4.8,0.2\n");
    let both = json(&place, &["track.csv", "--y", "x,y", "--params", "level=1,noise=0.5"]);
    let alone = json(&place, &["track.csv", "--y", "y", "--params", "level=1,noise=0.5"]);
    let of_y: Vec<&Value> =
        both["smoothed"].as_array().unwrap().iter().filter(|own| own["column"] == "y").collect();
    assert_eq!(of_y, alone["smoothed"].as_array().unwrap().iter().collect::<Vec<_>>());
    assert_eq!(both["smoothed"].as_array().unwrap().len(), 12);
    assert_eq!(both["parameters"].as_array().unwrap().len(), 4);
}

#[test]
fn the_report_is_one_page_with_its_pictures() {
    let place = Place::new();
    place.write("use.csv", quarters());
    let arguments =
        ["series", "smooth", "use.csv", "--model", "local-linear-trend+seasonal:4", "--forecast", "4"];
    let ran = place.succeed(&[&arguments[..], &["--out", "out"]].concat());
    assert!(ran.stderr.contains("wrote out/report.html") && ran.stderr.lines().count() < 6, "{}", ran.stderr);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    for text in [
        "use at quarter 2003.75",
        "The parts",
        "seasonal",
        "Is the model right",
        "To reproduce",
        "--forecast 4",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("NaN"));
    let table = String::from_utf8(read(place.path("out/smoothed.csv"))).unwrap();
    assert_eq!(table.lines().count(), 21);
    assert!(table.starts_with("quarter,use,filtered_mean,filtered_sd,smoothed_mean,smoothed_sd,smoothed_q025,smoothed_q975,observation_sd,observation_q025,observation_q975,noise_sd,residual,trend_mean,trend_sd"));
    // While the start is not known there is no filtered distribution, and no residual.
    assert!(table.lines().nth(2).unwrap().starts_with("2000.25,9.51,,,"), "{table}");
    assert!(read(place.path("out/series.svg")).starts_with(b"<svg"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let place = Place::new();
    refused(&place.run(&["series", "smooth", "none.csv"]), 1, "none.csv");
    refused(&smooth(&place, "", &[]), 1, "data.csv");
    refused(&smooth(&place, "t,x\n", &[]), 1, "no rows");
    refused(&smooth(&place, "x\n1\n", &[]), 1, "line 1: expected a column of times and one of values");
    refused(&smooth(&place, "t,x\n1,2\n2,abc\n", &[]), 1, "line 3, column x: expected a number");
    refused(&smooth(&place, "t,x\n1,2\n2,inf\n", &[]), 1, "line 3, column x");
    refused(&smooth(&place, "t,x\n1,2\n,3\n", &[]), 1, "line 3, column t: expected a number");
    refused(&smooth(&place, "t,x\n59/Q1,2\n", &[]), 1, "times are numbers, such as");
    refused(&smooth(&place, "t,x\n1,2\n3,2\n2,5\n", &[]), 1, "line 4, column t: expected a time from 3 on");
    refused(&smooth(&place, "t,x\n1,\n2,NA\n", &[]), 1, "column x: expected numbers, all cells are empty");
    refused(&smooth(&place, "t,x\n1,2\n", &["--y", "y"]), 1, "no column is called \"y\"");
    refused(&smooth(&place, "t,x\n1,2\n", &["--y", "t"]), 2, "--y t");
    let table = "t,x\n1,2\n2,3\n3,5\n4,4\n";
    refused(&smooth(&place, table, &["--model", "local-levl"]), 1, "did you mean \"local-level\"?");
    refused(&smooth(&place, table, &["--model", "local-level+"]), 1, "column 13");
    refused(&smooth(&place, table, &["--params", "level"]), 1, "expected NAME=NUMBER");
    refused(&smooth(&place, table, &["--params", "level=x"]), 1, "expected a number");
    refused(&smooth(&place, table, &["--params", "slope=1"]), 1, "no parameter \"slope\"");
    refused(&smooth(&place, table, &["--params", "level=-1,noise=1"]), 1, "level.variance");
    refused(&smooth(&place, table, &["--params", "level=1"]), 2, "--params does not give noise.variance");
    refused(&place.run(&["series", "smooth", "--y", "flow"]), 2, "the embedded series has the columns");
}

#[test]
fn little_data_get_an_answer() {
    let place = Place::new();
    for table in ["t,x\n1,2\n", "t,x\n1,2\n2,3\n", "t,x\n1,5\n2,5\n3,5\n4,5\n5,5\n6,5\n7,5\n8,5\n"] {
        let given = smooth(&place, table, &["--params", "level=1,noise=1", "--forecast", "2"]);
        assert_eq!(given.code, Some(0), "{given:?}");
        assert!(!given.stdout.contains("NaN") && !given.stdout.contains("inf"), "{}", given.stdout);
        // Whatever can be fitted of so little, there is no panic and no NaN.
        let learned = smooth(&place, table, &["--forecast", "2", "--out", "out"]);
        assert!(matches!(learned.code, Some(0 | 1)), "{learned:?}");
        assert!(!learned.stdout.contains("NaN") && !learned.stderr.contains("panicked"), "{learned:?}");
    }
}

/// The same bands in text, JSON and CSV: of the signal, and of an observation with its noise.
#[test]
fn bands_of_signal_and_observation_are_named() {
    let place = Place::new();
    let arguments = [&["series", "smooth", "--forecast", "3", "--out", "out"], &BOOK[..]].concat();
    let text = place.succeed(&arguments).stdout;
    assert!(text.contains("signal sd") && text.contains("observation sd"), "{text}");
    // They were given: nothing is said of estimates.
    assert!(!text.contains("Parameters are taken as known"), "{text}");
    let output = json(&place, &[&["--forecast", "3"], &BOOK[..]].concat());
    assert_eq!(output["parameters_known"], true);
    let table = String::from_utf8(read(place.path("out/smoothed.csv"))).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let cell = |row: usize, name: &str| -> f64 {
        let line: Vec<&str> = table.lines().nth(row + 1).unwrap().split(',').collect();
        line[header.iter().position(|own| *own == name).unwrap()].parse().unwrap()
    };
    for (row, own) in [(99, &output["smoothed"][99]), (102, &output["forecast"][2])] {
        let signal_sd = cell(row, "smoothed_sd");
        assert!((cell(row, "observation_sd").powi(2) - signal_sd.powi(2) - 15_099.0).abs() < 1e-6);
        for (csv, json) in [
            ("smoothed_sd", "signal_sd"),
            ("smoothed_q025", "signal_q025"),
            ("smoothed_q975", "signal_q975"),
            ("observation_sd", "observation_sd"),
            ("observation_q025", "observation_q025"),
            ("observation_q975", "observation_q975"),
        ] {
            assert_eq!(cell(row, csv), number(&own[json]), "{csv} of row {row}");
        }
        let width = cell(row, "observation_q975") - cell(row, "observation_q025");
        assert!((width / cell(row, "observation_sd") - 2.0 * 1.959_963_984_540_054).abs() < 1e-9);
    }
    // Estimated ones are said to be taken as known, on the page too.
    for (more, says) in
        [(&["--parameters", "known"][..], "Parameters are taken as known"), (&[], "what is not known of")]
    {
        let text = place.succeed(&[&["series", "smooth", "--out", "out"], more].concat()).stdout;
        let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
        assert!([text, page].iter().all(|output| output.contains(says)), "{says}");
    }
}

/// A season of months around a line, by months or by numbers of months; the eighth is left out.
fn months(time: impl Fn(u32) -> String) -> String {
    let rows = (0..48_u32).filter(|t| *t != 7).map(|t| {
        let season = (f64::from(t % 12) * std::f64::consts::TAU / 12.0).sin();
        format!("{},{}\n", time(t), 20.0 + 0.3 * f64::from(t) + 4.0 * season + 0.05 * f64::from(t * t % 11))
    });
    format!("month,sold\n{}", rows.collect::<String>())
}

#[test]
fn dates_are_times() {
    let place = Place::new();
    let day = |t: u32| {
        let (year, month) = (2020 + t / 12, t % 12 + 1);
        format!(
            "{}.{month}.{year}",
            if month == 2 && year % 4 == 0 {
                29
            } else {
                [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][t as usize % 12]
            }
        )
    };
    place.write("ends.csv", months(day));
    place.write("numbers.csv", months(|t| t.to_string()));
    let model = ["--model", "local-linear-trend+seasonal:12", "--forecast", "14"];
    let [dated, numbered] =
        ["ends.csv", "numbers.csv"].map(|name| json(&place, &[&[name], &model[..]].concat()));
    // Months are equal steps, whatever their lengths.
    for key in ["filtered", "smoothed", "forecast"] {
        let means = |own: &Value| -> Vec<f64> {
            own[key].as_array().unwrap().iter().map(|at| at["mean"].as_f64().unwrap_or(f64::NAN)).collect()
        };
        let (dated, numbered) = (means(&dated), means(&numbered));
        let close = |(one, other): (&f64, &f64)| one == other || (one.is_nan() && other.is_nan());
        assert!(dated.iter().zip(&numbered).all(close), "{key}: {dated:?} {numbered:?}");
    }
    assert_eq!(dated["ln_likelihood"], numbered["ln_likelihood"]);
    let times = |key: &str| -> Vec<String> {
        let all = dated[key].as_array().unwrap();
        all.iter().map(|at| at["time"].as_str().unwrap().to_owned()).collect()
    };
    let (smoothed, forecast) = (times("smoothed"), times("forecast"));
    assert_eq!(
        (smoothed.len(), smoothed[1].as_str(), smoothed[7].as_str()),
        (48, "2020-02-29", "2020-08-31")
    );
    assert_eq!((forecast[0].as_str(), forecast[13].as_str()), ("2024-01-31", "2025-02-28"));
}

#[test]
fn dates_are_in_files_and_texts_as_well() {
    let place = Place::new();
    place.write("months.csv", months(|t| format!("{}-{:02}", 2020 + t / 12, t % 12 + 1)));
    let arguments =
        ["series", "smooth", "months.csv", "--forecast", "2", "--params", "level=1,noise=1", "--out", "out"];
    let ran = place.succeed(&arguments);
    assert!(ran.stdout.contains("2023-12") && ran.stdout.contains("2024-02"), "{}", ran.stdout);
    let table = String::from_utf8(read(place.path("out/smoothed.csv"))).unwrap();
    let first: Vec<&str> = table.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((first.len(), first[0], first[1], first[50]), (51, "month", "2020-01", "2024-02"));
    let svg = String::from_utf8(read(place.path("out/series.svg"))).unwrap();
    for text in [">2021<", ">2024<"] {
        assert!(svg.contains(text), "{svg}");
    }
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("regular, one month apart; 1 left out"), "{page}");
}

#[test]
fn dates_without_a_step_are_times_of_a_process() {
    let place = Place::new();
    let rows = ["2020-01-03", "2020-03-17", "2020-03-18", "2021-11-02", "2022-02-28", "2022-02-28"];
    let row = |(time, y): (&str, f64)| format!("{time},{y}\n");
    let table =
        |times: [&str; 6]| times.into_iter().zip([3.0, 4.0, 3.5, 6.0, 5.0, 5.5]).map(row).collect::<String>();
    place.write("dates.csv", format!("day,y\n{}", table(rows)));
    let years = [
        "2020.0054644808743",
        "2020.2076502732241",
        "2020.2103825136613",
        "2021.8356164383561",
        "2022.158904109589",
        "2022.158904109589",
    ];
    place.write("years.csv", format!("year,y\n{}", table(years)));
    let model = ["--model", "matern32(4, 0.5) + noise(0.1)"];
    let run = |name: &str| json(&place, &[&[name], &model[..]].concat());
    let (dated, numbered) = (run("dates.csv"), run("years.csv"));
    let one = number(&dated["ln_likelihood"]);
    assert!((one - number(&numbered["ln_likelihood"])).abs() < 1e-9, "{one} {numbered}");
    assert_eq!(dated["smoothed"][4]["time"], "2022-02-28");
}

#[test]
fn what_is_wrong_with_dates_is_said_with_its_place() {
    let place = Place::new();
    let falls = "day,y\n2020-01-02,1\n2020-01-05,2\n2020-01-04,3\n";
    let message =
        "line 4, column day: expected a time from 2020-01-05 on, as in the row before, found 2020-01-04";
    refused(&smooth(&place, falls, &[]), 1, message);
    let either = "day,y\n1/2/2020,1\n2/3/2020,2\n3/4/2020,3\n";
    let ran = smooth(&place, either, &[]);
    refused(&ran, 1, "%m/%d/%Y");
    assert!(ran.stderr.contains("--date-form"), "{}", ran.stderr);
    let forms = ["--params", "level=1,noise=1", "--format", "json"];
    let time = |form: &str| {
        let ran = smooth(&place, either, &[&["--date-form", form], &forms[..]].concat());
        let output: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
        output["smoothed"][0]["time"].as_str().map(str::to_owned)
    };
    assert_eq!(time("%d/%m/%Y").as_deref(), Some("2020-02-01"));
    refused(
        &smooth(&place, "day,y\n2020-01-02,1\n,2\n2020-01-04,3\n", &[]),
        1,
        "line 3, column day: expected a date",
    );
    refused(&place.run(&["series", "smooth", "--date-form", "%Y"]), 2, "--date-form wants a table");
}

/// A power of one is a shift of the values: the same forecasts.
#[test]
fn a_power_of_one_changes_nothing_but_the_scale() {
    let place = Place::new();
    let forecast =
        |transform: &str| json(&place, &["--forecast", "3", "--transform", transform])["forecast"].clone();
    let (plain, shifted) = (forecast("none"), forecast("boxcox:1"));
    for (plain, shifted) in plain.as_array().unwrap().iter().zip(shifted.as_array().unwrap()) {
        for name in ["mean", "observation_q025", "observation_q975", "signal_q50"] {
            let (plain, shifted) = (number(&plain[name]), number(&shifted[name]));
            assert!((plain / shifted - 1.0).abs() < 1e-3, "{name} {plain} {shifted}");
        }
    }
    let refused =
        place.run(&["series", "smooth", "--transform", "boxcox", "--params", "level=1469.1,noise=15099"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("boxcox:0.5"), "{refused:?}");
}

/// A season that is asked for and cannot be fitted is refused; one of the dates is left out with a note.
#[test]
fn a_season_that_is_too_long_is_said() {
    let place = Place::new();
    let months =
        |row: usize| format!("{}-{:02}-01,{}\n", 2020 + row / 12, row % 12 + 1, (row * 7) % 11 + row);
    place.write("short.csv", format!("month,y\n{}", (0..18).map(months).collect::<String>()));
    let arguments = ["series", "smooth", "short.csv", "--model", "auto"];
    let noted = place.run(&arguments);
    assert!(noted.code == Some(0) && noted.stderr.contains("too few for a season of 12"), "{noted:?}");
    let refused = place.run(&[&arguments[..], &["--season", "12"]].concat());
    assert!(refused.code == Some(1) && refused.stderr.contains("it takes 27"), "{refused:?}");
}
