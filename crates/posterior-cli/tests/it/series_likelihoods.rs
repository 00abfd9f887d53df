//! `posterior series` of counts, successes and values with outliers, against the library and by simulation.

use posterior::dist::stream::stream;
use posterior::kalman::Series;
use posterior::kalman::non_gaussian::{ImportanceSmoother, SignalLikelihood, WeightedSignals};
use posterior::kalman::structural::{SeriesComponent, Structural};
use rand::distr::Distribution as _;
use rayon::prelude::*;
use serde_json::Value;

use crate::program::{Place, Ran};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Accidents a year: their rate falls in the middle. One year is left out and one is empty.
const COUNTS: [i32; 24] = [4, 5, 4, 1, 0, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 1, 1, 0, 1, 1, 0, 2, 1];
const EMPTY: usize = 6;
const LEFT_OUT: usize = 15;
const ASKED: [i32; 24] = [9, 9, 12, 6, 4, 7, 8, 8, 8, 9, 11, 7, 9, 5, 6, 12, 7, 6, 6, 5, 7, 3, 8, 10];

fn accidents(place: &Place) {
    let row = |t: usize| {
        let cell = if t == EMPTY { String::new() } else { COUNTS[t].to_string() };
        format!("{},{cell},{}\n", 1900 + t, ASKED[t])
    };
    let rows: String = (0..24).filter(|t| *t != LEFT_OUT).map(row).collect();
    place.write("accidents.csv", format!("year,accidents,asked\n{rows}"));
}

fn values() -> Vec<Option<f64>> {
    let is_there = |t: usize| t != EMPTY && t != LEFT_OUT;
    (0..24).map(|t| is_there(t).then(|| f64::from(COUNTS[t]))).collect()
}

/// The same by the library, with many draws of another seed.
fn library(variance: f64, likelihood: &SignalLikelihood) -> WeightedSignals {
    let level = SeriesComponent::local_level(variance).unwrap();
    let model = Structural::new(vec![level], 0.0).unwrap().state_space().unwrap();
    let series = Series::univariate_with_missing(&values()).unwrap();
    let smoother = ImportanceSmoother { draws: 10_000, ..ImportanceSmoother::default() };
    smoother.run(&model, likelihood, &series, &mut stream(77, &[])).unwrap()
}

/// Of sorted draws the quantile by whole draws.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    sorted[((p * sorted.len() as f64) as usize).min(sorted.len() - 1)]
}

/// ln p(y), the signal at all times, and the forecasts of `output` against the library's.
fn agrees(output: &Value, found: &WeightedSignals, mean: impl Fn(usize, f64) -> f64) {
    let own = found.ln_likelihood();
    let difference = number(&output["ln_likelihood"]) - own.ln_value;
    // The program has 1000 draws, 10 times less than here.
    assert!(difference.abs() < 4.0 * 3.4 * own.standard_error, "{difference} {}", own.standard_error);
    let smoothed = output["smoothed"].as_array().unwrap();
    assert_eq!(smoothed.len(), 24);
    for (t, at) in smoothed.iter().enumerate() {
        let expected = found.expectation(|theta| mean(t, theta[t])).unwrap().value;
        let sd = number(&at["variance"]).sqrt();
        assert!((number(&at["mean"]) - expected).abs() < 0.12 * sd, "{t}: {at} {expected}");
        // Half of it is below the median.
        let median = number(&at["signal_q50"]);
        let below = found.expectation(|theta| f64::from(u8::from(mean(t, theta[t]) <= median))).unwrap();
        assert!((below.value - 0.5).abs() < 0.06, "{t}: {}", below.value);
    }
    let paths = found.forecast_paths(3, 10_000, &mut stream(78, &[])).unwrap();
    for (step, own) in output["forecast"].as_array().unwrap().iter().enumerate() {
        let mut draws: Vec<f64> = paths.column(step).iter().copied().collect();
        draws.sort_by(f64::total_cmp);
        let (mean, sd) = (draws.iter().sum::<f64>() / 10_000.0, number(&own["variance"]).sqrt());
        assert!((number(&own["mean"]) - mean).abs() < 0.1 * sd, "{own} {mean}");
        for (name, p) in [("observation_q10", 0.1), ("observation_q50", 0.5), ("observation_q90", 0.9)] {
            // Where the distribution function is close to p, a step may fall to either side.
            let [low, high] = [p - 0.02, p + 0.02].map(|p| quantile(&draws, p));
            let found = number(&own[name]);
            assert!((low..=high).contains(&found) && found.fract() == 0.0, "{name}: {found} {low} {high}");
        }
    }
}

