//! Clusters and components.

use super::{column, json, numbers, read};
use crate::program::Place;

#[test]
fn rows_of_the_fit_are_assigned_to_the_groups_of_the_fit() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    for options in [
        &["--method", "kmeans", "--k", "3"][..],
        &["--method", "gmm", "--k", "3"],
        &["--method", "gmm", "--k", "2", "--scale", "--covariance", "diag"],
        &["--method", "map-gmm", "--k", "3", "--covariance", "tied"],
        &["--method", "vb-gmm", "--k", "5", "--scale"],
        &["--method", "gibbs-gmm", "--k", "2", "--iterations", "300"],
        &["--method", "dp", "--iterations", "300"],
    ] {
        let fit = ["cluster", "fit", "iris/iris.csv", "--label", "species", "--out", "fit"];
        let fitted = json(&place, &[&fit[..], options].concat());
        let assign = ["cluster", "assign", "fit", "iris/iris.csv", "--label", "species", "--out", "later"];
        let later = json(&place, &assign);
        let pairs =
            fitted["assignments"].as_array().unwrap().iter().zip(later["assignments"].as_array().unwrap());
        let same = pairs.filter(|(a, b)| a == b).count();
        let csv = read(&place, "later/predictions.csv");
        assert_eq!(column(&csv, "species")[149], "virginica");
        if options[1] == "kmeans"
            || options[1].ends_with("gmm") && options[1] != "vb-gmm" && options[1] != "gibbs-gmm"
        {
            assert_eq!(same, 150, "{options:?}");
            assert_eq!(fitted["agreement"], later["agreement"], "{options:?}");
        } else {
            // Other than the rows of the fit, a new row did not shape its group.
            assert!(same > 145, "{options:?} {same}");
        }
        if options[1] == "kmeans" {
            let sum: f64 = numbers(&csv, "distance").iter().map(|own| own * own).sum();
            assert!((sum / fitted["inertia"].as_f64().unwrap() - 1.0).abs() < 1e-10);
            continue;
        }
        let k = later["k"].as_u64().unwrap();
        let p: Vec<Vec<f64>> = (0..k).map(|group| numbers(&csv, &format!("p_{group}"))).collect();
        assert!((0..150).all(|row| (p.iter().map(|own| own[row]).sum::<f64>() - 1.0).abs() < 1e-12));
        let sum: f64 = numbers(&csv, "ln_density").iter().sum();
        let ln_likelihood = later["ln_likelihood"].as_f64().unwrap();
        assert!((sum - ln_likelihood).abs() < 1e-9 * sum.abs(), "{sum} {ln_likelihood}");
        if let Some(of_fit) = fitted["ln_likelihood"].as_f64() {
            assert!((of_fit - ln_likelihood).abs() < 1e-9 * of_fit.abs(), "{of_fit} {ln_likelihood}");
        }
    }
}

#[test]
fn rows_with_gaps_are_assigned_by_what_they_have() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    let text = read(&place, "iris/iris.csv");
    let columns = text.lines().next().unwrap().replace(",species", "");
    place.write("new.csv", format!("{columns}\n,,1.4,0.2\n,,,\n6.5,3.0,5.5,1.8\n"));
    for method in ["gmm", "vb-gmm"] {
        let fit = ["cluster", "fit", "iris/iris.csv", "--label", "species", "--k", "3", "--method", method];
        let fitted = json(&place, &[&fit[..], &["--out", "fit"]].concat());
        let later = json(&place, &["cluster", "assign", "fit", "new.csv"]);
        let weights: Vec<f64> =
            fitted["weights"].as_array().unwrap().iter().map(|own| own.as_f64().unwrap()).collect();
        let p = |row: usize, group: usize| later["probabilities"][row][group].as_f64().unwrap();
        // Of a row without a value nothing is known but the weights.
        for (group, weight) in weights.iter().enumerate() {
            assert!((p(1, group) - weight).abs() < 1e-9, "{method}");
        }
        assert!(later["ln_densities"][1].as_f64().unwrap().abs() < 1e-9);
        let setosa = fitted["assignments"][0].as_u64().unwrap() as usize;
        assert!(p(0, setosa) > 0.999 && p(2, setosa) < 1e-6, "{method}");
    }
    place.succeed(&[
        "cluster",
        "fit",
        "iris/iris.csv",
        "--label",
        "species",
        "--method",
        "kmeans",
        "--out",
        "fit",
    ]);
    // Centres have no place for them: their rows are left out, counted, or refused.
    let later = json(&place, &["cluster", "assign", "fit", "new.csv"]);
    assert!(later["assignments"].as_array().unwrap().len() == 1 && later["row_numbers"][0] == 3, "{later}");
    let ran = place.run(&["cluster", "assign", "fit", "new.csv"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("2 "), "{ran:?}");
    let ran = place.run(&["cluster", "assign", "fit", "new.csv", "--na", "error"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("line 2"), "{ran:?}");
}

#[test]
fn components_score_new_rows_as_those_of_the_fit() {
    let place = Place::new();
    place.succeed(&["data", "export", "iris", "--out", "iris"]);
    for options in [
        &["--method", "pca", "--k", "2"][..],
        &["--method", "pca", "--scale"],
        &["--method", "ppca", "--k", "2"],
        &["--method", "bayesian", "--k", "3"],
        &["--method", "factor", "--k", "1", "--scale"],
    ] {
        let fit = ["pca", "fit", "iris/iris.csv", "--x", "sepal_length,sepal_width,petal_length,petal_width"];
        place.succeed(&[&fit[..], options, &["--out", "fit"]].concat());
        let later = json(&place, &["pca", "transform", "fit", "iris/iris.csv", "--out", "later"]);
        let (old, new) = (read(&place, "fit/scores.csv"), read(&place, "later/scores.csv"));
        for name in old.lines().next().unwrap().split(',') {
            for (a, b) in numbers(&old, name).iter().zip(numbers(&new, name)) {
                assert!((a - b).abs() < 1e-12, "{options:?} {name} {a} {b}");
            }
        }
        assert_eq!(later["rows"], 150);
    }
    place.write("gaps.csv", "sepal_length,sepal_width,petal_length,petal_width\n5.1,,1.4,0.2\n");
    let scores = json(&place, &["pca", "transform", "fit", "gaps.csv"]);
    assert!(scores["scores"][0][0].as_f64().unwrap().is_finite());
}
