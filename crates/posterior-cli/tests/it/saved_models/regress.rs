//! Linear and generalised linear models, classes, networks.

use super::{column, json, number, numbers, read, table};
use crate::program::Place;

/// Each way to a posterior: what is predicted of new rows at the fit, and from the file afterwards.
const FITS: &[&[&str]] = &[
    &["--y", "y"],
    &["--y", "y", "--prior-sd", "0.5", "--features", "spline:5"],
    &["--y", "two", "--family", "bernoulli"],
    &["--y", "two", "--family", "bernoulli", "--engine", "laplace"],
    &["--y", "n", "--family", "poisson", "--x", "a,b"],
    &["--y", "n", "--family", "poisson", "--x", "a,b", "--engine", "laplace"],
    &["--y", "three", "--family", "softmax", "--x", "a,b"],
    &["--y", "three", "--family", "softmax", "--x", "a,b", "--engine", "laplace"],
    &["--y", "y", "--family", "mlp", "--hidden", "3", "--x", "a,b"],
    &["--y", "two", "--family", "mlp", "--hidden", "3", "--x", "a,b"],
];

#[test]
fn a_regression_predicts_from_its_file_what_it_predicted_at_the_fit() {
    let place = Place::new();
    place.write("old.csv", table(0, 60));
    place.write("new.csv", table(60, 9));
    for options in FITS {
        let x: &[&str] = if options.contains(&"--x") { &[] } else { &["--x", "a,b,site"] };
        let fit = ["regress", "fit", "old.csv", "--predict", "new.csv", "--out", "fit"];
        let fitted = json(&place, &[&fit[..], options, x].concat());
        let later = json(&place, &["regress", "predict", "fit/model.json", "new.csv", "--out", "later"]);
        assert_eq!(fitted["predictions"], later["predictions"], "{options:?}");
        assert_eq!(fitted["scores"], later["scores"], "{options:?}");
        assert_eq!(fitted["intervals"], later["intervals"], "{options:?}");
        assert_eq!((&fitted["family"], &fitted["engine"]), (&later["family"], &later["engine"]));
        assert_eq!(later["y"], options[1]);
        let csv = read(&place, "later/predictions.csv");
        assert_eq!(csv, read(&place, "fit/predictions.csv"), "{options:?}");
        assert_eq!(csv.lines().count(), 10);
        assert_eq!(column(&csv, options[1]), column(&read(&place, "new.csv"), options[1]));
    }
}

#[test]
fn more_columns_than_rows_are_predicted_from_a_file() {
    let place = Place::new();
    let wide = |from: usize| {
        let header = (0..30).map(|j| format!("x{j},")).collect::<Vec<_>>().concat();
        let row = |i: usize| {
            let x: Vec<f64> = (0..30).map(|j| number(i, j + 1)).collect();
            let cells = x.iter().map(|x| format!("{x},")).collect::<Vec<_>>().concat();
            format!("{cells}{}\n", if x[0] > 0.0 { "yes" } else { "no" })
        };
        format!("{header}y\n{}", (from..from + 12).map(row).collect::<String>())
    };
    place.write("old.csv", wide(0));
    place.write("new.csv", wide(12));
    for family in ["bernoulli", "mlp"] {
        let fit = ["regress", "fit", "old.csv", "--family", family, "--hidden", "2", "--predict", "new.csv"];
        let fit = if family == "mlp" { &fit[..] } else { &[&fit[..5], &fit[7..]].concat() };
        let fitted = json(&place, &[fit, &["--out", "fit"]].concat());
        let later = json(&place, &["regress", "predict", "fit", "new.csv"]);
        assert_eq!(fitted["predictions"], later["predictions"], "{family}");
    }
}

