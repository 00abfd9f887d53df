//! Factor analysis, and probabilistic PCA of incomplete rows, by EM.

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Observer, Report};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen, gram_of_columns, multiply};

use super::analysis::{PcaOptions, fit};
use super::centred::orient;
use super::choice::ComponentChoice;
use super::factor_model::{Expectation, FactorModel};
use super::patterns::{Pattern, patterns};
use crate::error::Error;
use crate::observations::Observations;

/// What the noise is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NoiseModel {
    /// Of one variance: probabilistic PCA. The default.
    #[default]
    Isotropic,
    /// Of a variance for each coordinate: factor analysis.
    Diagonal,
}

/// How to fit factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorOptions {
    /// How many factors, at least 1 and fewer than coordinates.
    pub factors: usize,
    /// What the noise is like.
    pub noise: NoiseModel,
    /// The least noise variance, as a proportion of the variance of the coordinate. 10^-6 by default: below
    /// it the factors explain a coordinate entirely (a Heywood case), and the likelihood may have no bound.
    pub floor: f64,
    /// How to run EM.
    pub em: EmOptions,
}

impl FactorOptions {
    /// The default options for this many factors.
    pub fn new(factors: usize) -> Self {
        Self {
            factors,
            noise: NoiseModel::Isotropic,
            floor: 1e-6,
            em: EmOptions { max_iterations: 10_000, ..EmOptions::default() },
        }
    }
}

/// A fitted model of factors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FactorFit {
    /// The model. The columns of W are orthogonal in the metric of the noise, WᵀΨ⁻¹W is diagonal and
    /// descends, and the largest number of each column is positive.
    pub model: FactorModel,
    /// ln p(x) at the start and after each step.
    pub report: Report,
    /// The coordinates whose noise is held at the floor (Heywood cases).
    pub heywood: Vec<usize>,
}

/// Factors by maximum likelihood, from the principal components of the rows with means in place of what is
/// missing.
///
/// EM, of which a step never lowers the likelihood of what is observed: O(n d k + d k³) a step for complete
/// data; for each further pattern of missing values O(d k²) more. EM is slow where there is much noise.
///
/// # Errors
/// If there are not fewer factors than coordinates, if a coordinate is never observed or does not vary, or if
/// the floor is not in (0, 1).
pub fn fit_factors(
    data: &Observations,
    options: &FactorOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FactorFit, Error> {
    let (d, k) = (data.dimension(), options.factors);
    if k == 0 || k >= d {
        return Err(DimensionError::new("factors, fewer than coordinates", d - 1, k).into());
    }
    check::open_probability("FactorOptions", "floor", options.floor)?;
    let data = &*data.counted();
    let (means, variances) = observed_moments(data)?;
    let mut centred = data.values().clone();
    for (mut column, mean) in centred.column_iter_mut().zip(&means) {
        column.add_scalar_mut(-mean);
    }
    let start = start(&centred, data.weights(), &variances, options)?;
    let problem = Factors {
        patterns: patterns(&centred),
        weights: (0..data.len()).map(|i| data.weight(i)).collect(),
        floors: variances.iter().map(|variance| options.floor * variance).collect(),
        noise: options.noise,
    };
    let fitted = expectation_maximization(&problem, start, &options.em, observer)?;
    let model = fitted.model;
    let floors = problem.noise_floors();
    let heywood = (0..d).filter(|&t| model.noise()[t] <= floors[t]).collect();
    let mean: Vec<f64> = model.mean().iter().zip(&means).map(|(own, mean)| own + mean).collect();
    let model = FactorModel::new(&mean, &canonical(&model)?, model.noise())?;
    Ok(FactorFit { model, report: fitted.report, heywood })
}

/// The rotation of W in which WᵀΨ⁻¹W is diagonal and descends.
fn canonical(model: &FactorModel) -> Result<DMatrix<f64>, Error> {
    let mut weighted = model.loadings().clone();
    for (mut row, noise) in weighted.row_iter_mut().zip(model.noise()) {
        row /= noise.sqrt();
    }
    let k = model.factors();
    let ascending = SymmetricEigen::new(&gram_of_columns(&weighted))?;
    let descending: Vec<usize> = (0..k).rev().collect();
    let mut loadings = multiply(model.loadings(), &ascending.vectors().select_columns(&descending));
    orient(&mut loadings);
    Ok(loadings)
}

/// Means and variances of what is observed of each coordinate.
fn observed_moments(data: &Observations) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let mut moments = (Vec::new(), Vec::new());
    for (t, column) in data.values().column_iter().enumerate() {
        let observed =
            || column.iter().enumerate().filter(|(_, x)| !x.is_nan()).map(|(i, &x)| (data.weight(i), x));
        let total: f64 = observed().map(|(w, _)| w).sum();
        if !(total > 0.0) {
            return Err(Error::TooFew { what: "a coordinate that is never observed", needed: 1, found: 0 });
        }
        let average = |from: f64| from + observed().map(|(w, x)| w / total * (x - from)).sum::<f64>();
        let mean = average(average(0.0));
        let variance = observed().map(|(w, x)| w / total * (x - mean) * (x - mean)).sum::<f64>();
        // Of equal numbers, the mean may differ from them in the last place.
        let varies = variance.sqrt() > 4.0 * f64::EPSILON * mean.abs();
        let output = if varies { variance } else { 0.0 };
        check::positive("fit_factors", "variance of a coordinate", output).map_err(|error| error.at(t))?;
        moments.0.push(mean);
        moments.1.push(variance);
    }
    Ok(moments)
}

