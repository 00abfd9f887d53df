//! `posterior regress`: known figures through the command line, every family, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::Place;

/// Doses, deaths of animals, and the like: nothing separates them.
const OUTCOMES: &str = "x,y\n-2,no\n-1,no\n0,yes\n1,no\n2,yes\n";

fn place(name: &str, text: &str) -> Place {
    let place = Place::new();
    place.write(name, text);
    place
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["regress", "fit"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < tolerance, "{value} {expected}");
}

#[test]
fn with_a_wide_prior_a_line_is_the_one_of_least_squares() {
    let output = json(&Place::new(), &["--prior-sd", "1e4"]);
    // As lm(waiting ~ eruptions, faithful) of R prints it: 33.4744 and 10.7296, with errors 1.1549 and
    // 0.3148.
    close(&output["coefficients"][0]["mean"], 33.4744, 2e-3);
    close(&output["coefficients"][1]["mean"], 10.7296, 2e-4);
    close(&output["coefficients"][1]["sd"], 0.3148, 2e-3);
    // 5.914 with a divisor of 270. The mean of ln σ is above that of least squares by half of 1/270.
    close(&output["noise_sd"], 5.914 * (1.0 + 0.5 / 270.0), 2e-3);
    assert_eq!(output["engine"], "exact");
    assert_eq!(output["predictions"].as_array().unwrap().len(), 272);
}

#[test]
fn a_line_through_exact_points_is_found_and_predicted() {
    let place = place("line.csv", "x,y\n1,3\n2,5\n3,7\n4,9.01\n5,11\n6,12.99\n");
    place.write("new.csv", "x\n10\n");
    let output = json(&place, &["line.csv", "--predict", "new.csv"]);
    close(&output["predictions"][0]["mean"], 21.0, 0.1);
    let interval = &output["predictions"][0]["interval"];
    assert!(interval[0].as_f64().unwrap() < 21.0 && interval[1].as_f64().unwrap() > 21.0);
}

