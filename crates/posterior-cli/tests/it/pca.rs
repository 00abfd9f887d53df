//! `posterior pca`: figures against other programs', files, and what is wrong with files.

use serde_json::Value;

use crate::program::{Place, Ran};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["pca", "fit"], arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"));
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found} is not {expected}");
}

#[track_caller]
fn refused(ran: &Ran, code: i32, message: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn irises_as_in_another_program() {
    // scikit-learn 1.9.1, PCA.
    let output = json(&Place::new(), &["--k", "4"]);
    let variances = [4.22824170603484, 0.2426707479286119, 0.07820950004290811, 0.02383509297344581];
    for (value, expected) in output["explained_variance"].as_array().unwrap().iter().zip(variances) {
        close(value, expected, 1e-12);
    }
    let first = [0.36138659178536503, -0.08452251406457323, 0.8566706059498357, 0.3582891971515514];
    for (value, expected) in output["components"][0].as_array().unwrap().iter().zip(first) {
        close(value, expected, 1e-12);
    }
    // Its eigenvalues in Tipping and Bishop's formula.
    let output = json(&Place::new(), &["--k", "2", "--method", "ppca"]);
    close(&output["ln_likelihood"], -404.9627801561115, 1e-12);
    close(&output["noise_variance"], 0.05068214786479683, 1e-12);
    // Minka's evidence is highest for 3 of 1, 2, 3.
    assert_eq!(json(&Place::new(), &[])["components"].as_array().unwrap().len(), 3);
}

#[test]
fn every_method_tells_components_variances_and_noise() {
    for method in ["pca", "ppca", "bayesian", "factor"] {
        let output = json(&Place::new(), &["--k", "2", "--method", method, "--scale"]);
        assert_eq!(output["components"].as_array().unwrap().len(), 2, "{method}");
        assert_eq!(output["components"][0].as_array().unwrap().len(), 4);
        assert!(
            output["explained_variance"][0].as_f64().unwrap()
                > output["explained_variance"][1].as_f64().unwrap()
        );
        assert_eq!(output["noise_variance"].is_array(), method == "factor");
    }
}

#[test]
fn missing_cells_groups_and_files() {
    let place = Place::new();
    let row = |i: i32| {
        let x = f64::from(i * 7 % 11);
        let c = if i % 6 == 0 { "NA".to_owned() } else { (3.0 * x + f64::from(i % 4)).to_string() };
        format!("{},{},{},{c}\n", ["p", "q"][i as usize % 2], x, 2.0 * x + f64::from(i % 3))
    };
    place.write("data.csv", "name,a,b,c\n".to_owned() + &(0..30).map(row).collect::<Vec<_>>().concat());
    refused(&place.run(&["pca", "fit", "data.csv", "--na", "integrate"]), 1, "it must be finite");
    let ran = place.succeed(&["pca", "fit", "data.csv", "--k", "1", "--out", "rest"]);
    assert!(ran.stderr.contains("left out, as cells are missing: 5 of 30 rows (c in 5)"), "{ran:?}");
    let ran = place.succeed(&["pca", "transform", "rest", "data.csv", "--format", "json"]);
    let scores: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&scores["rows"], &scores["row_numbers"][0]), (&25.into(), &2.into()), "{scores}");
    let output =
        json(&place, &["data.csv", "--method", "ppca", "--k", "1", "--label", "name", "--out", "out"]);
    assert_eq!(output["columns"], serde_json::json!(["a", "b", "c"]));
    assert!(output["explained_proportion"][0].as_f64().unwrap() > 0.95);
    let scores = std::fs::read_to_string(place.path("out/scores.csv")).unwrap();
    assert_eq!((scores.lines().next(), scores.lines().count()), (Some("row,name,component_1"), 31));
    assert!(scores.lines().nth(1).unwrap().starts_with("1,p,"));
    for file in ["report.html", "model.json", "components.csv", "scree.svg"] {
        assert!(place.path("out").join(file).exists(), "{file}");
    }
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("One component explains") && page.contains("cells missing"));
    place.succeed(&["pca", "fit", "--out", "irises"]);
    assert!(place.path("irises/scores.svg").exists());
}

#[test]
fn the_same_output_for_any_number_of_threads() {
    let run = |threads: &str| {
        Place::new().succeed(&["pca", "fit", "--method", "factor", "--threads", threads]).stdout
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn what_is_wrong_is_reported() {
    let place = Place::new();
    place.write("data.csv", "a,b\n1,x\n2,y\n");
    refused(&place.run(&["pca", "fit", "none.csv"]), 1, "none.csv");
    refused(&place.run(&["pca", "fit", "data.csv", "--x", "c"]), 1, "no column is called \"c\"");
    refused(&place.run(&["pca", "fit", "data.csv", "--x", "a,b"]), 1, "line 2, column b: expected a number");
    refused(&place.run(&["pca", "fit", "data.csv", "--method", "ppca"]), 1, "at least two columns");
    refused(&place.run(&["pca", "fit", "data.csv", "--k", "2"]), 2, "expected at most 1");
    refused(&place.run(&["pca", "fit", "--label", "species"]), 2, "runs with DATA");
    place.write("flat.csv", "a,b\n1,2\n1,3\n");
    // A constant column stays as it is.
    let output = json(&place, &["flat.csv", "--scale", "--k", "1"]);
    assert_eq!(output["scale"][0], 1.0);
    place.write("words.csv", "a\nx\n");
    refused(&place.run(&["pca", "fit", "words.csv"]), 1, "no column of numbers");
}
