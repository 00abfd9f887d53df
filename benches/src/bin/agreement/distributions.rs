//! Conjugate updates against integrals, and the forms of Gaussian algebra against each other.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::dist::{
    Bernoulli, Beta, Categorical, Conjugate, Density, Dirichlet, Exponential, ExponentialFamily, Gamma,
    Normal, NormalInverseGamma, NormalKnownVariance, Poisson, Stats,
};
use posterior::gaussian::{
    BayesForm, Gaussian, InformationGaussian, LinearGaussian, MomentGaussian, NormalInverseWishart,
};
use posterior::math::linalg::DMatrix;
use posterior::math::quadrature::{QuadratureOptions, gauss_kronrod};
use rand::{Rng, RngExt};

use crate::row::{Comparison, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub(crate) fn rows() -> Rows {
    let mut rows =
        vec![evidences_on_the_line()?, mean_and_variance()?, predictives()?, bayes_at_parameters()?];
    rows.extend(gaussians()?);
    Ok(rows)
}

/// ln ∫ p(data | w) p(w) dw by quadrature.
fn integral(from: f64, to: f64, ln_joint: impl Fn(f64) -> f64, scale: f64) -> f64 {
    let options = QuadratureOptions { relative: 1e-13, ..QuadratureOptions::default() };
    gauss_kronrod(|w| (ln_joint(w) - scale).exp(), from, to, &options).value.ln() + scale
}

fn evidences_on_the_line() -> Outcome<Row> {
    let mut rng = stream(1, &[]);
    let mut seen = Comparison::default();
    for _ in 0..10 {
        let (a, b) = (rng.random_range(1.0..5.0), rng.random_range(1.0..5.0));
        let tosses: Vec<bool> = (0..20).map(|_| rng.random_bool(0.3)).collect();
        let prior = Beta::new(a, b)?;
        let evidence = Bernoulli::ln_evidence(&prior, &Stats::of((), &tosses)?)?;
        let heads = tosses.iter().filter(|&&toss| toss).count() as f64;
        let joint = |p: f64| heads * p.ln() + (20.0 - heads) * (-p).ln_1p() + prior.ln_pdf(&p);
        seen.see(evidence, integral(0.0, 1.0, joint, evidence));

        let prior = Gamma::shape_rate(a, b)?;
        let counts: Vec<u64> = (0..8).map(|_| rng.random_range(0..9)).collect();
        let evidence = Poisson::ln_evidence(&prior, &Stats::of((), &counts)?)?;
        let distribution = |rate: f64| {
            Poisson::new(rate)
                .map_or(f64::NEG_INFINITY, |distribution| counts.iter().map(|k| distribution.ln_pdf(k)).sum())
        };
        let joint = |rate: f64| distribution(rate) + prior.ln_pdf(&rate);
        seen.see(evidence, integral(0.0, f64::INFINITY, joint, evidence));

        let waits: Vec<f64> = (0..8).map(|_| rng.random_range(0.1..4.0)).collect();
        let evidence = Exponential::ln_evidence(&prior, &Stats::of((), &waits)?)?;
        let total: f64 = waits.iter().sum();
        let joint = |rate: f64| 8.0 * rate.ln() - rate * total + prior.ln_pdf(&rate);
        seen.see(evidence, integral(0.0, f64::INFINITY, joint, evidence));

        let (prior, data) = (Normal::mean_sd(a - 3.0, b)?, waits);
        let evidence = NormalKnownVariance::ln_evidence(&prior, &Stats::of(0.5, &data)?)?;
        let joint = |mean: f64| {
            let squares: f64 = data.iter().map(|x| (x - mean).powi(2)).sum();
            -4.0 * (std::f64::consts::TAU * 0.5).ln() - squares + prior.ln_pdf(&mean)
        };
        seen.see(evidence, integral(f64::NEG_INFINITY, f64::INFINITY, joint, evidence));
    }
    Ok(seen.numerical(
        "ln evidence of a conjugate pair",
        ["closed form", "Gauss-Kronrod quadrature of prior times likelihood"],
        "Bernoulli, Poisson, exponential and normal data with random priors, 10 each",
        "1e-10 (`posterior-dist/normal_priors.rs`, checks of the test kit)",
    ))
}

/// The evidence of mean and variance, on a grid where the trapezoidal rule converges geometrically.
fn mean_and_variance() -> Outcome<Row> {
    let points = [1.2, 0.7, 2.1, 1.6];
    let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0)?;
    let (height, width) = (0.1, 0.05);
    let mut sum = 0.0;
    for i in -80..=160 {
        let ln_variance = height * f64::from(i);
        let variance = ln_variance.exp();
        for j in -2000..=2000 {
            let mean = 1.12 + width * f64::from(j) * variance.sqrt();
            let squares: f64 = points.iter().map(|x| (x - mean).powi(2)).sum();
            let ln_likelihood = -2.0 * (std::f64::consts::TAU * variance).ln() - 0.5 * squares / variance;
            sum += (prior.ln_pdf(&(mean, variance)) + ln_likelihood + 1.5 * ln_variance).exp();
        }
    }
    let mut seen = Comparison::default();
    seen.see(Normal::ln_evidence(&prior, &Stats::of((), &points)?)?, (sum * height * width).ln());
    Ok(seen.numerical(
        "ln evidence of a normal distribution, mean and variance unknown",
        ["normal-inverse-gamma closed form", "trapezoidal rule on a grid of 964,241 points"],
        "the four points of a textbook",
        "1e-10 (`posterior-dist/normal_priors.rs`)",
    ))
}

