//! Mixtures and k-means side by side: ours, and scikit-learn when a Python program is named; on one thread,
//! by CPU time of an iteration.

use std::error::Error;

use nalgebra::DMatrix;
use posterior::dist::{Gaussian, NormalGamma, NormalInverseWishart, Product};
use posterior::inference::em::EmOptions;
use posterior::inference::variational::AscentOptions;
use posterior::latent::Observations;
use posterior::latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior::latent::k_means::{CentreStart, KMeansOptions, fit};
use posterior::latent::variational::{BayesianMixture, MixtureAscent};
use posterior::math::iteration::Silent;
use posterior::math::streaming::MeanVariance;
use posterior_benches::clusters::Workload;
use posterior_benches::comparison::{Settings, figure, head, ratio, row};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::cpu_seconds;

const ITERATIONS: usize = 20;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_arguments();
    let folder = tempfile::tempdir()?;
    let peers = Measurements::run(&settings, "clusters.py", folder.path(), 1)?;
    let workload = |name: &str, n, k| match &settings.python {
        Some(_) => Workload::read(folder.path(), name),
        None => Ok(Workload::generate(n, k)),
    };
    let mixture = workload("mixture", settings.size(200_000, 5_000), 16)?;
    let k_means = workload("k_means", settings.size(500_000, 10_000), 64)?;
    println!(
        "CPU seconds of an iteration, {ITERATIONS} iterations, one thread; value: the mean of ln p(x) of EM, the bound for each row of variational \
         Bayes, the inertia of k-means\n"
    );
    let figures = ["rows", "posterior", "scikit-learn", "ours / scikit-learn", "value", "scikit-learn's"];
    println!("{}", head(&["task"], &figures));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let line = |task: &str,
                rows: usize,
                value_name: &str,
                ours: Outcome<(f64, f64)>|
     -> Result<(), Box<dyn Error>> {
        let (seconds, value) = ours.map_err(|error| error.to_string())?;
        let theirs = peers.of(rows, "scikit-learn", task);
        let known = peers.of(rows, "scikit-learn", value_name);
        println!(
            "{}",
            row(&[
                task.to_owned(),
                rows.to_string(),
                figure(seconds, 4),
                figure(theirs, 4),
                ratio(seconds, theirs),
                figure(value, 9),
                figure(known, 9),
            ])
        );
        Ok(())
    };
    let rows = mixture.rows.nrows();
    for (task, kind) in [("em full", CovarianceKind::Full), ("em diag", CovarianceKind::Diagonal)] {
        line(task, rows, &format!("{task} ln p"), pool.install(|| em(&mixture, kind)))?;
    }
    line("vb full", rows, "", pool.install(|| vb_full(&mixture)))?;
    line("vb diag", rows, "", pool.install(|| vb_diagonal(&mixture)))?;
    line("k-means", k_means.rows.nrows(), "k-means inertia", pool.install(|| lloyd(&k_means)))?;
    Ok(())
}

fn moments(rows: &DMatrix<f64>) -> Vec<MeanVariance> {
    rows.column_iter().map(|column| column.iter().copied().collect()).collect()
}

/// Seconds of an iteration, and the mean of ln p at the end.
fn em(workload: &Workload, kind: CovarianceKind) -> Outcome<(f64, f64)> {
    let data = Observations::new(&workload.rows)?;
    let variances: Vec<f64> = moments(&workload.rows).iter().map(MeanVariance::variance).collect();
    let k = workload.start.nrows();
    let covariances = match kind {
        CovarianceKind::Full => {
            let own = DMatrix::from_diagonal(&nalgebra::DVector::from_vec(variances));
            Covariances::Full(vec![own; k])
        }
        _ => Covariances::Diagonal(DMatrix::from_fn(k, variances.len(), |_, j| variances[j])),
    };
    let start = GaussianMixture::new(&vec![1.0 / k as f64; k], &workload.start, covariances)?;
    let options = GaussianMixtureOptions {
        covariance: kind,
        variance_floor: 0.0,
        added_variance: 1e-6,
        em: EmOptions { tolerance: 0.0, max_iterations: ITERATIONS, ..EmOptions::default() },
        ..GaussianMixtureOptions::default()
    };
    let problem = GaussianMixtureProblem::new(&data, options)?;
    let began = cpu_seconds();
    let fitted = problem.fit(start, &mut Silent)?;
    let seconds = (cpu_seconds() - began) / fitted.report.iterations() as f64;
    let ln_densities = fitted.model.mixture.ln_pdf_rows(&data)?;
    Ok((seconds, ln_densities.iter().sum::<f64>() / ln_densities.len() as f64))
}

