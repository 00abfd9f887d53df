//! `posterior dist fit`: published figures, files, and what is wrong with tables.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::program::Place;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["dist", "fit"], arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn read(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).unwrap()
}

/// Weeks of remission (E. Freireich and others, 1963): with 6-MP, and whether it went on.
fn remissions() -> Place {
    let place = Place::new();
    let seen = ["6", "6", "6", "7", "10", "13", "16", "22", "23"];
    let still = ["6", "9", "10", "11", "17", "19", "20", "25", "32", "32", "34", "35"];
    let rows =
        seen.iter().map(|own| format!("{own},no\n")).chain(still.iter().map(|own| format!("{own},yes\n")));
    place.write("remissions.csv", "weeks,goes on\n".to_owned() + &rows.collect::<String>());
    place
}

/// As `survreg` of R and J. Lawless's book have it: shape 1.354, scale 33.77.
#[test]
fn censored_times_have_the_published_weibull() {
    let place = remissions();
    let arguments =
        ["remissions.csv", "--y", "weeks", "--censored", "goes on", "--family", "weibull,exponential"];
    let output = json(&place, &[&arguments[..], &["--level", "0.9", "--out", "out"]].concat());
    assert_eq!(
        (&output["rows"], &output["censored"], &output["level"]),
        (&21.into(), &12.into(), &0.9.into())
    );
    let families = output["families"].as_array().unwrap();
    let weibull = families.iter().find(|own| own["family"] == "weibull").unwrap();
    let [shape, scale] = &weibull["parameters"].as_array().unwrap()[..] else { panic!("{weibull}") };
    assert!((shape["value"].as_f64().unwrap() - 1.353_734_523_826_22).abs() < 1e-9);
    assert!((scale["value"].as_f64().unwrap() - 33.765_150_967_635).abs() < 1e-7);
    assert!((scale["standard_error"].as_f64().unwrap() - 9.230_342_926_145_68).abs() < 1e-5);
    assert!(shape["q05"].as_f64().unwrap() < 1.0 && shape["q95"].as_f64().unwrap() > 1.8, "{shape}");
    // Of 9 events in 359 weeks: the mean by the rate, and one parameter less.
    assert_eq!(families[0]["family"], "exponential");
    assert_eq!(families[0]["behind"], 0.0);
    let table = read(&place, "out/parameters.csv");
    assert!(
        table.starts_with("family,parameter,value,standard_error,q05,q95\nexponential,rate,0.025069"),
        "{table}"
    );
    assert_eq!(read(&place, "out/families.csv").lines().count(), 3);
    assert!(read(&place, "out/report.html").contains("exponential fits weeks best"));
}

#[test]
fn without_names_all_that_can_have_the_values_are_fitted() {
    let place = Place::new();
    // Mites on apple leaves (C. Bliss, R. Fisher, 1953), by the number of leaves with so many.
    place.write("mites.csv", "mites,leaves\n0,70\n1,38\n2,17\n3,10\n4,9\n5,3\n6,2\n7,1\n");
    let output = json(&place, &["mites.csv", "--y", "mites", "--weights", "leaves"]);
    let names: Vec<&str> =
        output["families"].as_array().unwrap().iter().map(|own| own["family"].as_str().unwrap()).collect();
    // The size is next to 1, which the geometric distribution has.
    assert_eq!(names, ["geometric", "negative_binomial", "poisson"]);
    assert!(output["families"][0]["parameters"][0]["q025"].is_number(), "{output}");
    assert!(output["families"][1]["parameters"][0]["q025"].is_null(), "{output}");
    // Groups of people by size: no group of none is seen (J. James, 1953).
    place.write("groups.csv", "size,seen\n1,1486\n2,694\n3,195\n4,37\n5,10\n6,1\n");
    let output = json(
        &place,
        &["groups.csv", "--y", "size", "--weights", "seen", "--from", "1", "--family", "poisson"],
    );
    let rate = output["families"][0]["parameters"][0]["value"].as_f64().unwrap();
    assert!((rate - 0.892_496_055_280_425).abs() < 1e-9);
    let values: Vec<String> = (0..60).map(|i| format!("{}\n", (f64::from(i) + 0.5) / 7.0)).collect();
    place.write("line.csv", "x\n".to_owned() + &values.concat());
    let ran = place.succeed(&["dist", "fit", "line.csv", "--out", "out"]);
    assert!(ran.stdout.starts_with("line.csv: x, 60 values\n"), "{ran:?}");
    assert!(ran.stdout.contains("not fitted: student_t: the likelihood has no maximum"), "{ran:?}");
    for name in ["densities.svg", "histogram.svg", "quantiles.svg"] {
        assert!(read(&place, &format!("out/{name}")).contains("<svg"));
    }
}

