//! The posteriors with a reference: means and standard deviations of the No-U-Turn sampler.

use std::time::Instant;

use posterior_dist::stream::stream;
use posterior_dist::target::Target as _;
use posterior_model::{StanData, StanPosterior};
use posterior_sampling::diagnostics::{ChainSummary, ess_bulk, mcse_quantile};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::marginal::{IntegratedTarget, Integration};
use posterior_sampling::{Run, Start};
use posterior_testkit::{reference, shared};
use serde_json::Value;

/// Programs with tails of K^-3, from Cauchy priors on a ridge: quantiles of long chains are compared.
const WITHOUT_VARIANCE: &[&str] = &["one_comp_mm_elim_abs"];

/// The largest distance to the reference, in standard errors of both, and what is printed of the run.
fn worst(posterior: &StanPosterior, expected: &Value, run: &Run, without_variance: bool) -> (f64, String) {
    let nuts = Nuts { target_accept: 0.9, ..Nuts::default() };
    let begin = Instant::now();
    let sampled = run.sample(posterior, &nuts, &Start::default()).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let divergences = sampled.chains.iter().flat_map(|chain| &chain.divergences);
    let divergences = divergences.filter(|own| own.iteration >= run.warm_up).count();
    let least = (0..posterior.dim()).filter_map(|k| ess_bulk(&sampled.draws.parameter(k)).ok());
    let least = least.fold(f64::INFINITY, f64::min);
    let names = posterior.names(true, true).unwrap();
    let mut draw = 0;
    let mapped = sampled.draws.map(names, |x, row| {
        draw += 1;
        row.copy_from_slice(&posterior.values(x, true, Some((1, draw))).unwrap());
    });
    let mapped = mapped.unwrap();
    let summary = mapped.summary_of_level(0.9).unwrap();
    let mut worst = (0.0, String::new());
    let mut compare = |distance: f64, what: String| {
        if distance > worst.0 {
            worst = (distance, what);
        }
    };
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
        if without_variance {
            // The reference has more independent draws than the chains.
            let chains = mapped.named(&own.name).unwrap();
            for (p, field, own) in [(0.05, "q05", own.low), (0.5, "q50", own.q50), (0.95, "q95", own.high)] {
                let error = std::f64::consts::SQRT_2 * mcse_quantile(&chains, p).unwrap();
                let distance = (own.unwrap() - reference::number(&theirs[field])).abs() / error;
                compare(distance, format!("{field} of {name}"));
            }
            continue;
        }
        let (mean, sd) = (reference::number(&theirs["mean"]), reference::number(&theirs["sd"]));
        let (Ok(own_mean), Ok(own_sd), Ok(mcse), Ok(mcse_sd)) = (own.mean, own.sd, own.mcse, own.mcse_sd)
        else {
            continue;
        };
        let of_mean = (own_mean - mean).abs() / mcse.hypot(sd / 100.0);
        let of_sd = (own_sd - sd).abs() / mcse_sd.hypot(sd / 141.0);
        compare(of_mean, format!("mean of {name}"));
        compare(of_sd, format!("sd of {name}"));
    }
    let (distance, whose) = worst;
    assert!(!whose.is_empty(), "no parameter of the reference was found");
    (distance, format!("{distance:.1} | {whose} | {:.0} | {divergences}", least / seconds))
}