#[test]
fn counts_are_those_of_the_library() {
    let place = Place::new();
    accidents(&place);
    let run = ["series", "smooth", "accidents.csv", "--y", "accidents", "--forecast", "3", "--level", "0.8"];
    let poisson = json(&place, &[&run[..], &["--likelihood", "poisson", "--params", "level=0.1"]].concat());
    agrees(&poisson, &library(0.1, &SignalLikelihood::Poisson), |_, theta| theta.exp());
    assert_eq!(poisson["models"][0]["likelihood"], "poisson");
    let known = ["--likelihood", "negative-binomial", "--params", "level=0.1,size=4"];
    let negative = json(&place, &[&run[..], &known].concat());
    agrees(&negative, &library(0.1, &SignalLikelihood::NegativeBinomial { size: 4.0 }), |_, theta| {
        theta.exp()
    });
    // The trials of forecasts are those of the last row.
    let known = ["--likelihood", "binomial", "--trials", "asked", "--params", "level=0.1"];
    let binomial = json(&place, &[&run[..], &known].concat());
    let trials: Vec<u64> = ASKED.iter().map(|&own| own as u64).collect();
    let probability = |theta: f64| 1.0 / (1.0 + (-theta).exp());
    let likelihood = SignalLikelihood::Binomial { trials };
    let expected = |t: usize, theta: f64| {
        // The row that is left out has the trials of the one before.
        f64::from(ASKED[if t == LEFT_OUT { t - 1 } else { t }]) * probability(theta)
    };
    agrees(&binomial, &library(0.1, &likelihood), expected);
    let same = [&run[..], &["--likelihood", "binomial", "--trials", "12", "--params", "level=0.1"]].concat();
    assert!(number(&json(&place, &same)["forecast"][0]["observation_q90"]) <= 12.0);
}

/// Student's t with very many degrees of freedom is Gaussian noise.
#[test]
fn many_degrees_are_gaussian_noise() {
    let place = Place::new();
    let run = ["series", "smooth", "--forecast", "3"];
    let gaussian = json(&place, &[&run[..], &["--params", "level=1469.1,noise=15099"]].concat());
    let scale = 15_099_f64.sqrt();
    let known = format!("level=1469.1,degrees=1e9,scale={scale}");
    let student = json(&place, &[&run[..], &["--likelihood", "student-t", "--params", &known]].concat());
    let of = |own: &Value| number(&own["ln_likelihood"]);
    assert!((of(&gaussian) - of(&student)).abs() < 1e-4, "{} {}", of(&gaussian), of(&student));
    for (part, names) in
        [("smoothed", ["signal_q025", "signal_q975"]), ("forecast", ["observation_q025", "observation_q975"])]
    {
        for (a, b) in gaussian[part].as_array().unwrap().iter().zip(student[part].as_array().unwrap()) {
            let sd = number(&a["variance"]).sqrt();
            // The ends of 4,000 draws have an error of 4 % of the deviation.
            for name in ["mean", names[0], names[1]] {
                assert!((number(&a[name]) - number(&b[name])).abs() < 0.2 * sd, "{name}: {a} {b}");
            }
        }
    }
    // The parts are those of the Gaussian model itself.
    let level = |own: &Value, t: usize| number(&own["components"][0]["mean"][t]);
    assert!((0..100).all(|t| (level(&gaussian, t) / level(&student, t) - 1.0).abs() < 1e-6));
}

