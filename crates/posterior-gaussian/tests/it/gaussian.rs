//! The Gaussian in its three forms: its table, the numbers of the textbook, and two routes to every
//! posterior.

mod random_distributions;

use posterior_dist::{
    Density, Entropy, ExponentialFamily, FisherInformation, KlDivergence, PointGradient, Stats,
    stream::stream,
};
use posterior_gaussian::{BayesForm, Gaussian, InformationGaussian, LinearGaussian, MomentGaussian};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_testkit::accuracy::{Worst, assert_all_close, assert_close, assert_within};
use posterior_testkit::consistency;
use posterior_testkit::reference::{distribution_cases, list, load, number, numbers, rows};
use rand::distr::Distribution;
use rand::{Rng, RngExt};
use serde_json::Value;

pub(crate) fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn square(n: usize, entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(n, n, entries)
}

fn example() -> Gaussian {
    Gaussian::new(&[1.0, -1.0], &square(2, &[2.0, 0.5, 0.5, 1.0])).expect("positive definite")
}

/// Three observations of two numbers.
fn observation() -> (LinearGaussian, [f64; 3]) {
    let map = DMatrix::from_row_slice(3, 2, &[1.0, 2.0, 0.0, 1.0, 1.0, 1.0]);
    let noise = DMatrix::from_diagonal(&DVector::from_vec(vec![0.5, 0.25, 2.0]));
    (LinearGaussian::new(&map, &[0.1, 0.2, 0.3], &noise).expect("sizes agree"), [0.0, -0.5, 1.0])
}

const FORMS: [BayesForm; 4] =
    [BayesForm::Gain, BayesForm::Joseph, BayesForm::Precision, BayesForm::SquareRoot];

/// With covariance B Bᵀ + I.
fn random_distribution<R: Rng>(n: usize, rng: &mut R) -> Gaussian {
    let mut normal = || rng.random_range(-1.0..1.0);
    let b = DMatrix::from_fn(n, n, |_, _| normal());
    let mean: Vec<f64> = (0..n).map(|_| normal()).collect();
    Gaussian::new(&mean, &(&b * b.transpose() + DMatrix::identity(n, n))).expect("positive definite")
}

#[test]
fn the_table() {
    let mut densities = Worst::of("multivariate_normal, ln_pdf");
    let mut distances = Worst::of("multivariate_normal, distances");
    let mut summaries = Worst::of("multivariate_normal, determinant and entropy");
    let mut conditionals = Worst::of("multivariate_normal, conditionals");
    for case in distribution_cases("multivariate_normal") {
        let distribution =
            Gaussian::new(&numbers(&case["mean"]), &matrix(&case["cov"])).expect("positive definite");
        let size = distribution.dimension();
        // What the rounding of the covariance alone does, to a distance relative.
        let condition = distribution.cholesky().condition_estimate();
        summaries.see_conditioned(
            distribution.cholesky().ln_determinant(),
            number(&case["logdet"]),
            condition,
            &size,
        );
        summaries.see_conditioned(distribution.entropy(), number(&case["entropy"]), condition, &size);
        for point in list(&case["points"]) {
            let x = numbers(&point["x"]);
            let distance = number(&point["mahalanobis_sq"]);
            let sensitivity = condition * distance;
            densities.see_conditioned(
                distribution.ln_pdf(&x),
                number(&point["logpdf"]),
                1.0 + sensitivity,
                &(size, &x),
            );
            distances.see_conditioned(
                distribution.mahalanobis_squared(&x),
                distance,
                sensitivity,
                &(size, &x),
            );
        }
        let expected = &case["conditional"];
        if expected.is_null() {
            continue;
        }
        let indices: Vec<usize> = numbers(&expected["observed_index"]).iter().map(|&i| i as usize).collect();
        let given = distribution.condition(&indices, &numbers(&expected["observed_value"])).expect("regular");
        for (a, e) in given.mean().iter().zip(numbers(&expected["mean"])) {
            conditionals.see_conditioned(*a, e, condition, &(size, "mean"));
        }
        for (a, e) in given.covariance().iter().zip(matrix(&expected["cov"]).iter()) {
            conditionals.see_conditioned(*a, *e, condition, &(size, "covariance"));
        }
    }
    densities.assert_at_most(5e-16);
    distances.assert_at_most(5e-16);
    summaries.assert_at_most(1e-15);
    conditionals.assert_at_most(1e-15);
}