#[test]
fn new_rows_have_one_layout_and_scores() {
    let place = Place::new();
    place.write("old.csv", table(0, 90));
    place.write("new.csv", table(90, 40));
    place.succeed(&["regress", "fit", "old.csv", "--x", "a,b", "--y", "y", "--out", "fit"]);
    // A column of names is known to the model only where it was left out by itself.
    place.succeed(&["regress", "fit", "old.csv", "--y", "y", "--out", "named"]);
    place.succeed(&["regress", "predict", "named", "new.csv", "--out", "later"]);
    let csv = read(&place, "later/predictions.csv");
    assert_eq!(
        csv.lines().next(),
        Some("row,id,y,mean,sd,q025,q25,q50,q75,q975,mean_of_function,sd_of_function")
    );
    assert!(csv.lines().nth(1).unwrap().starts_with("1,row 90,"), "{csv}");

    let answer = json(&place, &["regress", "predict", "fit", "new.csv", "--out", "later"]);
    let csv = read(&place, "later/predictions.csv");
    let [y, mean, sd, q025, q25, q50, q75, q975, of_function] =
        ["y", "mean", "sd", "q025", "q25", "q50", "q75", "q975", "sd_of_function"]
            .map(|name| numbers(&csv, name));
    let scores = &answer["scores"];
    let rmse = (y.iter().zip(&mean).map(|(y, mean)| (y - mean).powi(2)).sum::<f64>() / 40.0).sqrt();
    assert!((scores["rmse"].as_f64().unwrap() - rmse).abs() < 1e-12);
    let inside = |low: &[f64], high: &[f64]| {
        (0..40).filter(|&i| low[i] <= y[i] && y[i] <= high[i]).count() as f64 / 40.0
    };
    assert_eq!(scores["coverage_50"], inside(&q25, &q75));
    assert_eq!(scores["coverage_95"], inside(&q025, &q975));
    assert_eq!(scores["rows"], 40);
    for i in 0..40 {
        assert!(q025[i] < q25[i] && q25[i] < q50[i] && q50[i] < q75[i] && q75[i] < q975[i]);
        // Student's, of 89 degrees of freedom: as good as normal.
        assert!((q975[i] - q025[i] - 2.0 * 1.987 * sd[i] * (87.0_f64 / 89.0).sqrt()).abs() < 0.01 * sd[i]);
        assert!(of_function[i] < 0.5 * sd[i], "{} {}", of_function[i], sd[i]);
    }
    // Nearly normal densities, by hand.
    let ln_normal = |i: usize| {
        let z = (y[i] - mean[i]) / sd[i];
        -0.5 * z * z - sd[i].ln() - 0.5 * std::f64::consts::TAU.ln()
    };
    let expected = (0..40).map(ln_normal).sum::<f64>() / 40.0;
    let found = scores["ln_score"].as_f64().unwrap();
    assert!((found - expected).abs() < 0.02, "{found} {expected}");
    let text = place.succeed(&["regress", "predict", "fit", "new.csv"]).stdout;
    assert!(text.contains("ln score of a row") && text.contains("outcomes in intervals of 95 %"), "{text}");
}

#[test]
fn classes_and_counts_are_scored_by_their_probabilities() {
    let place = Place::new();
    place.write("old.csv", table(0, 90));
    place.write("new.csv", table(90, 40));
    for (family, y, levels) in
        [("bernoulli", "two", &["no", "yes"][..]), ("softmax", "three", &["x", "y", "z"])]
    {
        place.succeed(&[
            "regress", "fit", "old.csv", "--x", "a,b", "--y", y, "--family", family, "--out", "fit",
        ]);
        let answer = json(&place, &["regress", "predict", "fit", "new.csv", "--out", "later"]);
        let csv = read(&place, "later/predictions.csv");
        let p: Vec<Vec<f64>> = levels.iter().map(|level| numbers(&csv, &format!("p_{level}"))).collect();
        let (truth, predicted) = (column(&csv, y), column(&csv, "predicted"));
        let (mut ln, mut brier, mut right) = (0.0, 0.0, 0);
        for i in 0..40 {
            let sum: f64 = p.iter().map(|of_class| of_class[i]).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            let own = levels.iter().position(|level| *level == truth[i]).unwrap();
            ln += p[own][i].ln() / 40.0;
            let square = |(class, of_class): (usize, &Vec<f64>)| {
                (of_class[i] - f64::from(u8::from(class == own))).powi(2)
            };
            brier += p.iter().enumerate().map(square).sum::<f64>() / 40.0;
            right += usize::from(truth[i] == predicted[i]);
        }
        let scores = &answer["scores"];
        assert!((scores["ln_score"].as_f64().unwrap() - ln).abs() < 1e-12, "{scores} {ln}");
        assert!((scores["brier"].as_f64().unwrap() - brier).abs() < 1e-12, "{scores} {brier}");
        assert_eq!(scores["accuracy"], right as f64 / 40.0);
    }
    // Without outcomes there are predictions and no scores; a missing outcome is not scored.
    place.write("bare.csv", "a,b\n0.5,1\n-1,0\n");
    assert!(json(&place, &["regress", "predict", "fit", "bare.csv"])["scores"].is_null());
    place.write("gaps.csv", "a,b,three\n0.5,1,x\n-1,0,NA\n");
    assert_eq!(json(&place, &["regress", "predict", "fit", "gaps.csv"])["scores"]["rows"], 1);

    place.succeed(&[
        "regress", "fit", "old.csv", "--x", "a,b", "--y", "n", "--family", "poisson", "--out", "n",
    ]);
    let answer = json(&place, &["regress", "predict", "n", "new.csv"]);
    for own in answer["predictions"].as_array().unwrap() {
        let [sd, mean, low, high] = ["sd", "mean", "q025", "q975"].map(|name| own[name].as_f64().unwrap());
        // A count varies at least as one of known rate.
        assert!(sd >= mean.sqrt() && sd < 1.3 * mean.sqrt() && low.fract() == 0.0 && high > low, "{own}");
    }
    let ln_score = answer["scores"]["ln_score"].as_f64().unwrap();
    assert!((-2.5..-0.8).contains(&ln_score), "{ln_score}");
}