/// One value far off: heavy tails leave it out, Gaussian noise follows it.
#[test]
fn heavy_tails_leave_an_outlier_out() {
    let place = Place::new();
    let value = |t: usize| if t == 20 { 60.0 } else { 10.0 + (t * t * 7 % 11) as f64 / 5.0 };
    let rows: Vec<String> = (0..40).map(|t| format!("{t},{}", value(t))).collect();
    place.write("data.csv", format!("t,y\n{}\n", rows.join("\n")));
    let run = ["series", "smooth", "data.csv", "--fit", "--params", "level=0.2"];
    let [gaussian, student] =
        ["gaussian", "student-t"].map(|own| json(&place, &[&run[..], &["--likelihood", own]].concat()));
    let at = |own: &Value| number(&own["smoothed"][20]["signal_q50"]);
    assert!(at(&student) < 12.5 && at(&gaussian) > at(&student), "{} {}", at(&student), at(&gaussian));
    let parameters = student["parameters"].as_array().unwrap();
    let named = |name: &str| parameters.iter().find(|own| own["name"] == name).unwrap();
    assert!(number(&named("degrees")["value"]) < 4.0, "{parameters:?}");
    assert!(number(&named("scale")["value"]) < 1.5 && named("level.variance")["status"] == "fixed");
    assert!(number(&student["ln_likelihood"]) > number(&gaussian["ln_likelihood"]) + 10.0);
}

/// Estimates are where Laplace's likelihood is largest.
#[test]
fn estimates_are_at_the_top() {
    let place = Place::new();
    accidents(&place);
    let run = ["series", "smooth", "accidents.csv", "--y", "accidents", "--likelihood", "poisson"];
    let output = json(&place, &run);
    let own = &output["parameters"][0];
    let (variance, error) = (number(&own["value"]), number(&own["standard_error"]));
    assert_eq!((&own["name"], &own["status"]), (&"level.variance".into(), &"fitted".into()));
    assert_eq!(output["parameters_known"], false);
    let series = Series::univariate_with_missing(&values()).unwrap();
    let laplace = |ln_variance: f64| {
        let level = SeriesComponent::local_level(ln_variance.exp()).unwrap();
        let model = Structural::new(vec![level], 0.0).unwrap().state_space().unwrap();
        let options = posterior::kalman::non_gaussian::SignalModeOptions::default();
        posterior::kalman::non_gaussian::mode(&model, &SignalLikelihood::Poisson, &series, &options)
            .unwrap()
            .laplace_ln_likelihood
    };
    let [before, at, after] = [-0.1, 0.0, 0.1].map(|step| laplace(variance.ln() + step));
    assert!(before < at && after < at, "{before} {at} {after}");
    let slope = (laplace(variance.ln() + 1e-4) - laplace(variance.ln() - 1e-4)) / 2e-4;
    assert!(slope.abs() < 1e-3, "{slope}");
    // The error of the logarithm is 1 / √curvature.
    let curvature = (2.0 * at - before - after) / 0.01;
    assert!((error / variance * curvature.sqrt() - 1.0).abs() < 0.02, "{error} {variance} {curvature}");
    // Threads do not matter, and seeds little.
    let one = json(&place, &[&run[..], &["--threads", "1"]].concat());
    let two = json(&place, &[&run[..], &["--threads", "2"]].concat());
    assert_eq!(one["smoothed"], two["smoothed"]);
    let other = json(&place, &[&run[..], &["--seed", "3"]].concat());
    for (a, b) in one["smoothed"].as_array().unwrap().iter().zip(other["smoothed"].as_array().unwrap()) {
        let sd = number(&a["variance"]).sqrt();
        assert!((number(&a["mean"]) - number(&b["mean"])).abs() < 0.2 * sd, "{a} {b}");
    }
}