/// Predictive densities as ratios of evidences: a point more, and a point fewer.
fn predictives() -> Outcome<Row> {
    let mut rng = stream(2, &[]);
    let mut seen = Comparison::default();
    for _ in 0..50 {
        let (a, b) = (rng.random_range(0.2..5.0), rng.random_range(0.2..5.0));
        let tosses: Vec<bool> = (0..9).map(|_| rng.random_bool(0.4)).collect();
        ratio::<Bernoulli, _, bool>(&mut seen, &(), &Beta::new(a, b)?, &tosses)?;
        let counts: Vec<u64> = (0..9).map(|_| rng.random_range(0..9)).collect();
        ratio::<Poisson, _, u64>(&mut seen, &(), &Gamma::shape_rate(a, b)?, &counts)?;
        let reals: Vec<f64> = (0..9).map(|_| rng.random_range(0.0..4.0)).collect();
        ratio::<Exponential, _, f64>(&mut seen, &(), &Gamma::shape_rate(a, b)?, &reals)?;
        ratio::<Normal, _, f64>(&mut seen, &(), &NormalInverseGamma::new(0.5, a, b, 1.0)?, &reals)?;
        let kinds: Vec<usize> = (0..9).map(|_| rng.random_range(0..3)).collect();
        ratio::<Categorical, _, usize>(&mut seen, &3, &Dirichlet::new(&[a, b, 1.0])?, &kinds)?;
    }
    Ok(seen.exact(
        "predictive density of the next point",
        ["the predictive distribution", "ratio of two evidences"],
        "five families with random priors, 9 points, 50 times each",
        "1e-13 (`consistency::conjugate` of the test kit)",
    ))
}

fn ratio<F, P, X>(seen: &mut Comparison, fixed: &F::Fixed, prior: &P, data: &[X]) -> Outcome<()>
where
    F: Conjugate<P> + ExponentialFamily + Density<Point = X>,
{
    for n in 0..data.len() {
        let before = Stats::<F>::of(fixed.clone(), &data[..n])?;
        let after = Stats::<F>::of(fixed.clone(), &data[..=n])?;
        let predictive = F::predictive(&F::posterior(prior, &before)?, fixed)?;
        seen.see(
            predictive.ln_pdf(&data[n]),
            F::ln_evidence(prior, &after)? - F::ln_evidence(prior, &before)?,
        );
    }
    Ok(())
}

/// ln p(θ) + ln p(x | θ) - ln p(θ | x) is ln p(x), whatever θ is.
fn bayes_at_parameters() -> Outcome<Row> {
    let points = [[1.2, 0.3], [0.7, -0.4], [2.1, 1.9], [1.6, 0.2], [-3.0, 4.0]];
    let scale = DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0]);
    let prior = NormalInverseWishart::new(&[0.5, -1.0], 0.7, &scale, 4.5)?;
    let data = Stats::<Gaussian>::of(2, points.iter().map(|x| &x[..]))?;
    let (posterior, evidence) = (Gaussian::posterior(&prior, &data)?, Gaussian::ln_evidence(&prior, &data)?);
    let mut rng = stream(3, &[]);
    let mut seen = Comparison::default();
    for _ in 0..100 {
        let distribution = Gaussian::draw(&prior, &2, &mut rng)?;
        let ln_likelihood: f64 = points.iter().map(|x| distribution.ln_pdf(x)).sum();
        // The terms are large where the drawn covariance is small: in units of theirs.
        let bayes = prior.ln_pdf(&distribution) + ln_likelihood - posterior.ln_pdf(&distribution);
        let unit = ln_likelihood.abs().max(1.0);
        seen.see(bayes / unit, evidence / unit);
    }
    Ok(seen.exact(
        "ln evidence of a Gaussian, mean and covariance unknown",
        ["normal-inverse-Wishart closed form", "Bayes' rule at drawn parameters"],
        "5 points in the plane, 100 drawn distributions",
        "1e-12 (`posterior-gaussian/gaussian_priors.rs`)",
    ))
}

