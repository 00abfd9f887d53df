//! Linear models, generalised linear models and networks by several routes.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::dist::target::{GradTarget, Target};
use posterior::gp::{GaussianProcess, Kernel, Noise};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{Cholesky, DMatrix, DVector};
use posterior::math::optimize::{LbfgsOptions, minimize};
use posterior::regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, ResponseDistribution,
};
use posterior::regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise_by};
use posterior::regression::network::{
    Activation, HessianKind, Joint, Network, NetworkData as Responses, NetworkFitOptions,
    NetworkHyperparameters, NetworkLaplace, NetworkOptimizer, fit,
};
use posterior::regression::polya_gamma::LogisticGibbs;
use posterior::regression::variational_logistic::{VariationalOptions, variational_logistic};
use posterior::sampling::diagnostics::{mcse_mean, mean};
use posterior::sampling::gibbs::Gibbs;
use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::{Draws, Run, Start, Untuned};
use rand::RngExt;

use crate::row::{Comparison, Gaps, Measure, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub(crate) fn rows() -> Rows {
    let mut rows = linear()?;
    rows.extend(searches()?);
    rows.push(network()?);
    rows.extend(logistic()?);
    rows.push(many_rows()?);
    Ok(rows)
}

fn linear() -> Outcome<Vec<Row>> {
    let mut rng = stream(1, &[]);
    let [mut forms, mut functions] = [Comparison::default(); 2];
    for trial in 0..40 {
        let (rows, columns) = (4 + trial % 20, 1 + trial % 6);
        let design = DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-2.0..2.0));
        let outputs: Vec<f64> = (0..rows).map(|_| rng.random_range(-2.0..2.0)).collect();
        let variances: Vec<f64> = (0..columns).map(|_| rng.random_range(0.3..3.0)).collect();
        let prior = WeightPrior::independent(&vec![0.0; columns], &variances)?;
        let data = LinearData::new(&design, &outputs)?;
        let precise = known_noise_by(PosteriorForm::Precision, &data, &prior, 0.2)?;
        for form in [PosteriorForm::SquareRoot, PosteriorForm::Gain] {
            let other = known_noise_by(form, &data, &prior, 0.2)?;
            forms.see_all(other.mean().as_slice(), precise.mean().as_slice());
            forms.see(other.ln_evidence().unwrap_or(f64::NAN), precise.ln_evidence().unwrap_or(f64::NAN));
        }
        let process = GaussianProcess::new(Kernel::linear_ard(&variances)?);
        let process = process.condition(&design, &outputs, &Noise::variance(0.2)?)?;
        functions.see(precise.ln_evidence().unwrap_or(f64::NAN), process.ln_evidence());
        functions.see_all(
            precise.mean().as_slice(),
            process.mean(&DMatrix::identity(columns, columns))?.as_slice(),
        );
    }
    let on = "40 random designs of 4 to 23 rows and 1 to 6 columns";
    Ok(vec![
        forms.exact(
            "Bayesian linear regression",
            ["square-root and gain forms", "precision form"],
            on,
            "1e-11 (`posterior-regression/linear`)",
        ),
        functions.exact(
            "weights are functions",
            ["linear regression", "Gaussian process, linear kernel"],
            on,
            "1e-9 (`posterior/weight_space.rs`)",
        ),
    ])
}

/// A design with an intercept, and responses that fit the family.
fn example(family: Family, rows: usize) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = stream(2, &[]);
    let design = DMatrix::from_fn(rows, 3, |_, j| if j == 0 { 1.0 } else { rng.random_range(-1.5..1.5) });
    let truth = DVector::from_column_slice(&[0.3, 0.8, -0.5]);
    let response = |eta: f64, u: f64| match family {
        Family::Poisson | Family::NegativeBinomial { .. } => (2.0 * u * eta.exp()).round(),
        Family::GammaLog => (0.2 + 2.0 * u) * eta.exp(),
        Family::Gaussian => eta + u - 0.5,
        _ => f64::from(u8::from(u < 1.0 / (1.0 + (-eta).exp()))),
    };
    let predictors = &design * truth;
    let y = predictors.iter().map(|&eta| response(eta, rng.random())).collect();
    (design, y)
}

