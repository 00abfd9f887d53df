//! `posterior regress`: known figures through the command line, every family, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

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
    let told = json(&Place::new(), &["--prior-sd", "1e4"]);
    // As lm(waiting ~ eruptions, faithful) of R prints it: 33.4744 and 10.7296, with errors 1.1549 and 0.3148.
    close(&told["coefficients"][0]["mean"], 33.4744, 2e-3);
    close(&told["coefficients"][1]["mean"], 10.7296, 2e-4);
    close(&told["coefficients"][1]["sd"], 0.3148, 2e-3);
    // 5.914 with a divisor of 270; the posterior counts one row more than there are.
    close(&told["noise_sd"], 5.914 * (270.0_f64 / 273.0).sqrt(), 2e-3);
    assert_eq!(told["engine"], "exact");
    assert_eq!(told["predictions"].as_array().unwrap().len(), 272);
}

#[test]
fn a_line_through_exact_points_is_found_and_predicted() {
    let place = place("line.csv", "x,y\n1,3\n2,5\n3,7\n4,9.01\n5,11\n6,12.99\n");
    place.write("new.csv", "x\n10\n");
    let told = json(&place, &["line.csv", "--predict", "new.csv"]);
    close(&told["predictions"][0]["mean"], 21.0, 0.1);
    let interval = &told["predictions"][0]["interval_90"];
    assert!(interval[0].as_f64().unwrap() < 21.0 && interval[1].as_f64().unwrap() > 21.0);
}

#[test]
fn laplace_and_sampling_agree_on_classes() {
    let row = |i: i32| format!("{},{}\n", i % 8, if (i * 7) % 11 < i % 8 { "yes" } else { "no" });
    let rows = (0..40).map(row).collect::<Vec<_>>().concat();
    let place = place("outcomes.csv", &format!("x,y\n{rows}"));
    let fit = |engine: &str| json(&place, &["outcomes.csv", "--family", "bernoulli", "--engine", engine]);
    let [laplace, nuts] = ["laplace", "nuts"].map(fit);
    assert_eq!(laplace["classes"], serde_json::json!(["no", "yes"]));
    for i in 0..5 {
        let (a, b) = (&laplace["predictions"][i]["mean"], &nuts["predictions"][i]["mean"]);
        close(a, b.as_f64().unwrap(), 0.06);
    }
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
    let told = json(&place, &["counts.csv", "--family", "poisson"]);
    let names: Vec<&str> =
        told["coefficients"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["intercept", "x", "site=south"]);
    close(&told["coefficients"][2]["mean"], 3_f64.ln(), 0.1);
}

#[test]
fn several_classes_have_probabilities_that_add_up() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    let told = json(&place, &["iris/iris.csv", "--y", "species", "--family", "softmax"]);
    assert_eq!(told["classes"], serde_json::json!(["setosa", "versicolor", "virginica"]));
    let mut right = 0;
    for (row, own) in told["predictions"].as_array().unwrap().iter().enumerate() {
        let p: Vec<f64> =
            own["probabilities"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        right += usize::from(p.iter().all(|&other| other <= p[row / 50]));
    }
    assert!(right > 140, "{right}");
    assert_eq!(told["coefficients"].as_array().unwrap().len(), 12);
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
    let told = json(&place, &["xor.csv", "--family", "mlp", "--hidden", "8"]);
    for (row, own) in told["predictions"].as_array().unwrap().iter().enumerate() {
        let expected = (row % 2) ^ (row / 2 % 2);
        let p = own["mean"].as_f64().unwrap();
        assert!((p - expected as f64).abs() < 0.3, "{row} {p}");
    }
    let line = json(&place, &["xor.csv", "--family", "bernoulli"]);
    assert!((line["predictions"][0]["mean"].as_f64().unwrap() - 0.5).abs() < 0.2);
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
