//! Coordinates integrated out, beside formulas of dense matrices, quadrature and sums.

use posterior_dist::stream::stream;
use posterior_dist::target::{FromGradFn, GradTarget, Target as _};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_sampling::bridge::{BridgeOptions, bridge_sampling};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::importance::pareto_smoothed;
use posterior_sampling::marginal::{IntegratedTarget, Integration};
use posterior_sampling::{Error, Run, Start};
use proptest::collection::vec;
use proptest::prelude::*;

/// Two coordinates φ, and a block x of precision exp(φ₀) A + exp(φ₁) B and slope exp(φ₁) (1 + φ₀) y at zero.
#[derive(Debug, Clone)]
struct Hierarchy {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    y: DVector<f64>,
}

impl Hierarchy {
    fn of(n: usize, pairs: &[(usize, usize, f64)], y: &[f64]) -> Self {
        let a = DMatrix::identity(n, n);
        let mut b = DMatrix::zeros(n, n);
        for &(i, j, weight) in pairs.iter().filter(|(i, j, _)| i % n != j % n) {
            // (xᵢ - w xⱼ)².
            let mut row = DVector::zeros(n);
            (row[i % n], row[j % n]) = (1.0, -weight);
            b += &row * row.transpose();
        }
        Self { a, b, y: DVector::from_column_slice(&y[..n]) }
    }

    fn precision(&self, phi: &[f64]) -> DMatrix<f64> {
        &self.a * phi[0].exp() + &self.b * phi[1].exp()
    }

    /// ln of the density of φ and its gradient, by dense matrices.
    fn marginal(&self, phi: &[f64]) -> (f64, [f64; 2]) {
        let n = self.y.len();
        let factor = Cholesky::new(&self.precision(phi)).expect("a sum of squares and a diagonal");
        let slope = &self.y * (phi[1].exp() * (1.0 + phi[0]));
        let inverse = factor.inverse();
        let mean = &inverse * &slope;
        let value =
            0.5 * (slope.dot(&mean) - factor.ln_determinant() + n as f64 * std::f64::consts::TAU.ln());
        let along = |of_slope: DVector<f64>, of_precision: DMatrix<f64>| {
            let bend = (&of_precision * &mean).dot(&mean) + (&inverse * &of_precision).trace();
            of_slope.dot(&mean) - 0.5 * bend
        };
        let first = along(&self.y * phi[1].exp(), &self.a * phi[0].exp()) - phi[0];
        let second = along(slope, &self.b * phi[1].exp()) - phi[1];
        (value - 0.5 * (phi[0] * phi[0] + phi[1] * phi[1]), [first, second])
    }

    fn target(&self) -> impl GradTarget + '_ {
        let n = self.y.len();
        FromGradFn::new(n + 2, move |point: &[f64], gradient: &mut [f64]| {
            let (phi, x) = (&point[..2], DVector::from_column_slice(&point[2..]));
            let (of_a, of_b) = (&self.a * &x * phi[0].exp(), &self.b * &x * phi[1].exp());
            let unit = &self.y * phi[1].exp();
            let slope = &unit * (1.0 + phi[0]);
            gradient[0] = unit.dot(&x) - 0.5 * of_a.dot(&x) - phi[0];
            gradient[1] = slope.dot(&x) - 0.5 * of_b.dot(&x) - phi[1];
            gradient[2..].copy_from_slice((&slope - &of_a - &of_b).as_slice());
            slope.dot(&x) - 0.5 * (of_a.dot(&x) + of_b.dot(&x)) - 0.5 * (phi[0] * phi[0] + phi[1] * phi[1])
        })
    }
}

