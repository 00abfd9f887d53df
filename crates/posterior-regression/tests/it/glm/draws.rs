//! The posterior by weighted draws: the equations that the exact one fulfils, quadrature, the sampler,
//! coverage.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{
    CoefficientPrior, Corrected, CountMixture, DrawnBy, Family, Glm, GlmData, GlmDraws, GlmFitOptions,
    Predictor, ResponseDistribution as _,
};
use posterior_sampling::Run;
use rand::distr::Distribution;
use rand::{Rng, RngExt as _};
use rand_distr::StandardNormal;

const SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 10.0;

fn normal<R: Rng>(rng: &mut R) -> f64 {
    StandardNormal.sample(rng)
}

/// A column of ones, and independent normal ones.
fn design<R: Rng>(rows: usize, columns: usize, rng: &mut R) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns + 1, |_, j| if j == 0 { 1.0 } else { normal(rng) })
}

fn model<'a>(distribution: Family, design: &'a DMatrix<f64>, y: &'a [f64]) -> Glm<'a> {
    let mut sds = vec![SD; design.ncols()];
    sds[0] = INTERCEPT_SD;
    let prior = CoefficientPrior::diagonal(vec![0.0; sds.len()], &sds).unwrap();
    Glm::new(distribution, GlmData::new(design, y).unwrap()).unwrap().with_prior(prior).unwrap()
}

fn outcome<R: Rng>(distribution: Family, predictor: f64, rng: &mut R) -> f64 {
    if distribution == Family::Logit {
        return f64::from(u8::from(rng.random::<f64>() < distribution.mean(predictor)));
    }
    rand_distr::Poisson::new(distribution.mean(predictor)).unwrap().sample(rng)
}

fn drawn(model: &Glm<'_>, seed: u64) -> Option<GlmDraws> {
    let laplace = model.laplace(&GlmFitOptions::default()).unwrap();
    match model.corrected(&laplace, seed).unwrap() {
        Corrected::Laplace | Corrected::Moved { .. } => None,
        Corrected::Draws(draws) => Some(draws),
    }
}

/// Under the exact posterior the mean of the gradient is zero. For the intercept: Σ E μᵢ = Σ yᵢ - E β₀ / 10².
fn expected_sum(y: &[f64], intercept: f64) -> f64 {
    y.iter().sum::<f64>() - intercept / (INTERCEPT_SD * INTERCEPT_SD)
}

#[test]
fn what_is_rare_is_predicted_as_often_as_it_happens() {
    // Rows, columns, intercept; how much too much Laplace's approximation predicts at least.
    for (distribution, rows, columns, intercept, too_much) in [
        (Family::Logit, 500, 5, -4.2, 1.1),
        (Family::Logit, 200, 5, -3.2, 1.08),
        (Family::Logit, 60, 8, -2.4, 1.1),
        (Family::Poisson, 60, 8, -1.4, 1.1),
    ] {
        let mut rng = stream(8, &[rows]);
        let mut ratios = Vec::new();
        for seed in 0..4 {
            let design = design(rows as usize, columns, &mut rng);
            let slopes: Vec<f64> = (0..columns).map(|_| 0.5 * normal(&mut rng)).collect();
            let y: Vec<f64> = design
                .row_iter()
                .map(|row| {
                    let slope: f64 = row.iter().skip(1).zip(&slopes).map(|(x, slope)| x * slope).sum();
                    outcome(distribution, intercept + slope, &mut rng)
                })
                .collect();
            if y.iter().sum::<f64>() < 3.0 {
                continue;
            }
            let model = model(distribution, &design, &y);
            let draws = drawn(&model, seed).unwrap();
            let mean = |row: usize| {
                draws.response(&distribution, design.row(row).transpose().as_slice(), 0.0).unwrap().mean
            };
            let sum: f64 = (0..y.len()).map(mean).sum();
            let expected = expected_sum(&y, draws.marginal("", |point| point[0]).unwrap().mean);
            // 8,000 draws have an error of 0.5 % at ten events; 4,000 correlated ones of twice that.
            let tolerance = if draws.drawn_by == DrawnBy::ImportanceSampling { 0.02 } else { 0.06 };
            assert!(
                (sum / expected - 1.0).abs() < tolerance,
                "{distribution:?} {rows} {seed} {sum} {expected} {:?}",
                draws.pareto_shape
            );
            let laplace = model.laplace(&GlmFitOptions::default()).unwrap();
            let predictors = Predictor::of_rows(&laplace.distribution, &design).unwrap();
            let rule = posterior_math::quadrature::GaussHermite::new(32).unwrap();
            let plain: f64 = predictors.iter().map(|own| own.averaged(&distribution, &rule)).sum();
            ratios.push([sum / expected, plain / expected]);
        }
        let mean = |which: usize| ratios.iter().map(|own| own[which]).sum::<f64>() / ratios.len() as f64;
        println!("{distribution:?} {rows} rows: corrected {:.4}, Laplace {:.3}", mean(0), mean(1));
        assert!((mean(0) - 1.0).abs() < 0.01, "{distribution:?} {rows} {ratios:?}");
        assert!(mean(1) > too_much, "{distribution:?} {rows} {ratios:?}");
    }
}