#[test]
fn laplace_and_sampling_agree_on_classes() {
    let row = |i: i32| format!("{},{}\n", i % 8, if (i * 7) % 11 < i % 8 { "yes" } else { "no" });
    let rows = (0..40).map(row).collect::<Vec<_>>().concat();
    let place = place("outcomes.csv", &format!("x,y\n{rows}"));
    let fit = |engine: &str| json(&place, &["outcomes.csv", "--family", "bernoulli", "--engine", engine]);
    let [laplace, nuts] = ["laplace", "nuts"].map(fit);
    let weighted = json(&place, &["outcomes.csv", "--family", "bernoulli"]);
    assert_eq!(weighted["engine"], "importance");
    assert_eq!(laplace["classes"], serde_json::json!(["no", "yes"]));
    for i in 0..5 {
        let (a, b) = (&laplace["predictions"][i]["mean"], &nuts["predictions"][i]["mean"]);
        close(a, b.as_f64().unwrap(), 0.06);
        close(&weighted["predictions"][i]["mean"], b.as_f64().unwrap(), 0.02);
    }
    // Chains have no evidence; Laplace's is off by a tenth or so.
    assert!(nuts["ln_evidence"].is_null(), "{nuts}");
    let (value, error) = (&weighted["ln_evidence"], weighted["ln_evidence_error"].as_f64().unwrap());
    close(value, laplace["ln_evidence"].as_f64().unwrap(), 0.2);
    assert!(error < 0.02 && weighted["pareto_k"].as_f64().unwrap() < 0.7, "{weighted}");
    assert!(laplace["coefficients"][1]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn counts_have_rates_and_labels_levels() {
    let row = |i: i32| {
        let (site, factor) = if i % 2 == 0 { ("north", 1.0) } else { ("south", 3.0) };
        format!("{},{site},{}\n", i % 5, factor * f64::from(2 + i % 5))
    };
    let text = "x,site,count\n".to_owned() + &(0..30).map(row).collect::<Vec<_>>().concat();
    let place = place("counts.csv", &text);
    let output = json(&place, &["counts.csv", "--family", "poisson"]);
    let names: Vec<&str> =
        output["coefficients"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["intercept", "x", "site=south"]);
    close(&output["coefficients"][2]["mean"], 3_f64.ln(), 0.1);
}

#[test]
fn several_classes_have_probabilities_that_add_up() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    let output = json(&place, &["iris/iris.csv", "--y", "species", "--family", "softmax"]);
    assert_eq!(output["classes"], serde_json::json!(["setosa", "versicolor", "virginica"]));
    let mut right = 0;
    for (row, own) in output["predictions"].as_array().unwrap().iter().enumerate() {
        let p: Vec<f64> =
            own["probabilities"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        right += usize::from(p.iter().all(|&other| other <= p[row / 50]));
    }
    assert!(right > 140, "{right}");
    let coefficients = output["coefficients"].as_array().unwrap();
    assert_eq!(coefficients.len(), 12);
    assert!(output["intervals"]["coefficients"].as_str().unwrap().starts_with("sum-to-zero"));
    for column in 0..4 {
        let sum: f64 = (0..3).map(|class| coefficients[4 * class + column]["mean"].as_f64().unwrap()).sum();
        assert!(sum.abs() < 1e-9, "{sum}");
    }
}

/// The held-out loss of 100 flowers for 50, by another program (numpy). By Laplace's approximation it is
/// 0.1234 (Newton's method, and 32,768 points for the average), by the exact posterior 0.0884 (240,000 steps
/// of elliptical slice sampling; its four chains are between 0.0881 and 0.0890).
#[test]
fn probabilities_of_several_classes_are_not_flattened() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    let text = std::fs::read_to_string(place.path("iris").join("iris.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let part = |keep: &dyn Fn(usize) -> bool| {
        let rows = lines[1..].iter().enumerate().filter(|(row, _)| keep(*row)).map(|(_, line)| *line);
        std::iter::once(lines[0]).chain(rows).flat_map(|line| [line, "\n"]).collect::<String>()
    };
    place.write("old.csv", part(&|row| row % 3 > 0));
    place.write("new.csv", part(&|row| row % 3 == 0));
    let loss = |engine: &[&str]| {
        let fit =
            ["old.csv", "--y", "species", "--family", "softmax", "--predict", "new.csv", "--prior-sd", "2.5"];
        let output = json(&place, &[&fit[..], engine].concat());
        assert_eq!(output["prior_scale"], "fixed");
        let of_row = |(row, own): (usize, &Value)| {
            let class = row / 17;
            let [low, high] = [0, 1].map(|end| own["probability_intervals"][class][end].as_f64().unwrap());
            let p = own["probabilities"][class].as_f64().unwrap();
            assert!(0.0 <= low && low < high && high <= 1.0, "{low} {p} {high}");
            -p.ln()
        };
        let rows = output["predictions"].as_array().unwrap();
        rows.iter().enumerate().map(of_row).sum::<f64>() / rows.len() as f64
    };
    let (own, laplace, nuts) = (loss(&[]), loss(&["--engine", "laplace"]), loss(&["--engine", "nuts"]));
    // 8,000 draws have an error of 2 %, 4,000 correlated ones of 3 %.
    assert!((own - 0.0884).abs() < 4e-3 && (nuts - 0.0884).abs() < 5e-3, "{own} {nuts}");
    assert!((laplace - 0.1234).abs() < 2e-3, "{laplace}");
}

/// 122 coefficients of 30 rows: their draws could not be trusted, and chains do not mix.
#[test]
fn many_coefficients_of_classes_are_left_to_laplace_which_is_said() {
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{},", (state >> 33) % 1000)
    };
    let header = (0..60).map(|column| format!("x{column},")).collect::<Vec<_>>().concat();
    let row = |row: usize| format!("{}c{}\n", (0..60).map(|_| number()).collect::<String>(), row % 3);
    let place = place("wide.csv", &format!("{header}y\n{}", (0..30).map(row).collect::<String>()));
    let output = json(&place, &["wide.csv", "--y", "y", "--family", "softmax"]);
    assert_eq!((&output["engine"], &output["prior_scale"]), (&"laplace".into(), &"averaged".into()));
    assert!(output["warnings"][0].as_str().unwrap().contains("--engine nuts"), "{}", output["warnings"]);
    // Asked for, it is no reason to warn.
    let output = json(&place, &["wide.csv", "--y", "y", "--family", "softmax", "--engine", "laplace"]);
    assert_eq!(output["warnings"], serde_json::json!([]));
}

#[test]
fn files_name_the_classes_and_what_the_coefficients_are() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    let features = ["--features", "poly:4"];
    let fit = ["regress", "fit", "iris/iris.csv", "--y", "species", "--family", "softmax", "--out", "out"];
    let ran = place.succeed(&[&fit[..], &features].concat());
    assert!(ran.stdout.contains("Coefficients are sum-to-zero"), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(place.path("out").join(name)).unwrap();
    assert!(
        read("predictions.csv").starts_with("row,species,predicted,p_setosa,p_versicolor,p_virginica\n1,")
    );
    assert!(read("predictions.csv").lines().nth(1).unwrap().starts_with("1,setosa,setosa,0."));
    assert!(
        read("coefficients.csv")
            .lines()
            .all(|line| line.contains("constraint") || line.ends_with("sum-to-zero over the classes"))
    );
    assert!(read("report.html").contains("The first 40 of 48 are drawn"));
}

#[test]
fn a_network_learns_what_no_line_does() {
    let row = |i: i32| {
        let (a, b) = (i % 2, i / 2 % 2);
        let (x, y) = (f64::from(a) + 0.01 * f64::from(i % 7), f64::from(b) - 0.01 * f64::from(i % 5));
        format!("{x},{y},{}\n", a ^ b)
    };
    let text = "a,b,xor\n".to_owned() + &(0..40).map(row).collect::<Vec<_>>().concat();
    let place = place("xor.csv", &text);
    let output = json(&place, &["xor.csv", "--family", "mlp", "--hidden", "8"]);
    for (row, own) in output["predictions"].as_array().unwrap().iter().enumerate() {
        let expected = (row % 2) ^ (row / 2 % 2);
        let p = own["mean"].as_f64().unwrap();
        assert!((p - expected as f64).abs() < 0.3, "{row} {p}");
    }
    let line = json(&place, &["xor.csv", "--family", "bernoulli"]);
    assert!((line["predictions"][0]["mean"].as_f64().unwrap() - 0.5).abs() < 0.2);
}

/// Coins that know nothing of the columns: by the evidence alone the prior shrank to a point, and every
/// probability was one half with an interval 0.0001 wide.
#[test]
fn a_network_says_how_little_is_known() {
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 1000
    };
    let mut text = "a,b,coin\n".to_owned();
    for _ in 0..60 {
        let [a, b, coin] = [number(), number(), number()];
        writeln!(text, "{a},{b},{}", if coin < 500 { "heads" } else { "tails" }).unwrap();
    }
    let place = place("coins.csv", &text);
    let output = json(&place, &["coins.csv", "--family", "mlp"]);
    assert_eq!(output["positive_class"], "tails");
    assert_eq!(output["intervals"]["taken_as_known"], serde_json::json!([]));
    for own in output["predictions"].as_array().unwrap() {
        let [low, high] = [0, 1].map(|end| own["mean_interval"][end].as_f64().unwrap());
        assert!(high - low > 0.1 && low < 0.55 && high > 0.45, "{low} {high}");
    }
    let warning = output["warnings"][0].as_str().unwrap();
    assert!(warning.contains("the rows differ less"), "{warning}");
    place.succeed(&["regress", "fit", "coins.csv", "--family", "mlp", "--out", "out", "--quiet"]);
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(page.contains("the rows differ less"));
    // Those intervals are too short, which JSON, text and page say.
    let text = place.succeed(&["regress", "fit", "coins.csv", "--family", "mlp"]).stdout;
    let short = "Laplace's approximation, a Gaussian at one mode of the network";
    let json = output["intervals"]["approximation"].as_str().unwrap();
    assert!([json, &text].iter().all(|output| output.contains(short)), "{json} {text}");
    assert!(page.contains("a Gaussian at one mode of the network") && page.contains("and are too short"));
    assert_eq!(output["prior_scale"], "averaged");
    assert!(page.contains("Prior standard deviation, averaged over"));
}

