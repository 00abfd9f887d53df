//! The bound, term by term, against draws from q.

use posterior_dist::stream::stream;
use posterior_inference::variational::CoordinateAscent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::special::ln_gamma;
use rand::RngExt;
use rand_distr::{Distribution, Gamma, StandardNormal};

use super::{GammaFactor, Posterior, State};

fn ln_normal(white: f64, count: f64, ln_determinant: f64) -> f64 {
    -0.5 * (count * std::f64::consts::TAU.ln() + ln_determinant + white)
}

fn ln_gamma_distribution(x: f64, shape: f64, rate: f64) -> f64 {
    shape * rate.ln() - ln_gamma(shape) + (shape - 1.0) * x.ln() - rate * x
}

/// Rows of N(mean row, covariance), and the ln-density of all.
fn draw_rows(
    mean: &DMatrix<f64>,
    covariance: &DMatrix<f64>,
    rng: &mut rand_pcg::Pcg64,
) -> (DMatrix<f64>, f64) {
    let factor = Cholesky::new(covariance).unwrap();
    let white: DMatrix<f64> = DMatrix::from_fn(mean.nrows(), mean.ncols(), |_, _| StandardNormal.sample(rng));
    let drawn = mean + &white * factor.factor().transpose();
    let rows = mean.nrows() as f64;
    (drawn, ln_normal(white.norm_squared(), white.len() as f64, rows * factor.ln_determinant()))
}

#[test]
fn the_bound_is_the_expected_ratio_of_densities() {
    let (n, d, k) = (6, 3, 2);
    let mut rng = stream(4, &[]);
    let data = DMatrix::from_fn(n, d, |_, _| rng.random::<f64>() * 2.0 - 1.0);
    let prior = (1.3, 0.7);
    let posterior = Posterior { scatter: data.transpose() * &data, n: n as f64, prior, ln_scale: 0.0 };
    let mut state = State {
        loadings: DMatrix::from_fn(d, k, |t, j| [[0.9, 0.1], [-0.4, 0.6], [0.2, 0.3]][t][j]),
        rows: DMatrix::from_row_slice(2, 2, &[0.05, 0.01, 0.01, 0.04]),
        ln_rows: 0.0,
        hidden: DMatrix::zeros(k, k),
        ln_hidden: 0.0,
        cross: DMatrix::zeros(d, k),
        squares: DMatrix::zeros(k, k),
        alphas: vec![GammaFactor { shape: 2.8, rate: 1.9 }, GammaFactor { shape: 2.8, rate: 1.1 }],
        tau: GammaFactor { shape: 10.3, rate: 4.0 },
    };
    state.ln_rows = Cholesky::new(&state.rows).unwrap().ln_determinant();
    posterior.update(&mut state, 0).unwrap();
    let means = &data * &state.loadings * &state.hidden * state.tau.mean();

    let draws = 40_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..draws {
        let (z, ln_q_z) = draw_rows(&means, &state.hidden, &mut rng);
        let (w, ln_q_w) = draw_rows(&state.loadings, &state.rows, &mut rng);
        let distribution = |distribution: GammaFactor, rng: &mut rand_pcg::Pcg64| {
            let x: f64 = Gamma::new(distribution.shape, 1.0 / distribution.rate).unwrap().sample(rng);
            (
                x,
                ln_gamma_distribution(x, prior.0, prior.1)
                    - ln_gamma_distribution(x, distribution.shape, distribution.rate),
            )
        };
        let (tau, mut ratio) = distribution(state.tau, &mut rng);
        ratio += ln_normal(
            tau * (&data - &z * w.transpose()).norm_squared(),
            (n * d) as f64,
            -((n * d) as f64) * tau.ln(),
        );
        ratio += ln_normal(z.norm_squared(), (n * k) as f64, 0.0) - ln_q_z - ln_q_w;
        for (j, &of_column) in state.alphas.iter().enumerate() {
            let (alpha, ln_ratio) = distribution(of_column, &mut rng);
            ratio +=
                ln_ratio + ln_normal(alpha * w.column(j).norm_squared(), d as f64, -(d as f64) * alpha.ln());
        }
        sum += ratio;
        squares += ratio * ratio;
    }
    let mean = sum / f64::from(draws);
    let error = ((squares / f64::from(draws) - mean * mean) / f64::from(draws)).sqrt();
    let bound = posterior.elbo(&state).unwrap();
    // Four standard errors: a false alarm once in 16,000 seeds.
    assert!((mean - bound).abs() < 4.0 * error && error < 0.03, "{mean} ± {error}, {bound}");
}
