//! Extended and unscented filters against the linear one, and against truth.

mod derivatives;

use posterior_dist::stream::stream;
use posterior_kalman::discrete::DiscreteChain;
use posterior_kalman::nonlinear::{
    FnMap, Formula, Linearize, Map, NonlinearFiltered, NonlinearOptions, NonlinearStateSpace, SigmaPoints,
    Taylor, filter,
};
use posterior_kalman::{
    Error, FilterOptions, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation,
};
use posterior_math::autodiff::Real;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use rand::RngExt;

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

fn plain() -> NonlinearOptions {
    NonlinearOptions::default()
}

fn steps(max_iterations: usize) -> NonlinearOptions {
    NonlinearOptions { max_iterations, ..plain() }
}

/// A linear model of n states with offsets, of which `rank` have noise, and a series with gaps.
fn linear(n: usize, m: usize, rank: usize, seed: u64) -> (StateSpace, Series) {
    let mut rng = stream(seed, &[]);
    let mut matrix =
        |rows, columns, size: f64| DMatrix::from_fn(rows, columns, |_, _| size * (rng.random::<f64>() - 0.5));
    let (a, h) = (matrix(n, n, 1.2), matrix(m, n, 2.0));
    let (b, d) = (matrix(n, 1, 1.0), matrix(m, 1, 1.0));
    let (q, r, p) = (matrix(n, rank, 1.0), matrix(m, m, 1.0), matrix(n, rank, 2.0));
    let mut rows = matrix(8, m, 6.0);
    rows[(2, 0)] = f64::NAN;
    rows.row_mut(5).fill(f64::NAN);
    let r = &r * r.transpose() + DMatrix::identity(m, m) * 0.1;
    let model = StateSpace::new(
        TransitionEquation::constant(&a, &(&q * q.transpose()))
            .unwrap()
            .with_offset(Matrices::constant(&b))
            .unwrap(),
        ObservationEquation::constant(&h, &r).unwrap().with_offset(Matrices::constant(&d)).unwrap(),
        Initial::known(&vec![0.5; n], &(&p * p.transpose())).unwrap(),
    )
    .unwrap();
    (model, Series::with_missing(&rows).unwrap())
}

/// Filter and smoother of a linear model by this rule, against the linear ones.
fn agrees<L>(rule: &L, options: &NonlinearOptions)
where
    L: Linearize<TransitionEquation> + Linearize<ObservationEquation>,
{
    for (case, (n, m, rank)) in
        [(1, 1, 1), (2, 1, 2), (3, 2, 3), (2, 2, 1), (3, 1, 2)].into_iter().enumerate()
    {
        let (model, series) = linear(n, m, rank, case as u64);
        let expected = posterior_kalman::filter(&model, &series, &FilterOptions::default()).unwrap();
        let same = NonlinearStateSpace::new(
            (model.transition().clone(), &model.transition().noise().matrix(0)),
            (model.observation().clone(), &model.observation().noise().matrix(0)),
            model.initial(),
        )
        .unwrap();
        let found = filter(&same, &series, rule, options).unwrap();
        assert!((found.ln_likelihood() / expected.ln_likelihood() - 1.0).abs() < 1e-12);
        assert!(found.unconverged().is_empty());
        for t in 0..series.len() {
            let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near(found.mean(t), expected.mean(t)), "{case}: {t}");
            assert!(near(found.predicted_mean(t), expected.predicted_mean(t)));
            assert!((found.covariance(t) - expected.covariance(t)).amax() < 1e-12);
            assert!((found.predicted_covariance(t) - expected.predicted_covariance(t)).amax() < 1e-12);
            assert!((found.ln_likelihood_terms()[t] - expected.ln_likelihood_terms()[t]).abs() < 1e-12);
        }
        // The whole series as one Gaussian; covariances of states that noise does not reach are singular.
        let (posterior, ln_likelihood) = crate::oracle::condition_everything(&model, &series);
        assert!((found.ln_likelihood() / ln_likelihood - 1.0).abs() < 1e-11);
        let smoothed = found.smooth(&same).unwrap();
        for t in 0..series.len() {
            let mean = posterior.mean().rows(n * t, n);
            assert!((DVector::from_column_slice(smoothed.mean(t)) - mean).amax() < 1e-11, "{case}: {t}");
            let own = posterior.covariance().view((n * t, n * t), (n, n));
            assert!((smoothed.covariance(t) - own).amax() < 1e-11, "{case}: {t}");
            assert!((smoothed.variance(t, 0) - smoothed.covariance(t)[(0, 0)]).abs() < 1e-15);
            if t + 1 < series.len() {
                let pair = posterior.covariance().view((n * (t + 1), n * t), (n, n));
                assert!((smoothed.lag_one_covariance(t) - pair).amax() < 1e-11);
            }
        }
    }
}

