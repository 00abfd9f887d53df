//! Geweke's test: two ways to draw parameters and data together.

use std::fmt;

use posterior_dist::stream::stream;
use posterior_dist::{StudentT, Univariate};
use posterior_math::check::{self, ParamError};
use posterior_math::streaming::MeanVariance;
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::SimulationModel;
use super::model::{all_names, all_values, in_simulation};
use crate::Error;

/// Draws that choose where the functions that are compared are centred.
const PILOT: usize = 1000;

/// The streams of the three parts.
const PILOT_STREAM: u64 = 0;
const MARGINAL_STREAM: u64 = 1;
const SUCCESSIVE_STREAM: u64 = 2;

/// The test of joint distributions: of a Markov kernel that is to leave the posterior alone.
///
/// One simulator draws parameters from the prior and data from them. The other starts there and then goes on
/// by turns: the kernel moves the parameters given the data, new data are drawn given the parameters. Both
/// have the same distribution if and only if the kernel leaves the posterior alone, so the means of any
/// function must agree. Compared are the parameters and the quantities of the model, and their squares about
/// the middle; those of the second simulator as the kernel has left them, before the data are new.
///
/// The second simulator is run many times from independent starts, which have the right distribution from the
/// first step on: the means of the runs are independent, and their scatter is the standard error, however
/// dependent the steps are. No chain has to converge, and faults show that move the distribution by a few
/// standard errors only.
///
/// Parameters with heavy tails need a transformation (ln of a variance), as one of the
/// [quantities](SimulationModel::quantities), or as the parameter: without moments the comparison has no
/// power.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointDistribution {
    /// Draws of the first simulator.
    pub draws: usize,
    /// Runs of the second one.
    pub runs: usize,
    /// Steps of each run.
    pub steps: usize,
    /// The seed: each run has a stream of its own.
    pub seed: u64,
}

impl Default for JointDistribution {
    /// 100,000 draws against 200 runs of 500 steps, seed 0.
    fn default() -> Self {
        Self { draws: 100_000, runs: 200, steps: 500, seed: 0 }
    }
}

/// A mean by both simulators.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MeanComparison {
    /// Of what: `name`, or `name²` for the square about the middle; in units of its standard deviation.
    pub name: String,
    /// The mean by the first simulator, and its standard error.
    pub marginal: (f64, f64),
    /// The mean by the second simulator, and its standard error.
    pub successive: (f64, f64),
    /// How many independent draws the second simulator is worth; infinite if its runs do not scatter.
    pub effective_draws: f64,
    /// The difference in standard errors.
    pub z: f64,
    /// The two-sided p-value, by Student's t distribution with the degrees of freedom of Welch and
    /// Satterthwaite.
    pub p_value: f64,
}

/// All comparisons of the two simulators.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct JointDistributionReport {
    /// Two for each parameter and each quantity.
    pub comparisons: Vec<MeanComparison>,
}

impl JointDistribution {
    /// Compares the two simulators; `kernel` moves the parameters given the data.
    ///
    /// With the feature `rayon` runs are on the threads of the pool; the figures are the same on any number
    /// of threads.
    ///
    /// # Errors
    /// [`Error::Simulation`] with the number of the first run or draw that went wrong: NaN among what is
    /// compared, an error of the model or the kernel. Options that can't be: two runs and two draws are the
    /// least.
    pub fn run<M, K>(&self, model: &M, kernel: K) -> Result<JointDistributionReport, Error>
    where
        M: SimulationModel + Sync,
        K: Fn(&mut Vec<f64>, &M::Data, &mut Pcg64) -> Result<(), Error> + Sync,
    {
        self.check()?;
        let names = all_names(model);
        let scales = self.scales(model, &names)?;
        let marginal = self.marginal(model, &names, &scales)?;
        let run =
            |run: usize| self.successive(model, &kernel, &names, &scales, run).map_err(in_simulation(run));
        #[cfg(feature = "rayon")]
        let outcomes: Vec<_> = (0..self.runs).into_par_iter().map(run).collect();
        #[cfg(not(feature = "rayon"))]
        let outcomes: Vec<_> = (0..self.runs).map(run).collect();
        let mut successive = vec![MeanVariance::new(); 2 * names.len()];
        for means in outcomes {
            successive.iter_mut().zip(means?).for_each(|(all, mean)| all.push(mean));
        }
        let labels = names.iter().flat_map(|name| [name.clone(), format!("{name}²")]);
        let compared = labels.zip(marginal.iter().zip(&successive));
        let comparisons = compared.map(|(name, (marginal, successive))| {
            compare(name, (marginal, self.draws), (successive, self.runs))
        });
        Ok(JointDistributionReport { comparisons: comparisons.collect() })
    }

    fn check(&self) -> Result<(), ParamError> {
        for (name, value, least) in
            [("draws", self.draws, 2), ("runs", self.runs, 2), ("steps", self.steps, 1)]
        {
            let requirement = if least == 1 { "one or more" } else { "two or more" };
            check::require(value >= least, "JointDistribution", name, value as f64, requirement)?;
        }
        Ok(())
    }

