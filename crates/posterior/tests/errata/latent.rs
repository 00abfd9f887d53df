//! Clusters, mixtures, expectation maximisation, bounds.

use posterior::dist::{
    CanonicalPrior, Conjugate, Density, ExponentialFamily, Mixture, Moments, Natural, Normal,
    NormalInverseGamma, Poisson, Stats,
};
use posterior::inference::em::EmOptions;
use posterior::inference::variational::AscentOptions;
use posterior::latent::Observations;
use posterior::latent::k_means::KMeans;
use posterior::latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior::latent::variational::{BayesianMixture, MixtureAscent, Points};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;

use crate::{close, differs};

fn mixture(means: [f64; 2]) -> Mixture<Normal> {
    let normals = means.map(|mean| Normal::mean_variance(mean, 1.0).unwrap());
    Mixture::from_weights(&[0.3, 0.7], normals.to_vec()).unwrap()
}

/// What is expected of ln p(x, z) under responsibilities q, and their entropy.
fn parts(model: &Mixture<Normal>, q: &[f64], x: f64) -> (f64, f64) {
    let joint = |k: usize| model.weights().probabilities()[k].ln() + model.components()[k].ln_pdf(&x);
    let expected = (0..2).map(|k| q[k] * joint(k)).sum();
    (expected, -q.iter().map(|q| q * q.ln()).sum::<f64>())
}

/// The posterior of n observations adds their statistics to α times the most probable ones.
#[test]
fn erratum_39() {
    let (prior, data) = (CanonicalPrior::<Poisson>::new((), vec![6.0], 2.0).unwrap(), [3, 0, 5]);
    let mut stats = Stats::<Poisson>::new(());
    for x in &data {
        stats.push(x).unwrap();
    }
    let posterior = prior.posterior(&stats).unwrap();
    assert_eq!((posterior.alpha(), posterior.weight()), (&[6.0 + 8.0][..], 2.0 + 3.0));
    // Up to a constant it is the prior times the likelihood.
    let excess = |rate: f64| {
        let poisson = Poisson::new(rate).unwrap();
        let natural: Natural<Poisson> = poisson.natural();
        let ln_likelihood: f64 = data.iter().map(|x| poisson.ln_pdf(x)).sum();
        posterior.ln_unnormalized(&natural) - prior.ln_unnormalized(&natural) - ln_likelihood
    };
    close(excess(0.7), excess(4.0), 12);
    // The printed posterior leaves out the weight of the most probable rate, 3, in the first term.
    differs(3.0 + 8.0, posterior.alpha()[0]);
}

/// Principal components of D texts are D × K, with X ≈ Q Uᵀ.
#[test]
fn erratum_45() {
    use posterior::latent::principal_components::{PcaOptions, fit};
    let rows = DMatrix::from_fn(7, 3, |i, j| ((i * 5 + j * 3) % 7) as f64 + (i * j) as f64);
    let data = Observations::new(&rows).unwrap();
    let fitted = fit(&data, &PcaOptions::default()).unwrap();
    let (scores, components) = (fitted.scores(&data).unwrap(), fitted.components());
    assert_eq!((scores.nrows(), components.ncols()), (7, scores.ncols()));
    let means = rows.row_mean();
    let again = &scores * components.transpose();
    for (i, row) in again.row_iter().enumerate() {
        assert!((row + &means - rows.row(i)).amax() < 1e-12);
    }
}

/// A row belongs to the centre that gives it the largest density, whose exponent has a minus.
#[test]
fn erratum_48() {
    let centres = DMatrix::from_row_slice(2, 1, &[0.0, 3.0]);
    let rows = DMatrix::from_row_slice(2, 1, &[1.0, 2.5]);
    let labels = KMeans::new(&centres).unwrap().assign(&Observations::new(&rows).unwrap()).unwrap();
    for (i, &label) in labels.iter().enumerate() {
        let ln_pdf = |k: usize| Normal::mean_variance(centres[k], 1.0).unwrap().ln_pdf(&rows[i]);
        assert!(ln_pdf(label) > ln_pdf(1 - label));
    }
}