#[test]
fn every_rule_is_the_linear_filter_on_linear_models() {
    agrees(&Taylor, &plain());
    agrees(&SigmaPoints::cubature(), &plain());
    agrees(&SigmaPoints::unscented(0.7, 2.0, 1.0).unwrap(), &plain());
    agrees(&SigmaPoints::gauss_hermite(3).unwrap(), &plain());
}

#[test]
fn iterations_change_nothing_on_linear_models() {
    agrees(&Taylor, &steps(3));
    agrees(&SigmaPoints::cubature(), &steps(3));
}

/// Mean and covariance of `map` for this distribution of x.
fn moments<M: Map>(
    map: &M,
    rule: &SigmaPoints,
    mean: &[f64],
    root: &DMatrix<f64>,
) -> (DVector<f64>, DMatrix<f64>) {
    let line = rule.linearize(map, 0, &DVector::from_column_slice(mean), root).unwrap();
    let own = &line.slope * line.slope.transpose() + &line.residual_root * line.residual_root.transpose();
    (line.mean, own)
}

#[test]
fn moments_of_quadratics_are_exact() {
    // (x0², x0 x1, x1) for x ~ N(μ, Σ): Isserlis' theorem.
    let map = FnMap::new(2, 3, |_, x: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&[x[0] * x[0], x[0] * x[1], x[1]]);
    });
    let (mu, root) = ([0.7, -1.1], DMatrix::from_row_slice(2, 2, &[0.9, 0.0, -0.4, 0.6]));
    let s = &root * root.transpose();
    let (s00, s01, s11) = (s[(0, 0)], s[(0, 1)], s[(1, 1)]);
    let (a, b) = (mu[0], mu[1]);
    let mean = [a * a + s00, a * b + s01, b];
    let covariance = [
        2.0 * s00 * s00 + 4.0 * a * a * s00,
        2.0 * s00 * s01 + 2.0 * a * (a * s01 + b * s00),
        2.0 * a * s01,
        s00 * s11 + s01 * s01 + a * a * s11 + b * b * s00 + 2.0 * a * b * s01,
        a * s11 + b * s01,
        s11,
    ];
    for rule in [3, 5].map(|nodes| SigmaPoints::gauss_hermite(nodes).unwrap()) {
        let (own_mean, own) = moments(&map, &rule, &mu, &root);
        assert!(own_mean.iter().zip(mean).all(|(a, b)| (a - b).abs() < 1e-14));
        let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for (place, expected) in pairs.into_iter().zip(covariance) {
            assert!((own[place] - expected).abs() < 1e-13, "{place:?}");
        }
    }
    for rule in [
        SigmaPoints::cubature(),
        SigmaPoints::unscented(0.5, 2.0, 0.0).unwrap(),
        SigmaPoints::unscented(1.0, 0.0, 1.0).unwrap(),
    ] {
        let (own_mean, own) = moments(&map, &rule, &mu, &root);
        assert!(own_mean.iter().zip(mean).all(|(a, b)| (a - b).abs() < 1e-14));
        // What is straight is exact, and its covariance with the rest.
        assert!((own[(2, 2)] - s11).abs() < 1e-14 && (own[(0, 2)] - covariance[2]).abs() < 1e-14);
    }
    // In one dimension β = 2 gives the variance of a square, for any spread.
    let square = FnMap::new(1, 1, |_, x: &[f64], out: &mut [f64]| out[0] = x[0] * x[0]);
    for alpha in [0.1, 0.5, 1.0, 1.7] {
        let rule = SigmaPoints::unscented(alpha, 2.0, 0.0).unwrap();
        let (own_mean, own) = moments(&square, &rule, &[0.5], &scalar(2.0));
        assert!((own_mean[0] - 4.25).abs() < 1e-12 && (own[(0, 0)] - 36.0).abs() < 1e-11, "{alpha}");
    }
}