/// The most probable coefficients by Newton's method, by Fisher's scoring and by L-BFGS.
fn searches() -> Outcome<Vec<Row>> {
    let [mut scoring, mut lbfgs] = [Comparison::default(); 2];
    let families = [
        Family::Gaussian,
        Family::Logit,
        Family::Probit,
        Family::ComplementaryLogLog,
        Family::Poisson,
        Family::NegativeBinomial { size: 2.5 },
        Family::GammaLog,
    ];
    for family in families {
        let (design, y) = example(family, 60);
        let prior = CoefficientPrior::isotropic(3, 2.0)?;
        let model = Glm::new(family, GlmData::new(&design, &y)?)?.with_prior(prior)?.with_dispersion(1.0)?;
        let newton = model.fit(&GlmFitOptions::default(), &mut Silent)?.model.coefficients;
        scoring.see_all(&fisher_scoring(&family, &design, &y, 2.0)?, &newton);
        let uphill = |x: &[f64], gradient: &mut [f64]| {
            let value = model.ln_density_grad(x, gradient).unwrap_or(f64::NAN);
            for slope in gradient.iter_mut() {
                *slope = -*slope;
            }
            -value
        };
        let options =
            LbfgsOptions { gradient_tolerance: 1e-13, max_iterations: 1000, ..LbfgsOptions::default() };
        lbfgs.see_all(&minimize(uphill, &[0.0; 3], &options, &mut Silent).model.point, &newton);
    }
    let on = "seven families and links, 60 rows, 3 columns, a normal prior";
    Ok(vec![
        scoring.exact(
            "most probable coefficients",
            ["reweighted least squares (Fisher's scoring)", "Newton's method"],
            on,
            "1e-9 (`posterior-regression/glm`)",
        ),
        lbfgs.numerical(
            "most probable coefficients",
            ["L-BFGS on the log-density", "Newton's method"],
            on,
            "1e-8 (`posterior-regression/glm`)",
        ),
    ])
}

fn fisher_scoring(family: &Family, design: &DMatrix<f64>, y: &[f64], sd: f64) -> Outcome<Vec<f64>> {
    let mut beta = DVector::zeros(design.ncols());
    for _ in 0..200 {
        let eta = design * &beta;
        let terms: Vec<_> = y.iter().zip(eta.iter()).map(|(&y, &eta)| family.term(y, eta)).collect();
        let weighted =
            DMatrix::from_fn(design.nrows(), design.ncols(), |i, j| terms[i].expected * design[(i, j)]);
        let information =
            design.tr_mul(&weighted) + DMatrix::identity(design.ncols(), design.ncols()) / (sd * sd);
        let slopes = DVector::from_fn(y.len(), |i, _| terms[i].slope);
        let gradient = design.tr_mul(&slopes) - &beta / (sd * sd);
        beta += Cholesky::new(&information)?.solve_vector(&gradient);
    }
    Ok(beta.as_slice().to_vec())
}

/// Laplace's method of a network that has no hidden layer, and of a logistic regression.
fn network() -> Outcome<Row> {
    let (design, y) = example(Family::Logit, 60);
    let classes: Vec<bool> = y.iter().map(|&class| class > 0.5).collect();
    let prior = CoefficientPrior::isotropic(3, 1.0)?;
    let model = Glm::new(Family::Logit, GlmData::new(&design, &y)?)?.with_prior(prior)?;
    let expected = model.laplace(&GlmFitOptions::default())?;
    let responses = Responses::binary(design.columns(1, 2).into_owned(), &classes)?;
    let joint =
        Joint::new(Network::new(2, &[], 1, Activation::Tanh)?, responses, NetworkHyperparameters::new(1.0)?)?;
    let search = LbfgsOptions { gradient_tolerance: 1e-13, ..LbfgsOptions::default() };
    let options =
        NetworkFitOptions { method: NetworkOptimizer::Lbfgs(search), ..NetworkFitOptions::default() };
    let weights = fit(&joint, &options, &mut Silent)?.model.weights;
    let laplace = NetworkLaplace::new(&joint, &weights, HessianKind::Hessian)?;
    let mut seen = Comparison::default();
    seen.see(laplace.ln_evidence(), expected.ln_evidence);
    let at = [[0.3, -0.7], [1.2, 0.4]];
    let latent = laplace.latent(&DMatrix::from_fn(2, 2, |i, j| at[i][j]))?;
    for (i, [a, b]) in at.into_iter().enumerate() {
        let x = DVector::from_column_slice(&[1.0, a, b]);
        seen.see(latent.mean()[i], x.dot(expected.distribution.mean()));
        seen.see(latent.variance()[i], x.dot(&(expected.distribution.covariance() * &x)));
    }
    Ok(seen.exact(
        "Laplace's method: evidence, means, variances",
        ["network without hidden layers", "logistic regression"],
        "60 rows, 2 inputs",
        "1e-11 (`posterior-regression/network/exact.rs`)",
    ))
}

