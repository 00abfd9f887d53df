//! The kernel that is searched for.

use super::{json, place};

/// A line and a season with noise: the search finds both, and draws them by themselves.
#[test]
fn a_trend_and_a_season_are_found() {
    let row = |i: u32| {
        let t = 0.25 * f64::from(i);
        let noise = 0.3 * (f64::from(i * i % 17) / 8.0 - 1.0);
        format!("{t},{}\n", 0.8 * t + 3.0 * (std::f64::consts::TAU * t / 4.0).sin() + noise)
    };
    let place = place("wave.csv", &format!("t,y\n{}", (0..60).map(row).collect::<String>()));
    let arguments =
        ["wave.csv", "--kernel", "auto", "--kernel-depth", "2", "--grid", "15:19:9", "--out", "fit"];
    let output = json(&place, &arguments);
    let kernel = output["kernel"].as_str().unwrap();
    assert!(kernel.contains("periodic") && output["components"].as_array().unwrap().len() >= 1, "{kernel}");
    let path = output["kernel_search"]["path"].as_array().unwrap();
    let bic: Vec<f64> = path.iter().map(|own| own["bic"].as_f64().unwrap()).collect();
    assert!(bic.len() == 2 && bic[1] < bic[0], "{path:?}");
    let ahead = output["predictions"].as_array().unwrap();
    for own in ahead {
        let t = own["x"][0].as_f64().unwrap();
        let truth = 0.8 * t + 3.0 * (std::f64::consts::TAU * t / 4.0).sin();
        assert!((own["mean"].as_f64().unwrap() - truth).abs() < 1.0, "{own} {truth}");
    }
    // The same kernel again: nothing depends on the threads.
    let again = json(&place, &[&arguments[..8], &["--threads", "1"]].concat());
    assert_eq!(again["kernel"], output["kernel"]);
    let page = std::fs::read_to_string(place.path("fit/report.html")).unwrap();
    assert!(page.contains("kernels were fitted"));
    for (arguments, says) in [
        (&["wave.csv", "--kernel", "1*rbf(1)", "--kernel-depth", "2"][..], "--kernel-depth"),
        (&["wave.csv", "--kernel", "auto", "--likelihood", "poisson"], "gaussian"),
    ] {
        let ended = place.run(&[&["gp", "fit"], arguments].concat());
        assert!(ended.code != Some(0) && ended.stderr.contains(says), "{}", ended.stderr);
    }
}
