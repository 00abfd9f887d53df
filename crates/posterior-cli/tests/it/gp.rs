//! `posterior gp`: golden numbers through the command line, every likelihood and method, and wrong input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::program::Place;

const THREE: &str = "x,y\n-1,0.5\n0,1\n2,-0.3\n";
const LABELS: &str = "x,class\n-1.5,no\n-0.5,no\n0.3,yes\n1.2,yes\n";

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
    let told =
        json(&place, &["three.csv", "--kernel", "1*rbf(1)", "--noise", "0.1", "--predict", "places.csv"]);
    close(&told["ln_marginal_likelihood"], -3.2494398794920425, 1e-12);
    let names: Vec<&str> =
        told["hyperparameters"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3);
    // The golden ones are by ln of standard deviations.
    for (place, expected) in
        [-1.6801440209432 / 2.0, 0.2469470852891, -0.2379571095117 / 2.0].into_iter().enumerate()
    {
        close(&told["gradient"][place], expected, 1e-12);
    }
    let means = [0.788295246465, 0.360482788475, -0.229177795464];
    let variances = [0.086332467143, 0.367395293389, 0.660683520959];
    for i in 0..3 {
        close(&told["predictions"][i]["mean"], means[i], 1e-11);
        close(&told["predictions"][i]["variance"], variances[i], 1e-11);
    }
}

#[test]
fn components_add_up() {
    let place = place("three.csv", THREE);
    let told = json(
        &place,
        &[
            "three.csv",
            "--kernel",
            "rbf(1) + 0.5*linear()",
            "--noise",
            "0.1",
            "--components",
            "--grid",
            "1:2:2",
        ],
    );
    close(&told["components"][0]["mean"][0], 0.481846568917, 1e-11);
    close(&told["components"][1]["mean"][0], -0.103153640571, 1e-11);
    close(&told["components"][1]["variance"][0], 0.148918300460, 1e-11);
    close(&told["predictions"][0]["variance"], 0.372036228694, 1e-11);
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
                "--method",
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
    let told =
        json(&place, &["labels.csv", "--kernel", "4*rbf(1)", "--likelihood", "bernoulli", "--grid", "0:2:2"]);
    close(&told["ln_marginal_likelihood"], -2.7686395030691076, 1e-11);
    close(&told["predictions"][0]["probability"], 0.5389570187944929, 1e-11);
    close(&told["predictions"][1]["mean"], 0.843082157827, 1e-11);
    assert_eq!(told["classes"], serde_json::json!(["no", "yes"]));
    let by_ep = json(
        &place,
        &[
            "labels.csv",
            "--kernel",
            "4*rbf(1)",
            "--likelihood",
            "bernoulli",
            "--approximation",
            "ep",
            "--grid",
            "0:2:2",
        ],
    );
    close(&by_ep["ln_marginal_likelihood"], -2.687123881, 1e-8);
    close(&by_ep["predictions"][0]["probability"], 0.54361576, 1e-7);
}

#[test]
fn several_classes_and_counts() {
    let place = place("three.csv", "x,class\n0,a\n1,b\n2,c\n3,c\n");
    let told =
        json(&place, &["three.csv", "--kernel", "4*rbf(1)", "--likelihood", "softmax", "--grid", "0:3:4"]);
    for row in told["predictions"].as_array().unwrap() {
        let all: Vec<f64> =
            row["probability"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!(all.len() == 3 && (all.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{all:?}");
    }
    place.write("counts.csv", "t,n\n0,3\n");
    // A prior of variance 1 at one place: the golden posterior of GP-11.
    let told =
        json(&place, &["counts.csv", "--kernel", "1*rbf(1)", "--likelihood", "poisson", "--grid", "0:1:2"]);
    close(&told["predictions"][0]["mean"], 0.7920599684306769, 1e-11);
    close(&told["predictions"][0]["variance"], 0.3117265254833334, 1e-11);
    close(&told["ln_marginal_likelihood"], -2.52001359051478, 1e-11);
}

#[test]
fn carbon_dioxide_is_taken_apart() {
    let place = Place::new();
    let told = json(&place, &["--out", "out"]);
    assert_eq!(told["search"]["converged"], true);
    let parameters = told["hyperparameters"].as_array().unwrap();
    let value =
        |name: &str| parameters.iter().find(|own| own["name"] == name).unwrap()["value"].as_f64().unwrap();
    assert!((value("periodic.period") - 1.0).abs() < 1e-3);
    assert!((30.0..60.0).contains(&value("1.rbf.length_scale")));
    assert_eq!(told["components"].as_array().unwrap().len(), 4);
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
fn what_is_wrong_is_told_with_its_place() {
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
        &["gp", "fit", "three.csv", "--method", "fast"],
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
    let told = json(&place, &["same.csv", "--kernel", "1*rbf(1)"]);
    assert!(told["jitter"]["variance"].as_f64().unwrap() > 0.0);
    place.write("constant.csv", "x,y\n1,5\n2,5\n3,5\n");
    json(&place, &["constant.csv", "--kernel", "1*rbf(1)", "--optimize"]);
}
