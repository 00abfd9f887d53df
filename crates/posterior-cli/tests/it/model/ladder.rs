//! `posterior model ladder`: each way to a posterior beside the others, and programs by their predictions.

use serde_json::Value;

use super::json;
use crate::program::Place;

fn answer<'a>(output: &'a Value, method: &str) -> &'a Value {
    output["methods"].as_array().unwrap().iter().find(|answer| answer["method"] == method).unwrap()
}

#[test]
fn a_gaussian_needs_no_chains() {
    let place = Place::new();
    place.write(
        "gaussian.stan",
        "parameters { vector[2] x; } model { x[1] ~ normal(3, 2); x[2] ~ normal(x[1], 1); }",
    );
    let output = json(&place, &["model", "ladder", "gaussian.stan", "--num-draws", "2000", "--out", "out"]);
    assert_eq!(output["enough"], "laplace");
    let (mode, laplace) = (answer(&output, "mode"), answer(&output, "laplace"));
    assert!((mode["parameters"][0]["mean"].as_f64().unwrap() - 3.0).abs() < 1e-5, "{mode}");
    assert!(mode["usable"] == false && mode["parameters"][0].get("sd").is_none());
    for (method, tolerance) in [("laplace", 0.2), ("pathfinder", 0.3), ("nuts", 0.3)] {
        let own = answer(&output, method);
        assert!(own["usable"] == true && own["gradients"].as_u64().unwrap() > 0, "{own}");
        // The second has the variance of the first and its own.
        for (place, (mean, sd)) in [(3.0, 2.0), (3.0, 5_f64.sqrt())].into_iter().enumerate() {
            let figure = |name: &str| own["parameters"][place][name].as_f64().unwrap();
            assert!(
                (figure("mean") - mean).abs() < tolerance && (figure("sd") - sd).abs() < tolerance,
                "{own}"
            );
        }
    }
    assert!(laplace["gradients"].as_u64() < answer(&output, "nuts")["gradients"].as_u64());
    let table = std::fs::read_to_string(place.path("out/ladder.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 4 * 2, "{table}");
    // Nothing would be left.
    let nested = answer(&output, "nested laplace");
    assert!(nested["verdict"].as_str().unwrap().contains("nothing would be left to sample"), "{nested}");
    let text = place.succeed(&["model", "ladder", "gaussian.stan"]).stdout;
    assert!(text.contains("enough for this posterior: laplace"), "{text}");
}

#[test]
fn a_funnel_is_sampled_when_its_tube_is_integrated_out() {
    let place = Place::new();
    place.write(
        "funnel.stan",
        "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }",
    );
    let output = json(&place, &["model", "ladder", "funnel.stan"]);
    for method in ["mode", "laplace", "pathfinder", "nuts"] {
        let own = answer(&output, method);
        assert!(own["usable"] == false, "{own}");
    }
    assert_eq!(output["enough"], "nested laplace");
    let nested = answer(&output, "nested laplace");
    let figure = |name: &str| nested["parameters"][0][name].as_f64().unwrap();
    assert!(figure("mean").abs() < 0.3 && (figure("sd") - 3.0).abs() < 0.3, "{nested}");
    // k-hat is small where no draw has reached the wide part.
    let path = answer(&output, "pathfinder");
    assert!(path["off_by"].as_f64().unwrap() > 0.25, "{path}");
    let text = place.succeed(&["model", "ladder", "funnel.stan"]).stdout;
    assert!(text.contains("enough for this posterior: nested laplace"), "{text}");
}

#[test]
fn where_nothing_can_be_used_that_is_said() {
    // A funnel that is not normal.
    let place = Place::new();
    let program = "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ cauchy(0, exp(v)); }";
    place.write("funnel.stan", program);
    let run = [
        "model",
        "ladder",
        "funnel.stan",
        "--num-samples",
        "200",
        "--num-warmup",
        "200",
        "--num-chains",
        "2",
    ];
    let output = json(&place, &run);
    assert!(output["enough"].is_null(), "{output}");
    let text = place.succeed(&run).stdout;
    assert!(text.contains("warning: nothing gives this posterior as it is"), "{text}");
}

#[test]
fn programs_are_compared_by_their_runs() {
    let place = Place::new();
    let program = |mean: &str| {
        format!(
            "data {{ int N; vector[N] x; vector[N] y; }} parameters {{ real a; real b; }} \
             model {{ a ~ normal(0, 5); b ~ normal(0, 5); y ~ normal({mean}, 1); }} \
             generated quantities {{ vector[N] log_lik; for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | {}, 1); }}",
            mean.replace('x', "x[n]")
        )
    };
    place.write("flat.stan", program("a + 0 * x"));
    place.write("line.stan", program("a + b * x"));
    let rows = (0..20).map(|i| format!("{i},{}", f64::from(i) + f64::from(i * 7 % 5) / 2.0));
    place.write("data.csv", format!("x,y\n{}\n", rows.collect::<Vec<_>>().join("\n")));
    for name in ["flat", "line"] {
        let file = format!("{name}.stan");
        place.succeed(&["model", "sample", &file, "--data", "data.csv", "--num-chains", "2", "--out", name]);
    }
    let output = json(&place, &["model", "compare", "flat", "line"]);
    assert_eq!(output, json(&place, &["mcmc", "compare", "flat", "line"]));
    assert!(
        output["observations"] == 20 && output["models"][1]["stacking_weight"].as_f64().unwrap() > 0.9,
        "{output}"
    );
}
