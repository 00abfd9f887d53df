//! `posterior gp`: golden numbers through the command line, every likelihood and method, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod auto;
mod dates;
mod intervals;
mod likelihoods;

use serde_json::Value;

use crate::program::Place;

const THREE: &str = "x,y\n-1,0.5\n0,1\n2,-0.3\n";
const LABELS: &str = "x,class\n-1.5,no\n-0.5,no\n0.3,yes\n1.2,yes\n";

/// A kernel and noise that are given.
const THREE_POINTS: [&str; 5] = ["three.csv", "--kernel", "1*rbf(1)", "--noise", "0.1"];

/// So many standard deviations hold 95 %.
const Z95: f64 = 1.959963984540054;

fn place(name: &str, text: &str) -> Place {
    let place = Place::new();
    place.write(name, text);
    place
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["gp", "fit"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < tolerance, "{value} {expected}");
}

#[test]
fn three_points_have_their_golden_numbers() {
    let place = place("three.csv", THREE);
    place.write("places.csv", "x\n-0.5\n1\n3\n");
    let output = json(&place, &[&THREE_POINTS[..], &["--mean", "zero", "--predict", "places.csv"]].concat());
    close(&output["ln_marginal_likelihood"], -3.2494398794920425, 1e-12);
    let names: Vec<&str> = output["hyperparameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 3);
    // The golden ones are by ln of standard deviations.
    for (place, expected) in
        [-1.6801440209432 / 2.0, 0.2469470852891, -0.2379571095117 / 2.0].into_iter().enumerate()
    {
        close(&output["gradient"][place], expected, 1e-12);
    }
    let means = [0.788295246465, 0.360482788475, -0.229177795464];
    let variances = [0.086332467143, 0.367395293389, 0.660683520959];
    for i in 0..3 {
        close(&output["predictions"][i]["mean"], means[i], 1e-11);
        close(&output["predictions"][i]["variance"], variances[i], 1e-11);
        // Of a new outcome with its noise, and of the function.
        for (name, variance) in [("interval", variances[i] + 0.1), ("function_interval", variances[i])] {
            let reach = Z95 * variance.sqrt();
            close(&output["predictions"][i][name][0], means[i] - reach, 1e-11);
            close(&output["predictions"][i][name][1], means[i] + reach, 1e-11);
        }
    }
    assert_eq!(output["parameters_taken_as_known"], true);
    assert_eq!(output["mean_function"], serde_json::json!({"shape": "zero"}));
}

/// A constant that is integrated out: the formulas of universal kriging, with a normal distribution of the
/// constant, by 30 digits of mpmath.
#[test]
fn a_constant_is_integrated_out_by_default() {
    let place = place("three.csv", THREE);
    let output = json(&place, &[&THREE_POINTS[..], &["--grid", "1:2:2"]].concat());
    assert_eq!(output["kernel"], "1*rbf(1)");
    assert_eq!(output["hyperparameters"].as_array().unwrap().len(), 3);
    close(&output["ln_marginal_likelihood"], -5.2011470103038794, 1e-11);
    for (i, (mean, variance)) in
        [(0.394812390616179, 0.375692477165854), (-0.237664985745751, 0.0943521094721678)]
            .into_iter()
            .enumerate()
    {
        close(&output["predictions"][i]["mean"], mean, 1e-11);
        close(&output["predictions"][i]["variance"], variance, 1e-11);
    }
    let mean = &output["mean_function"];
    assert_eq!(mean["shape"], "constant");
    for (name, expected) in [
        ("prior_mean", 0.4),
        ("prior_sd", 5.35412613473634),
        ("value", 0.267697946189589),
        ("sd", 0.710299687739145),
    ] {
        close(&mean[name], expected, 1e-11);
    }
}

#[test]
fn components_add_up() {
    let place = place("three.csv", THREE);
    let output = json(
        &place,
        &[
            "three.csv",
            "--kernel",
            "rbf(1) + 0.5*linear()",
            "--noise",
            "0.1",
            "--mean",
            "zero",
            "--components",
            "--grid",
            "1:2:2",
        ],
    );
    close(&output["components"][0]["mean"][0], 0.481846568917, 1e-11);
    close(&output["components"][1]["mean"][0], -0.103153640571, 1e-11);
    close(&output["components"][1]["variance"][0], 0.148918300460, 1e-11);
    close(&output["predictions"][0]["variance"], 0.372036228694, 1e-11);
}

#[test]
fn methods_agree_where_they_are_exact() {
    let place = place("three.csv", THREE);
    let fit = |method: &str| {
        json(
            &place,
            &[
                "three.csv",
                "--kernel",
                "2*matern32(1.5)",
                "--noise",
                "0.1",
                "--engine",
                method,
                "--grid",
                "-2:3:6",
            ],
        )
    };
    let exact = fit("exact");
    for other in ["markov", "sparse:3"].map(fit) {
        close(&other["ln_marginal_likelihood"], exact["ln_marginal_likelihood"].as_f64().unwrap(), 1e-9);
        for i in 0..6 {
            close(
                &other["predictions"][i]["variance"],
                exact["predictions"][i]["variance"].as_f64().unwrap(),
                1e-9,
            );
        }
    }
}

#[test]
fn two_classes_have_their_golden_numbers() {
    let place = place("labels.csv", LABELS);
    let fit = |more: &[&str]| {
        let all = ["labels.csv", "--kernel", "4*rbf(1)", "--likelihood", "bernoulli", "--grid", "0:2:2"];
        json(&place, &[&all, more].concat())
    };
    let output = fit(&["--approximation", "laplace"]);
    close(&output["ln_marginal_likelihood"], -2.7686395030691076, 1e-11);
    close(&output["predictions"][0]["probability"], 0.5389570187944929, 1e-11);
    close(&output["predictions"][1]["mean"], 0.843082157827, 1e-11);
    assert_eq!(output["classes"], serde_json::json!(["no", "yes"]));
    // What is not asked for otherwise is nearly exact.
    let by_ep = fit(&[]);
    assert_eq!(by_ep["method"], "expectation propagation");
    close(&by_ep["ln_marginal_likelihood"], -2.687123881, 1e-8);
    close(&by_ep["predictions"][0]["probability"], 0.54361576, 1e-7);
    assert!(by_ep["predictions"][0]["interval"].is_null());
    assert!(by_ep["predictions"][0]["function_interval"][0].is_number());
}

#[test]
fn several_classes_and_counts() {
    let place = place("three.csv", "x,class\n0,a\n1,b\n2,c\n3,c\n");
    let output =
        json(&place, &["three.csv", "--kernel", "4*rbf(1)", "--likelihood", "softmax", "--grid", "0:30:4"]);
    for row in output["predictions"].as_array().unwrap() {
        let all: Vec<f64> =
            row["probability"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!(all.len() == 3 && (all.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{all:?}");
    }
    let too_even =
        "the probabilities come from Laplace's approximation, which makes those of several classes too even";
    assert!(output["warnings"][0].as_str().unwrap().starts_with(too_even), "{}", output["warnings"]);
    let small =
        json(&place, &["three.csv", "--kernel", "rbf(1)", "--likelihood", "softmax", "--grid", "0:30:4"]);
    assert_eq!(small["warnings"], serde_json::json!([]));
    // Far away each function has the prior's variance 4, and its deviation from the average of three 4 (1 -
    // 1/3).
    close(&output["predictions"][3]["variance"][1], 8.0 / 3.0, 1e-11);
    place.write("counts.csv", "t,n\n0,3\n");
    // A prior of variance 1 at one place: the golden posterior of GP-11.
    let fit = |more: &[&str]| {
        let all = ["counts.csv", "--kernel", "1*rbf(1)", "--likelihood", "poisson", "--grid", "0:1:2"];
        json(&place, &[&all, more].concat())
    };
    let output = fit(&["--mean", "zero", "--approximation", "laplace"]);
    close(&output["predictions"][0]["mean"], 0.7920599684306769, 1e-11);
    close(&output["predictions"][0]["variance"], 0.3117265254833334, 1e-11);
    close(&output["ln_marginal_likelihood"], -2.52001359051478, 1e-11);
    // Of one observation propagation is exact.
    let output = fit(&["--mean", "zero"]);
    close(&output["ln_marginal_likelihood"], -2.5165349937284787, 1e-11);
    let interval = &output["predictions"][0]["interval"];
    assert!(interval[0] == 0.0 && interval[1].as_f64().unwrap() >= 5.0, "{interval}");
}

#[test]
fn carbon_dioxide_is_taken_apart() {
    let place = Place::new();
    let output = json(&place, &["--out", "out"]);
    assert_eq!(output["search"]["converged"], true);
    let parameters = output["hyperparameters"].as_array().unwrap();
    let value =
        |name: &str| parameters.iter().find(|own| own["name"] == name).unwrap()["value"].as_f64().unwrap();
    assert!((value("periodic.period") - 1.0).abs() < 1e-3);
    assert!((30.0..60.0).contains(&value("1.rbf.length_scale")));
    assert_eq!(output["components"].as_array().unwrap().len(), 4);
    for file in [
        "report.html",
        "predictions.csv",
        "components.csv",
        "hyperparameters.csv",
        "function.svg",
        "residuals.svg",
    ] {
        assert!(place.path("out").join(file).exists(), "{file}");
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let place = place("bad.csv", "x,y\n1,2\n2,two\n");
    place.write("empty.csv", "x,y\n");
    place.write("three.csv", THREE);
    place.write("one.csv", "x,class\n0,a\n1,a\n");
    place.write("counts.csv", "x,n\n0,1\n1,1.5\n");
    let cases: [(&[&str], &str); 9] = [
        (&["bad.csv", "--kernel", "rbf(1)"], "bad.csv: line 3, column y: expected a number, found \"two\""),
        (&["empty.csv", "--kernel", "rbf(1)"], "empty.csv: no rows"),
        (&["none.csv", "--kernel", "rbf(1)"], "none.csv"),
        (&["three.csv", "--x", "z", "--kernel", "rbf(1)"], "no column is called \"z\""),
        (&["three.csv", "--kernel", "rbg(1)"], "column 1: there is no kernel \"rbg\""),
        (&["three.csv", "--kernel", "rbf(-1)"], "must be positive"),
        (&["three.csv", "--kernel", "wiener()"], "three.csv"),
        (&["one.csv", "--kernel", "rbf(1)", "--likelihood", "bernoulli"], "column class has 1 classes"),
        (
            &["counts.csv", "--kernel", "rbf(1)", "--likelihood", "poisson"],
            "line 3, column n: expected a count, found \"1.5\"",
        ),
    ];
    for (arguments, expected) in cases {
        let all: Vec<&str> = [&["gp", "fit"], arguments].concat();
        let ended = place.run(&all);
        assert_eq!(ended.code, Some(1), "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("error: ") && ended.stderr.contains(expected),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    for arguments in [
        &["gp", "fit", "three.csv"][..],
        &["gp", "fit", "three.csv", "--engine", "fast"],
        &["gp", "fit", "three.csv", "--grid", "1:2"],
    ] {
        assert_eq!(place.run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn little_data_get_an_answer() {
    let place = place("one.csv", "x,y\n1,2\n");
    close(
        &json(&place, &["one.csv", "--kernel", "1*rbf(1)", "--noise", "0.1", "--optimize"])["predictions"][0]
            ["mean"],
        0.0,
        3.0,
    );
    place.write("same.csv", "x,y\n1,2\n1,2\n1,2\n");
    let output = json(&place, &["same.csv", "--kernel", "1*rbf(1)"]);
    assert!(output["jitter"]["variance"].as_f64().unwrap() > 0.0);
    place.write("constant.csv", "x,y\n1,5\n2,5\n3,5\n");
    json(&place, &["constant.csv", "--kernel", "1*rbf(1)", "--optimize"]);
}

/// Counts far from 1: where there are no data, the rate is what it usually is, not about 1.
#[test]
fn counts_have_a_constant_too() {
    let place = place("counts.csv", "t,n\n0,980\n1,1040\n2,1010\n3,970\n4,1000\n5,1020\n");
    let output = json(
        &place,
        &["counts.csv", "--kernel", "0.01*rbf(1)", "--likelihood", "poisson", "--grid", "5:50:2"],
    );
    assert_eq!(output["method"], "expectation propagation");
    let far = &output["predictions"][1];
    let interval = &far["interval"];
    assert!((900.0..1150.0).contains(&far["response"].as_f64().unwrap()), "{far}");
    assert!(interval[0].as_f64().unwrap() > 700.0 && interval[1].as_f64().unwrap() < 1400.0, "{interval}");
}

/// Text, table and page say what the intervals are of, and that parameters are taken as known.
#[test]
fn what_intervals_are_of_is_said_everywhere() {
    let place = place("three.csv", THREE);
    let more = ["--grid", "0:1:2", "--out", "out", "--optimize", "--parameters", "known"];
    let all = [&["gp", "fit"], &THREE_POINTS[..], &more].concat();
    let text = place.succeed(&all).stdout;
    assert!(text.contains("q025, q975: the interval of 95 % of a new outcome, noise included"), "{text}");
    assert!(text.contains("taken as known, as the search found them"), "{text}");
    let table = std::fs::read_to_string(place.path("out").join("predictions.csv")).unwrap();
    let header = "row,x,mean,sd,q025,q25,q50,q75,q975,mean_of_function,sd_of_function";
    assert_eq!(table.lines().next(), Some(header));
    let page = std::fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(
        page.contains("taken as known")
            && page.contains("of a new outcome, and inside of it of the function")
    );
    // Noise that is known row by row says nothing of a new row's.
    place.write("noisy.csv", "x,y,v\n-1,0.5,0.1\n0,1,0.2\n2,-0.3,0.1\n");
    let known = ["noisy.csv", "--y", "y", "--kernel", "1*rbf(1)", "--noise-column", "v", "--grid", "0:1:2"];
    let output = json(&place, &known);
    assert!(output["predictions"][0]["interval"].is_null());
    assert!(
        place
            .succeed(&[&["gp", "fit"], &known[..]].concat())
            .stdout
            .contains("noise of a new outcome is not known")
    );
}

/// Half a million events a row: a few sweeps, with the numbers of Laplace's method, which is nearly exact
/// there.
#[test]
fn counts_of_half_a_million_converge() {
    let row = |i: u32| {
        let t = f64::from(i) / 3.0;
        format!("{t},{}\n", (5e5 * (0.5 * t.sin()).exp()) as u64)
    };
    let table = format!("t,n\n{}", (0..30).map(row).collect::<Vec<_>>().concat());
    let place = place("counts.csv", &table);
    for kernel in ["1*rbf(2)", "1000*rbf(1)"] {
        let fit = |approximation: &str| {
            let all = ["counts.csv", "--kernel", kernel, "--likelihood", "poisson", "--grid", "0:10:11"];
            json(&place, &[&all[..], &["--approximation", approximation]].concat())
        };
        let (by_ep, by_laplace) = (fit("ep"), fit("laplace"));
        assert_eq!((&by_ep["converged"], &by_laplace["converged"]), (&true.into(), &true.into()), "{kernel}");
        let evidence = |own: &Value| own["ln_marginal_likelihood"].as_f64().unwrap();
        assert!((evidence(&by_ep) - evidence(&by_laplace)).abs() < 1e-3, "{kernel}");
        let rows = by_ep["predictions"].as_array().unwrap().iter();
        for (ep, laplace) in rows.zip(by_laplace["predictions"].as_array().unwrap()) {
            let sd = ep["variance"].as_f64().unwrap().sqrt();
            assert!((ep["mean"].as_f64().unwrap() - laplace["mean"].as_f64().unwrap()).abs() < 0.01 * sd);
        }
    }
}

/// Where sweeps end without an answer, JSON, text and page say so.
#[test]
fn what_does_not_converge_says_so() {
    let place = place("counts.csv", "t,n\n0,100000000000000\n1,0\n2,900000000000000\n");
    let all = ["counts.csv", "--kernel", "1e12*rbf(10)", "--likelihood", "poisson", "--out", "out"];
    let output = json(&place, &all);
    assert_eq!(output["converged"], false);
    let said = "expectation propagation did not converge";
    assert!(output["warnings"][0].as_str().unwrap().starts_with(said), "{}", output["warnings"]);
    let ran = place.run(&[&["gp", "fit"], &all[..], &["--grid", "0:2:2"]].concat());
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(std::fs::read_to_string(place.path("out").join("report.html")).unwrap().contains(said));
}

/// Rows with gaps are left out and counted, and the others keep their numbers: at their own places, held out,
/// and in a table of places.
#[test]
fn rows_with_gaps_are_left_out_or_refused() {
    let row = |i: i32| {
        let x = if i % 7 == 3 { String::new() } else { i.to_string() };
        let y = if i == 5 { "NA".to_owned() } else { (i % 4).to_string() };
        format!("2024-01-{:02},{x},{},{y}\n", i + 1, i * i % 5)
    };
    let place = place("gaps.csv", &("day,x,z,y\n".to_owned() + &(0..20).map(row).collect::<String>()));
    let fit = ["gaps.csv", "--x", "x,z", "--y", "y", "--kernel", "rbf(3)", "--noise", "1", "--out", "fit"];
    let output = json(&place, &fit);
    let kept = [1, 2, 3, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 19, 20];
    assert_eq!(output["row_numbers"], serde_json::json!(kept));
    let note = "left out, as cells are missing: 4 of 20 rows (x in 3, y in 1); --na error refuses them";
    assert_eq!(output["warnings"], serde_json::json!([note]));
    let numbers = |file: &str| {
        let table = std::fs::read_to_string(place.path(file)).unwrap();
        table
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect::<Vec<i32>>()
    };
    assert_eq!(numbers("fit/predictions.csv"), kept);
    let output = json(&place, &[&fit[..], &["--held-out", "0.3"]].concat());
    let held_out = numbers("fit/predictions.csv");
    assert_eq!(output["row_numbers"], serde_json::json!(held_out));
    assert!(held_out.iter().all(|own| kept.contains(own)) && held_out.len() < 8);
    // The outcome is not needed where rows are predicted.
    let ran = place.succeed(&["gp", "predict", "fit", "gaps.csv", "--out", "places"]);
    assert!(ran.stderr.contains("3 of 20 rows (x in 3)"), "{ran:?}");
    assert!(
        numbers("places/predictions.csv").contains(&6) && !numbers("places/predictions.csv").contains(&4)
    );
    let ran = place.run(&[&["gp", "fit"], &fit[..], &["--na", "error"]].concat());
    assert!(ran.code == Some(1) && ran.stderr.contains("line 7, column y: expected a number"), "{ran:?}");
    // Whole rows of dates.
    let dated = ["gaps.csv", "--time", "day", "--y", "y", "--kernel", "rbf(3)", "--noise", "1", "--grid"];
    let output = json(&place, &[&dated[..], &["2024-01-01:2024-01-05:5"]].concat());
    assert!(
        output.get("row_numbers").is_none() && output["warnings"][0].as_str().unwrap().contains("y in 1")
    );
}