#[test]
fn five_rows_are_as_quadrature_has_them_and_many_are_left_to_laplace() {
    let five = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
    let data = GlmData::new(&five, &[0.0, 0.0, 1.0, 0.0, 1.0]).unwrap();
    let prior = CoefficientPrior::isotropic(2, 1.0).unwrap();
    let model = Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap();
    let draws = drawn(&model, 1).unwrap();
    let evidence = draws.ln_evidence.unwrap();
    let error = evidence.ln_value - -3.632910154146;
    assert!(error.abs() < 4.0 * evidence.standard_error && evidence.standard_error < 0.02, "{evidence:?}");
    assert!(draws.pareto_shape.unwrap() < 0.7);
    // The sampler has no evidence, and the same coefficients.
    let chains = model.by_nuts(&Run { seed: 3, ..Run::default() }).unwrap();
    assert!(chains.ln_evidence.is_none() && chains.pareto_shape.is_none());
    for j in 0..2 {
        let [a, b] = [&draws, &chains].map(|own| own.marginal("", |point| point[j]).unwrap());
        assert!((a.mean - b.mean).abs() < 0.08 * b.sd && (a.sd / b.sd - 1.0).abs() < 0.06, "{a:?} {b:?}");
        assert!((a.q05 - b.q05).abs() < 0.15 * b.sd && (a.q95 - b.q95).abs() < 0.15 * b.sd, "{a:?} {b:?}");
    }

    let mut rng = stream(5, &[]);
    let many = design(20_000, 1, &mut rng);
    let y: Vec<f64> = many.row_iter().map(|row| outcome(Family::Logit, 0.3 * row[1], &mut rng)).collect();
    assert!(drawn(&self::model(Family::Logit, &many, &y), 1).is_none());
    let flat = Glm::new(Family::Logit, GlmData::new(&many, &y).unwrap()).unwrap();
    assert!(flat.corrected(&flat.laplace(&GlmFitOptions::default()).unwrap(), 1).is_err());
}

/// Under the exact posterior the mean of every component of the gradient is zero.
#[test]
fn third_derivatives_move_the_mean_to_where_the_gradient_is_zero_on_average() {
    let rule = posterior_math::quadrature::GaussHermite::new(32).unwrap();
    for (distribution, intercept) in [(Family::Logit, -1.0), (Family::Poisson, 0.5)] {
        let mut rng = stream(11, &[]);
        let design = design(800, 4, &mut rng);
        let slopes = [0.4, -0.3, 0.2, 0.0];
        let y: Vec<f64> = design
            .row_iter()
            .map(|row| {
                let slope: f64 = row.iter().skip(1).zip(&slopes).map(|(x, slope)| x * slope).sum();
                outcome(distribution, intercept + slope, &mut rng)
            })
            .collect();
        let model = model(distribution, &design, &y);
        let laplace = model.laplace(&GlmFitOptions::default()).unwrap();
        let Corrected::Moved { distribution: moved, ln_evidence } = model.corrected(&laplace, 1).unwrap()
        else {
            panic!("{distribution:?}: no Gaussian is enough")
        };
        // The largest component, in standard deviations of the posterior.
        let excess = |own: &posterior_gaussian::Gaussian| {
            let means: Vec<f64> = Predictor::of_rows(own, &design)
                .unwrap()
                .iter()
                .map(|predictor| predictor.averaged(&distribution, &rule))
                .collect();
            let covariance = own.cholesky().reconstruct();
            let component = |j: usize| {
                let sum: f64 = (0..y.len()).map(|row| (y[row] - means[row]) * design[(row, j)]).sum();
                let sd = if j == 0 { INTERCEPT_SD } else { SD };
                (sum - own.mean()[j] / (sd * sd)).abs() * covariance[(j, j)].sqrt()
            };
            (0..design.ncols()).map(component).fold(0.0, f64::max)
        };
        let (before, after) = (excess(&laplace.distribution), excess(&moved));
        println!("{distribution:?}: the gradient on average {before:.4}, after {after:.5}");
        assert!(after < 0.1 * before && after < 0.01, "{distribution:?} {before} {after}");
        assert!((ln_evidence.ln_value - laplace.ln_evidence).abs() < 0.1, "{ln_evidence:?}");
    }
}