#[test]
fn the_unscented_covariance_is_that_of_its_weighted_points() {
    let map = FnMap::new(2, 2, |_, x: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&[x[0].exp() * x[1], (x[0] - 2.0 * x[1]).sin()]);
    });
    let root = DMatrix::from_row_slice(2, 2, &[0.5, 0.0, 0.3, 0.8]);
    let mu = DVector::from_column_slice(&[0.2, -0.4]);
    // Wan and van der Merwe, with negative weights; Julier's κ = 3 - n.
    for (alpha, beta, kappa) in [(0.3, 2.0, 0.0), (1.0, 0.0, 1.0), (0.9, 0.5, -0.4), (1.4, 0.0, 0.0)] {
        let n = 2.0;
        let lambda: f64 = alpha * alpha * (n + kappa) - n;
        let values: Vec<DVector<f64>> = (0..5)
            .map(|i| {
                let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                let step =
                    if i == 4 { DVector::zeros(2) } else { root.column(i / 2) * sign * (n + lambda).sqrt() };
                let mut out = DVector::zeros(2);
                map.evaluate(0, (&mu + step).as_slice(), out.as_mut_slice());
                out
            })
            .collect();
        let outer = 0.5 / (n + lambda);
        let (for_mean, for_spread) =
            (lambda / (n + lambda), lambda / (n + lambda) + 1.0 - alpha * alpha + beta);
        let weight = |i: usize, center: f64| if i == 4 { center } else { outer };
        let mean: DVector<f64> = values.iter().enumerate().map(|(i, v)| v * weight(i, for_mean)).sum();
        let spread =
            |(i, v): (usize, &DVector<f64>)| (v - &mean) * (v - &mean).transpose() * weight(i, for_spread);
        let covariance: DMatrix<f64> = values.iter().enumerate().map(spread).sum();
        let rule = SigmaPoints::unscented(alpha, beta, kappa).unwrap();
        let (own_mean, own) = moments(&map, &rule, mu.as_slice(), &root);
        assert!((own_mean - mean).amax() < 1e-13, "{alpha}");
        assert!((own - covariance).amax() < 1e-13, "{alpha}");
    }
}

/// The state is drawn back to zero and to both sides; its cube bends what is seen.
struct Drift;

impl Formula for Drift {
    fn inputs(&self) -> usize {
        1
    }

    fn outputs(&self) -> usize {
        1
    }

    fn evaluate<R: Real>(&self, t: usize, x: &[R], out: &mut [R]) {
        out[0] = x[0] * 0.8 + x[0].sin() * 0.4 + 0.1 * (t % 3) as f64;
    }
}

struct Bent;

impl Formula for Bent {
    fn inputs(&self) -> usize {
        1
    }

    fn outputs(&self) -> usize {
        1
    }

    fn evaluate<R: Real>(&self, _: usize, x: &[R], out: &mut [R]) {
        out[0] = x[0] + x[0] * x[0] * x[0] * 0.05;
    }
}

type Curved = NonlinearStateSpace<Drift, Bent>;

fn curved() -> (Curved, Series) {
    let model = NonlinearStateSpace::new(
        (Drift, &scalar(0.09)),
        (Bent, &scalar(0.16)),
        &Initial::known(&[0.5], &scalar(0.5)).unwrap(),
    )
    .unwrap();
    let (_, series) = model.simulate(30, &mut stream(11, &[])).unwrap();
    let gaps = |t: usize| if (12..15).contains(&t) { None } else { Some(series.at(t)[0]) };
    let series = Series::univariate_with_missing(&(0..30).map(gaps).collect::<Vec<_>>()).unwrap();
    (model, series)
}

/// Mean and variance at each time.
type Moments = Vec<(f64, f64)>;

