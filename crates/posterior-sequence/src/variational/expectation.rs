//! q(z): the distribution of the paths, and what the other factors see of it.

use std::ops::Range;

use posterior_dist::{Conjugate, ExponentialFamily, Stats};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::linalg::DMatrix;

use super::scores::ExpectedScores;
use crate::bayesian::Observed;
use crate::chain::{Edges, ForwardBackward, LinearChain, SmoothedChain, Transitions};
use crate::error::Error;
use crate::parallel::map;

/// Positions of a block of sequences, whose sums are added up one block after the other.
const BLOCK: usize = 4096;

/// The expectations of the paths that the factors of the parameters see.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExpectedPaths<F: ExponentialFamily> {
    /// The expected number of sequences that begin in each state.
    pub initial: Vec<f64>,
    /// The expected number of steps from state i (row) to state j.
    pub steps: DMatrix<f64>,
    /// The expected statistics of each state's observations.
    pub statistics: Vec<Stats<F>>,
    /// The entropy of q(z), of all sequences.
    pub entropy: f64,
    /// ln of the normalising constant of q(z): the bound but for the divergences of the parameters, right
    /// after the paths were updated.
    pub ln_z: f64,
    /// The part of the observations in E ln p(x, z | ·) under the factors that the paths were made with.
    pub(super) expected_fit: f64,
}

/// The paths given E ln of initial distribution, transitions and emissions.
pub(super) fn expect<F, P>(
    data: &Observed<'_, F::Point>,
    ln_initial: &[f64],
    ln_rows: &[Vec<f64>],
    emissions: &[ConjugateFactor<F, P>],
) -> Result<ExpectedPaths<F>, Error>
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: Sync,
{
    let states = ln_initial.len();
    let (initial, rows) = (Shifted::new(ln_initial), Shifted::new(&ln_rows.concat()));
    let transitions = Transitions::from_ln(&DMatrix::from_row_slice(states, states, &rows.ln))?;
    let block = |messages: &mut ForwardBackward, sequences: Range<usize>| -> Result<Sums<F>, Error> {
        let mut sums = Sums::new(emissions);
        let mut scores = ExpectedScores::new(emissions);
        let (mut nodes, mut shifts) = (Vec::new(), Vec::new());
        for sequence in sequences {
            scores.fill(data, sequence, &mut nodes)?;
            shift_positions(&mut nodes, states, &mut shifts);
            let chain = LinearChain::new(&initial.ln, Edges::Same(&transitions), &nodes)?;
            let smoothed = messages.smooth(&chain);
            if let Some(position) = smoothed.score().impossible {
                return Err(Error::Impossible { sequence, position });
            }
            sums.push(data.points(sequence), &smoothed, &nodes, &shifts)?;
        }
        Ok(sums)
    };
    let mut total = Sums::new(emissions);
    for outcome in map(data.blocks(BLOCK), ForwardBackward::new, block) {
        total.merge(&outcome?)?;
    }
    Ok(total.finish(&initial, &rows))
}

/// Logarithms less the largest of them: what rounding loses is then a proportion of their differences. Of
/// concentrations far below one all of them are huge.
struct Shifted {
    ln: Vec<f64>,
    shift: f64,
}

impl Shifted {
    fn new(ln: &[f64]) -> Self {
        let shift = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { ln: ln.iter().map(|ln| ln - shift).collect(), shift }
    }

    /// Σ count · (ln - shift), and the count itself.
    fn counted(&self, counts: &[f64]) -> (f64, f64) {
        let term = |(&count, &ln): (&f64, &f64)| if count == 0.0 { 0.0 } else { count * ln };
        (counts.iter().zip(&self.ln).map(term).sum(), counts.iter().sum())
    }
}

/// The same for the scores of each position.
fn shift_positions(nodes: &mut [f64], states: usize, shifts: &mut Vec<f64>) {
    shifts.clear();
    for node in nodes.chunks_exact_mut(states) {
        let most = node.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shift = if most > f64::NEG_INFINITY { most } else { 0.0 };
        for node in node.iter_mut() {
            *node -= shift;
        }
        shifts.push(shift);
    }
}

/// Sums over sequences that come in.
struct Sums<F: ExponentialFamily> {
    initial: Vec<f64>,
    /// Row after row.
    steps: Vec<f64>,
    statistics: Vec<Stats<F>>,
    /// Of shifted scores.
    ln_z: f64,
    /// Expected scores of the positions, shifted; and the shifts.
    fit: f64,
    shifts: f64,
}

impl<F: ExponentialFamily> Sums<F> {
    fn new<P>(emissions: &[ConjugateFactor<F, P>]) -> Self
    where
        F: Conjugate<P>,
    {
        let states = emissions.len();
        Self {
            initial: vec![0.0; states],
            steps: vec![0.0; states * states],
            statistics: emissions.iter().map(|own| Stats::new(own.statistics().fixed().clone())).collect(),
            ln_z: 0.0,
            fit: 0.0,
            shifts: 0.0,
        }
    }

    fn push(
        &mut self,
        points: &[Option<&F::Point>],
        smoothed: &SmoothedChain<'_>,
        nodes: &[f64],
        shifts: &[f64],
    ) -> Result<(), Error> {
        self.ln_z += smoothed.score().ln_z;
        self.shifts += shifts.iter().sum::<f64>();
        smoothed.add_edge_sums(&mut self.steps);
        let (proportions, states) = (smoothed.marginals(), self.initial.len());
        for (initial, proportion) in self.initial.iter_mut().zip(proportions) {
            *initial += proportion;
        }
        let positions = points.iter().zip(proportions.chunks_exact(states)).zip(nodes.chunks_exact(states));
        for ((point, proportions), nodes) in positions {
            let Some(point) = point else { continue };
            for ((statistics, &proportion), node) in self.statistics.iter_mut().zip(proportions).zip(nodes) {
                if proportion > 0.0 {
                    statistics.push_weighted(point, proportion)?;
                    self.fit += proportion * node;
                }
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: &Self) -> Result<(), Error> {
        let numbers = self.initial.iter_mut().chain(&mut self.steps);
        for (sum, more) in numbers.zip(other.initial.iter().chain(&other.steps)) {
            *sum += more;
        }
        for (sum, more) in self.statistics.iter_mut().zip(&other.statistics) {
            sum.merge(more)?;
        }
        self.ln_z += other.ln_z;
        self.fit += other.fit;
        self.shifts += other.shifts;
        Ok(())
    }

    /// H(q) = ln Z - E ln of the scores, whatever they were shifted by.
    fn finish(self, initial: &Shifted, rows: &Shifted) -> ExpectedPaths<F> {
        let states = self.initial.len();
        let (first, beginnings) = initial.counted(&self.initial);
        let (steps, count) = rows.counted(&self.steps);
        ExpectedPaths {
            initial: self.initial,
            steps: DMatrix::from_row_slice(states, states, &self.steps),
            statistics: self.statistics,
            entropy: self.ln_z - first - steps - self.fit,
            ln_z: self.ln_z + self.shifts + beginnings * initial.shift + count * rows.shift,
            expected_fit: self.fit + self.shifts,
        }
    }
}
