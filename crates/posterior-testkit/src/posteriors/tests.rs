//! The densities, before any sampler runs: against the distributions of `posterior-dist`, against their
//! derivatives by machine, and against what the gradient must do on average.

use posterior_dist::{Beta, Density, Gamma, HalfCauchy, HalfNormal, Normal};
use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::DMatrix;
use serde_json::Value;

use super::{NAMES, Posterior, column};
use crate::shared::shared_file;

/// The normal quantile of [`LEVEL`](crate::significance::LEVEL), two-sided.
const Z: f64 = 4.892;

fn each(test: &str, mut check: impl FnMut(&str, &Posterior, Vec<Vec<f64>>)) {
    for name in NAMES {
        if let Some(posterior) = Posterior::load(test, name) {
            let free = posterior.reference.draws.iter().map(|draw| posterior.model.unconstrain(draw));
            let free = free.collect();
            check(name, &posterior, free);
        }
    }
}

#[test]
fn free_coordinates_go_there_and_back() {
    each("free_coordinates", |name, posterior, free| {
        assert_eq!(posterior.reference.draws.len(), 1000, "{name}");
        for (draw, free) in posterior.reference.draws.iter().zip(free) {
            let mut back = vec![0.0; draw.len()];
            posterior.model.constrain(&free, &mut back);
            for (a, b) in draw.iter().zip(back) {
                assert!((a - b).abs() <= 1e-13 * (1.0 + a.abs()), "{name}: {a} {b}");
            }
        }
    });
}

#[test]
fn derivatives_by_hand_and_by_machine_agree() {
    each("derivatives", |name, posterior, free| {
        let n = free[0].len();
        let (mut by_hand, mut by_machine) = (vec![0.0; n], vec![0.0; n]);
        // Draws, and points far away from all of them.
        let far = (0..20).map(|k| (0..n).map(|i| 2.0 * (f64::from(k * 17) + i as f64).sin()).collect());
        for x in free.iter().step_by(20).cloned().chain(far) {
            let machine = posterior.model.differentiated(&x, &mut by_machine).unwrap();
            let hand = posterior.model.ln_density_grad(&x, &mut by_hand).unwrap();
            assert_eq!(hand, posterior.model.ln_density(&x).unwrap(), "{name}");
            let origin = posterior.model.differentiated(&free[0], &mut vec![0.0; n]).unwrap();
            let origin_by_hand = posterior.model.ln_density(&free[0]).unwrap();
            let (by, of) = (hand - origin_by_hand, machine - origin);
            assert!((by - of).abs() <= 1e-10 * (1.0 + of.abs()), "{name} {x:?}: {by} {of}");
            let size = by_machine.iter().fold(1.0_f64, |size, g| size.max(g.abs()));
            for (a, b) in by_hand.iter().zip(&by_machine) {
                assert!((a - b).abs() <= 1e-10 * size, "{name} {x:?}: {by_hand:?} {by_machine:?}");
            }
        }
    });
}

/// E ∇ ln p = 0 and E (x - m) ∇ᵀ ln p = -I: a wrong likelihood, prior or Jacobian moves one of them.
#[test]
fn the_gradient_vanishes_on_average_over_the_reference_draws() {
    each("stein", |name, posterior, free| {
        let (n, count) = (free[0].len(), free.len() as f64);
        let mut slopes = vec![vec![0.0; n]; free.len()];
        for (x, slope) in free.iter().zip(&mut slopes) {
            posterior.model.ln_density_grad(x, slope).unwrap();
        }
        let centre: Vec<f64> = (0..n).map(|i| free.iter().map(|x| x[i]).sum::<f64>() / count).collect();
        let z_score = |values: &mut dyn Iterator<Item = f64>| {
            let values: Vec<f64> = values.collect();
            let mean = values.iter().sum::<f64>() / count;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (count - 1.0);
            mean / (variance / count).sqrt()
        };
        for j in 0..n {
            let first = z_score(&mut slopes.iter().map(|slope| slope[j]));
            assert!(first.abs() < Z, "{name}: the mean slope in coordinate {j} is {first} standard errors");
            for i in 0..n {
                let unit = f64::from(i == j);
                let mut values =
                    free.iter().zip(&slopes).map(|(x, slope)| (x[i] - centre[i]) * slope[j] + unit);
                let second = z_score(&mut values);
                assert!(second.abs() < Z, "{name}: coordinates {i}, {j} are {second} standard errors off");
            }
        }
    });
}

#[test]
fn densities_are_those_of_the_distributions_in_the_models() {
    each("distributions", |name, posterior, free| {
        let path = shared_file("distributions", &format!("data/posteriors/{name}.json")).unwrap();
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let by_distributions = |draw: &[f64]| with_distributions(name, &file["data"], draw);
        let draws = &posterior.reference.draws;
        let ours: Vec<f64> = free.iter().map(|x| posterior.model.ln_density(x).unwrap()).collect();
        for i in (1..draws.len()).step_by(37) {
            let (a, b) = (ours[i] - ours[0], by_distributions(&draws[i]) - by_distributions(&draws[0]));
            assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
        }
    });
}

