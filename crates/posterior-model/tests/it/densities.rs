//! Log densities, gradients, values and names of the posterior data base against Stan's own.

use std::time::Instant;

use posterior_dist::target::{GradTarget, Target};
use posterior_model::{StanData, StanModel, StanPosterior};
use posterior_testkit::{reference, shared};
use serde_json::Value;

/// Programs whose gradient Stan computes less well: what is wrong there, and how far it may be off.
///
/// - `bernoulli_logit` of Stan 2.35 takes e^-20 = 2e-9 for nothing, and beyond that point has the sign of one
///   derivative wrong (`-exp_m_ntheta` in place of `signs * exp_m_ntheta`): the points with such odds are off
///   by that, times the observation's covariate.
/// - `sir` takes differences of nearly equal solutions of its equation: rounding is 1e-7 of the density.
/// - `one_comp_mm_elim_abs` uses the solver of CVODES at its tolerance of 1e-6, whose steps are not ours.
const LOOSE: [(&str, f64, f64); 5] = [
    ("hier_2pl", 1e-11, 1e-7),
    ("irt_2pl", 1e-11, 1e-6),
    ("logistic_regression_rhs", 1e-11, 1e-6),
    ("one_comp_mm_elim_abs", 1e-8, 1e-6),
    ("sir", 1e-6, 1e-5),
];

/// Eigenvectors of a matrix with nearly equal eigenvalues: their signs and, in Stan, their derivatives are
/// noise, and so are ours. Only the density is compared.
const EIGENVECTORS: &str = "kronecker_gp";

pub(crate) fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    (z >> 11) as f64 / 9007199254740992.0
}

fn point(seed: u64, dim: usize) -> Vec<f64> {
    let (mut state, scale) = (seed, if seed <= 100 { 2.0 } else { 0.2 });
    (0..dim).map(|_| scale * (2.0 * unit(&mut state) - 1.0)).collect()
}

fn weighted(all: &[f64]) -> f64 {
    let finite = all.iter().enumerate().filter(|(_, x)| x.is_finite());
    finite.map(|(i, x)| x * (i as f64).cos()).sum()
}

/// A posterior of the data base.
pub(crate) fn load(test: &str, program: &str, data: &str) -> Option<StanPosterior> {
    let text = shared::shared_file(test, &format!("data/posteriordb/programs/{program}.stan"))?;
    let text = std::fs::read_to_string(text).unwrap();
    let folder = text_folder(test)?;
    let data = read_data(&folder, data);
    let model = StanModel::parse(&text).unwrap_or_else(|error| panic!("{program}: {error}"));
    Some(model.with_data(&data).unwrap_or_else(|error| panic!("{program}: {error}")))
}

/// The text of a data set.
pub(crate) fn read_data(folder: &std::path::Path, data: &str) -> String {
    let plain = folder.join(format!("{data}.json"));
    if plain.exists() {
        return std::fs::read_to_string(plain).unwrap();
    }
    let file = std::fs::File::open(folder.join(format!("{data}.json.gz"))).unwrap();
    std::io::read_to_string(flate2::read::GzDecoder::new(file)).unwrap()
}

pub(crate) fn text_folder(test: &str) -> Option<std::path::PathBuf> {
    Some(shared::shared_file(test, "data/posteriordb/posteriors.json")?.with_file_name("data"))
}

fn close(what: &str, actual: f64, expected: f64, scale: f64, tolerance: f64) {
    let error = (actual - expected).abs() / expected.abs().max(scale).max(1e-300);
    assert!(actual == expected || error <= tolerance, "{what}: {actual} for {expected}, off by {error:.1e}");
}

