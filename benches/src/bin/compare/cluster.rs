//! Mixtures and k-means side by side: ours, and scikit-learn when a Python program is named; on one thread,
//! by CPU time of an iteration.

use nalgebra::DMatrix;
use posterior::dist::{NormalGamma, Product};
use posterior::gaussian::{Gaussian, NormalInverseWishart};
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
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, least, on_one_thread};

const ITERATIONS: usize = 20;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let peers = Measurements::run(settings, "clusters.py", 1)?;
    let workload = |name: &str, n, k| match peers.folder() {
        Some(folder) => Workload::read(folder, name),
        None => Ok(Workload::generate(n, k)),
    };
    let mixture = workload("mixture", settings.size(200_000, 5_000), 16)?;
    let k_means = workload("k_means", settings.size(500_000, 10_000), 64)?;
    println!(
        "CPU seconds of an iteration, {ITERATIONS} iterations, one thread; value: the mean of ln p(x) of EM, the bound for each row of variational \
         Bayes, the inertia of k-means\n"
    );
    let figures = ["rows", "posterior", "scikit-learn", "ours / scikit-learn", "value", "scikit-learn's"];
    print_head(&["task"], &figures);
    let line = |task: &str, rows: usize, value_name: &str, (seconds, value): (f64, f64)| {
        let theirs = peers.of(rows, "scikit-learn", task);
        let known = peers.of(rows, "scikit-learn", value_name);
        print_row(&[
            task.to_owned(),
            rows.to_string(),
            figure(seconds, 4),
            figure(theirs, 4),
            ratio(seconds, theirs),
            figure(value, 9),
            figure(known, 9),
        ]);
    };
    let rows = mixture.rows.nrows();
    for (task, kind) in [("em full", CovarianceKind::Full), ("em diag", CovarianceKind::Diagonal)] {
        line(task, rows, &format!("{task} ln p"), on_one_thread(|| em(&mixture, kind))?);
    }
    line("vb full", rows, "", on_one_thread(|| vb_full(&mixture))?);
    line("vb diag", rows, "", on_one_thread(|| vb_diagonal(&mixture))?);
    line("k-means", k_means.rows.nrows(), "k-means inertia", on_one_thread(|| lloyd(&k_means))?);
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
    let (seconds, found) = least(3, cpu_seconds, || Ok(fit(&data, &options, 0, &mut Silent)?))?;
    Ok((seconds / found.report.iterations() as f64, found.inertia()))
}