/// ln p of the data and the parameters, with the Jacobian of the free coordinates.
fn with_distributions(name: &str, data: &Value, draw: &[f64]) -> f64 {
    let list = |key: &str| column(data, key);
    let normal = |x: f64, mean: f64, sd: f64| Normal::mean_sd(mean, sd).unwrap().ln_pdf(&x);
    let half_cauchy = |x: f64, scale: f64| HalfCauchy::new(scale).unwrap().ln_pdf(&x);
    let half_normal = |x: f64, scale: f64| HalfNormal::new(scale).unwrap().ln_pdf(&x);
    let regression = |y: &[f64], mean: &dyn Fn(usize) -> f64| {
        let sigma = draw[draw.len() - 1];
        (0..y.len()).map(|i| normal(y[i], mean(i), sigma)).sum::<f64>() + sigma.ln()
    };
    let b = draw;
    match name {
        "arK-arK" => {
            let y = list("y");
            let mean = |i: usize| b[0] + (1..=5).map(|k| b[k] * y[i + 5 - k]).sum::<f64>();
            let prior: f64 = b[..6].iter().map(|&b| normal(b, 0.0, 10.0)).sum();
            regression(&y[5..], &mean) + prior + half_cauchy(b[6], 2.5)
        }
        "earnings-logearn_interaction" => {
            let (height, male) = (list("height"), list("male"));
            let y: Vec<f64> = list("earn").iter().map(|y| y.ln()).collect();
            regression(&y, &|i| b[0] + b[1] * height[i] + b[2] * male[i] + b[3] * height[i] * male[i])
        }
        "eight_schools-eight_schools_noncentered" => {
            let (y, sigma) = (list("y"), list("sigma"));
            let (mu, tau) = (b[8], b[9]);
            let school = |j: usize| normal(y[j], b[j], sigma[j]) + normal(b[j], mu, tau);
            let prior = normal(mu, 0.0, 5.0) + half_cauchy(tau, 5.0);
            (0..8).map(school).sum::<f64>() + prior + 9.0 * tau.ln()
        }
        "gp_pois_regr-gp_regr" => {
            let (x, y) = (list("x"), list("y"));
            let [rho, alpha, sigma] = [b[0], b[1], b[2]];
            let covariance = DMatrix::from_fn(11, 11, |i, j| {
                let smooth = alpha * alpha * (-(x[i] - x[j]).powi(2) / (2.0 * rho * rho)).exp();
                smooth + if i == j { sigma } else { 0.0 }
            });
            let distribution = MomentGaussian::new(&[0.0; 11], &covariance).unwrap();
            let prior = Gamma::shape_rate(25.0, 4.0).unwrap().ln_pdf(&rho);
            let prior = prior + half_normal(alpha, 2.0) + half_normal(sigma, 1.0);
            distribution.ln_pdf(&y).unwrap() + prior + (rho * alpha * sigma).ln()
        }
        "kidiq-kidscore_interaction" => {
            let (school, iq) = (list("mom_hs"), list("mom_iq"));
            let mean = |i: usize| b[0] + b[1] * school[i] + b[2] * iq[i] + b[3] * school[i] * iq[i];
            regression(&list("kid_score"), &mean) + half_cauchy(b[4], 2.5)
        }
        "kidiq-kidscore_momiq" => {
            let iq = list("mom_iq");
            regression(&list("kid_score"), &|i| b[0] + b[1] * iq[i]) + half_cauchy(b[2], 2.5)
        }
        "low_dim_gauss_mix-low_dim_gauss_mix" => {
            let prior = normal(b[0], 0.0, 2.0) + normal(b[1], 0.0, 2.0);
            let prior = prior + half_normal(b[2], 2.0) + half_normal(b[3], 2.0);
            let prior = prior + Beta::new(5.0, 5.0).unwrap().ln_pdf(&b[4]);
            let density = |y: &f64| {
                let (first, second) = (normal(*y, b[0], b[2]).exp(), normal(*y, b[1], b[3]).exp());
                (b[4] * first + (1.0 - b[4]) * second).ln()
            };
            let jacobian = (b[1] - b[0]).ln() + (b[2] * b[3] * b[4] * (1.0 - b[4])).ln();
            list("y").iter().map(density).sum::<f64>() + prior + jacobian
        }
        "mesquite-logmesquite" => {
            let keys = ["diam1", "diam2", "canopy_height", "total_height", "density"];
            let x: Vec<Vec<f64>> =
                keys.iter().map(|key| list(key).iter().map(|x| x.ln()).collect()).collect();
            let group = list("group");
            let y: Vec<f64> = list("weight").iter().map(|y| y.ln()).collect();
            regression(&y, &|i| b[0] + (0..5).map(|k| b[k + 1] * x[k][i]).sum::<f64>() + b[6] * group[i])
        }
        "nes1980-nes" => {
            let x = ["real_ideo", "race_adj", "educ1", "gender", "income", "age_discrete"].map(list);
            let age = |i: usize| match x[5][i] {
                1.0 => 0.0,
                age => b[age as usize + 1],
            };
            let rest = |i: usize| b[6] * x[2][i] + b[7] * x[3][i] + b[8] * x[4][i];
            regression(&list("partyid7"), &|i| b[0] + b[1] * x[0][i] + b[2] * x[1][i] + age(i) + rest(i))
        }
        _ => {
            let rows = data["X"].as_array().unwrap();
            let mean = |i: usize| (0..5).map(|k| b[k] * rows[i][k].as_f64().unwrap()).sum::<f64>();
            let prior: f64 = b[..5].iter().map(|&b| normal(b, 0.0, 10.0)).sum();
            regression(&list("y"), &mean) + prior + half_normal(b[5], 10.0)
        }
    }
}
