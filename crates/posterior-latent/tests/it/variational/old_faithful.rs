//! The eruptions of Old Faithful: ten components are offered, two are used.

use posterior_datasets::tables::OLD_FAITHFUL;
use posterior_dist::{Density, PitmanYor};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::variational::AscentOptions;
use posterior_latent::Observations;
use posterior_latent::k_means::{self, KMeansOptions};
use posterior_latent::variational::{BayesianMixture, MixtureAscent, VariationalMixture};
use posterior_math::iteration::{Fitted, Silent};
use posterior_math::linalg::DMatrix;

use super::finite;

/// Columns with mean 0 and variance 1.
fn eruptions() -> DMatrix<f64> {
    let rows: Vec<&[f64]> = OLD_FAITHFUL.rows().collect();
    let mut table = DMatrix::from_fn(rows.len(), 2, |i, j| rows[i][j]);
    for mut column in table.column_iter_mut() {
        let (mean, variance) = (column.mean(), column.variance());
        column.apply(|x| *x = (*x - mean) / variance.sqrt());
    }
    table
}

#[test]
fn components_that_are_not_needed_are_pruned() {
    let rows = eruptions();
    let data = Observations::new(&rows).unwrap();
    let prior = NormalInverseWishart::new(&[0.0; 2], 0.1, &(DMatrix::identity(2, 2) * 0.4), 4.0).unwrap();
    let options = AscentOptions { tolerance: 1e-10, max_iterations: 3000, ..AscentOptions::default() };
    let process = PitmanYor::chinese_restaurant(0.2).unwrap();
    let bound_of_one = {
        let model = finite::<Gaussian, _>(1, 1.0, prior.clone(), 2);
        let problem = MixtureAscent::new(&model, &data).unwrap();
        problem.fit_best(1, 1, &options).unwrap().best.report.trace.last().copied().unwrap()
    };
    for model in [
        finite::<Gaussian, _>(10, 0.001, prior.clone(), 2),
        BayesianMixture::process(process, 10, prior.clone(), 2).unwrap(),
    ] {
        let problem = MixtureAscent::new(&model, &data).unwrap();
        // Simpler models make the starts: k-means with two to ten clusters. The bound says which is best.
        let fits: Vec<Fitted<VariationalMixture<Gaussian, NormalInverseWishart>>> = (2..=10)
            .map(|k| {
                let clusters = k_means::fit(&data, &KMeansOptions::new(k), 7, &mut Silent).unwrap().model;
                let start = problem.start_from_labels(&clusters.assign(&data).unwrap()).unwrap();
                problem.fit(start, &options, &mut Silent).unwrap()
            })
            .collect();
        let bound = |fitted: &Fitted<_>| fitted.report.trace.last().copied().unwrap();
        let best = fits.iter().max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap();
        assert!(best.report.falls.is_empty());
        assert!(bound(best) > bound_of_one + 100.0, "{} against {bound_of_one}", bound(best));
        let occupied = best.model.occupied(1.0);
        assert_eq!(occupied.len(), 2, "{:?}", best.model.counts());
        let counts = best.model.counts();
        // Long eruptions after long waits: 175 of 272.
        assert!((counts[occupied[0]] - 175.0).abs() < 2.0, "{counts:?}");
        let long = best.model.components()[occupied[0]].posterior();
        assert!(long.location()[0] > 0.6 && long.location()[1] > 0.5);
        // So do the starts that are made without help.
        let alone = problem.fit_best(20, 1, &options).unwrap();
        let at_random = alone.outcomes.iter().step_by(2).map(|outcome| *outcome.as_ref().unwrap());
        let at_random = at_random.fold(f64::NEG_INFINITY, f64::max);
        assert!(bound(&alone.best) > bound(best) - 0.1, "{} {}", bound(&alone.best), bound(best));
        // Points at random lead 6 and 0.8 lower.
        assert!(bound(&alone.best) > at_random + 0.5, "{at_random}");
        assert_eq!(alone.best.model.occupied(1.0).len(), 2);
        let predictive = best.model.predictive().unwrap();
        assert!(predictive.ln_pdf(&[0.7, 0.6]) > predictive.ln_pdf(&[-0.3, -0.3]) + 2.0);
    }
}