/// Principal components of the rows with 0, their mean, in place of what is missing.
fn start(
    centred: &DMatrix<f64>,
    weights: Option<&[f64]>,
    variances: &[f64],
    options: &FactorOptions,
) -> Result<FactorModel, Error> {
    let mut filled = Observations::new(&centred.map(|x| if x.is_nan() { 0.0 } else { x }))?;
    if let Some(weights) = weights {
        filled = filled.weighted(weights)?;
    }
    let (d, k) = (variances.len(), options.factors);
    let analysis = fit(&filled, &PcaOptions { choice: ComponentChoice::Count(k), ..PcaOptions::default() })?;
    let average = variances.iter().sum::<f64>() / d as f64;
    let noise = (analysis.dropped_variance() / (d - k) as f64).max(1e-2 * average);
    let mut loadings = DMatrix::zeros(d, k);
    for (j, direction) in analysis.components().column_iter().enumerate() {
        let own = (analysis.variances()[j] - noise).max(1e-3 * average);
        loadings.set_column(j, &(direction * own.sqrt()));
    }
    let noise: Vec<f64> = match options.noise {
        NoiseModel::Isotropic => vec![noise; d],
        NoiseModel::Diagonal => variances
            .iter()
            .zip(loadings.row_iter())
            .map(|(variance, row)| (variance - row.norm_squared()).max(1e-2 * variance))
            .collect(),
    };
    FactorModel::new(&vec![0.0; d], &loadings, &noise)
}

/// Rows, and what stays the same while factors are fitted to them.
struct Factors {
    patterns: Vec<Pattern>,
    weights: Vec<f64>,
    floors: Vec<f64>,
    noise: NoiseModel,
}

impl Problem for Factors {
    type Model = FactorModel;
    /// Of each pattern.
    type Statistics = Vec<Expectation>;
    type Error = Error;

    fn e_step(&self, model: &FactorModel) -> Result<Expected<Vec<Expectation>>, Error> {
        let mut ln_likelihood = 0.0;
        let mut all = Vec::with_capacity(self.patterns.len());
        for pattern in &self.patterns {
            let expectation = model.expectation(pattern)?;
            for (&i, ln_density) in pattern.rows.iter().zip(&expectation.ln_densities) {
                ln_likelihood += self.weights[i] * ln_density;
            }
            all.push(expectation);
        }
        Ok(Expected::new(all, ln_likelihood))
    }