#[test]
fn the_table_of_divergences() {
    let mut worst = Worst::of("kl_divergence, multivariate_normal");
    let table = load("distributions/kl_divergence");
    for case in list(&table["families"]["multivariate_normal (mean, cov)"]) {
        let of = |side: &Value| {
            Gaussian::new(&numbers(&side["mean"]), &matrix(&side["cov"])).expect("positive definite")
        };
        let (p, q) = (of(&case["p"]), of(&case["q"]));
        worst.see(p.kl_divergence(&q), number(&case["kl"]), &p.dimension());
        assert_within(p.kl_divergence(&p), 0.0, 1e-30);
    }
    worst.assert_at_most(5e-16);
}

#[test]
fn bayes_rule_in_every_form_gives_the_numbers_of_the_example() {
    let (likelihood, y) = observation();
    for form in FORMS {
        let updated = example().moments().bayes_by(form, &likelihood, &y).expect("regular");
        let mean = [1.315976331361, -0.720118343195];
        assert_all_close(updated.posterior.mean().as_slice(), &mean, 1e-12);
        let covariance = [0.565088757396, -0.174556213018, -0.174556213018, 0.127218934911];
        assert_all_close(updated.posterior.covariance().as_slice(), &covariance, 5e-12);
        assert_close(updated.ln_evidence, -3.987600773470457, 2e-15);
        // With the prior's covariance alone in place of that of y, as it is sometimes printed, the mean is
        // another one.
        assert!((updated.posterior.mean()[0] - 1.383883495146).abs() > 0.05, "{form:?}");
    }
    let updated = example().bayes(&likelihood, &y).expect("regular");
    assert_close(updated.ln_evidence, -3.987600773470457, 2e-15);
    // The evidence is the density of y under its prediction, and the ratio of the volumes of two information
    // forms.
    let prediction = likelihood.predictive(&example().moments()).expect("sizes agree");
    assert_close(prediction.ln_pdf(&y).expect("regular"), updated.ln_evidence, 1e-15);
    let product = InformationGaussian::from(&example()).product(&likelihood.likelihood(&y).expect("regular"));
    let product = product.expect("sizes agree");
    assert_close(product.ln_integral().expect("proper"), updated.ln_evidence, 1e-14);
    let distribution = product.distribution().expect("proper");
    assert_all_close(distribution.mean().as_slice(), updated.posterior.mean().as_slice(), 1e-14);
}

#[test]
fn a_density_by_hand() {
    let centered = Gaussian::new(&[0.0, 0.0], &square(2, &[2.0, 0.5, 0.5, 1.0])).expect("positive definite");
    assert_close(centered.ln_pdf(&[1.0, -1.0]), -3.2605421032342, 2e-15);
    let distance = (example().point_gradient(&[1.0, -1.0]), centered.point_gradient(&[1.0, -1.0]));
    assert_eq!(distance.0, [0.0, 0.0]);
    assert_all_close(&distance.1, &[-6.0 / 7.0, 10.0 / 7.0], 1e-15);
}