fn compare(name: &str, record: &Value, posterior: &StanPosterior) {
    let dim = reference::count(&record["dim"]) as usize;
    assert_eq!(posterior.dim(), dim, "{name}");
    let names = posterior.names(true, false).unwrap();
    assert_eq!(names.len() as u64, reference::count(&record["names"]), "{name}");
    assert_eq!(record["ends"][0], names[0], "{name}");
    assert_eq!(record["ends"][1], *names.last().unwrap(), "{name}");
    let loose = LOOSE.iter().find(|one| one.0 == name);
    let (of_value, of_gradient) = loose.map_or((1e-9, 1e-9), |one| (one.1, one.2));
    let step = reference::count(&record["step"]) as usize;
    let mut gradient = vec![0.0; dim];
    for own in reference::list(&record["points"]) {
        let x = point(reference::count(&own["seed"]), dim);
        let number = |field: &str| reference::number(&own[field]);
        let value = posterior.ln_density_grad(&x, &mut gradient).unwrap();
        close(&format!("{name}: density"), value, number("lp"), 1.0, of_value);
        assert_eq!(posterior.ln_density(&x).unwrap(), value, "{name}: with a gradient and without");
        let plain = posterior.ln_density_of(&x, false, None).unwrap();
        close(&format!("{name}: density without Jacobian"), plain, number("plain"), 1.0, of_value);
        // Components are sums of terms of the size of the largest: that is what rounding leaves of them.
        let size = number("size");
        if name == EIGENVECTORS {
            continue;
        }
        for (i, expected) in reference::numbers(&own["gradient"]).into_iter().enumerate() {
            let what = format!("{name}: component {} of the gradient", i * step);
            close(&what, gradient[i * step], expected, 1e-3 * size.max(1.0), of_gradient);
        }
        close(&format!("{name}: gradient"), weighted(&gradient), number("sum"), size, of_gradient);
        let values = posterior.values(&x, true, None).unwrap();
        let largest = values.iter().filter(|x| x.is_finite()).fold(1.0_f64, |all, x| all.max(x.abs()));
        close(&format!("{name}: values"), weighted(&values), number("values"), largest, of_gradient);
        let own = posterior.names(false, false).unwrap().len();
        for (back, x) in posterior.unconstrain(&values[..own]).unwrap().iter().zip(&x) {
            close(&format!("{name}: back"), *back, *x, 1.0, 1e-8);
        }
    }
}

#[test]
fn all_programs_of_the_data_base_have_the_density_and_gradient_of_stan() {
    let table = reference::load("stan/densities");
    let table = table.as_object().unwrap();
    assert_eq!(table.len(), 88);
    for (name, record) in table {
        let Some(posterior) = load("densities", name, record["data"].as_str().unwrap()) else { return };
        assert!(posterior.is_static(), "{name}");
        compare(name, record, &posterior);
    }
}

#[test]
fn a_loop_over_observations_is_one_instruction() {
    let Some(posterior) = load("densities", "wells_dist", "wells_data") else { return };
    let (instructions, lanes) = posterior.graph_size().unwrap();
    assert!(instructions <= 12 && lanes > 3000, "{instructions} instructions of {lanes} lanes");
    // Normal ones are sums of squares.
    let Some(posterior) = load("densities", "radon_pooled", "radon_mn") else { return };
    let (instructions, lanes) = posterior.graph_size().unwrap();
    assert!(instructions <= 12 && lanes < 20, "{instructions} instructions of {lanes} lanes");
}

#[test]
#[ignore = "prints times"]
fn times_from_text_to_the_first_gradient() {
    let table = reference::load("stan/densities");
    let mut lines = vec![];
    for (name, record) in table.as_object().unwrap() {
        let Some(folder) = text_folder("times") else { return };
        let text = folder.with_file_name("programs").join(format!("{name}.stan"));
        let text = std::fs::read_to_string(text).unwrap();
        let data = read_data(&folder, record["data"].as_str().unwrap());
        let start = Instant::now();
        let model = StanModel::parse(&text).unwrap();
        let parsed = start.elapsed();
        let data = StanData::from_json(&data).unwrap();
        let read = start.elapsed();
        let posterior = model.with_values(&data, 0).unwrap();
        let recorded = start.elapsed();
        let mut gradient = vec![0.0; posterior.dim()];
        posterior.ln_density_grad(&vec![0.1; posterior.dim()], &mut gradient).ok();
        lines.push((
            start.elapsed(),
            format!("{name}: text until {parsed:.1?}, data {read:.1?}, record {recorded:.1?}"),
        ));
    }
    lines.sort();
    for (all, line) in lines.iter().rev() {
        println!("{line}, gradient {all:.1?}");
    }
}
