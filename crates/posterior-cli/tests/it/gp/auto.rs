//! The kernel that is searched for.

#![expect(clippy::format_collect, reason = "a table of a few lines")]

use posterior::dist::stream::stream;
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::linalg::DMatrix;

use super::{json, place};

/// A line and a season with noise: the search finds both, and draws them by themselves.
#[test]
fn a_trend_and_a_season_are_found() {
    let truth = |t: f64| 0.8 * t + 3.0 * (std::f64::consts::TAU * t / 4.0).sin();
    let times = DMatrix::from_fn(60, 1, |i, _| 0.25 * i as f64);
    let noise = GaussianProcess::new(0.09 * Kernel::white()).sample(&times, &mut stream(3, &[1])).unwrap();
    let rows = times.iter().zip(noise.iter());
    let rows: String = rows.map(|(t, noise)| format!("{t},{}\n", truth(*t) + noise)).collect();
    let place = place("wave.csv", &format!("t,y\n{rows}"));
    let arguments =
        ["wave.csv", "--kernel", "auto", "--kernel-depth", "2", "--grid", "15:19:9", "--out", "fit"];
    let output = json(&place, &arguments);
    let kernel = output["kernel"].as_str().unwrap();
    assert!(kernel.contains("periodic") && !output["components"].as_array().unwrap().is_empty(), "{kernel}");
    let path = output["kernel_search"]["path"].as_array().unwrap();
    let bic: Vec<f64> = path.iter().map(|own| own["bic"].as_f64().unwrap()).collect();
    assert!(bic.len() > 1 && bic.windows(2).all(|pair| pair[1] < pair[0]), "{path:?}");
    // A period beyond the data, the line goes on and the season comes round again.
    for own in output["predictions"].as_array().unwrap() {
        let expected = truth(own["x"][0].as_f64().unwrap());
        let [mean, sd] = ["mean", "sd_of_function"].map(|name| own["new_outcome"][name].as_f64().unwrap());
        assert!((mean - expected).abs() < 1.0 && sd < 0.5, "{own} {expected}");
    }
    // The same kernel again: nothing depends on the threads.
    let again = json(&place, &[&arguments[..7], &["--threads", "1"]].concat());
    assert_eq!(again["kernel"], output["kernel"]);
    let page = std::fs::read_to_string(place.path("fit/report.html")).unwrap();
    assert!(page.contains("kernels were fitted"));
    place.write("counts.csv", "t,n\n0,1\n1,2\n2,0\n3,4\n");
    for (arguments, says) in [
        (&["wave.csv", "--kernel", "1*rbf(1)", "--kernel-depth", "2"][..], "--kernel-depth"),
        (&["counts.csv", "--kernel", "auto", "--likelihood", "poisson"], "gaussian"),
    ] {
        let ended = place.run(&[&["gp", "fit"], arguments].concat());
        assert!(ended.code != Some(0) && ended.stderr.contains(says), "{}", ended.stderr);
    }
}