#[test]
fn an_exact_observation_is_certain_afterwards() {
    // x given A x = a, without noise: in gain form, and refused with a reason in precision form.
    let map = DMatrix::from_row_slice(1, 2, &[1.0, 1.0]);
    let exact = LinearGaussian::exact(&map, &[0.0]).expect("finite");
    let prior = example().moments();
    for form in [BayesForm::Gain, BayesForm::Joseph, BayesForm::SquareRoot] {
        let posterior = prior.bayes_by(form, &exact, &[3.0]).expect("A Σ Aᵀ is regular").posterior;
        let sum = posterior.affine(&map, &[0.0]).expect("sizes agree");
        assert_close(sum.mean()[0], 3.0, 1e-15);
        assert_within(sum.covariance()[(0, 0)], 0.0, 1e-15);
        let draws = posterior.sampler().expect("semidefinite");
        let x: Vec<f64> = draws.sample(&mut stream(1, &[]));
        assert_close(x[0] + x[1], 3.0, 1e-7);
    }
    let error = prior.bayes_by(BayesForm::Precision, &exact, &[3.0]).expect_err("singular noise");
    assert_eq!(
        error.to_string(),
        "LinearGaussian: smallest eigenvalue of the noise = 0 must be positive here: only the moment form takes it"
    );
    assert!(exact.likelihood(&[3.0]).is_err());
    assert!(example().bayes(&exact, &[3.0]).is_err(), "the posterior has no density");

    // A point that is known stays where it is, and only its image can be observed.
    let point = MomentGaussian::point(&[1.0, 2.0]).expect("finite");
    assert!(point.bayes(&exact, &[3.0]).is_err(), "the covariance of y is zero");
    let (likelihood, y) = observation();
    assert_eq!(point.bayes(&likelihood, &y).expect("regular").posterior, point);
    let error = point.bayes_by(BayesForm::Precision, &likelihood, &y).expect_err("singular prior");
    assert_eq!((error.type_name(), error.value()), ("MomentGaussian", 0.0));
    assert!(point.clone().distribution().is_err());
    assert_eq!(point.sampler().expect("semidefinite").sample(&mut stream(1, &[])), [1.0, 2.0]);
}

#[test]
fn a_small_variance_is_not_lost_beside_a_large_one() {
    // Two coordinates that are one, on scales from 1e10 to 1e-10: the root has rank two, and every variance.
    let scales = [1e5, 1.0, 1e-5];
    let shape = square(3, &[1.0, 0.5, 0.5, 0.5, 1.0, 1.0, 0.5, 1.0, 1.0]);
    let covariance = DMatrix::from_fn(3, 3, |i, j| scales[i] * scales[j] * shape[(i, j)]);
    let distribution = MomentGaussian::new(&[0.0; 3], &covariance).expect("semidefinite");
    let root = distribution.root().expect("semidefinite");
    assert_eq!(root.ncols(), 2);
    assert_all_close((&root * root.transpose()).as_slice(), covariance.as_slice(), 1e-14);
    // In square-root form a precise and a vague coordinate both keep their digits.
    let sum =
        LinearGaussian::exact(&DMatrix::from_row_slice(1, 3, &[1.0, 0.0, 0.0]), &[0.0]).expect("finite");
    let posterior = distribution.bayes_by(BayesForm::SquareRoot, &sum, &[1e5]).expect("regular").posterior;
    assert_all_close(posterior.mean().as_slice(), &[1e5, 0.5, 0.5e-5], 1e-14);
    assert_close(posterior.covariance()[(2, 2)], 0.75e-10, 1e-14);
    // Indefinite by far more than rounding, in the small coordinates only.
    let mut indefinite = covariance;
    indefinite[(1, 2)] *= 1.1;
    indefinite[(2, 1)] *= 1.1;
    assert!(MomentGaussian::new(&[0.0; 3], &indefinite).is_err());
}