proptest! {
    #[test]
    fn a_gaussian_block_is_integrated_as_dense_matrices_say(
        n in 1_usize..12,
        pairs in vec((0_usize..12, 0_usize..12, -1.5..1.5), 0..20),
        y in vec(-3.0..3.0, 12),
        phi in [-6.0..6.0, -6.0..6.0],
    ) {
        let hierarchy = Hierarchy::of(n, &pairs, &y);
        let groups: Vec<Vec<usize>> = vec![(2..n + 2).collect()];
        let marginal =
            IntegratedTarget::new(hierarchy.target(), &groups, Integration::Gaussian, &vec![0.0; n + 2]).unwrap();
        let (value, slopes) = hierarchy.marginal(&phi);
        let scale = 1.0 + value.abs();
        let mut gradient = [0.0; 2];
        let found = marginal.ln_density_grad(&phi, &mut gradient).unwrap();
        prop_assert!((found - value).abs() < 1e-9 * scale, "{found} and {value}");
        prop_assert!((marginal.ln_density(&phi).unwrap() - value).abs() < 1e-9 * scale);
        for (found, slope) in gradient.iter().zip(slopes) {
            prop_assert!((found - slope).abs() < 1e-8 * (1.0 + slope.abs() + value.abs()), "{found} and {slope}");
        }
        // What is drawn from is what is there.
        let draw = marginal.conditional_draw(&phi, &mut stream(1, &[])).unwrap();
        prop_assert!(draw.ln_weight.abs() < 1e-9 * scale, "{}", draw.ln_weight);
        prop_assert_eq!(&draw.point[..2], &phi[..]);
    }

    #[test]
    fn laplace_is_exact_where_the_block_is_gaussian(
        pairs in vec((0_usize..6, 0_usize..6, -1.5..1.5), 0..8),
        y in vec(-3.0..3.0, 6),
        phi in [-3.0..3.0, -3.0..3.0],
    ) {
        let hierarchy = Hierarchy::of(6, &pairs, &y);
        let groups: Vec<Vec<usize>> = vec![(2..8).collect()];
        let marginal =
            IntegratedTarget::new(hierarchy.target(), &groups, Integration::Laplace, &[0.0; 8]).unwrap();
        let (value, slopes) = hierarchy.marginal(&phi);
        let mut gradient = [0.0; 2];
        let found = marginal.ln_density_grad(&phi, &mut gradient).unwrap();
        prop_assert!((found - value).abs() < 1e-9 * (1.0 + value.abs()), "{found} and {value}");
        for (found, slope) in gradient.iter().zip(slopes) {
            prop_assert!((found - slope).abs() < 1e-7 * (1.0 + slope.abs() + value.abs()), "{found} and {slope}");
        }
    }
}

#[test]
fn chains_of_states_take_few_gradients() {
    let n = 500;
    let pairs: Vec<(usize, usize, f64)> = (1..n).map(|i| (i, i - 1, 0.9)).collect();
    let y: Vec<f64> = (0..n).map(|i| (0.1 * i as f64).sin()).collect();
    let hierarchy = Hierarchy::of(n, &pairs, &y);
    let groups: Vec<Vec<usize>> = vec![(2..n + 2).collect()];
    let start = vec![0.0; n + 2];
    let marginal = IntegratedTarget::new(hierarchy.target(), &groups, Integration::Gaussian, &start).unwrap();
    assert_eq!(marginal.gradients_per_evaluation(), 2 * 9 + 2);
    let (value, _) = hierarchy.marginal(&[0.5, 1.0]);
    let found = marginal.ln_density(&[0.5, 1.0]).unwrap();
    assert!((found - value).abs() < 1e-10 * value.abs(), "{found} and {value}");
}

#[test]
fn coefficients_that_all_share_are_left() {
    // Twenty groups, and two coefficients that all of them share.
    let pairs: Vec<(usize, usize, f64)> = (0..20).flat_map(|i| [(i, 20, 0.5), (i, 21, -0.3)]).collect();
    let hierarchy = Hierarchy::of(22, &pairs, &[1.0; 22]);
    let groups = vec![(2..22).collect(), vec![22, 23]];
    let marginal =
        IntegratedTarget::new(hierarchy.target(), &groups, Integration::Gaussian, &[0.0; 24]).unwrap();
    assert_eq!(marginal.coordinates(), [0, 1, 22, 23]);
    assert_eq!(marginal.integrated(), (2..22).collect::<Vec<_>>());
    assert_eq!(marginal.gradients_per_evaluation(), 4);
    assert_eq!(marginal.rest_of(&(0..24).map(f64::from).collect::<Vec<_>>()), [0.0, 1.0, 22.0, 23.0]);
}

