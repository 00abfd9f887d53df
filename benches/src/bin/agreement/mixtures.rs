//! Mixtures: fast against general EM, bounds and samplers against all assignments.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::dist::{
    Categorical, Conjugate, Dirichlet, Normal, NormalGamma, NormalInverseGamma, PitmanYor, Stats,
};
use posterior::gaussian::{Gaussian, NormalInverseWishart};
use posterior::inference::em::EmOptions;
use posterior::inference::variational::AscentOptions;
use posterior::latent::Observations;
use posterior::latent::gaussian_mixture::{
    Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior::latent::gibbs::{
    BlockedGibbs, ClusterSampler, ClusterState, CollapsedGibbs, ConjugateComponents, ConjugateGaussians,
    MixtureWeights,
};
use posterior::latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior::latent::partition::{Partition, PartitionPrior, all_partitions};
use posterior::latent::variational::{BayesianMixture, MixtureAscent, Points};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::ln_sum_exp;
use posterior_testkit::significance::chi_square_p_value;
use rand::RngExt;

use crate::row::{Comparison, Gaps, Measure, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Seven numbers in two and a half groups.
const NUMBERS: [f64; 7] = [-2.1, -1.4, -1.7, 0.2, 1.1, 1.6, 1.3];

pub(crate) fn rows() -> Rows {
    let mut rows = vec![em()?, objective()?, variational()?];
    rows.extend(samplers()?);
    Ok(rows)
}

fn clouds(n: usize, d: usize) -> DMatrix<f64> {
    let mut rng = stream(5, &[]);
    let centres: Vec<f64> = (0..3 * d).map(|_| 8.0 * rng.random::<f64>()).collect();
    let about = |rng: &mut _| -> f64 { (0..4).map(|_| RngExt::random::<f64>(rng)).sum::<f64>() - 2.0 };
    DMatrix::from_fn(n, d, |i, j| centres[(i % 3) * d + j] + about(&mut rng))
}

fn start(values: &DMatrix<f64>) -> Outcome<GaussianMixture> {
    let d = values.ncols();
    let covariances = Covariances::Full(vec![DMatrix::identity(d, d) * 4.0; 3]);
    Ok(GaussianMixture::new(&[1.0; 3], &values.rows(0, 3).into_owned(), covariances)?)
}

/// The kernel for tiles of observations against EM of any family.
fn em() -> Outcome<Row> {
    let values = clouds(400, 3);
    let (data, begin) = (Observations::new(&values)?, start(&values)?);
    let em = EmOptions { tolerance: -1.0, max_iterations: 15, ..EmOptions::default() };
    let rows: Vec<Vec<f64>> = values.row_iter().map(|row| row.iter().copied().collect()).collect();
    let points = Points::new(&rows);
    let problem = MixtureProblem::<Gaussian, _, _>::new(&points, 3, MaximumLikelihood)?;
    let slow = problem.fit(begin.to_mixture()?, &em, &mut Silent)?;
    let options = GaussianMixtureOptions { em, ..GaussianMixtureOptions::default() };
    let fast = GaussianMixtureProblem::new(&data, options)?.fit(begin, &mut Silent)?;
    let mut seen = Comparison::default();
    seen.see_all(&fast.report.trace, &slow.report.trace);
    for (k, distribution) in slow.model.mixture.components().iter().enumerate() {
        seen.see_all(fast.model.mixture.covariance(k).as_slice(), distribution.covariance().as_slice());
    }
    Ok(seen.exact(
        "15 steps of EM: objectives and covariances",
        ["Gaussian tiles", "EM of any family"],
        "400 rows of 3 columns, 3 components",
        "1e-12 (`posterior-latent/gaussian_mixture/oracle.rs`)",
    ))
}

/// The objective of EM against the likelihood written out.
fn objective() -> Outcome<Row> {
    let values = clouds(200, 2);
    let (data, begin) = (Observations::new(&values)?, start(&values)?);
    let em = EmOptions { tolerance: -1.0, max_iterations: 10, ..EmOptions::default() };
    let options = GaussianMixtureOptions { em, ..GaussianMixtureOptions::default() };
    let fitted = GaussianMixtureProblem::new(&data, options)?.fit(begin, &mut Silent)?;
    let mixture = fitted.model.mixture.to_mixture()?;
    let ln_p = |row: &[f64]| -> f64 {
        let parts = mixture.components().iter().zip(mixture.weights().ln_probabilities());
        let terms: Vec<f64> = parts
            .map(|(distribution, ln_weight)| ln_weight + posterior::dist::Density::ln_pdf(distribution, row))
            .collect();
        ln_sum_exp(&terms)
    };
    let total: f64 = values.row_iter().map(|row| ln_p(&row.iter().copied().collect::<Vec<f64>>())).sum();
    let mut seen = Comparison::default();
    seen.see(fitted.report.trace.last().copied().unwrap_or(f64::NAN), total);
    Ok(seen.exact(
        "objective of EM",
        ["the last step's", "ln likelihood, row by row"],
        "200 rows of 2 columns, 3 components",
        "1e-12 (`posterior-latent/gaussian_mixture`)",
    ))
}

/// ln p(x) as the sum over all assignments of points to components.
fn ln_evidence(prior: &NormalGamma, points: &[f64], components: usize, alpha: f64) -> Outcome<f64> {
    let weights = Dirichlet::symmetric(components, alpha)?;
    let mut terms = Vec::new();
    for code in 0..components.pow(points.len() as u32) {
        let mut rest = code;
        let mut groups = vec![Stats::<Normal>::new(()); components];
        let mut counts = vec![0.0; components];
        for x in points {
            groups[rest % components].push(x)?;
            counts[rest % components] += 1.0;
            rest /= components;
        }
        let labels = Stats::<Categorical>::from_totals(components, counts, points.len() as f64, 0.0)?;
        let mut term = Categorical::ln_evidence(&weights, &labels)?;
        for group in &groups {
            term += Normal::ln_evidence(prior, group)?;
        }
        terms.push(term);
    }
    Ok(ln_sum_exp(&terms))
}

fn variational() -> Outcome<Row> {
    let prior = NormalGamma::new(0.0, 1.0, 1.0, 0.5)?;
    let mut gaps = Gaps::default();
    for components in [1, 2, 3] {
        let exact = ln_evidence(&prior, &NUMBERS, components, 1.0)?;
        let model = BayesianMixture::<Normal, _>::finite(components, 1.0, prior, ())?;
        let points = Points::new(&NUMBERS);
        let problem = MixtureAscent::new(&model, &points)?;
        let labels: Vec<usize> = (0..7).map(|i| (i / 3).min(components - 1)).collect();
        let fitted =
            problem.fit(problem.start_from_labels(&labels)?, &AscentOptions::default(), &mut Silent)?;
        gaps.see(fitted.report.trace.last().copied().unwrap_or(f64::NAN), exact);
    }
    Ok(gaps.row(
        "evidence from below",
        ["variational Bayes", "sum over all assignments"],
        "seven numbers, 1, 2 and 3 components",
        "bound; exact with one component (`posterior-latent/variational`)",
    ))
}

/// The posterior of all partitions, in the order of their labels.
fn partitions(prior: &NormalInverseGamma, seats: &PartitionPrior) -> Outcome<Vec<(Partition, f64)>> {
    let mut all = Vec::new();
    for partition in all_partitions(NUMBERS.len()) {
        let mut weight = seats.ln_partition(partition.sizes());
        for members in partition.members() {
            weight += Normal::ln_evidence(prior, &Stats::of((), members.iter().map(|&i| &NUMBERS[i]))?)?;
        }
        all.push((partition, weight.exp()));
    }
    let total: f64 = all.iter().map(|(_, weight)| weight).sum();
    Ok(all.into_iter().map(|(one, weight)| (one, weight / total)).collect())
}

fn p_value<K: ClusterSampler>(sampler: &K, exact: &[(Partition, f64)], thin: usize) -> Outcome<f64> {
    const DRAWS: usize = 10_000;
    let mut rng = stream(1, &[]);
    let mut state = sampler.start(&mut rng)?;
    let mut counts = vec![0; exact.len()];
    for draw in 0..DRAWS + 100 {
        for _ in 0..thin {
            sampler.sweep(&mut state, &mut rng)?;
        }
        if draw >= 100 {
            let partition = Partition::from_labels(state.labels());
            let place = exact.binary_search_by(|(one, _)| one.labels().cmp(partition.labels()));
            counts[place.map_err(|_| "an unknown partition")?] += 1;
        }
    }
    let expected: Vec<f64> = exact.iter().map(|(_, p)| DRAWS as f64 * p).collect();
    Ok(chi_square_p_value(&counts, &expected))
}

fn samplers() -> Outcome<Vec<Row>> {
    let prior = NormalInverseGamma::new(0.0, 0.3, 1.5, 0.4)?;
    let generic = ConjugateComponents::<Normal, _, _>::new(&NUMBERS, (), prior)?;
    let wishart = NormalInverseWishart::new(&[0.0], 0.3, &DMatrix::from_element(1, 1, 0.8), 3.0)?;
    let fast = ConjugateGaussians::new(&DMatrix::from_column_slice(7, 1, &NUMBERS), &wishart)?;
    let finite = PartitionPrior::finite(3, 0.8)?;
    let process = PartitionPrior::process(PitmanYor::new(0.0, 1.2)?);
    let discounted = PartitionPrior::process(PitmanYor::new(0.4, 0.5)?);
    let blocked = BlockedGibbs::new(&generic, MixtureWeights::dirichlet(3, 0.8)?);
    let (of_finite, of_process) = (partitions(&prior, &finite)?, partitions(&prior, &process)?);
    let drawn = [
        ("collapsed Gibbs, any family", p_value(&CollapsedGibbs::new(&generic, finite), &of_finite, 10)?),
        ("collapsed Gibbs, rank-one updates", p_value(&CollapsedGibbs::new(&fast, finite), &of_finite, 10)?),
        ("blocked Gibbs", p_value(&blocked, &of_finite, 25)?),
        (
            "Dirichlet process, collapsed Gibbs",
            p_value(&CollapsedGibbs::new(&generic, process), &of_process, 10)?,
        ),
        (
            "Pitman-Yor process, collapsed Gibbs",
            p_value(&CollapsedGibbs::new(&generic, discounted), &partitions(&prior, &discounted)?, 10)?,
        ),
    ];
    let row = |(name, p)| {
        Row::new(
            "distribution of partitions",
            [name, "all 877 partitions"],
            "seven numbers, 10,000 thinned draws",
            Measure::PValue(p),
            "p > 1e-6 (`posterior-latent/gibbs/enumeration.rs`)",
        )
        .of(877)
    };
    Ok(drawn.into_iter().map(row).collect())
}