#[test]
fn a_filter_and_a_smoother_are_made_of_the_engine() {
    // A Wiener process from 0, observed with variance 1/4 at the times 1, 2 and 4: forwards by prediction and
    // Bayes' rule, backwards by the reversed transitions.
    let scalar = |x: f64| DMatrix::from_element(1, 1, x);
    let observation = LinearGaussian::independent(&scalar(1.0), &[0.0], &[0.25]).expect("sizes agree");
    let mut state = MomentGaussian::point(&[0.0]).expect("finite");
    let mut ln_evidence = 0.0;
    let (mut filtered, mut backwards) = (Vec::new(), Vec::new());
    for (step, y) in [(1.0, 0.5), (1.0, 1.2), (2.0, 0.3)] {
        let transition = LinearGaussian::independent(&scalar(1.0), &[0.0], &[step]).expect("sizes agree");
        backwards.push(transition.reversed(&state).expect("regular"));
        let predicted = transition.predictive(&state).expect("sizes agree");
        let updated = predicted.bayes(&observation, &[y]).expect("regular");
        ln_evidence += updated.ln_evidence;
        state = updated.posterior;
        filtered.push(state.clone());
    }
    let parts = |states: &[MomentGaussian]| {
        let means: Vec<f64> = states.iter().map(|state| state.mean()[0]).collect();
        let variances: Vec<f64> = states.iter().map(|state| state.covariance()[(0, 0)]).collect();
        (means, variances)
    };
    let (means, variances) = parts(&filtered);
    assert_all_close(&means, &[0.4, 1.062068965517241, 0.377543859649123], 1e-14);
    assert_all_close(&variances, &[0.2, 0.206896551724138, 0.224561403508772], 1e-14);
    assert_close(ln_evidence, -3.9424958410509636, 1e-15);
    let mut smoothed = vec![state];
    for backward in backwards[1..].iter().rev() {
        smoothed.push(backward.predictive(&smoothed[smoothed.len() - 1]).expect("sizes agree"));
    }
    smoothed.reverse();
    let (means, variances) = parts(&smoothed);
    assert_all_close(&means, &[0.499649122807018, 0.997894736842105, 0.377543859649123], 1e-14);
    assert_all_close(&variances, &[0.171929824561404, 0.189473684210526, 0.224561403508772], 1e-14);
    // The start is known, and stays so.
    assert_eq!(backwards[0].noise(), scalar(0.0));
}

#[test]
fn what_does_not_fit_is_refused() {
    let (likelihood, y) = observation();
    let error = example().bayes(&likelihood, &y[..2]).expect_err("three numbers are observed");
    assert_eq!(
        error.to_string(),
        "LinearGaussian: length of y = 2 must be the length that the other parameters have"
    );
    assert!(Gaussian::standard(3).bayes(&likelihood, &y).is_err());
    assert!(example().bayes(&likelihood, &[0.0, f64::NAN, 0.0]).is_err());
    let error = Gaussian::new(&[0.0, f64::NAN], &square(2, &[1.0, 0.0, 0.0, 1.0])).expect_err("NaN");
    assert_eq!(error.index(), Some(1));
    assert!(Gaussian::new(&[0.0], &square(2, &[1.0, 0.0, 0.0, 1.0])).is_err());
    let error = Gaussian::new(&[0.0, 0.0], &square(2, &[1.0, 0.5, 0.4, 1.0])).expect_err("not symmetric");
    assert!(error.to_string().contains("symmetric"), "{error}");
    let error = Gaussian::new(&[0.0, 0.0], &square(2, &[1.0, 2.0, 2.0, 1.0])).expect_err("indefinite");
    assert_eq!(error.value(), -3.0);
    assert!(MomentGaussian::new(&[0.0, 0.0], &square(2, &[1.0, 2.0, 2.0, 1.0])).is_err());
    assert!(Gaussian::new(&[0.0, 0.0], &square(2, &[1.0, 1.0, 1.0, 1.0])).is_err());
    assert!(MomentGaussian::new(&[0.0, 0.0], &square(2, &[1.0, 1.0, 1.0, 1.0])).is_ok());
    assert!(example().marginal(&[2]).is_err() && example().marginal(&[0, 0]).is_err());
    assert!(example().condition(&[0], &[]).is_err() && example().condition(&[0], &[f64::INFINITY]).is_err());
    assert!(
        InformationGaussian::flat(2).distribution().is_err()
            && InformationGaussian::flat(2).sampler().is_err()
    );
    assert!(InformationGaussian::flat(2).ln_integral().is_err());
}

