//! The posteriors with a reference: means and standard deviations of the No-U-Turn sampler.

use posterior_model::StanPosterior;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};
use posterior_testkit::{reference, shared};
use serde_json::Value;

/// Its differential equation leaves 19 gradients a second: hours.
const TOO_SLOW: &str = "one_comp_mm_elim_abs";

/// The largest distance to the reference, in standard errors of both, and whose it is.
fn worst(posterior: &StanPosterior, expected: &Value, run: &Run) -> (f64, String) {
    let nuts = Nuts { target_accept: 0.9, ..Nuts::default() };
    let sampled = run.sample(posterior, &nuts, &Start::default()).unwrap();
    let names = posterior.names(true, true).unwrap();
    let mut draw = 0;
    let mapped = sampled.draws.map(names, |x, row| {
        draw += 1;
        row.copy_from_slice(&posterior.values(x, true, Some((1, draw))).unwrap());
    });
    let summary = mapped.unwrap().summary_of_level(0.9).unwrap();
    let mut worst = (0.0, String::new());
    for own in &summary.parameters {
        // The reference has brackets, the names points.
        let mut parts = own.name.split('.');
        let stem = parts.next().unwrap_or("");
        let indices: Vec<&str> = parts.collect();
        let name =
            if indices.is_empty() { stem.to_owned() } else { format!("{stem}[{}]", indices.join(",")) };
        let theirs = &expected[&name];
        if theirs.is_null() {
            continue;
        }
        let (mean, sd) = (reference::number(&theirs["mean"]), reference::number(&theirs["sd"]));
        let (Ok(own_mean), Ok(own_sd), Ok(mcse), Ok(mcse_sd)) = (own.mean, own.sd, own.mcse, own.mcse_sd)
        else {
            continue;
        };
        let of_mean = (own_mean - mean).abs() / mcse.hypot(sd / 100.0);
        let of_sd = (own_sd - sd).abs() / mcse_sd.hypot(sd / 141.0);
        for (distance, what) in [(of_mean, "mean"), (of_sd, "sd")] {
            if distance > worst.0 {
                worst = (distance, format!("{what} of {name}"));
            }
        }
    }
    assert!(!worst.1.is_empty(), "no parameter of the reference was found");
    worst
}

fn check(names: &[&str]) {
    let Some(file) = shared::shared_file("sampling", "data/posteriordb/reference.json") else { return };
    let all: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let list = std::fs::read_to_string(file.with_file_name("posteriors.json")).unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    let mut lines = vec![];
    let mut largest = 0.0_f64;
    for one in list.as_array().unwrap() {
        let text = |field: &str| one[field].as_str().unwrap_or("");
        let wanted = names.contains(&text("program")) || names.is_empty();
        if text("reference").is_empty() || !wanted || text("program") == TOO_SLOW {
            continue;
        }
        let Some(posterior) = super::densities::load("sampling", text("program"), text("data")) else {
            return;
        };
        let run = Run { seed: 3, chains: 2, ..Run::default() };
        let (distance, whose) = worst(&posterior, &all[text("reference")], &run);
        let line = format!("{} {distance:.1} {whose}", text("name"));
        println!("{line}");
        lines.push(line);
        largest = largest.max(distance);
    }
    assert!(largest < 4.0, "standard errors from the reference:\n{}", lines.join("\n"));
}

#[test]
fn draws_agree_with_references() {
    check(&["eight_schools_noncentered", "kidscore_momiq", "blr", "garch11", "gp_regr", "dogs"]);
}

#[test]
#[ignore = "slow"]
fn draws_agree_with_all_references() {
    check(&[]);
}