/// The bound of a Bayesian mixture keeps ln(2π)/2 of each point and dimension: with one component it is the
/// evidence.
#[test]
fn erratum_53() {
    let points = [1.3, -0.2, 0.8, 2.9, 0.1];
    let prior = NormalInverseGamma::new(0.3, 0.7, 1.2, 0.9).unwrap();
    let stats = Stats::<Normal>::of((), &points).unwrap();
    let evidence = Normal::ln_evidence(&prior, &stats).unwrap();
    let model = BayesianMixture::<Normal, _>::finite(1, 1.0, prior, ()).unwrap();
    let data = Points::new(&points);
    let ascent = MixtureAscent::new(&model, &data).unwrap();
    let start = ascent.start_from_labels(&[0; 5]).unwrap();
    let fitted = ascent.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
    let bound = fitted.model.elbo_terms().unwrap().total();
    close(bound, evidence, 11);
    differs(bound + 5.0 * 0.5 * std::f64::consts::TAU.ln(), evidence);
}

/// The bound of EM: E_q ln p(x, z) + H(q), with H = -E ln q, is ln p(x) at the responsibilities.
#[test]
fn erratum_50() {
    let (model, x) = (mixture([-1.0, 2.0]), 0.4);
    let q = model.responsibilities(&x).unwrap();
    let (expected, entropy) = parts(&model, q.probabilities(), x);
    close(expected + entropy, model.ln_pdf(&x), 13);
    differs(expected, model.ln_pdf(&x));
}

/// With the other sign of the entropy it is no bound of the evidence.
#[test]
fn erratum_51() {
    let (model, x) = (mixture([-1.0, 2.0]), 0.4);
    for q in [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]] {
        let (expected, entropy) = parts(&model, &q, x);
        assert!(entropy > 0.0 && expected + entropy < model.ln_pdf(&x));
    }
}

/// Maximum likelihood in an exponential family: ∇ ln Z(θ) = the mean of the statistics.
#[test]
fn erratum_52() {
    let mut stats = Stats::<Normal>::new(());
    for x in [0.5, -1.0, 2.5, 0.3] {
        stats.push(&x).unwrap();
    }
    let fitted = Normal::maximum_likelihood(&stats).unwrap();
    let mean = stats.mean().unwrap();
    let natural = fitted.natural();
    for i in 0..2 {
        let shifted = |by: f64| {
            let mut coordinates = natural.as_slice().to_vec();
            coordinates[i] += by;
            Normal::ln_partition(&Natural::new((), coordinates).unwrap())
        };
        close((shifted(1e-5) - shifted(-1e-5)) / 2e-5, mean.as_slice()[i], 8);
    }
}

/// ln p = bound only at the parameters of the responsibilities; for others the bound is lower.
#[test]
fn erratum_75() {
    let (model, other, x) = (mixture([-1.0, 2.0]), mixture([2.0, -1.0]), 0.4);
    let q = model.responsibilities(&x).unwrap();
    let (expected, entropy) = parts(&other, q.probabilities(), x);
    assert!(expected + entropy < other.ln_pdf(&x) - 0.01);
}

/// EM never lowers the likelihood, but may stand still at a saddle: two equal components.
#[test]
fn erratum_70() {
    let data = [-3.0, -2.5, -3.2, 2.8, 3.1, 2.6];
    let points = Points::new(&data[..]);
    let problem = MixtureProblem::new(&points, (), MaximumLikelihood).unwrap();
    let options = EmOptions { tolerance: -1.0, max_iterations: 50, ..EmOptions::default() };
    let fit = |means| problem.fit(mixture(means), &options, &mut Silent).unwrap();
    let (saddle, free) = (fit([0.0, 0.0]), fit([-1.0, 1.0]));
    for fitted in [&saddle, &free] {
        assert!(fitted.report.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12));
    }
    let means: Vec<f64> = saddle.model.mixture.components().iter().map(|c| c.mean().unwrap()).collect();
    close(means[0], means[1], 13);
    assert!(free.report.trace.last() > saddle.report.trace.last());
}