/// The same model on a fine grid: ln p(y), filtered and smoothed means and variances.
fn on_a_grid(model: &Curved, series: &Series) -> (f64, [Moments; 2]) {
    const CELLS: usize = 600;
    let width = 12.0 / CELLS as f64;
    let at = |i: usize| -6.0 + (i as f64 + 0.5) * width;
    let normal = |x: f64, variance: f64| (-0.5 * x * x / variance).exp();
    let distribution = |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect::<Vec<f64>>()
    };
    let moves = |t: usize| {
        let rows = (0..CELLS).flat_map(|i| {
            let mut next = [0.0];
            Map::evaluate(model.transition(), t, &[at(i)], &mut next);
            distribution((0..CELLS).map(|j| normal(at(j) - next[0], 0.09)).collect())
        });
        DMatrix::from_row_iterator(CELLS, CELLS, rows.collect::<Vec<_>>())
    };
    let start = distribution((0..CELLS).map(|i| normal(at(i) - 0.5, 0.5)).collect());
    let turns = (0..series.len() as u32 - 1).map(|t| t % 3).collect();
    let steps = Matrices::indexed(&[moves(0), moves(1), moves(2)], turns).unwrap();
    let chain = DiscreteChain::new(&start, &steps).unwrap();
    let seen = DMatrix::from_fn(series.len(), CELLS, |t, i| {
        let mut line = [0.0];
        Map::evaluate(model.observation(), t, &[at(i)], &mut line);
        let y = series.at(t)[0];
        if y.is_nan() {
            0.0
        } else {
            normal(y - line[0], 0.16).ln() - 0.5 * (2.0 * std::f64::consts::PI * 0.16).ln()
        }
    });
    let filtered = chain.filter(&seen).unwrap();
    let smoothed = filtered.smooth(&chain).unwrap();
    let moments = |p: &[f64]| {
        let mean: f64 = p.iter().enumerate().map(|(i, p)| p * at(i)).sum();
        (mean, p.iter().enumerate().map(|(i, p)| p * (at(i) - mean).powi(2)).sum())
    };
    let times = || 0..series.len();
    let distributions = [
        times().map(|t| moments(filtered.probabilities(t))).collect(),
        times().map(|t| moments(smoothed.probabilities(t))).collect(),
    ];
    (filtered.ln_likelihood(), distributions)
}

#[test]
fn curved_models_are_near_the_truth_on_a_grid() {
    let (model, series) = curved();
    let (ln_likelihood, [filtered, smoothed]) = on_a_grid(&model, &series);
    // Largest errors of ln p(y), filtered and smoothed means and standard deviations, in standard deviations.
    let errors = |found: &NonlinearFiltered| {
        let later = found.smooth(&model).unwrap();
        let own = |t: usize, mean: f64, variance: f64, truth: &[(f64, f64)]| {
            let sd = truth[t].1.sqrt();
            ((mean - truth[t].0).abs() / sd).max((variance.sqrt() - sd).abs() / sd)
        };
        let of = |t| own(t, found.mean(t)[0], found.variance(t, 0), &filtered);
        let with = |t| own(t, later.mean(t)[0], later.variance(t, 0), &smoothed);
        let most = |error: &dyn Fn(usize) -> f64| (0..series.len()).map(error).fold(0.0, f64::max);
        [(found.ln_likelihood() - ln_likelihood).abs(), most(&of), most(&with)]
    };
    let points = |rule: SigmaPoints| errors(&filter(&model, &series, &rule, &plain()).unwrap());
    let extended = errors(&filter(&model, &series, &Taylor, &plain()).unwrap());
    let cubature = points(SigmaPoints::cubature());
    let unscented = points(SigmaPoints::unscented(1.0, 2.0, 0.0).unwrap());
    let hermite = points(SigmaPoints::gauss_hermite(7).unwrap());
    assert!(extended[0] < 0.1 && extended[1] < 0.25 && extended[2] < 0.17, "{extended:?}");
    for rule in [cubature, unscented, hermite] {
        assert!(rule[0] < 0.05 && rule[1] < 0.14 && rule[2] < 0.1, "{rule:?}");
        assert!(rule[0] < extended[0], "{rule:?} {extended:?}");
    }
}

/// The distance of a point in the plane to the origin.
struct Distance;
impl Formula for Distance {
    fn inputs(&self) -> usize {
        2
    }
    fn outputs(&self) -> usize {
        1
    }
    fn evaluate<R: Real>(&self, _: usize, x: &[R], out: &mut [R]) {
        out[0] = (x[0] * x[0] + x[1] * x[1]).sqrt();
    }
}

