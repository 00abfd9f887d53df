//! Rows that are held out.

use std::collections::BTreeSet;

use super::{column, json, numbers, read, table};
use crate::program::Place;

#[test]
fn rows_held_out_are_predicted_by_a_fit_to_the_others() {
    let place = Place::new();
    let all = table(0, 60);
    place.write("all.csv", &all);
    for (y, family) in [("y", "gaussian"), ("two", "bernoulli"), ("three", "softmax")] {
        let model = ["--x", "a,b", "--y", y, "--family", family];
        // Names of rows are carried where columns are not named.
        let held_out = ["regress", "fit", "all.csv", "--held-out", "0.25", "--seed", "4", "--out", "part"];
        let held_out = json(&place, &[&held_out[..], &model].concat());
        let rows: BTreeSet<String> = column(&read(&place, "part/predictions.csv"), y).into_iter().collect();
        assert_eq!(held_out["predictions"].as_array().unwrap().len(), 15);
        assert_eq!(held_out["scores"]["rows"], 15);
        assert_eq!(held_out["rows"], 45);
        if family != "gaussian" {
            continue;
        }
        // Outcomes are all different, and say which rows were held out.
        let part = |held_out: bool| {
            let lines =
                all.lines().skip(1).filter(|line| rows.contains(line.split(',').nth(4).unwrap()) == held_out);
            std::iter::once(all.lines().next().unwrap()).chain(lines).collect::<Vec<_>>().join("\n") + "\n"
        };
        place.write("old.csv", part(false));
        place.write("new.csv", part(true));
        let by_hand = ["regress", "fit", "old.csv", "--predict", "new.csv"];
        let by_hand = json(&place, &[&by_hand[..], &model].concat());
        assert_eq!(held_out["predictions"], by_hand["predictions"]);
        let numbers = held_out["row_numbers"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap());
        let own =
            numbers.map(|row| all.lines().nth(row as usize).unwrap().split(',').nth(4).unwrap().to_owned());
        assert_eq!(own.collect::<BTreeSet<_>>(), rows);
        assert_eq!(held_out["scores"], by_hand["scores"]);
        assert_eq!(held_out["coefficients"], by_hand["coefficients"]);
    }
}

/// As many folds as rows: the closed form of a Gaussian process.
#[test]
fn folds_of_one_row_are_leave_one_out() {
    let place = Place::new();
    place.write("all.csv", table(0, 24));
    let fit = ["gp", "fit", "all.csv", "--x", "a,b", "--y", "y", "--kernel", "4*rbf(1)", "--noise", "0.2"];
    let output = json(&place, &[&fit[..], &["--mean", "zero", "--folds", "24"]].concat());
    let folds = &output["cross_validation"];
    let (sum, expected) =
        (24.0 * folds["ln_score"].as_f64().unwrap(), output["leave_one_out"]["ln_score"].as_f64().unwrap());
    assert!((sum - expected).abs() < 1e-8, "{sum} {expected}");
    assert_eq!((&folds["folds"], &folds["rows"]), (&24.into(), &24.into()));
    let held_out = json(&place, &[&fit[..], &["--held-out", "0.5", "--out", "fit"]].concat());
    assert_eq!(held_out["scores"]["rows"], 12);
    let csv = read(&place, "fit/predictions.csv");
    assert!(csv.starts_with("row,a,b,y,mean,sd,"), "{csv}");
    assert_eq!(numbers(&csv, "y").len(), 12);
    // Noise that is known row by row says nothing of a new row's, which then has no score, and empty cells.
    place.write("noisy.csv", "a,y,v\n-1,0.5,0.1\n0,1,0.2\n1,0.4,0.1\n2,-0.3,0.1\n");
    let fit =
        ["gp", "fit", "noisy.csv", "--x", "a", "--y", "y", "--kernel", "1*rbf(1)", "--noise-column", "v"];
    for option in [["--folds", "2"], ["--held-out", "0.5"]] {
        let ran = place.run(&[&fit[..], &option].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains("predictions have no score"), "{ran:?}");
    }
    place.succeed(&[&fit[..], &["--grid", "0:1:2", "--out", "noisy", "--quiet"]].concat());
    assert!(read(&place, "noisy/predictions.csv").lines().nth(1).unwrap().contains(",,,,,,"));
}

#[test]
fn cross_validation_scores_every_row_once() {
    let place = Place::new();
    place.write("all.csv", table(0, 60));
    for (y, family) in [("y", "gaussian"), ("n", "poisson"), ("three", "softmax"), ("two", "mlp")] {
        let fit = ["regress", "fit", "all.csv", "--x", "a,b", "--y", y, "--family", family, "--hidden", "2"];
        let fit = if family == "mlp" { &fit[..] } else { &fit[..9] };
        let output = json(&place, &[fit, &["--folds", "3"]].concat());
        assert_eq!(output["cross_validation"]["rows"], 60, "{family}");
        assert!(output["cross_validation"]["ln_score"].as_f64().unwrap() < 0.0);
        assert_eq!(output["rows"], 60);
    }
    let text = place.succeed(&["regress", "fit", "all.csv", "--x", "a", "--y", "y", "--folds", "4"]).stdout;
    assert!(
        text.contains("4-fold cross-validation\nrows with an outcome") && text.contains(" 60\n"),
        "{text}"
    );
    place.write("two.csv", "a,y\n1,2\n2,1\n");
    for (arguments, code, says) in [
        (&["all.csv", "--y", "y", "--held-out", "1.5"][..], 2, "between 0 and 1"),
        (&["all.csv", "--y", "y", "--held-out", "0.5", "--predict", "two.csv"], 2, "cannot be used with"),
        (&["all.csv", "--y", "y", "--folds", "1"], 2, "1 is not in 2.."),
        (&["two.csv", "--folds", "3"], 2, "--folds: of 2 rows no row is left"),
        (&["two.csv", "--held-out", "0.01"], 2, "--held-out: of 2 rows no row is left"),
    ] {
        let ran = place.run(&[&["regress", "fit"], arguments].concat());
        assert!(ran.code == Some(code) && ran.stderr.contains(says), "{arguments:?} {ran:?}");
    }
}
