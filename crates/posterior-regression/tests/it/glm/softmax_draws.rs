//! The posterior of several classes, averaged over the scale of the prior: two engines, quadrature,
//! reliability by simulation.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use posterior_regression::glm::{DrawnBy, ScalePrior, SoftmaxRegression};
use posterior_regression::network::{
    Activation, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, fit,
};
use posterior_sampling::Run;
use rand::{Rng, RngExt as _};
use rand_distr::StandardNormal;

const INTERCEPT_SD: f64 = 0.5;

/// A column of ones, and independent normal ones.
fn design<R: Rng>(rows: usize, columns: usize, rng: &mut R) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns + 1, |_, j| if j == 0 { 1.0 } else { rng.sample(StandardNormal) })
}

/// Softmax of the rows of the logits.
fn probabilities(mut logits: DMatrix<f64>) -> DMatrix<f64> {
    for row in 0..logits.nrows() {
        let mut own: Vec<f64> = logits.row(row).iter().copied().collect();
        softmax_in_place(&mut own);
        logits.row_mut(row).iter_mut().zip(own).for_each(|(place, p)| *place = p);
    }
    logits
}

fn drawn<R: Rng>(probabilities: &DMatrix<f64>, rng: &mut R) -> Vec<usize> {
    let draw = |row: usize| {
        let mut left: f64 = rng.random();
        let below = |class: &usize| {
            left -= probabilities[(row, *class)];
            left >= 0.0
        };
        (0..probabilities.ncols() - 1).take_while(below).count()
    };
    (0..probabilities.nrows()).map(draw).collect()
}

/// Three classes by `columns` columns with independent coefficients N(0, sd²) of each class: design, labels
/// and probabilities of all rows, of which the first are to be fitted; intercepts N(0, ½²).
fn simulated<R: Rng>(
    fitted: usize,
    new: usize,
    columns: usize,
    sd: f64,
    rng: &mut R,
) -> (DMatrix<f64>, Vec<usize>, DMatrix<f64>) {
    loop {
        let x = design(fitted + new, columns, rng);
        let coefficients = DMatrix::from_fn(columns + 1, 3, |j, _| {
            rng.sample::<f64, _>(StandardNormal) * if j == 0 { INTERCEPT_SD } else { sd }
        });
        let truth = probabilities(&x * coefficients);
        let labels = drawn(&truth, rng);
        if (0..3).all(|class| labels[..fitted].contains(&class)) {
            return (x, labels, truth);
        }
    }
}

/// A network without hidden units has the same Laplace evidence: its constant that is common to all classes
/// integrates to one.
#[test]
fn laplace_has_the_evidence_of_a_network() {
    let mut rng = stream(11, &[]);
    let (x, labels, _) = simulated(40, 0, 2, 1.0, &mut rng);
    let model = SoftmaxRegression::new(&x, &labels, 3).unwrap();
    for sd in [0.2, 1.0, 5.0] {
        let own = model.laplace(&ScalePrior::known(sd).unwrap(), sd, 1).unwrap();
        assert_eq!((own.draws().drawn_by, own.median_scale()), (DrawnBy::Laplace, sd));
        let inputs = x.columns(1, 2).into_owned();
        let observations = NetworkData::classes(inputs.clone(), &labels, 3).unwrap();
        let network = Network::new(2, &[], 3, Activation::Tanh).unwrap();
        let joint =
            Joint::new(network, observations, NetworkHyperparameters::new(sd.powi(-2)).unwrap()).unwrap();
        let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
        let other = NetworkLaplace::new(&joint, &mode.weights, HessianKind::GaussNewton).unwrap();
        let error = own.ln_evidence().unwrap() - other.ln_evidence();
        assert!(error.abs() < 1e-5, "{sd} {error}");
        // 8,000 draws for one, points of a net for the other.
        let found = own.response(&x.rows(0, 5).into_owned()).unwrap();
        let expected = other.latent(&inputs.rows(0, 5).into_owned()).unwrap().response();
        assert!((&found - &expected).amax() < 0.01, "{sd} {found} {expected}");
    }
}

/// Nine rows, three classes, one column: the integral over the two coefficients by sums on a lattice, for
/// each scale.
#[test]
fn nine_rows_are_as_quadrature_has_them() {
    let x = DMatrix::from_fn(9, 1, |i, _| i as f64 / 3.0 - 1.2);
    let labels = [0, 0, 1, 0, 1, 2, 1, 2, 2];
    let scale = ScalePrior::half_cauchy(1.0).unwrap();
    let step = 0.05;
    // Along the coefficients of the classes 1 and 2 less that of class 0.
    let lattice: Vec<[f64; 2]> = (-400..=400)
        .flat_map(|i| (-400..=400).map(move |j| [f64::from(i) * step, f64::from(j) * step]))
        .collect();
    let ln_densities: Vec<f64> = lattice
        .iter()
        .map(|[a, b]| {
            let of_row = |(row, &label): (usize, &usize)| {
                let logits = [0.0, a * x[row], b * x[row]];
                logits[label] - ln_sum_exp(&logits)
            };
            let ln_likelihood: f64 = labels.iter().enumerate().map(of_row).sum();
            let ln_prior = |(sd, probability): (f64, f64)| {
                let distance = (2.0 / 3.0) * (a * a - a * b + b * b) / (sd * sd);
                (probability / (std::f64::consts::TAU * sd * sd * 3_f64.sqrt())).ln() - 0.5 * distance
            };
            ln_likelihood + ln_sum_exp(&scale.points().map(ln_prior).collect::<Vec<_>>())
        })
        .collect();
    let total = ln_sum_exp(&ln_densities);
    let ln_evidence = total + 2.0 * step.ln();
    let model = SoftmaxRegression::new(&x, &labels, 3).unwrap();
    let own = model.corrected(&scale, 10.0, 1).unwrap();
    assert_eq!(own.draws().drawn_by, DrawnBy::ImportanceSampling);
    let error = own.ln_evidence().unwrap() - ln_evidence;
    let plain = model.laplace(&scale, 10.0, 1).unwrap();
    println!("ln evidence {ln_evidence}: {error}, Laplace {}", plain.ln_evidence().unwrap() - ln_evidence);
    assert!(error.abs() < 0.02, "{error}");
    let at = DMatrix::from_column_slice(3, 1, &[-1.0, 0.4, 2.0]);
    let found = own.response(&at).unwrap();
    for row in 0..3 {
        for class in 0..3 {
            let of_point = |([a, b], ln): (&[f64; 2], &f64)| {
                let mut p = [0.0, a * at[row], b * at[row]];
                softmax_in_place(&mut p);
                p[class] * (ln - total).exp()
            };
            let expected: f64 = lattice.iter().zip(&ln_densities).map(of_point).sum();
            assert!((found[(row, class)] - expected).abs() < 0.01, "{row} {class} {expected} {found}");
        }
    }
}