fn distribution<R: Rng>(n: usize, rng: &mut R) -> Outcome<Gaussian> {
    let root = DMatrix::from_fn(n, n, |_, _| rng.random_range(-1.0..1.0));
    let mean: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
    Ok(Gaussian::new(&mean, &(&root * root.transpose() + DMatrix::identity(n, n)))?)
}

fn see_distribution(seen: &mut Comparison, ours: &MomentGaussian, theirs: &MomentGaussian) {
    seen.see_all(ours.mean().as_slice(), theirs.mean().as_slice());
    seen.see_all(ours.covariance().as_slice(), theirs.covariance().as_slice());
}

fn gaussians() -> Outcome<Vec<Row>> {
    let mut rng = stream(4, &[]);
    let mut forms = [Comparison::default(); 3];
    let [mut joint, mut sequence, mut information] = [Comparison::default(); 3];
    for trial in 0..300 {
        let (n, m) = (1 + trial % 6, 1 + trial / 6 % 6);
        let (prior, noise) = (distribution(n, &mut rng)?, distribution(m, &mut rng)?);
        let map = DMatrix::from_fn(m, n, |_, _| rng.random_range(-1.0..1.0));
        let channel = LinearGaussian::new(&map, noise.mean().as_slice(), noise.covariance())?;
        let y: Vec<f64> = (0..m).map(|_| rng.random_range(-3.0..3.0)).collect();
        let gain = prior.moments().bayes_by(BayesForm::Gain, &channel, &y)?;
        for (seen, form) in
            forms.iter_mut().zip([BayesForm::Precision, BayesForm::Joseph, BayesForm::SquareRoot])
        {
            let other = prior.moments().bayes_by(form, &channel, &y)?;
            see_distribution(seen, &other.posterior, &gain.posterior);
            seen.see(other.ln_evidence, gain.ln_evidence);
        }
        let places: Vec<usize> = (n..n + m).collect();
        see_distribution(
            &mut joint,
            &channel.joint(&prior.moments())?.condition(&places, &y)?,
            &gain.posterior,
        );
        // Information: the likelihood is a factor, and the evidence what is left when all is integrated.
        let product = InformationGaussian::from(&prior).product(&channel.likelihood(&y)?)?;
        see_distribution(&mut information, &product.distribution()?.moments(), &gain.posterior);
        information.see(product.ln_integral()?, gain.ln_evidence);
        let again = gain.posterior.bayes(&channel, &y)?;
        let mut twice = DMatrix::zeros(2 * m, n);
        twice.rows_mut(0, m).copy_from(&map);
        twice.rows_mut(m, m).copy_from(&map);
        let both = noise.moments().stack(&noise.moments());
        let both = LinearGaussian::new(&twice, both.mean().as_slice(), both.covariance())?;
        let batch = prior.moments().bayes(&both, &[&y[..], &y[..]].concat())?;
        see_distribution(&mut sequence, &again.posterior, &batch.posterior);
        sequence.see(gain.ln_evidence + again.ln_evidence, batch.ln_evidence);
    }
    let on = "300 random distributions of 1 to 6 numbers seen through 1 to 6, evidence included";
    let asserted = "1e-13 (`posterior-gaussian/gaussian.rs`)";
    let [precision, joseph, root] = forms;
    Ok(vec![
        precision.exact("Bayes' rule of Gaussians", ["precision form", "gain form"], on, asserted),
        joseph.exact("Bayes' rule of Gaussians", ["Joseph form", "gain form"], on, asserted),
        root.exact("Bayes' rule of Gaussians", ["square-root form", "gain form"], on, asserted),
        joint.exact(
            "Bayes' rule of Gaussians",
            ["the joint distribution, conditioned", "gain form"],
            on,
            asserted,
        ),
        information.exact(
            "Bayes' rule of Gaussians",
            ["product of information forms", "gain form"],
            on,
            "1e-12 (`posterior-gaussian/gaussian.rs`)",
        ),
        sequence.exact("two observations", ["one after the other", "stacked in one"], on, asserted),
    ])
}