#[test]
fn the_iterated_filter_finds_the_mode() {
    // A distance to the origin, seen well: the tangent at the prior mean is far off.
    let distance = |x: &[f64]| x[0].hypot(x[1]);
    let prior = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let still = TransitionEquation::constant(&DMatrix::identity(2, 2), &DMatrix::zeros(2, 2)).unwrap();
    let model = NonlinearStateSpace::new(
        (still, &DMatrix::zeros(2, 2)),
        (Distance, &scalar(0.01)),
        &Initial::known(&[1.0, 2.0], &prior).unwrap(),
    )
    .unwrap();
    let series = Series::univariate(&[4.0]).unwrap();
    // The gradient of -ln p(x, y), times the covariance.
    let slope = |x: &[f64]| {
        let away = DVector::from_column_slice(&[x[0] - 1.0, x[1] - 2.0]);
        let direction = DVector::from_column_slice(x) / distance(x);
        (away - &prior * direction * ((4.0 - distance(x)) / 0.01)).amax()
    };
    let once = filter(&model, &series, &Taylor, &plain()).unwrap();
    let often = filter(&model, &series, &Taylor, &steps(30)).unwrap();
    assert!(slope(once.mean(0)) > 1.0 && slope(often.mean(0)) < 1e-6, "{}", slope(often.mean(0)));
    assert!(often.unconverged().is_empty());
    assert_eq!(filter(&model, &series, &Taylor, &steps(2)).unwrap().unconverged(), [0]);
    // Points along what is left after the observation see the curve less.
    let points = SigmaPoints::cubature();
    let error = |options: &NonlinearOptions| {
        (distance(filter(&model, &series, &points, options).unwrap().mean(0)) - 4.0).abs()
    };
    assert!(error(&steps(30)) < error(&plain()));
    // An exact observation leaves nothing to iterate along, and says so.
    let exact = NonlinearStateSpace::new(
        (model.transition().clone(), &DMatrix::zeros(2, 2)),
        (Distance, &scalar(0.0)),
        &Initial::known(&[1.0, 2.0], &prior).unwrap(),
    )
    .unwrap();
    assert_eq!(filter(&exact, &series, &Taylor, &steps(5)).unwrap().unconverged(), [0]);
}

#[test]
fn covariances_stay_positive_where_noise_is_tiny() {
    let swing = FnMap::new(3, 3, |_, x: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&[x[0] + 0.1 * x[1], x[1] - 0.1 * x[2] * x[0].sin(), x[2]]);
    });
    let seen = FnMap::new(3, 2, |_, x: &[f64], out: &mut [f64]| {
        out.copy_from_slice(&[x[0].sin(), x[0].sin() + 1e-6 * x[0].cos()]);
    });
    let model = NonlinearStateSpace::new(
        (swing, &DMatrix::from_diagonal(&DVector::from_column_slice(&[0.0, 1e-12, 0.0]))),
        (seen, &DMatrix::from_diagonal_element(2, 2, 1e-16)),
        &Initial::known(&[0.8, 0.0, 9.0], &DMatrix::from_diagonal_element(3, 3, 1.0)).unwrap(),
    )
    .unwrap();
    let rows = DMatrix::from_fn(40, 2, |t, i| {
        let angle = 0.8 * (0.3 * t as f64).cos();
        angle.sin() + if i == 1 { 1e-6 * angle.cos() } else { 0.0 }
    });
    let series = Series::new(&rows).unwrap();
    for rule in [SigmaPoints::cubature(), SigmaPoints::unscented(1e-3, 2.0, 0.0).unwrap()] {
        let filtered = filter(&model, &series, &rule, &plain()).unwrap();
        let smoothed = filtered.smooth(&model).unwrap();
        for t in 0..series.len() {
            for covariance in [filtered.covariance(t), smoothed.covariance(t)] {
                assert!(covariance.iter().all(|entry| entry.is_finite()));
                let eigen = SymmetricEigen::new(&covariance).unwrap();
                let (low, high) = (eigen.values().min(), eigen.values().max());
                assert!(low >= -1e-15 * high, "{t}: {low} {high}");
            }
        }
    }
}

