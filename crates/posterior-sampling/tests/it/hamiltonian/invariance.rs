//! One step from an exact draw is a draw, and the step back is as probable as the step: what wrong weights or
//! criteria would break.

use posterior_dist::stream::stream;
use posterior_dist::target::{FromGradFn, GradTarget};
use posterior_math::linalg::DMatrix;
use posterior_sampling::hamiltonian::{FixedPath, Metric, NoUTurn, Particle, PathLength};
use posterior_sampling::{State, Transition};
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::standard;

const REPLICATES: u64 = 60_000;
const CELLS: usize = 6;

fn normal_cdf(x: f64) -> f64 {
    posterior_math::special::normal_cdf(x)
}

/// The logistic distribution: tails that are not a normal distribution's.
fn logistic() -> impl GradTarget + Sync {
    FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        let e = (-x[0].abs()).exp();
        gradient[0] = -x[0].signum() * (1.0 - e) / (1.0 + e);
        -x[0].abs() - 2.0 * e.ln_1p()
    })
}

/// v ~ N(0, 1), x | v ~ N(0, e^v): not normal, and with steps that err much where v is small.
fn small_funnel() -> impl GradTarget + Sync {
    FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let precision = (-x[0]).exp();
        gradient[1] = -x[1] * precision;
        gradient[0] = -x[0] - 0.5 + 0.5 * x[1] * x[1] * precision;
        -0.5 * (x[0] * x[0] + x[0] + x[1] * x[1] * precision)
    })
}

/// From `start`, a vector of uniform numbers that is a function of an exact draw, to the point; `to_uniform`
/// is the way back.
fn check<T: GradTarget, K: Transition<T, State = Particle>>(
    target: &T,
    kernel: &K,
    draw: impl Fn(&mut rand_pcg::Pcg64) -> Vec<f64>,
    to_uniform: impl Fn(&[f64]) -> Vec<f64>,
) {
    let dim = draw(&mut stream(0, &[])).len();
    let (mut after, mut flows) = (vec![Vec::new(); dim], vec![[[0_u64; CELLS]; CELLS]; dim]);
    for replicate in 0..REPLICATES {
        let mut rng = stream(11, &[replicate]);
        let start = draw(&mut rng);
        let mut particle = kernel.init(target, &start).unwrap();
        kernel.step(target, &mut particle, &mut rng).unwrap();
        let (from, to) = (to_uniform(&start), to_uniform(particle.position()));
        for i in 0..dim {
            after[i].push(to[i]);
            let cell = |u: f64| ((u * CELLS as f64) as usize).min(CELLS - 1);
            flows[i][cell(from[i])][cell(to[i])] += 1;
        }
    }
    for i in 0..dim {
        let p_value = kolmogorov_smirnov_p_value(&after[i], |u| u.clamp(0.0, 1.0));
        assert!(p_value > LEVEL, "coordinate {i} has left its distribution: {p_value}");
        for (a, b) in (0..CELLS).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let [there, back] = [flows[i][a][b], flows[i][b][a]];
            let mean = (there + back) as f64 / 2.0;
            let p_value = chi_square_p_value(&[there, back], &[mean, mean]);
            assert!(p_value > LEVEL / 30.0, "coordinate {i}: {there} from {a} to {b}, {back} back");
        }
        let moved: u64 = (0..CELLS).map(|a| flows[i][a].iter().sum::<u64>() - flows[i][a][a]).sum();
        assert!(moved > REPLICATES / 10, "coordinate {i} hardly moves: {moved}");
    }
}

fn uniform_to_logistic(rng: &mut rand_pcg::Pcg64) -> Vec<f64> {
    let u: f64 = rng.random();
    vec![(u / (1.0 - u)).ln()]
}

fn logistic_to_uniform(x: &[f64]) -> Vec<f64> {
    vec![1.0 / (1.0 + (-x[0]).exp())]
}

#[test]
fn nuts_keeps_the_logistic_distribution() {
    for (step_size, depth) in [(0.5, 10), (1.7, 10), (3.0, 10), (0.4, 2), (2.0, 1)] {
        let kernel = NoUTurn::new(step_size, Metric::unit()).unwrap().with_max_depth(depth).unwrap();
        check(&logistic(), &kernel, uniform_to_logistic, logistic_to_uniform);
    }
}

#[test]
fn hmc_keeps_the_logistic_distribution() {
    for path in [PathLength::Steps(3), PathLength::Length { time: 4.0, jitter: 0.5, max_steps: 4 }] {
        let kernel = FixedPath::new(1.4, Metric::unit(), path).unwrap();
        check(&logistic(), &kernel, uniform_to_logistic, logistic_to_uniform);
    }
}

fn from_funnel(rng: &mut rand_pcg::Pcg64) -> Vec<f64> {
    let [v, z]: [f64; 2] = [StandardNormal.sample(rng), StandardNormal.sample(rng)];
    vec![v, z * (0.5 * v).exp()]
}

fn funnel_to_uniform(x: &[f64]) -> Vec<f64> {
    vec![normal_cdf(x[0]), normal_cdf(x[1] * (-0.5 * x[0]).exp())]
}

#[test]
fn nuts_keeps_a_funnel_in_any_metric() {
    let covariance = DMatrix::from_row_slice(2, 2, &[1.0, 0.4, 0.4, 1.5]);
    let direction = DMatrix::from_column_slice(2, 1, &[0.6, 0.8]);
    let metrics = [
        Metric::unit(),
        Metric::diagonal(&[1.0, 0.3]).unwrap(),
        Metric::dense(&covariance).unwrap(),
        Metric::low_rank(&[1.0, 0.5], &direction, &[2.5]).unwrap(),
    ];
    for (metric, step_size) in metrics.into_iter().zip([0.3, 0.9, 0.7, 0.5]) {
        check(&small_funnel(), &NoUTurn::new(step_size, metric).unwrap(), from_funnel, funnel_to_uniform);
    }
}

#[test]
fn nuts_keeps_a_funnel_whose_divergences_are_frequent() {
    let kernel = NoUTurn::new(1.0, Metric::unit()).unwrap().with_max_energy_error(2.0).unwrap();
    check(&small_funnel(), &kernel, from_funnel, funnel_to_uniform);
}

#[test]
fn nuts_keeps_a_normal_distribution_of_many_coordinates() {
    // More coordinates than the loops have lanes, and a rest.
    let draw = |rng: &mut rand_pcg::Pcg64| (0..11).map(|_| StandardNormal.sample(rng)).collect::<Vec<f64>>();
    let to_uniform = |x: &[f64]| x.iter().map(|&x| normal_cdf(x)).collect();
    let variances: Vec<f64> = (0..11).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    let kernel = NoUTurn::new(0.8, Metric::diagonal(&variances).unwrap()).unwrap();
    check(&standard(11), &kernel, draw, to_uniform);
}