#[test]
fn points_outside_of_the_space_have_no_density() {
    let distribution = example();
    for x in
        [&[0.0][..], &[0.0; 3], &[f64::INFINITY, 0.0], &[f64::INFINITY, f64::NEG_INFINITY], &[1e300, 1e300]]
    {
        assert_eq!(distribution.ln_pdf(x), f64::NEG_INFINITY, "{x:?}");
    }
    assert!(
        distribution.ln_pdf(&[f64::NAN, f64::INFINITY]).is_nan() && distribution.ln_pdf(&[f64::NAN]).is_nan()
    );
    assert_eq!(Gaussian::standard(0).ln_pdf(&[]), 0.0);
    assert_eq!(example().condition(&[1, 0], &[1.0, 2.0]).expect("regular").dimension(), 0);
    // On both sides of the dimension from which the heap is used.
    for n in [16, 17] {
        let point = vec![1.0; n];
        let expected = -0.5 * n as f64 * (1.0 + (2.0 * std::f64::consts::PI).ln());
        assert_close(Gaussian::standard(n).ln_pdf(&point), expected, 1e-14);
    }
}

#[test]
fn the_densities_of_rows_are_those_of_points() {
    let mut rng = stream(2, &[]);
    for (n, rows) in [(1, 1), (3, 127), (5, 300), (20, 129), (0, 3), (2, 0)] {
        let distribution = random_distribution(n, &mut rng);
        let mut points = DMatrix::from_fn(rows, n, |_, _| rng.random_range(-3.0..3.0));
        if rows > 100 {
            points[(7, 0)] = f64::INFINITY;
            points[(8, n - 1)] = f64::NAN;
            points[(9, 0)] = 1e200;
        }
        let together = distribution.ln_pdf_rows(&points);
        assert_eq!(together.len(), rows);
        for (row, ln_pdf) in points.row_iter().zip(together) {
            let point: Vec<f64> = row.iter().copied().collect();
            let (a, b) = (ln_pdf, distribution.ln_pdf(&point));
            assert!(
                (a - b).abs() <= 1e-14 * b.abs() || a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                "{a} {b}"
            );
        }
    }
}

#[test]
fn the_family() {
    let points = [vec![0.3, -2.0], vec![1.0, 0.5], vec![-1.5, -0.7], vec![4.0, 1.0]];
    consistency::exponential_family(&example(), &points, 1e-12);
    consistency::stats::<Gaussian, Vec<f64>>(&2, &points);
    let q = Gaussian::new(&[0.0, 0.5], &square(2, &[1.0, -0.2, -0.2, 3.0])).expect("positive definite");
    consistency::kl_divergence::<_, Vec<f64>>(&example(), &q, None);
    consistency::bregman(&example(), &q, 1e-12);
    let three = random_distribution(3, &mut stream(3, &[]));
    consistency::exponential_family(&three, &[vec![0.1, 0.2, 0.3], vec![-1.0, 2.0, 0.0]], 1e-9);
    // The Fisher information is the Hessian of ln Z: differences of its gradient, the expectation.
    let (natural, information) = (three.natural(), three.fisher_information());
    for j in 0..natural.as_slice().len() {
        let step = 1e-5;
        let at = |offset: f64| {
            let mut moved = natural.as_slice().to_vec();
            moved[j] += offset;
            let moved = posterior_dist::Natural::new(3, moved).expect("numbers");
            Gaussian::from_natural(&moved).expect("positive definite").expectation().as_slice().to_vec()
        };
        for (i, (up, down)) in at(step).iter().zip(at(-step)).enumerate() {
            assert_within((up - down) / (2.0 * step), information[(i, j)], 1e-6 * information.amax());
        }
    }
}

#[test]
fn data_far_from_zero_keep_their_digits() {
    let points: Vec<[f64; 2]> =
        [[1.0, 2.0], [2.0, 1.0], [4.0, 4.0], [1.0, 1.0]].iter().map(|[x, y]| [x + 1e8, y - 1e8]).collect();
    let stats = Stats::<Gaussian>::of(2, points.iter().map(|x| &x[..])).expect("finite");
    let distribution = Gaussian::maximum_likelihood(&stats).expect("four points in general position");
    assert_eq!(distribution.mean().as_slice(), [1e8 + 2.0, 2.0 - 1e8]);
    assert_all_close(distribution.covariance().as_slice(), &[1.5, 1.25, 1.25, 1.5], 1e-15);
    assert!(Gaussian::maximum_likelihood(&Stats::new(2)).is_err());
}