#[test]
fn files_of_others_and_rows_that_do_not_fit_are_refused() {
    let place = Place::new();
    place.write("old.csv", table(0, 60));
    let fit = ["regress", "fit", "old.csv", "--x", "a,b,site", "--y", "two", "--family", "bernoulli"];
    place.succeed(&[&fit[..], &["--out", "fit"]].concat());
    place.succeed(&["cluster", "fit", "old.csv", "--x", "a,b", "--method", "kmeans", "--out", "groups"]);
    let model = read(&place, "fit/model.json");
    place.write("newer.json", model.replacen("\"version\":2", "\"version\":7", 1));
    place.write("changed.json", model.replacen("\"engine\":\"", "\"engine\":\"x", 1));
    place.write("cut.json", &model[..model.len() / 2]);
    place.write("column.csv", "a,site\n1,north\n");
    place.write("level.csv", "a,b,site\n1,1,north\n1,2,east\n");
    place.write("word.csv", "a,b,site\n1,1,north\n1,x,north\n");
    place.write("class.csv", "a,b,site,two\n1,1,north,yes\n1,2,north,maybe\n");
    place.write("new.csv", table(60, 3));
    for (model, data, says) in [
        ("groups", "new.csv", "format \"posterior-cluster\", expected \"posterior-regress\""),
        ("newer.json", "new.csv", "version 7, expected 2"),
        ("changed.json", "new.csv", "the checksum does not fit"),
        ("cut.json", "new.csv", "EOF while parsing"),
        ("old.csv", "new.csv", "no model of `posterior regress fit`"),
        ("nothing.json", "new.csv", "nothing.json"),
        ("fit", "column.csv", "no column is called \"b\""),
        ("fit", "level.csv", "level.csv: line 3, column site: the data have no \"east\""),
        ("fit", "word.csv", "word.csv: line 3, column b: expected a number"),
        ("fit", "class.csv", "class.csv: line 3, column two: expected one of no, yes, found \"maybe\""),
    ] {
        let ran = place.run(&["regress", "predict", model, data, "--out", "later"]);
        assert_eq!(ran.code, Some(1), "{model} {data} {ran:?}");
        assert!(ran.stderr.contains(says), "{model} {data} {}", ran.stderr);
        assert!(!place.path("later/predictions.csv").exists());
    }
}

/// Rows with missing cells are left out and counted; those that stay keep their numbers, and say what they
/// would say in a table without the others.
#[test]
fn rows_with_missing_cells_are_left_out() {
    let place = Place::new();
    let whole = table(0, 40);
    let lines: Vec<&str> = whole.lines().collect();
    // The name of a row, a number that explains, a category, the outcome; the last is never in the model.
    let gaps = [(3, 0), (5, 1), (5, 2), (9, 3), (12, 4), (20, 6)];
    let mut rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split(',').collect()).collect();
    for (row, column) in gaps {
        rows[row][column] = "NA";
    }
    let text = |rows: Vec<Vec<&str>>| rows.iter().map(|row| row.join(",") + "\n").collect::<String>();
    place.write("gaps.csv", text(rows.clone()));
    let is_whole = |row: &usize| ![5, 9, 12].contains(row);
    place.write("whole.csv", text((0..=40).filter(is_whole).map(|row| rows[row].clone()).collect()));
    let model = ["--y", "y", "--x", "a,b,site"];
    let with = json(&place, &[&["regress", "fit", "gaps.csv", "--out", "fit"][..], &model].concat());
    let without = json(&place, &[&["regress", "fit", "whole.csv"][..], &model].concat());
    assert_eq!((&with["rows"], &with["coefficients"]), (&37.into(), &without["coefficients"]));
    let note = "left out, as cells are missing: 3 of 40 rows (a in 1, b in 1, site in 1, y in 1); --na error refuses them";
    assert_eq!(with["warnings"][0], note);

    let predicted = json(&place, &["regress", "predict", "fit", "gaps.csv", "--out", "later"]);
    // The outcome is not needed where it is predicted.
    let kept: Vec<usize> = (1..=40).filter(|row| ![5, 9].contains(row)).collect();
    assert_eq!(predicted["row_numbers"], serde_json::json!(kept));
    let numbers: Vec<String> = kept.iter().map(usize::to_string).collect();
    assert_eq!(column(&read(&place, "later/predictions.csv"), "row"), numbers);
    assert_eq!((&predicted["rows"], &predicted["scores"]["rows"]), (&38.into(), &37.into()));
    let ran = place.run(&["regress", "predict", "fit", "gaps.csv", "--na", "error"]);
    assert!(ran.stderr.contains("line 6, column a: expected a number, found \"NA\""), "{ran:?}");

    place.write("none.csv", "a,b,site,y\n1,,x,2\n,2,x,3\n");
    let ran = place.run(&["regress", "fit", "none.csv"]);
    assert!(ran.stderr.contains("none.csv: a cell is missing in each row: a in 1, b in 1"), "{ran:?}");
}