/// Counts of three groups with means exp(μ + xᵢ), x ~ N(0, exp(s)²), s ~ N(0, 1), μ ~ N(0, 1); (μ, s, x).
fn counts() -> impl GradTarget {
    let counts = [4.0, 0.0, 11.0];
    FromGradFn::new(5, move |point: &[f64], gradient: &mut [f64]| {
        let (mu, s, x) = (point[0], point[1], &point[2..]);
        let precision = (-2.0 * s).exp();
        let mut value = -0.5 * (mu * mu + s * s) - 3.0 * s;
        (gradient[0], gradient[1]) = (-mu, -s - 3.0);
        for i in 0..3 {
            let mean = (mu + x[i]).exp();
            value += counts[i] * (mu + x[i]) - mean - 0.5 * precision * x[i] * x[i];
            gradient[0] += counts[i] - mean;
            gradient[1] += precision * x[i] * x[i];
            gradient[2 + i] = counts[i] - mean - precision * x[i];
        }
        value
    })
}

/// Laplace's method for each group by itself: the mode by bisection.
fn laplace_of_counts(mu: f64, s: f64) -> f64 {
    let precision = (-2.0 * s).exp();
    let mut value = -0.5 * (mu * mu + s * s) - 3.0 * s;
    for count in [4.0, 0.0, 11.0] {
        let slope = |x: f64| count - (mu + x).exp() - precision * x;
        let (mut low, mut high) = (-100.0, 100.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            *(if slope(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        let bend = (mu + low).exp() + precision;
        value += count * (mu + low) - (mu + low).exp() - 0.5 * precision * low * low;
        value += 0.5 * (std::f64::consts::TAU / bend).ln();
    }
    value
}

#[test]
fn laplace_of_counts_is_that_of_each_group() {
    let marginal =
        IntegratedTarget::new(counts(), &[vec![2, 3, 4]], Integration::Laplace, &[0.0; 5]).unwrap();
    for (mu, s) in [(0.0, 0.0), (1.5, -3.0), (-2.0, 1.5), (3.0, 2.0), (-4.0, -6.0)] {
        let mut gradient = [0.0; 2];
        let found = marginal.ln_density_grad(&[mu, s], &mut gradient).unwrap();
        let value = laplace_of_counts(mu, s);
        assert!((found - value).abs() < 1e-7 * (1.0 + value.abs()), "{found} and {value}");
        let h = 1e-4;
        let slopes = [
            (laplace_of_counts(mu + h, s) - laplace_of_counts(mu - h, s)) / (2.0 * h),
            (laplace_of_counts(mu, s + h) - laplace_of_counts(mu, s - h)) / (2.0 * h),
        ];
        for (found, slope) in gradient.iter().zip(slopes) {
            assert!((found - slope).abs() < 1e-5 * (1.0 + slope.abs()), "{found} and {slope} at {mu}, {s}");
        }
    }
}

#[test]
fn weights_of_draws_say_whether_laplace_holds() {
    let marginal =
        IntegratedTarget::new(counts(), &[vec![2, 3, 4]], Integration::Laplace, &[0.0; 5]).unwrap();
    let sampled =
        Run { seed: 3, ..Run::default() }.sample(&marginal, &Nuts::default(), &Start::default()).unwrap();
    let mut rng = stream(4, &[]);
    let draws = &sampled.draws;
    let places = (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| (chain, draw)));
    let weights: Vec<f64> = places
        .map(|(chain, draw)| marginal.conditional_draw(draws.draw(chain, draw), &mut rng).unwrap().ln_weight)
        .collect();
    let smoothed = pareto_smoothed(weights, 1.0).unwrap();
    assert!(smoothed.is_reliable(), "k-hat {}", smoothed.shape);
    // The block is skewed: the weights are not all the same.
    assert!(smoothed.weights.ess() < 0.99 * smoothed.weights.len() as f64);
}

#[test]
fn chains_of_the_rest_and_draws_of_the_block_are_the_posterior() {
    // y ~ N(x, 1), x ~ N(0, exp(s)²), s ~ N(0, 1): everything by quadrature over s.
    let y = [0.3, -1.2, 2.1, 0.8];
    let target = FromGradFn::new(5, move |point: &[f64], gradient: &mut [f64]| {
        let (s, x) = (point[0], &point[1..]);
        let precision = (-2.0 * s).exp();
        let squares: f64 = x.iter().map(|x| x * x).sum();
        gradient[0] = -s - 4.0 + precision * squares;
        let mut value = -0.5 * s * s - 4.0 * s - 0.5 * precision * squares;
        for i in 0..4 {
            gradient[1 + i] = y[i] - x[i] - precision * x[i];
            value -= 0.5 * (y[i] - x[i]) * (y[i] - x[i]);
        }
        value
    });
    let marginal =
        IntegratedTarget::new(target, &[vec![1, 2, 3, 4]], Integration::Gaussian, &[0.0; 5]).unwrap();
    let options = Run { seed: 5, draws: 2000, ..Run::default() };
    let sampled = options.sample(&marginal, &Nuts::default(), &Start::default()).unwrap();
    let draws = &sampled.draws;
    let (mut total, mut mean_s, mut mean_x, mut square_x) = (0.0, 0.0, 0.0, 0.0);
    let steps = 20_000;
    for step in 0..steps {
        let s = -9.0 + 18.0 * (f64::from(step) + 0.5) / f64::from(steps);
        let variance = 1.0 + (2.0 * s).exp();
        let squares: f64 = y.iter().map(|y| y * y).sum();
        let weight = (-0.5 * s * s - 2.0 * variance.ln() - 0.5 * squares / variance).exp();
        let shrink = 1.0 - 1.0 / variance;
        total += weight;
        mean_s += weight * s;
        mean_x += weight * shrink * y[2];
        square_x += weight * (shrink + shrink * shrink * y[2] * y[2]);
    }
    let mut rng = stream(6, &[]);
    let whole = draws
        .map(["s", "x0", "x1", "x2", "x3"], |from, to| {
            to.copy_from_slice(&marginal.conditional_draw(from, &mut rng).unwrap().point);
        })
        .unwrap();
    let summary = whole.summary();
    let expected = [(0, mean_s / total), (3, mean_x / total)];
    for (parameter, mean) in expected {
        let own = &summary.parameters[parameter];
        let (found, error) = (own.mean.unwrap(), own.mcse.unwrap());
        assert!((found - mean).abs() < 4.0 * error, "{found} and {mean}");
    }
    let sd = (square_x / total - (mean_x / total).powi(2)).sqrt();
    let (found, error) = (summary.parameters[3].sd.unwrap(), summary.parameters[3].mcse_sd.unwrap());
    assert!((found - sd).abs() < 4.0 * error, "{found} and {sd}");
    // The evidence, with what the densities above leave out.
    let bridge = bridge_sampling(&marginal, draws, &BridgeOptions::default(), &mut stream(7, &[])).unwrap();
    let evidence = (total * 18.0 / f64::from(steps)).ln() + 2.0 * std::f64::consts::TAU.ln();
    assert!((bridge.ln_evidence - evidence).abs() < 4.0 * bridge.standard_error, "{bridge:?} and {evidence}");
    assert!(bridge.standard_error < 0.02);
}

#[test]
fn what_cannot_be_integrated_is_refused() {
    let new = |groups: &[Vec<usize>], integration, start: &[f64]| {
        IntegratedTarget::new(counts(), groups, integration, start).map(|own| own.integrated().to_vec())
    };
    let start = [0.0; 5];
    assert!(matches!(new(&[vec![2]], Integration::Gaussian, &[0.0; 4]), Err(Error::Dimension(_))));
    for groups in [vec![], vec![vec![]], vec![vec![2, 2]], vec![vec![2], vec![2]], vec![vec![5]]] {
        assert!(matches!(new(&groups, Integration::Laplace, &start), Err(Error::Parameter(_))), "{groups:?}");
    }
    // Counts are not Gaussian.
    let marginal = IntegratedTarget::new(counts(), &[vec![2, 3, 4]], Integration::Gaussian, &start).unwrap();
    let error = marginal.ln_density_grad(&[0.0, 0.0], &mut [0.0; 2]).unwrap_err();
    assert!(error.to_string().contains("are not Gaussian given the others"), "{error}");
    // A valley has no mode.
    let valley = FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        (gradient[0], gradient[1]) = (-x[0], x[1]);
        0.5 * (x[1] * x[1] - x[0] * x[0])
    });
    for integration in [Integration::Gaussian, Integration::Laplace] {
        assert!(IntegratedTarget::new(&valley, &[vec![1]], integration, &[0.0; 2]).is_err());
    }
}