#[test]
fn a_chain_has_a_tridiagonal_precision_and_a_full_covariance() {
    // A random walk, observed nowhere: each step depends on the one before only.
    let steps = 8;
    let mut walk = MomentGaussian::new(&[0.0], &DMatrix::identity(1, 1)).expect("finite");
    for n in 1..steps {
        let mut last = DMatrix::zeros(1, n);
        last[(0, n - 1)] = 0.9;
        let step = LinearGaussian::new(&last, &[0.5], &DMatrix::identity(1, 1)).expect("sizes agree");
        walk = step.joint(&walk).expect("sizes agree");
    }
    let walk = walk.distribution().expect("regular");
    let chain: Vec<Vec<usize>> = (0..steps)
        .map(|i| [i.checked_sub(1), (i + 1 < steps).then_some(i + 1)].into_iter().flatten().collect())
        .collect();
    assert_eq!(walk.conditional_independence_graph(1e-12), chain);
    let all = |i: usize| (0..steps).filter(|&j| j != i).collect::<Vec<_>>();
    assert_eq!(walk.marginal_dependence_graph(1e-3), (0..steps).map(all).collect::<Vec<_>>());
    let partial = walk.partial_correlations();
    assert_close(partial[(3, 4)], 0.9 / 1.81, 1e-14);
    // The partial correlation is the correlation given all others.
    let given = walk.condition(&[0, 1, 2, 5, 6, 7], &[0.0; 6]).expect("regular");
    assert_close(given.correlations()[(0, 1)], partial[(3, 4)], 1e-14);
}

#[test]
fn distances_between_distributions() {
    // In one dimension the Wasserstein distance is √((μ₁ - μ₂)² + (σ₁ - σ₂)²).
    let of = |mean: f64, deviation: f64| {
        Gaussian::new(&[mean], &DMatrix::from_element(1, 1, deviation * deviation)).expect("positive")
    };
    assert_close(of(0.0, 1.0).wasserstein_distance(&of(3.0, 5.0)), 5.0, 1e-15);
    assert_close(of(0.0, 1.0).kl_divergence(&of(1.0, 2.0)), 0.4431471805599453, 1e-15);
    assert_close(of(1.0, 2.0).kl_divergence(&of(0.0, 1.0)), 1.3068528194400546, 1e-15);
    assert_close(of(1.0, 2.0).jeffreys_divergence(&of(0.0, 1.0)), 1.75, 1e-15);
    // Equal up to a rotation of the factor.
    assert_within(example().wasserstein_distance(&example()), 0.0, 1e-7);
    assert_eq!(example().wasserstein_distance(&of(0.0, 1.0)), f64::INFINITY);
    assert_eq!(example().kl_divergence(&of(0.0, 1.0)), f64::INFINITY);
    // Commuting covariances: the root of the sum of (σ₁ - σ₂)².
    let diagonal =
        |a: f64, b: f64| Gaussian::new(&[0.0, 0.0], &square(2, &[a, 0.0, 0.0, b])).expect("positive");
    assert_close(diagonal(1.0, 9.0).wasserstein_distance(&diagonal(16.0, 1.0)), 13.0_f64.sqrt(), 1e-15);
    // L₁ᵀ L₂ is beyond all numbers: an answer, and no endless iteration.
    let huge = Gaussian::new(&[0.0, 0.0], &square(2, &[1e308, 9e307, 9e307, 1e308])).expect("positive");
    assert!(huge.wasserstein_distance(&huge).is_nan());
}

#[test]
fn the_expectation_is_the_average_of_draws() {
    let covariance = square(2, &[2.0, 0.5, 0.5, 1.0]);
    let distribution = Gaussian::new(&[1.0, -1.0], &covariance).expect("valid parameters");
    consistency::expectation_is_the_average::<_, Vec<f64>>(&distribution, 16);
}

#[test]
fn a_draw_into_a_vector_is_the_draw() {
    let mut x = [0.0; 2];
    example().sample_into(&mut stream(5, &[]), &mut x);
    assert_eq!(x.to_vec(), example().sample(&mut stream(5, &[])));
}
