//! Models of segments, learned from where a hidden Markov model ended.

use posterior::inference::em::EmOptions;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::sequence::Error;
use posterior::sequence::emission::{Emissions, LearnEmissions, Sequences};
use posterior::sequence::hmm::HiddenMarkovModel;
use posterior::sequence::semi_markov::{Durations, SemiMarkovModel, SemiMarkovProblem};

use super::learned::{Learned, TOLERANCE};
use crate::args::{DurationKind, HmmFit};

/// The largest probability of staying that durations begin with.
const LARGEST_STAY: f64 = 1.0 - 1e-6;

/// Goes on from a hidden Markov model: its emissions, the steps that leave a state, and durations with the
/// mean of its stays.
pub(super) fn learn<E, L>(
    args: &HmmFit,
    all: &Sequences<'_, E::Data>,
    learn: L,
    start: &HiddenMarkovModel<E>,
) -> Result<(SemiMarkovModel<E>, Learned), Error>
where
    E: Emissions + Clone,
    L: LearnEmissions<E>,
{
    let (states, transition) = (start.states(), start.transition());
    let longest = args.longest as usize;
    let leaves = |i: usize| (0..states).filter(|&j| j != i).map(|j| transition[(i, j)]).sum::<f64>();
    let steps = DMatrix::from_fn(states, states, |i, j| match (i == j, leaves(i)) {
        (true, _) => 0.0,
        // A state that is never left may be left for any.
        (false, never) if never < f64::MIN_POSITIVE => 1.0 / (states - 1) as f64,
        (false, sum) => transition[(i, j)] / sum,
    });
    let durations = (0..states).map(|state| {
        let stay = transition[(state, state)].min(LARGEST_STAY);
        let geometric = Durations::geometric(stay, longest)?;
        match args.duration {
            DurationKind::NegativeBinomial => Ok(geometric),
            DurationKind::Poisson => Durations::poisson(geometric.mean() - 1.0, longest),
            DurationKind::Table => {
                Durations::table(&(1..=longest).map(|d| geometric.ln_pdf(d).exp()).collect::<Vec<_>>())
            }
        }
    });
    let durations = durations.collect::<Result<Vec<_>, _>>()?;
    let model = SemiMarkovModel::new(start.initial(), &steps, durations, start.emissions().clone())?;
    let options = EmOptions { tolerance: TOLERANCE, max_iterations: args.iterations as usize };
    let fitted = SemiMarkovProblem::new(all, learn).fit(model, &options, &mut Silent)?;
    let kept = fitted.model.incidents.iter();
    let warnings = kept.map(|(state, _)| format!("state {state}: what it shows could not be estimated"));
    let learned = Learned::new((fitted.report.converged(), fitted.report.trace), warnings.collect());
    Ok((fitted.model.model, learned))
}
