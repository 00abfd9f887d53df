//! The smoother as a scan.

use posterior_gaussian::MomentGaussian;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::{ScanFiltered, side_by_side};
use crate::simulation::GivenNext;
use crate::{Error, StateSpace};

/// What a smoother found that ran as a scan.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanSmoothed {
    smoothed: Vec<Moments>,
    lag_one: Vec<DMatrix<f64>>,
}

/// Mean and covariance.
type Moments = (DVector<f64>, DMatrix<f64>);

/// x(t) = G x(t+k) + g + noise with covariance C, given the observations.
#[derive(Debug, Clone)]
struct Link {
    gain: DMatrix<f64>,
    offset: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl Link {
    fn carry(&self, (mean, covariance): &Moments) -> Moments {
        let spread = &self.gain * covariance * self.gain.transpose() + &self.covariance;
        (&self.gain * mean + &self.offset, spread)
    }

    /// First by `later`, then by this.
    fn after(&self, later: &Self) -> Self {
        let (offset, covariance) = self.carry(&(later.offset.clone(), later.covariance.clone()));
        Self { gain: &self.gain * &later.gain, offset, covariance }
    }

    /// From the time after `t` to `t`.
    fn new(model: &StateSpace, filtered: &ScanFiltered, t: usize) -> Result<Self, Error> {
        let (transition, (mean, covariance)) = (model.transition(), &filtered.filtered[t]);
        let root = MomentGaussian::new(mean.as_slice(), covariance)?.root()?;
        let matrix = transition.matrix().matrix(t);
        let given = GivenNext::new(&matrix, &root, &transition.noise_root().matrix(t))?;
        let ahead = matrix * mean + DVector::from_column_slice(transition.offset().at(t));
        let offset = mean - &given.gain * ahead;
        Ok(Self { gain: given.gain, offset, covariance: &given.root * given.root.transpose() })
    }
}

impl ScanFiltered {
    /// The distributions of the states given all observations, by a scan backwards.
    ///
    /// # Errors
    /// If `model` is not of the same size and length.
    pub fn smooth(&self, model: &StateSpace) -> Result<ScanSmoothed, Error> {
        check::dimension("states of the model", self.states, model.states())?;
        check::enough("times of the model", self.len(), model.times().unwrap_or(usize::MAX))?;
        let Some(last) = self.filtered.last() else {
            return Ok(ScanSmoothed { smoothed: Vec::new(), lag_one: Vec::new() });
        };
        let blocks = self.blocks();
        let links = side_by_side(blocks, |block| {
            self.times(block)
                .filter(|t| t + 1 < self.len())
                .map(|t| Link::new(model, self, t))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let sums = side_by_side(blocks, |block| {
            Ok(links[block].iter().rev().cloned().reduce(|later, link| link.after(&later)))
        })?;
        // The distribution at the time after the last of each block, the last block first.
        let mut ends = vec![last.clone()];
        for sum in sums.iter().skip(1).rev() {
            let end = &ends[ends.len() - 1];
            ends.push(sum.as_ref().map_or_else(|| end.clone(), |sum| sum.carry(end)));
        }
        let parts = side_by_side(blocks, |block| {
            let mut distributions: Vec<Moments> = vec![ends[blocks - 1 - block].clone()];
            let mut lag_one = Vec::with_capacity(links[block].len());
            for link in links[block].iter().rev() {
                let next = &distributions[distributions.len() - 1];
                lag_one.push(&next.1 * link.gain.transpose());
                distributions.push(link.carry(next));
            }
            distributions.reverse();
            lag_one.reverse();
            if block + 1 < blocks {
                distributions.pop();
            }
            Ok((distributions, lag_one))
        })?;
        let (mut smoothed, mut lag_one) = (Vec::with_capacity(self.len()), Vec::new());
        for (distributions, covariances) in parts {
            smoothed.extend(distributions);
            lag_one.extend(covariances);
        }
        Ok(ScanSmoothed { smoothed, lag_one })
    }
}

impl ScanSmoothed {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.smoothed.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.smoothed.is_empty()
    }

    /// E[x(t) | y].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.smoothed[t].0.as_slice()
    }

    /// Cov[x(t) | y].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> &DMatrix<f64> {
        &self.smoothed[t].1
    }

    /// Cov[x(t+1), x(t) | y].
    #[track_caller]
    pub fn lag_one_covariance(&self, t: usize) -> &DMatrix<f64> {
        &self.lag_one[t]
    }
}