#[test]
fn weighted_draws_agree_with_the_sampler() {
    let mut rng = stream(12, &[]);
    let (x, labels, _) = simulated(60, 10, 3, 1.5, &mut rng);
    let (old, new) = (x.rows(0, 60).into_owned(), x.rows(60, 10).into_owned());
    let model = SoftmaxRegression::new(&old, &labels[..60], 3).unwrap();
    let scale = ScalePrior::half_cauchy(1.0).unwrap();
    let weighted = model.corrected(&scale, 10.0, 5).unwrap();
    let chains = model.by_nuts(&scale, 10.0, &Run { seed: 5, ..Run::default() }).unwrap();
    println!("{:?} {:?}", weighted.draws().drawn_by, weighted.draws().pareto_shape);
    assert!((weighted.response(&new).unwrap() - chains.response(&new).unwrap()).amax() < 0.015);
    assert!(weighted.draws().pareto_shape.unwrap() < 0.7 && chains.ln_evidence().is_none());
    let levels = [0.05, 0.95];
    let ends = |own: &posterior_regression::glm::SoftmaxDraws| own.response_quantiles(&new, &levels).unwrap();
    for (a, b) in ends(&weighted).iter().zip(ends(&chains)) {
        assert!((a - &b).amax() < 0.04, "{a} {b}");
    }
    for (a, b) in weighted.scales().zip(chains.scales()) {
        assert!((a.1 - b.1).abs() < 0.02, "{a:?} {b:?}");
    }
    // The coefficients of a column are those of the classes less their mean.
    let of_class = |class| weighted.sum_to_zero("", class, 1, 2.0).unwrap().mean;
    assert!((0..3).map(of_class).sum::<f64>().abs() < 1e-12);
    assert!(weighted.response(&DMatrix::zeros(1, 2)).is_err());
    assert!(weighted.response_quantiles(&new, &[1.0]).is_err());
    assert!(model.corrected(&scale, 0.0, 5).is_err());
}

/// The probability that is stated of the class said to be most probable, less the true one of that class, and
/// the proportion of true probabilities in their intervals of 90 %: at new rows of data sets from the model
/// itself.
#[test]
fn most_probable_classes_are_as_probable_as_is_stated() {
    let scale = ScalePrior::half_cauchy(0.5).unwrap();
    let sds: Vec<(f64, f64)> = scale.points().collect();
    let (sets, new) = (60, 20);
    let mut rng = stream(13, &[]);
    let (mut differences, mut inside) = (Vec::new(), Vec::new());
    for seed in 0..sets {
        let mut left: f64 = rng.random();
        let drawn = sds.iter().find(|(_, probability)| {
            left -= probability;
            left < 0.0
        });
        let sd = drawn.unwrap_or(&sds[8]).0;
        let (x, labels, truth) = simulated(60, new, 2, sd, &mut rng);
        let (old, new) = (x.rows(0, 60).into_owned(), x.rows(60, new).into_owned());
        let model = SoftmaxRegression::new(&old, &labels[..60], 3).unwrap();
        let draws = model.corrected(&scale, INTERCEPT_SD, seed).unwrap();
        let (found, ends) =
            (draws.response(&new).unwrap(), draws.response_quantiles(&new, &[0.05, 0.95]).unwrap());
        let (mut difference, mut covered) = (0.0, 0.0);
        for row in 0..new.nrows() {
            let best = found.row(row).transpose().imax();
            let p = truth[(60 + row, best)];
            difference += found[(row, best)] - p;
            covered += f64::from(u8::from((ends[0][(row, best)]..=ends[1][(row, best)]).contains(&p)));
        }
        differences.push(difference / new.nrows() as f64);
        inside.push(covered / new.nrows() as f64);
    }
    let moments = |all: &[f64]| {
        let count = all.len() as f64;
        let mean = all.iter().sum::<f64>() / count;
        let variance = all.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, (variance / count).sqrt())
    };
    let ((mean, error), (inside, of_inside)) = (moments(&differences), moments(&inside));
    println!("stated less true {mean:.3} ± {error:.3}, in their intervals {inside:.3} ± {of_inside:.3}");
    assert!(mean.abs() < 0.02 && (inside - 0.9).abs() < 0.05, "{mean} {error} {inside} {of_inside}");
}