fn options() -> AscentOptions {
    AscentOptions { tolerance: 0.0, max_iterations: ITERATIONS, ..AscentOptions::default() }
}

/// Seconds of an iteration, and the bound for each row.
fn vb_full(workload: &Workload) -> Outcome<(f64, f64)> {
    let data = Observations::new(&workload.rows)?;
    let means: Vec<f64> = moments(&workload.rows).iter().map(MeanVariance::mean).collect();
    let d = means.len();
    let centred = DMatrix::from_fn(workload.rows.nrows(), d, |i, j| workload.rows[(i, j)] - means[j]);
    let covariance = centred.tr_mul(&centred) / (workload.rows.nrows() - 1) as f64;
    let prior = NormalInverseWishart::new(&means, 1.0, &covariance, d as f64)?;
    let k = workload.start.nrows();
    let model: BayesianMixture<Gaussian, _> = BayesianMixture::finite(k, 1.0 / k as f64, prior, d)?;
    let problem = MixtureAscent::new(&model, &data)?;
    let start = problem.start_from_labels(&workload.nearest())?;
    let began = cpu_seconds();
    let fitted = problem.fit(start, &options(), &mut Silent)?;
    let seconds = (cpu_seconds() - began) / fitted.report.iterations() as f64;
    Ok((seconds, fitted.report.trace.last().map_or(f64::NAN, |bound| bound / data.len() as f64)))
}

/// Seconds of an iteration, and the bound for each row.
fn vb_diagonal(workload: &Workload) -> Outcome<(f64, f64)> {
    let data = Observations::new(&workload.rows)?;
    let d = data.dimension();
    let prior = |own: &MeanVariance| NormalGamma::new(own.mean(), 1.0, 0.5 * d as f64, 0.5 * own.variance());
    let priors = Product::new(moments(&workload.rows).iter().map(prior).collect::<Result<Vec<_>, _>>()?);
    let k = workload.start.nrows();
    let model: BayesianMixture<Product<posterior::dist::Normal>, _> =
        BayesianMixture::finite(k, 1.0 / k as f64, priors, vec![(); d])?;
    let problem = MixtureAscent::new(&model, &data)?;
    let start = problem.start_from_labels(&workload.nearest())?;
    let began = cpu_seconds();
    let fitted = problem.fit(start, &options(), &mut Silent)?;
    let seconds = (cpu_seconds() - began) / fitted.report.iterations() as f64;
    Ok((seconds, fitted.report.trace.last().map_or(f64::NAN, |bound| bound / data.len() as f64)))
}

/// Seconds of an iteration, and the inertia.
fn lloyd(workload: &Workload) -> Outcome<(f64, f64)> {
    let data = Observations::new(&workload.rows)?;
    let options = KMeansOptions {
        start: CentreStart::Centres(workload.start.clone()),
        max_iterations: ITERATIONS,
        ..KMeansOptions::new(workload.start.nrows())
    };
    let mut least = f64::INFINITY;
    let mut inertia = f64::NAN;
    for _ in 0..3 {
        let began = cpu_seconds();
        let found = fit(&data, &options, 0, &mut Silent)?;
        least = least.min((cpu_seconds() - began) / found.report.iterations() as f64);
        inertia = found.inertia();
    }
    Ok((least, inertia))
}
