//! Many simulations, one rank of each.

use posterior_dist::stream::stream;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::model::{all_names, all_values, in_simulation};
use super::{CalibrationReport, Ranks, SimulationModel};
use crate::{Draws, Error};

/// Simulation-based calibration: how many simulations, how many draws of each posterior, and from which seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// Data sets. With n of them a fault is seen that moves the distribution function of the ranks by about
    /// 2/√n.
    pub simulations: usize,
    /// Draws L of each posterior among which the prior draw is ranked, 0 to L.
    pub draws: usize,
    /// The seed: each simulation has a stream of its own.
    pub seed: u64,
}

impl Default for Calibration {
    /// 1,000 simulations of 99 draws, seed 0.
    fn default() -> Self {
        Self { simulations: 1000, draws: 99, seed: 0 }
    }
}

impl Calibration {
    /// Simulates parameters and data, draws from the posterior of the data by `sampler`, and ranks the
    /// parameters, and all quantities of the model, among the draws.
    ///
    /// The sampler gives its draws of the parameters in the order of their names. Of more draws than needed,
    /// evenly spaced ones are taken, chain after chain; they should be nearly independent, for ranks among
    /// dependent draws pile up at both ends ([`nearly_independent`](super::nearly_independent) sees to it).
    /// Ties are broken at random. With the feature `rayon` simulations run on the threads of the pool; the
    /// ranks are the same on any number of threads.
    ///
    /// # Errors
    /// [`Error::Simulation`] with the number of the first simulation that went wrong: too few draws or of
    /// other parameters, NaN among what is ranked, an error of the model or the sampler. Options that can't
    /// be.
    pub fn run<M, S>(&self, model: &M, sampler: S) -> Result<CalibrationReport, Error>
    where
        M: SimulationModel + Sync,
        S: Fn(&M::Data, &mut Pcg64) -> Result<Draws, Error> + Sync,
    {
        self.check()?;
        let names = all_names(model);
        let ranks_of = |simulation: usize| {
            self.simulation(model, &sampler, &names, simulation).map_err(in_simulation(simulation))
        };
        #[cfg(feature = "rayon")]
        let outcomes: Vec<_> = (0..self.simulations).into_par_iter().map(ranks_of).collect();
        #[cfg(not(feature = "rayon"))]
        let outcomes: Vec<_> = (0..self.simulations).map(ranks_of).collect();
        let rows = outcomes.into_iter().collect::<Result<Vec<Vec<usize>>, Error>>()?;
        let column =
            |(place, name)| Ranks::new(name, rows.iter().map(|row| row[place]).collect(), self.draws);
        let quantities = names.into_iter().enumerate().map(column).collect::<Result<_, ParamError>>()?;
        Ok(CalibrationReport { quantities })
    }

    fn check(&self) -> Result<(), ParamError> {
        for (name, value) in [("simulations", self.simulations), ("draws", self.draws)] {
            check::require(value > 0, "Calibration", name, value as f64, "positive")?;
        }
        Ok(())
    }

    /// The ranks of one simulation.
    fn simulation<M, S>(
        &self,
        model: &M,
        sampler: &S,
        names: &[String],
        simulation: usize,
    ) -> Result<Vec<usize>, Error>
    where
        M: SimulationModel,
        S: Fn(&M::Data, &mut Pcg64) -> Result<Draws, Error>,
    {
        let mut rng = stream(self.seed, &[simulation as u64]);
        let parameters = model.prior(&mut rng)?;
        let data = model.simulate(&parameters, &mut rng)?;
        let truth = all_values(model, names, &parameters, &data)?;
        let draws = sampler(&data, &mut rng)?;
        check::dimension("parameters of the draws", parameters.len(), draws.names().len())?;
        let mut places = vec![Place::default(); names.len()];
        for (chain, draw) in evenly_spaced(&draws, self.draws)? {
            let values = all_values(model, names, draws.draw(chain, draw), &data)?;
            for ((place, value), truth) in places.iter_mut().zip(values).zip(&truth) {
                place.below += usize::from(value < *truth);
                place.equal += usize::from(value == *truth);
            }
        }
        Ok(places.into_iter().map(|place| place.rank(&mut rng)).collect())
    }
}

/// How many draws are below the truth, and equal to it.
#[derive(Clone, Copy, Default)]
struct Place {
    below: usize,
    equal: usize,
}

impl Place {
    fn rank<R: Rng + ?Sized>(self, rng: &mut R) -> usize {
        if self.equal == 0 { self.below } else { self.below + rng.random_range(0..=self.equal) }
    }
}

/// The chains and places of `count` evenly spaced draws.
pub(super) fn evenly_spaced(
    draws: &Draws,
    count: usize,
) -> Result<impl Iterator<Item = (usize, usize)>, Error> {
    let (chains, len) = (draws.chains(), draws.len());
    let all = chains * len;
    check::enough("draws of a posterior", count, all)?;
    // The middles of `count` equal parts; all draws if there are no more.
    let at = move |k: usize| ((2 * k as u128 + 1) * all as u128 / (2 * count as u128)) as usize;
    Ok((0..count).map(move |k| (at(k) / len, at(k) % len)))
}