#[test]
fn a_saved_model_keeps_what_it_is_seen_by() {
    let place = Place::new();
    accidents(&place);
    for more in [
        &["--likelihood", "negative-binomial"][..],
        &["--likelihood", "binomial", "--trials", "asked"],
        &["--likelihood", "binomial", "--trials", "12"],
        &["--likelihood", "student-t", "--parameters", "known"],
    ] {
        let run =
            ["series", "smooth", "accidents.csv", "--y", "accidents", "--forecast", "4", "--out", "out"];
        let fitted = json(&place, &[&run[..], more].concat());
        let same = json(&place, &["series", "forecast", "out", "--forecast", "4"]);
        let pairs = fitted["forecast"].as_array().unwrap().iter().zip(same["forecast"].as_array().unwrap());
        for ((name, one), (_, other)) in
            pairs.flat_map(|(a, b)| a.as_object().unwrap().iter().zip(b.as_object().unwrap()))
        {
            let close = match (one.as_f64(), other.as_f64()) {
                (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(1.0),
                _ => one == other,
            };
            assert!(close, "{more:?} {name}: {one} {other}");
        }
        place.write("later.csv", "year,accidents,asked\n1924,2,5\n1925,3,20\n");
        let later = json(&place, &["series", "forecast", "out", "later.csv", "--forecast", "2"]);
        assert_eq!(later["smoothed"].as_array().unwrap().len(), 26, "{more:?}");
        assert_eq!(later["models"][0]["likelihood"], fitted["models"][0]["likelihood"]);
        let names = |own: &Value| -> Vec<String> {
            own["parameters"].as_array().unwrap().iter().map(|own| own["name"].to_string()).collect()
        };
        assert_eq!(names(&later), names(&fitted), "{more:?}");
        place.write("wrong.csv", "year,accidents,asked\n1924,-1,5\n");
        if !more.contains(&"student-t") {
            refused(&place.run(&["series", "forecast", "out", "wrong.csv"]), 1, "found -1 at 1924");
        }
    }
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_seen_so_is_refused() {
    let place = Place::new();
    let run = |table: &str, more: &[&str]| {
        place.write("data.csv", table);
        place.run(&[&["series", "smooth", "data.csv", "--y", "y"], more].concat())
    };
    let table = "t,y,n\n1,2,3\n2,0,3\n3,4,9\n4,1,2\n5,3,4\n";
    let poisson = ["--likelihood", "poisson"];
    let with = |more: &[&'static str]| [&poisson[..], more].concat();
    refused(
        &run("t,y\n1,2\n2,-1\n3,1\n", &poisson),
        1,
        "column y: --likelihood poisson needs whole numbers from 0, found -1 at 2",
    );
    refused(&run("t,y\n1,2\n2,1.5\n3,1\n", &["--likelihood", "negative-binomial"]), 1, "found 1.5 at 2");
    refused(
        &run(table, &["--likelihood", "binomial", "--trials", "3"]),
        1,
        "whole numbers from 0 to 3, the trials, found 4 at 3",
    );
    refused(&run(table, &["--likelihood", "binomial"]), 2, "give the trials by --trials");
    refused(
        &run(table, &["--likelihood", "binomial", "--trials", "y"]),
        2,
        "--trials y: that is the column of --y",
    );
    refused(&run(table, &["--likelihood", "binomial", "--trials", "m"]), 1, "no column is called \"m\"");
    refused(
        &run("t,y,n\n1,0,2\n2,1,2.5\n", &["--likelihood", "binomial", "--trials", "n"]),
        1,
        "line 3, column n: expected a whole number of trials",
    );
    refused(&run(table, &["--trials", "3"]), 2, "--trials: it is for --likelihood binomial");
    refused(&run(table, &with(&["--model", "auto"])), 2, "`--model auto` compares Gaussian models");
    refused(&run(table, &with(&["--transform", "log"])), 2, "--transform");
    refused(&run(table, &with(&["--model", "local-level + noise(1)"])), 2, "it is the only noise");
    refused(&run(table, &with(&["--params", "noise=1"])), 1, "no parameter \"noise\"");
    refused(
        &run(table, &["--likelihood", "student-t", "--params", "level=1,degrees=3"]),
        2,
        "--params does not give scale",
    );
    refused(
        &run(table, &["--likelihood", "student-t", "--params", "degrees=-3", "--fit"]),
        1,
        "expected a number above 0",
    );
    refused(&run(table, &["--likelihood", "bernoulli"]), 2, "possible values");
    refused(
        &Place::new().run(&["series", "smooth", "--likelihood", "binomial", "--trials", "n"]),
        2,
        "--trials COLUMN wants a table",
    );
    // Text and page say how values are seen, and that there are no residuals.
    let text = run(table, &with(&["--params", "level=0.1", "--out", "out"]));
    assert!(
        text.stdout.contains("local-level seen as poisson")
            && text.stdout.contains("residuals cannot be checked"),
        "{text:?}"
    );
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("ln of the mean") && page.contains("weighted"), "the page");
}

/// The scores of a backtest are of whole numbers.
#[test]
fn backtests_score_counts() {
    let place = Place::new();
    accidents(&place);
    let run = ["series", "backtest", "accidents.csv", "--y", "accidents", "--likelihood", "poisson"];
    let output = json(&place, &[&run[..], &["--horizon", "3", "--folds", "3"]].concat());
    let scores = &output["columns"][0]["scores"][0];
    assert_eq!(scores["rows"], 8);
    let ln_score = number(&scores["ln_score"]);
    // A probability, not a density: below 0; and no worse than half of a uniform one over 0 to 9.
    assert!(ln_score < 0.0 && ln_score > -3.0, "{scores}");
}

/// Intervals of 80 % of counts, one to three steps after fits of 40 counts: with as many below the lower end
/// as there may be, and as many up to it as there must be. Parameters are estimated, and integrated over.
fn tails(sets: u64) -> [(f64, f64); 2] {
    let one = |set: u64| {
        let mut rng = stream(91, &[set]);
        let walk = posterior::dist::Normal::mean_sd(0.0, 0.2).unwrap();
        let mut theta = 1.2;
        let counts: Vec<f64> = (0..43)
            .map(|t| {
                theta += walk.sample(&mut rng);
                SignalLikelihood::Poisson.draw(t, theta, &mut rng).unwrap()
            })
            .collect();
        let place = Place::new();
        let rows: Vec<String> = (0..40).map(|t| format!("{t},{}", counts[t])).collect();
        place.write("data.csv", format!("t,y\n{}\n", rows.join("\n")));
        let fit = ["series", "smooth", "data.csv", "--likelihood", "poisson", "--level", "0.8"];
        let output = json(&place, &[&fit[..], &["--forecast", "3", "--threads", "1"]].concat());
        let of_step = |step: usize| {
            let own = &output["forecast"][step];
            let [low, high] = ["observation_q10", "observation_q90"].map(|name| number(&own[name]));
            let y = counts[40 + step];
            [y < low, y <= low, y > high, y >= high].map(|own| f64::from(u8::from(own)))
        };
        (0..3).map(of_step).fold([0.0; 4], |sum, own| std::array::from_fn(|k| sum[k] + own[k] / 3.0))
    };
    let all: Vec<[f64; 4]> = (0..sets).into_par_iter().map(one).collect();
    let mean = |k: usize| all.iter().map(|own| own[k]).sum::<f64>() / sets as f64;
    [(mean(0), mean(1)), (mean(2), mean(3))]
}

fn tails_hold(sets: u64) {
    // One of three steps is as if it were alone, at the worst.
    let error = (0.1 * 0.9 / sets as f64).sqrt();
    for (beyond, with_end) in tails(sets) {
        assert!(beyond < 0.1 + 3.0 * error, "{beyond} {error}");
        assert!(with_end > 0.1 - 3.0 * error, "{with_end} {error}");
    }
}

#[test]
fn intervals_of_counts_hold_what_they_say_in_few_sets() {
    tails_hold(24);
}

#[test]
#[ignore = "slow: 400 fits"]
fn intervals_of_counts_hold_what_they_say() {
    tails_hold(400);
}