#[test]
fn the_best_may_still_not_fit() {
    let place = Place::new();
    // Two heaps, which no normal distribution has.
    let values: Vec<String> = (0..40)
        .map(|i| format!("{},{}\n", f64::from(i % 7) / 9.0 + f64::from(10 * (i % 2)), 1 + i % 2))
        .collect();
    place.write("heaps.csv", "x,often\n".to_owned() + &values.concat());
    let arguments = ["heaps.csv", "--y", "x", "--family", "normal,logistic"];
    let test = &json(&place, &[&arguments[..], &["--simulations", "49"]].concat())["goodness"];
    assert_eq!((&test["test"], &test["simulations"]), (&"Anderson-Darling".into(), &49.into()));
    assert_eq!((&test["p_value"], &test["not_fitted"]), (&0.02.into(), &0.into()));
    let ran = place.succeed(&[&["dist", "fit"], &arguments[..], &["--out", "out"]].concat());
    assert!(ran.stdout.contains("does not fit: Anderson-Darling statistic"), "{ran:?}");
    assert!(read(&place, "out/report.html").contains("p = 0.005 by 199 simulated samples"));
    // A seed decides, on any number of threads.
    let of_seed = |more: &[&str]| json(&place, &[&arguments[..], more].concat())["goodness"].clone();
    assert_eq!(of_seed(&["--seed", "3", "--threads", "1"]), of_seed(&["--seed", "3", "--threads", "2"]));
    assert!(of_seed(&["--simulations", "0"]).is_null());
    assert!(of_seed(&["--weights", "often"])["p_value"].is_number());
    let lives = remissions();
    let test = &json(&lives, &["remissions.csv", "--y", "weeks", "--censored", "goes on"])["goodness"];
    assert_eq!(test["not_tested"], "some values are known by limits alone");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let place = remissions();
    place.write("two.csv", "a,b\n1,2.5\n2,-3.5\n");
    place.write("same.csv", "x\n2.5\n2.5\n2.5\n");
    let refused = |arguments: &[&str], code: i32, message: &str| {
        let ran = place.run(&[&["dist", "fit"], arguments].concat());
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(ran.stderr.lines().next(), Some(format!("error: {message}").as_str()), "{ran:?}");
        assert_eq!(ran.stdout, "");
    };
    refused(&["two.csv"], 1, "two.csv: several columns of numbers: a, b");
    refused(
        &["two.csv", "--y", "b", "--family", "gamma"],
        1,
        "two.csv: column b: gamma: line 3 has a value that it cannot have",
    );
    refused(&["two.csv", "--y", "a", "--family", "gamma,weibull,gamma"], 2, "--family: gamma is there twice");
    refused(
        &["two.csv", "--y", "b", "--family", "gama"],
        2,
        "--family: no distribution \"gama\" can be fitted; did you mean \"gamma\"?",
    );
    refused(
        &["two.csv", "--y", "a", "--family", "binomial"],
        1,
        "two.csv: column a: binomial: trials is not estimated: give its value",
    );
    refused(
        &["two.csv", "--y", "a", "--family", "binomial", "--known", "n=10"],
        1,
        "two.csv: column a: binomial: there is no parameter \"n\"; there are trials, probability",
    );
    refused(
        &["two.csv", "--y", "a", "--family", "binomial", "--known", "trials"],
        2,
        "--known: expected NAME=VALUE, such as trials=10, found \"trials\"",
    );
    refused(
        &["two.csv", "--y", "b", "--from", "0"],
        1,
        "two.csv: line 3, column b: expected a value from --from to --to, found \"-3.5\"",
    );
    refused(
        &["two.csv", "--y", "a", "--censored", "b"],
        1,
        "two.csv: line 2, column b: expected 1 or 0, yes or no, or true or false, found \"2.5\"",
    );
    refused(
        &["same.csv", "--family", "normal"],
        1,
        "same.csv: column x: normal: all values are the same: no width can be estimated from them",
    );
}