    /// For each coordinate, the regression of what is observed of it on (z, 1), and what it leaves.
    fn m_step(&self, expectations: &Vec<Expectation>, previous: &FactorModel) -> Result<FactorModel, Error> {
        let (d, k) = (previous.dimension(), previous.factors());
        let mut loadings = DMatrix::zeros(d, k);
        let mut mean = vec![0.0; d];
        let grams: Vec<DMatrix<f64>> = self.grams(expectations);
        let complete = if self.patterns.len() == 1 { Some(Cholesky::new(&grams[0])?) } else { None };
        for (t, mean) in mean.iter_mut().enumerate() {
            let mut gram = DMatrix::zeros(k + 1, k + 1);
            let mut products = DVector::zeros(k + 1);
            for (place, pattern, expectation, own) in self.with(t, expectations, &grams) {
                gram += own;
                for (i, (&row, &x)) in
                    pattern.rows.iter().zip(pattern.values.column(place).iter()).enumerate()
                {
                    let proportion = self.weights[row] * x;
                    for j in 0..k {
                        products[j] += proportion * expectation.means[(i, j)];
                    }
                    products[k] += proportion;
                }
            }
            let solution = match &complete {
                Some(factor) => factor.solve_vector(&products),
                None => Cholesky::decompose(gram)?.solve_vector(&products),
            };
            loadings.set_row(t, &solution.rows(0, k).transpose());
            *mean = solution[k];
        }
        let noise = self.noise(expectations, &loadings, &mean);
        FactorModel::new(&mean, &loadings, &noise)
    }
}

impl Factors {
    /// Σ w E (z, 1)(z, 1)ᵀ of each pattern.
    fn grams(&self, expectations: &[Expectation]) -> Vec<DMatrix<f64>> {
        let of_pattern = |(pattern, expectation): (&Pattern, &Expectation)| {
            let k = expectation.means.ncols();
            let roots = pattern.rows.iter().map(|&i| self.weights[i].sqrt()).collect::<Vec<_>>();
            let extended = DMatrix::from_fn(pattern.rows.len(), k + 1, |i, j| {
                roots[i] * if j < k { expectation.means[(i, j)] } else { 1.0 }
            });
            let mut gram = gram_of_columns(&extended);
            let total = gram[(k, k)];
            let mut inner = gram.view_mut((0, 0), (k, k));
            inner += &expectation.covariance * total;
            gram
        };
        self.patterns.iter().zip(expectations).map(of_pattern).collect()
    }

    /// The patterns in which a coordinate is observed, and its place in them.
    fn with<'a>(
        &'a self,
        t: usize,
        expectations: &'a [Expectation],
        grams: &'a [DMatrix<f64>],
    ) -> impl Iterator<Item = (usize, &'a Pattern, &'a Expectation, &'a DMatrix<f64>)> {
        let all = self.patterns.iter().zip(expectations).zip(grams);
        all.filter_map(move |((pattern, expectation), gram)| {
            let place = pattern.columns.binary_search(&t).ok()?;
            Some((place, pattern, expectation, gram))
        })
    }

    /// Σ w E (x - W z - μ)² / Σ w, of each coordinate or of all.
    fn noise(&self, expectations: &[Expectation], loadings: &DMatrix<f64>, mean: &[f64]) -> Vec<f64> {
        let (mut squares, mut totals) = (vec![0.0; mean.len()], vec![0.0; mean.len()]);
        for (pattern, expectation) in self.patterns.iter().zip(expectations) {
            for (place, &t) in pattern.columns.iter().enumerate() {
                let row = loadings.row(t);
                let spread = (row * &expectation.covariance * row.transpose())[0];
                for (i, &x) in pattern.values.column(place).iter().enumerate() {
                    let predicted: f64 =
                        row.iter().zip(expectation.means.row(i).iter()).map(|(w, z)| w * z).sum::<f64>()
                            + mean[t];
                    let weight = self.weights[pattern.rows[i]];
                    squares[t] += weight * ((x - predicted) * (x - predicted) + spread);
                    totals[t] += weight;
                }
            }
        }
        let floors = self.noise_floors();
        match self.noise {
            NoiseModel::Isotropic => {
                let common = squares.iter().sum::<f64>() / totals.iter().sum::<f64>();
                vec![common.max(floors[0]); mean.len()]
            }
            NoiseModel::Diagonal => {
                (0..mean.len()).map(|t| (squares[t] / totals[t]).max(floors[t])).collect()
            }
        }
    }

    fn noise_floors(&self) -> Vec<f64> {
        match self.noise {
            NoiseModel::Isotropic => {
                vec![self.floors.iter().sum::<f64>() / self.floors.len() as f64; self.floors.len()]
            }
            NoiseModel::Diagonal => self.floors.clone(),
        }
    }
}