#[test]
fn a_component_that_is_missing_is_left_out() {
    let both = |_: usize, x: &[f64], out: &mut [f64]| out.copy_from_slice(&[x[0].sin(), x[0] * x[0]]);
    let start = || Initial::known(&[0.4], &scalar(0.3)).unwrap();
    let wander = scalar(0.1);
    let walk = || (FnMap::new(1, 1, |_, x: &[f64], out: &mut [f64]| out[0] = x[0]), &wander);
    let noise = DMatrix::from_row_slice(2, 2, &[0.2, 0.1, 0.1, 0.3]);
    let model = NonlinearStateSpace::new(walk(), (FnMap::new(1, 2, both), &noise), &start()).unwrap();
    let second = FnMap::new(1, 1, |_, x: &[f64], out: &mut [f64]| out[0] = x[0] * x[0]);
    let alone = NonlinearStateSpace::new(walk(), (second, &scalar(0.3)), &start()).unwrap();
    let rows = DMatrix::from_row_slice(2, 2, &[f64::NAN, 0.5, f64::NAN, 0.1]);
    let rule = SigmaPoints::cubature();
    let found = filter(&model, &Series::with_missing(&rows).unwrap(), &rule, &plain()).unwrap();
    let expected = filter(&alone, &Series::univariate(&[0.5, 0.1]).unwrap(), &rule, &plain()).unwrap();
    assert!((found.mean(1)[0] - expected.mean(1)[0]).abs() < 1e-15);
    assert!((found.ln_likelihood() - expected.ln_likelihood()).abs() < 1e-15);
}

#[test]
fn what_cannot_be_is_an_error_and_no_nan() {
    let map = |g: fn(f64) -> f64| FnMap::new(1, 1, move |_, x: &[f64], out: &mut [f64]| out[0] = g(x[0]));
    let model = |f, q: f64, h, r: f64| {
        let start = Initial::known(&[1.0], &scalar(0.5)).unwrap();
        NonlinearStateSpace::new((map(f), &scalar(q)), (map(h), &scalar(r)), &start)
    };
    let rule = SigmaPoints::cubature();
    let series = Series::univariate(&[1.0; 12]).unwrap();
    let run = |f, h, r| filter(&model(f, 0.1, h, r).unwrap(), &series, &rule, &plain());
    // Doubly exponential growth against an observation that says nothing.
    let explodes = run(f64::exp, |_| 1.0, 1.0);
    assert!(matches!(explodes, Err(Error::Undefined { what: "transition", .. } | Error::Overflow { .. })));
    let logarithm = run(|x| x - 1.0, f64::ln, 1.0);
    assert!(matches!(logarithm, Err(Error::Undefined { what: "observation", .. })), "{logarithm:?}");
    assert!(matches!(run(|x| x, |_| 1.0, 0.0), Err(Error::Singular { time: 0 })));
    assert!(model(|x| x, -0.1, |x| x, 1.0).is_err());
    assert!(model(|x| x, f64::NAN, |x| x, 1.0).is_err());
    let diffuse = Initial::diffuse(1).unwrap();
    let refused = NonlinearStateSpace::new((map(|x| x), &scalar(0.1)), (map(|x| x), &scalar(0.1)), &diffuse);
    assert!(matches!(refused, Err(Error::Parameter(_))));
    assert!(SigmaPoints::unscented(0.0, 2.0, 0.0).is_err() && SigmaPoints::gauss_hermite(1).is_err());
    let reaches_too_far = SigmaPoints::unscented(1.0, 2.0, -1.0).unwrap();
    let fine = model(|x| x, 0.1, |x| x, 1.0).unwrap();
    assert!(matches!(filter(&fine, &series, &reaches_too_far, &plain()), Err(Error::Parameter(_))));
    let wide = NonlinearStateSpace::new(
        (FnMap::new(8, 8, |_, x: &[f64], out: &mut [f64]| out.copy_from_slice(x)), &DMatrix::zeros(8, 8)),
        (FnMap::new(8, 1, |_, x: &[f64], out: &mut [f64]| out[0] = x[0]), &scalar(1.0)),
        &Initial::known(&[0.0; 8], &DMatrix::identity(8, 8)).unwrap(),
    )
    .unwrap();
    let many = SigmaPoints::gauss_hermite(7).unwrap();
    assert!(matches!(filter(&wide, &series, &many, &plain()), Err(Error::Parameter(_))));
    assert!(filter(&fine, &Series::univariate(&[]).unwrap(), &rule, &plain()).unwrap().is_empty());
}