#[test]
fn a_report_and_its_files_are_written() {
    let place = place("outcomes.csv", OUTCOMES);
    place.succeed(&["regress", "fit", "outcomes.csv", "--family", "bernoulli", "--out", "out", "--quiet"]);
    for name in [
        "report.html",
        "function.svg",
        "coefficients.svg",
        "calibration.svg",
        "coefficients.csv",
        "predictions.csv",
        "model.json",
    ] {
        assert!(place.path("out").join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(page.contains("y by x") && page.contains("Calibration"), "{page}");
}

#[test]
fn rare_events_are_predicted_as_often_as_they_happen() {
    // Ten events in 400 rows, and five columns of which two say something.
    let number = |i: usize, j: usize| ((i * (37 + 22 * j) + 11 * j) % 101) as f64 / 25.0 - 2.0;
    let event = |i: usize| u8::from(i % 40 == 7);
    let row = |i: usize| {
        let x = (0..5)
            .map(|j| format!("{},", number(i, j) + f64::from(event(i)) * if j < 2 { 1.0 } else { 0.0 }))
            .collect::<Vec<_>>()
            .concat();
        format!("{x}{}\n", event(i))
    };
    let text = "a,b,c,d,e,event\n".to_owned() + &(0..400).map(row).collect::<String>();
    let place = place("rare.csv", &text);
    let sum = |arguments: &[&str]| {
        let output = json(&place, &[&["rare.csv", "--family", "bernoulli"], arguments].concat());
        output["predictions"].as_array().unwrap().iter().map(|own| own["mean"].as_f64().unwrap()).sum::<f64>()
    };
    // The prior of the intercept, N(0, 10²), takes -E β₀/100 = 0.05 of ten events.
    let default = sum(&[]);
    assert!((default / 10.05 - 1.0).abs() < 0.015, "{default}");
    let laplace = sum(&["--engine", "laplace"]);
    assert!(laplace > 11.0, "{laplace}");
}

#[test]
fn wide_tables_cost_what_their_rows_cost_or_are_refused() {
    let names: Vec<String> = (0..20_000).map(|j| format!("x{j}")).collect();
    let row =
        |i: usize| (0..20_000).map(|j| format!("{},", (i * 7 + j * 13) % 17)).collect::<Vec<_>>().concat();
    let rows = (0..3).map(|i| format!("{}{i}\n", row(i))).collect::<Vec<_>>().concat();
    let place = place("wide.csv", &format!("{},y\n{rows}", names.join(",")));
    // 9 GB and over a minute with a matrix for all pairs of columns: such a machine would end it.
    let output = json(&place, &["wide.csv"]);
    assert_eq!(output["coefficients"].as_array().unwrap().len(), 20_001);
    assert!(
        output["warnings"][0].as_str().unwrap().contains("comes from the prior"),
        "{}",
        output["warnings"]
    );
    let output = json(&place, &["wide.csv", "--family", "poisson", "--engine", "laplace"]);
    assert_eq!(output["coefficients"].as_array().unwrap().len(), 20_001);
    let refused = place.run(&["regress", "fit", "wide.csv", "--family", "softmax"]);
    assert!(refused.code == Some(1) && refused.stderr.contains(" of memory"), "{refused:?}");
}

#[test]
fn nothing_is_made_up_of_an_outcome_that_does_not_vary() {
    for rows in ["1,4\n", "1,4\n2,4\n3,4\n"] {
        let place = place("same.csv", &format!("x,y\n{rows}"));
        let output = json(&place, &["same.csv", "--out", "out"]);
        assert!(output["warnings"][0].as_str().unwrap().contains("the same in every row"), "{output}");
        assert_eq!(output["predictions"][0]["mean"], 4.0);
        assert!(output["predictions"][0]["interval"][0].is_null() && output["noise_sd"].is_null());
        assert!(output["ln_evidence"].is_null() && output["coefficients"].as_array().unwrap().is_empty());
        assert!(place.succeed(&["regress", "fit", "same.csv"]).stdout.contains("the same in every row"));
        let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
        assert!(page.contains("the same in every row"));
    }
}

#[test]
fn noise_is_as_small_as_it_is_and_a_weak_slope_stays_open() {
    let noise = |i: usize| [0.3, -1.1, 0.8, 0.1, -0.7, 1.4, -0.2, -0.9, 0.5, -0.4][i * 3 % 10];
    let table = |scale: f64, slope: f64| {
        let row = |i: usize| format!("{i},{}\n", 3.0 + slope * i as f64 + scale * noise(i));
        "x,y\n".to_owned() + &(0..20).map(row).collect::<String>()
    };
    let place = place("line.csv", &table(0.001, 2.0));
    let output = json(&place, &["line.csv"]);
    let noise_sd = output["noise_sd"].as_f64().unwrap();
    assert!((0.0006..0.0012).contains(&noise_sd), "{noise_sd}");
    // A slope that the data hardly show is not shrunk to a point: least squares has a standard error of 0.03.
    place.write("weak.csv", table(1.0, 0.01));
    let slope = &json(&place, &["weak.csv"])["coefficients"][1];
    let width = slope["q95"].as_f64().unwrap() - slope["q05"].as_f64().unwrap();
    assert!(
        width > 0.04 && slope["q05"].as_f64().unwrap() < 0.01 && slope["q95"].as_f64().unwrap() > 0.01,
        "{slope}"
    );
}

#[test]
fn an_interval_of_an_outcome_and_one_of_its_mean_have_two_names() {
    // Counts of rate 5: nine tenths of new ones are from 2 to 9, and the rate of 200 rows is known to a tenth
    // of that.
    let count = |i: usize| [5, 3, 6, 2, 9, 4, 5, 7, 1, 8][i * 7 % 10];
    let rows = (0..200).map(|i| format!("{},{}\n", i % 4, count(i))).collect::<Vec<_>>().concat();
    let place = place("counts.csv", &format!("x,count\n{rows}"));
    let output = json(&place, &["counts.csv", "--family", "poisson", "--out", "out", "--level", "0.9"]);
    assert_eq!(output["intervals"]["interval"], "a new count");
    assert_eq!(output["intervals"]["mean_interval"], "the mean count");
    assert_eq!(output["fitted"]["predicted_by"], "in-sample");
    let mut inside = 0;
    for (i, own) in output["predictions"].as_array().unwrap().iter().enumerate() {
        let ends = |name: &str| [0, 1].map(|end: usize| own[name][end].as_f64().unwrap());
        let ([low, high], [mean_low, mean_high]) = (ends("interval"), ends("mean_interval"));
        let mean = own["mean"].as_f64().unwrap();
        assert!(low <= 2.0 && (8.0..=9.0).contains(&high) && low.fract() == 0.0, "{low} {high}");
        assert!(mean_low < mean && mean < mean_high && mean_high - mean_low < 1.5, "{own}");
        inside += usize::from((low..=high).contains(&f64::from(count(i))));
    }
    assert!((180..=200).contains(&inside), "{inside}");
    let csv = std::fs::read_to_string(place.path("out").join("predictions.csv")).unwrap();
    let header = "row,count,mean,sd,q05,q25,q50,q75,q95,mean_of_function,sd_of_function\n";
    assert!(csv.starts_with(header), "{csv}");

    // Of two classes there is no interval of an outcome.
    place.write("outcomes.csv", OUTCOMES);
    let output = json(&place, &["outcomes.csv", "--family", "bernoulli", "--out", "out"]);
    assert_eq!(
        (&output["positive_class"], &output["intervals"]["level"]),
        (&Value::from("yes"), &Value::from(0.95))
    );
    assert!(output["predictions"][0]["interval"].is_null() && output["intervals"]["interval"].is_null());
    let p = output["predictions"][0]["mean"].as_f64().unwrap();
    assert!(output["predictions"][0]["mean_interval"][0].as_f64().unwrap() < p);
    let csv = std::fs::read_to_string(place.path("out").join("predictions.csv")).unwrap();
    assert!(csv.starts_with("row,y,predicted,p_no,p_yes,p_yes_q025,p_yes_q975\n"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().starts_with("1,no,no,"), "{csv}");

    // Numbers: the mean of 272 rows is known better than the next wait.
    let output = json(&place, &[]);
    let width = |name: &str| {
        let ends = &output["predictions"][0][name];
        ends[1].as_f64().unwrap() - ends[0].as_f64().unwrap()
    };
    assert!(width("interval") > 10.0 * width("mean_interval"));
    assert_eq!(output["fitted"]["predicted_by"], "leave-one-out");
}

#[test]
fn wrong_input_is_named() {
    let place = place("outcomes.csv", OUTCOMES);
    place.write("new.csv", "z\n1\n");
    place.write("many.csv", "x,y\n1,a\n2,b\n3,c\n");
    place.write("one.csv", "x,y\n1,a\n2,a\n");
    for (arguments, code, words) in [
        (&["outcomes.csv"][..], 1, "line 2, column y: expected a number"),
        (&["outcomes.csv", "--y", "z"], 1, "no column is called \"z\""),
        (&["outcomes.csv", "--y", "x", "--x", "x"], 1, "explains and is explained"),
        (&["outcomes.csv", "--family", "bernoulli", "--predict", "new.csv"], 1, "no column is called \"x\""),
        (&["many.csv", "--family", "bernoulli"], 1, "has 3 classes"),
        (&["one.csv", "--family", "softmax"], 1, "has 1 classes"),
        (&["outcomes.csv", "--family", "bernoulli", "--engine", "exact"], 2, "only the family gaussian"),
        (&["outcomes.csv", "--family", "bernoulli", "--features", "ploy:2"], 1, "poly"),
        (&["outcomes.csv", "--family", "bernoulli", "--prior-sd", "-1"], 2, "--prior-sd"),
        (&["--y", "waiting"], 2, "runs with DATA"),
    ] {
        let ran = place.run(&[&["regress", "fit"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?} {ran:?}");
    }
}

/// Thousands of columns and few rows: by the coordinates of the rows, where a matrix of all columns would be
/// refused.
#[test]
fn many_more_columns_than_rows() {
    let place = Place::new();
    let (rows, columns) = (40, 3000);
    let mut table = (0..columns).map(|j| format!("x{j},")).collect::<Vec<_>>().concat();
    table += "y,n\n";
    for i in 0..rows {
        let x: Vec<f64> =
            (0..columns).map(|j| f64::from((i * 37 + j * 101 + i * j * 13) % 211) / 50.0).collect();
        table.extend(x.iter().map(|x| format!("{x},")));
        writeln!(table, "{},{}", i32::from(x[0] > 2.0), (3.0 * x[1]) as u32).unwrap();
    }
    place.write("wide.csv", table);
    for (family, y, other) in [("bernoulli", "y", "n"), ("poisson", "n", "y")] {
        let x: String = (0..columns).map(|j| format!("x{j}")).collect::<Vec<_>>().join(",");
        for engine in [&["--engine", "laplace"][..], &[]] {
            let all =
                ["regress", "fit", "wide.csv", "--x", &x, "--y", y, "--family", family, "--prior-sd", "0.02"];
            let fixed = ["--memory", "150MiB", "--format", "json"];
            let ran = place.succeed(&[&all[..], &fixed, engine].concat());
            let output: Value = serde_json::from_str(&ran.stdout).unwrap();
            let found = output["coefficients"].as_array().unwrap();
            assert_eq!(found.len(), columns as usize + 1, "{family}, without {other}");
            assert!(found[1]["sd"].as_f64().unwrap() > 0.0);
            assert!(engine.is_empty() || output["ln_evidence"].as_f64().unwrap() < 0.0);
        }
    }
}