/// Means and standard deviations by the trapezoidal rule, which is exact to rounding here, and ln evidence.
fn quadrature(model: &Glm<'_>) -> Outcome<(f64, [f64; 2], [f64; 2])> {
    let (mut mass, mut first, mut second) = (0.0, [0.0; 2], [0.0; 2]);
    let h = 0.05;
    for i in -180..=180 {
        for j in -180..=180 {
            let x = [f64::from(i) * h, f64::from(j) * h];
            let p = model.ln_density(&x)?.exp() * h * h;
            mass += p;
            for k in 0..2 {
                first[k] += p * x[k];
                second[k] += p * x[k] * x[k];
            }
        }
    }
    let mean = first.map(|m| m / mass);
    Ok((mass.ln(), mean, [0, 1].map(|k| (second[k] / mass - mean[k] * mean[k]).sqrt())))
}

/// The largest distance of means from the truth, in Monte Carlo standard errors.
fn off(draws: &Draws, truth: &[f64]) -> Outcome<f64> {
    let mut worst = 0.0_f64;
    for (k, truth) in truth.iter().enumerate() {
        let chains = draws.parameter(k);
        worst = worst.max(((mean(&chains)? - truth) / mcse_mean(&chains)?).abs());
    }
    Ok(worst)
}

fn logistic() -> Outcome<Vec<Row>> {
    let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
    let data = GlmData::new(&design, &[0.0, 0.0, 1.0, 0.0, 1.0])?;
    let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
    let (ln_evidence, means, sds) = quadrature(&model)?;
    let run = Run { seed: 2, ..Run::default() };
    let nuts = run.sample(&model, &Nuts::default(), &Start::default())?;
    let sampler = LogisticGibbs::new(&model)?;
    let gibbs = run.sample(&sampler, &Untuned(Gibbs::systematic()), &Start::At(vec![0.0; 2]))?;
    let laplace = model.laplace(&GlmFitOptions::default())?;
    let distance =
        (0..2).map(|k| ((laplace.distribution.mean()[k] - means[k]) / sds[k]).abs()).fold(0.0, f64::max);
    let mut bound = Gaps::default();
    let touching = variational_logistic(&model, &VariationalOptions::default(), &mut Silent)?.model;
    bound.see(touching.ln_evidence_bound, ln_evidence);
    let on = "a logistic regression of 5 rows and 2 columns";
    let grid = "trapezoidal rule on 130,321 points";
    Ok(vec![
        Row::new(
            "posterior means",
            ["NUTS, 4,000 draws", grid],
            on,
            Measure::StandardErrors(off(&nuts.draws, &means)?),
            "5 s.e. (`posterior-regression/comparison.rs`)",
        )
        .of(2),
        Row::new(
            "posterior means",
            ["Gibbs with Pólya-gamma variables", grid],
            on,
            Measure::StandardErrors(off(&gibbs.draws, &means)?),
            "5 s.e. (`posterior-regression/comparison.rs`)",
        )
        .of(2),
        bound.row(
            "evidence from below",
            ["tangent bound", grid],
            on,
            "bound (`posterior-regression/comparison.rs`)",
        ),
        Row::new(
            "posterior means, in standard deviations",
            ["Laplace's method", grid],
            on,
            Measure::Approximate(distance),
            "0.1 to 0.3 (`posterior-regression/comparison.rs`)",
        )
        .of(2),
    ])
}

fn many_rows() -> Outcome<Row> {
    let (design, y) = example(Family::Logit, 2000);
    let data = GlmData::new(&design, &y)?;
    let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(3, 2.0)?)?;
    let nuts = Run { seed: 3, ..Run::default() }.sample(&model, &Nuts::default(), &Start::default())?;
    let laplace = model.laplace(&GlmFitOptions::default())?;
    Ok(Row::new(
        "posterior means",
        ["Laplace's method", "NUTS, 4,000 draws"],
        "a logistic regression of 2,000 rows and 3 columns; Laplace's method has an error of its own",
        Measure::StandardErrors(off(&nuts.draws, laplace.distribution.mean().as_slice())?),
        "0.1 standard deviations (`posterior-regression/comparison.rs`)",
    )
    .of(3))
}