#[test]
fn intervals_of_coefficients_hold_what_they_say_under_their_prior() {
    let mut rng = stream(6, &[]);
    let (mut inside, mut all) = (0, 0);
    for seed in 0..60 {
        let design = design(40, 4, &mut rng);
        let truth: Vec<f64> = (0..5).map(|j| if j == 0 { 0.0 } else { SD * normal(&mut rng) }).collect();
        let y: Vec<f64> = design
            .row_iter()
            .map(|row| {
                let predictor = row.iter().zip(&truth).map(|(x, own)| x * own).sum();
                outcome(Family::Logit, predictor, &mut rng)
            })
            .collect();
        let Some(draws) = drawn(&model(Family::Logit, &design, &y), seed) else { continue };
        for j in 1..5 {
            let own = draws.marginal("", |point| point[j]).unwrap();
            inside += usize::from(own.q05 <= truth[j] && truth[j] <= own.q95);
            all += 1;
        }
    }
    let coverage = f64::from(u32::try_from(inside).unwrap()) / f64::from(all);
    // 240 intervals: a binomial error of 0.02.
    println!("coefficients of a logistic regression: {coverage:.3}");
    assert!((0.85..=0.95).contains(&coverage), "{coverage}");
}

#[test]
fn a_new_count_has_the_quantiles_of_the_mixture() {
    // A gamma distribution of rates makes a negative binomial one: here of size 4 and mean 12, by SciPy's
    // nbinom(4, 0.25): 3, 25.
    let gamma = posterior_dist::Gamma::shape_rate(4.0, 1.0 / 3.0).unwrap();
    let quantile = |i: u32| posterior_dist::Univariate::quantile(&gamma, (f64::from(i) + 0.5) / 2000.0);
    let mixture = CountMixture::of_rates((0..2000).map(|i| (quantile(i), 2.0)).collect());
    assert_eq!((mixture.quantile(0.05), mixture.quantile(0.95)), (3.0, 25.0));
    assert!((mixture.mean() - 12.0).abs() < 0.01 && mixture.cdf(-1.0) == 0.0);
    // A rate that is known: the Poisson distribution. A large one that hardly is: that of the rate.
    let known = CountMixture::of_predictor(&Predictor { mean: 7_f64.ln(), variance: 0.0 });
    assert_eq!((known.quantile(0.05), known.quantile(0.95)), (3.0, 12.0));
    let wide = CountMixture::of_predictor(&Predictor { mean: 1e6_f64.ln(), variance: 1.0 });
    assert!(
        (wide.quantile(0.95) / (1e6 * 1.6448536_f64.exp()) - 1.0).abs() < 0.02,
        "{}",
        wide.quantile(0.95)
    );
    assert_eq!(
        CountMixture::of_predictor(&Predictor { mean: 800.0, variance: 1.0 }).quantile(0.5),
        f64::INFINITY
    );
}

/// By SciPy: `nbinom(2.5, 2.5/(2.5 + mean))`.
#[test]
fn negative_binomial_counts_are_mixed() {
    let one = CountMixture::of_rates(vec![(3.0, 1.0)]).with_size(2.5).unwrap();
    assert!((one.ln_pmf(4.0) - -2.195861256155662).abs() < 1e-12);
    assert!((one.cdf(4.0) - 0.7701785556826418).abs() < 1e-12);
    assert!((one.sd() - 2.569046515733026).abs() < 1e-12);
    assert_eq!(one.quantile(0.95), 8.0);
    let two = CountMixture::of_rates(vec![(3.0, 3.0), (8.0, 7.0)]).with_size(2.5).unwrap();
    assert!((two.cdf(5.0) - 0.5335390798560542).abs() < 1e-12);
    assert!((two.mean() - 6.5).abs() < 1e-12 && (two.sd() - 5.545268253204709).abs() < 1e-12);
    assert_eq!((two.quantile(0.95), two.ln_pmf(1.5)), (17.0, f64::NEG_INFINITY));
    // A mean of zero has no counts.
    let none = CountMixture::of_rates(vec![(0.0, 1.0)]).with_size(2.5).unwrap();
    assert_eq!((none.cdf(0.0), none.quantile(0.9)), (1.0, 0.0));
    assert!(CountMixture::of_rates(vec![(3.0, 1.0)]).with_size(0.0).is_err());
}