fn check(names: &[&str]) {
    let Some(file) = shared::shared_file("sampling", "data/posteriordb/reference.json") else { return };
    let all: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let list = std::fs::read_to_string(file.with_file_name("posteriors.json")).unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    let mut lines = vec![];
    let mut largest = 0.0_f64;
    println!(
        "| posterior | standard errors from the reference | of | effective draws a second | divergences |"
    );
    for one in list.as_array().unwrap() {
        let text = |field: &str| one[field].as_str().unwrap_or("");
        let wanted = names.contains(&text("program")) || names.is_empty();
        if text("reference").is_empty() || !wanted {
            continue;
        }
        let Some(posterior) = super::densities::load("sampling", text("program"), text("data")) else {
            return;
        };
        let without_variance = WITHOUT_VARIANCE.contains(&text("program"));
        let run = Run { seed: 3, chains: 2, ..Run::default() };
        let run = if without_variance { Run { draws: 16_000, ..run } } else { run };
        let (distance, of_run) = worst(&posterior, &all[text("reference")], &run, without_variance);
        let line = format!("| {} | {of_run} |", text("name"));
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

/// Summaries of all parameters, by chains of the program or of what is left when what is normal given the
/// rest is integrated out.
pub(crate) fn summary(
    posterior: &StanPosterior,
    marginal: Option<&IntegratedTarget<&StanPosterior>>,
) -> ChainSummary {
    let run = Run { seed: 5, ..Run::default() };
    let nuts = Nuts { target_accept: 0.95, ..Nuts::default() };
    let start = Start::default();
    let mut rng = stream(6, &[]);
    let draws = match marginal {
        Some(own) => run.sample(own, &nuts, &start).unwrap().draws,
        None => run.sample(posterior, &nuts, &start).unwrap().draws,
    };
    let mapped = draws.map(posterior.names(false, false).unwrap(), |x, row| {
        let point =
            marginal.map_or_else(|| x.to_vec(), |own| own.conditional_draw(x, &mut rng).unwrap().point);
        row.copy_from_slice(&posterior.values(&point, false, None).unwrap());
    });
    mapped.unwrap().summary()
}

/// The most coordinates that are integrated out: chains of more take more than twenty minutes.
const MOST: usize = 200;

/// The programs of the data base of which something is worth integrating out, and their largest distance.
fn compare_marginal(names: &[&str]) -> usize {
    let Some(list) = shared::shared_file("sampling", "data/posteriordb/posteriors.json") else { return 0 };
    let folder = list.with_file_name("data");
    let list: Value = serde_json::from_str(&std::fs::read_to_string(list).unwrap()).unwrap();
    let mut lines = vec![];
    let mut largest = 0.0_f64;
    for one in list.as_array().unwrap() {
        let text = |field: &str| one[field].as_str().unwrap_or("");
        if !(names.contains(&text("program")) || names.is_empty()) || text("data").ends_with("_all") {
            continue;
        }
        // Of some posteriors the list has the name alone.
        let has_data =
            ["json", "json.gz"].iter().any(|end| folder.join(format!("{}.{end}", text("data"))).exists());
        if !has_data {
            println!("{}: skipped, without data", text("name"));
            continue;
        }
        let Some(posterior) = super::densities::load("sampling", text("program"), text("data")) else {
            continue;
        };
        let groups: Vec<Vec<usize>> =
            posterior.gaussian_parameters().iter().map(|own| own.coordinates().collect()).collect();
        let count: usize = groups.iter().map(Vec::len).sum();
        if count == 0 || count == posterior.dim() || count > MOST {
            continue;
        }
        let start = posterior.starts(&StanData::default(), 1, 0.5, 1).unwrap().swap_remove(0);
        let marginal = IntegratedTarget::new(&posterior, &groups, Integration::Gaussian, &start).unwrap();
        let (gradients, own) = (marginal.gradients_per_evaluation(), marginal.integrated().len());
        if gradients > 64 || gradients >= 2 * own + 2 {
            continue;
        }
        let (plain, exact) = (summary(&posterior, None), summary(&posterior, Some(&marginal)));
        let (mut worst, mut whose) = (0.0, String::new());
        for (one, other) in plain.parameters.iter().zip(&exact.parameters) {
            let (Ok(a), Ok(b), Ok(error), Ok(of_other)) = (one.mean, other.mean, one.mcse, other.mcse) else {
                continue;
            };
            let distance = (a - b).abs() / error.hypot(of_other);
            if distance > worst {
                (worst, whose) = (distance, one.name.clone());
            }
        }
        let warnings = exact.warnings.len();
        let line = format!(
            "{} {own} of {} coordinates, {worst:.1} {whose}, {warnings}",
            text("name"),
            posterior.dim()
        );
        println!("{line}");
        lines.push(line);
        largest = largest.max(worst);
    }
    // The largest of some hundred parameters.
    assert!(largest < 4.5, "standard errors between both:\n{}", lines.join("\n"));
    lines.len()
}

#[test]
fn what_is_integrated_out_leaves_the_posterior_as_it_is() {
    let names = ["eight_schools_noncentered", "pilots"];
    assert!(compare_marginal(&names) > 0 || shared::shared_dir().is_none());
}

#[test]
#[ignore = "slow"]
fn all_that_can_be_integrated_out_leaves_the_posterior_as_it_is() {
    assert!(compare_marginal(&[]) > 5 || shared::shared_dir().is_none());
}