    /// The middle and the width of each quantity, roughly.
    fn scales<M: SimulationModel>(&self, model: &M, names: &[String]) -> Result<Vec<(f64, f64)>, Error> {
        let mut all = vec![MeanVariance::new(); names.len()];
        let mut rng = stream(self.seed, &[PILOT_STREAM]);
        for draw in 0..PILOT {
            let values = joint_draw(model, names, &mut rng).map_err(in_simulation(draw))?;
            all.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
        }
        let scale = |all: &MeanVariance| {
            let sd = all.variance().sqrt();
            (all.mean(), if sd > 0.0 && sd.is_finite() { sd } else { 1.0 })
        };
        Ok(all.iter().map(scale).collect())
    }

    fn marginal<M: SimulationModel>(
        &self,
        model: &M,
        names: &[String],
        scales: &[(f64, f64)],
    ) -> Result<Vec<MeanVariance>, Error> {
        let mut all = vec![MeanVariance::new(); 2 * names.len()];
        let mut rng = stream(self.seed, &[MARGINAL_STREAM]);
        for draw in 0..self.draws {
            let values = joint_draw(model, names, &mut rng).map_err(in_simulation(draw))?;
            all.iter_mut().zip(functions(&values, scales)).for_each(|(all, value)| all.push(value));
        }
        Ok(all)
    }

    /// The means of one run.
    fn successive<M, K>(
        &self,
        model: &M,
        kernel: &K,
        names: &[String],
        scales: &[(f64, f64)],
        run: usize,
    ) -> Result<Vec<f64>, Error>
    where
        M: SimulationModel,
        K: Fn(&mut Vec<f64>, &M::Data, &mut Pcg64) -> Result<(), Error>,
    {
        let mut rng = stream(self.seed, &[SUCCESSIVE_STREAM, run as u64]);
        let mut parameters = model.prior(&mut rng)?;
        let mut all = vec![MeanVariance::new(); 2 * names.len()];
        for _ in 0..self.steps {
            let data = model.simulate(&parameters, &mut rng)?;
            kernel(&mut parameters, &data, &mut rng)?;
            let values = all_values(model, names, &parameters, &data)?;
            all.iter_mut().zip(functions(&values, scales)).for_each(|(all, value)| all.push(value));
        }
        Ok(all.iter().map(MeanVariance::mean).collect())
    }
}

impl JointDistributionReport {
    /// The comparison of this name.
    pub fn named(&self, name: &str) -> Option<&MeanComparison> {
        self.comparisons.iter().find(|comparison| comparison.name == name)
    }

    /// The least p-value of all comparisons, times their number (Bonferroni).
    pub fn p_value(&self) -> f64 {
        let least = self.comparisons.iter().map(|comparison| comparison.p_value).fold(1.0, f64::min);
        (least * self.comparisons.len() as f64).min(1.0)
    }

    /// Whether all means may be equal: a right kernel fails with about the probability `level`.
    pub fn passes(&self, level: f64) -> bool {
        self.p_value() >= level
    }
}

impl fmt::Display for JointDistributionReport {
    /// A table: the means of both simulators, their difference in standard errors, and its p-value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.comparisons.iter().map(|comparison| comparison.name.chars().count());
        let width = widths.max().unwrap_or(0).max(4);
        writeln!(f, "{:width$}  marginal  successive  eff. draws         z    p-value", "mean")?;
        for MeanComparison { name, marginal, successive, effective_draws, z, p_value } in &self.comparisons {
            let (first, second) = (marginal.0, successive.0);
            writeln!(
                f,
                "{name:width$}  {first:8.4}  {second:10.4}  {effective_draws:10.0}  {z:8.2}  {p_value:9.2e}"
            )?;
        }
        Ok(())
    }
}

/// All that is looked at, of parameters from the prior and data from them.
fn joint_draw<M: SimulationModel>(model: &M, names: &[String], rng: &mut Pcg64) -> Result<Vec<f64>, Error> {
    let parameters = model.prior(rng)?;
    let data = model.simulate(&parameters, rng)?;
    all_values(model, names, &parameters, &data)
}

/// Each value in its units, and its square.
fn functions(values: &[f64], scales: &[(f64, f64)]) -> impl Iterator<Item = f64> {
    values.iter().zip(scales).flat_map(|(value, (middle, width))| {
        let scaled = (value - middle) / width;
        [scaled, scaled * scaled]
    })
}

fn compare(
    name: String,
    (marginal, draws): (&MeanVariance, usize),
    (successive, runs): (&MeanVariance, usize),
) -> MeanComparison {
    let (first, second) =
        (marginal.sample_variance() / draws as f64, successive.sample_variance() / runs as f64);
    let difference = successive.mean() - marginal.mean();
    let (z, p_value) = if first + second > 0.0 {
        let z = difference / (first + second).sqrt();
        let degrees_of_freedom = (first + second).powi(2)
            / (first * first / (draws - 1) as f64 + second * second / (runs - 1) as f64);
        let tail =
            StudentT::standard(degrees_of_freedom).map_or(0.0, |distribution| distribution.sf(z.abs()));
        (z, (2.0 * tail).min(1.0))
    } else if difference == 0.0 {
        (0.0, 1.0)
    } else {
        (difference.signum() * f64::INFINITY, 0.0)
    };
    MeanComparison {
        name,
        marginal: (marginal.mean(), first.sqrt()),
        successive: (successive.mean(), second.sqrt()),
        effective_draws: marginal.sample_variance() / second,
        z,
        p_value,
    }
}
