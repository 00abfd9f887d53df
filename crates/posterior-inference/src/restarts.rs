//! The best of several fits from random starts.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Fitted, Report, Stop};
use rand_pcg::Pcg64;

/// The best of several fits.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BestOf<M, E> {
    /// The fit with the highest final objective, the first of equals.
    pub best: Fitted<M>,
    /// Which one it is, from 0.
    pub index: usize,
    /// The final objective of each fit, or why it failed.
    pub outcomes: Vec<Result<f64, E>>,
}

/// Runs a fit several times, each with random numbers of its own to choose its start by, and returns the
/// best: against local maxima, to which EM and variational inference go.
///
/// `fit` returns a report whose objective is to be high. Fit k has the stream `[k]` of the seed, so that the
/// first fits are the same however many there are. A fit that fails is noted, and does not end the others.
///
/// ```
/// use posterior_inference::best_of;
/// use posterior_math::iteration::{Fitted, Report, Stop};
/// use rand::RngExt;
///
/// let found = best_of(10, 7, |rng| {
///     let x: f64 = rng.random();
///     Ok::<_, String>(Fitted { model: x, report: Report::new(vec![x], Stop::Converged) })
/// })?;
/// assert_eq!(found.outcomes[found.index], Ok(found.best.model));
/// assert!(found.outcomes.iter().flatten().all(|&x| x <= found.best.model));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The error of the first fit, if all fail. At least one fit is run.
#[expect(clippy::missing_panics_doc, reason = "where no fit succeeds there is the error of one")]
pub fn best_of<M, E>(
    starts: usize,
    seed: u64,
    mut fit: impl FnMut(&mut Pcg64) -> Result<Fitted<M>, E>,
) -> Result<BestOf<M, E>, E> {
    let mut outcomes = Vec::new();
    let mut best: Option<(Fitted<M>, usize, f64)> = None;
    for index in 0..starts.max(1) {
        let outcome = fit(&mut stream(seed, &[index as u64])).map(|fitted| {
            let objective = fitted.report.trace.last().map_or(f64::NEG_INFINITY, |&last| last);
            let better = best.as_ref().is_none_or(|(.., highest)| objective > *highest || highest.is_nan());
            if better {
                best = Some((fitted, index, objective));
            }
            objective
        });
        outcomes.push(outcome);
    }
    match best {
        Some((best, index, _)) => Ok(BestOf { best, index, outcomes }),
        None => Err(outcomes
            .into_iter()
            .find_map(Result::err)
            .expect("invariant: no fit succeeded, and one was run")),
    }
}

/// Runs several fits for a few steps each, as [`best_of`] does, and the best of them to its end: most of what
/// several whole fits would find, for little more than one.
///
/// `short` is to stop with [`Stop::MaxIterations`] after its steps; `rest` goes on from the model of the
/// best. The outcomes are those of the short runs. Where the long run begins at the very objective that the
/// short one ended at, the trace is that of both.
///
/// # Errors
/// The error of the first short run, if all fail; that of the long run.
///
/// # References
/// C. Biernacki, G. Celeux, G. Govaert, Choosing starting values for the EM algorithm for getting the highest
/// likelihood in multivariate Gaussian mixture models, Computational Statistics and Data Analysis 41, 2003.
pub fn best_of_short_runs<M, E>(
    starts: usize,
    seed: u64,
    short: impl FnMut(&mut Pcg64) -> Result<Fitted<M>, E>,
    rest: impl FnOnce(M) -> Result<Fitted<M>, E>,
) -> Result<BestOf<M, E>, E> {
    let found = best_of(starts, seed, short)?;
    let Fitted { model, report: before } = found.best;
    if before.stop != Stop::MaxIterations {
        return Ok(BestOf { best: Fitted { model, report: before }, ..found });
    }
    let Fitted { model, report } = rest(model)?;
    Ok(BestOf { best: Fitted { model, report: joined(before, report) }, ..found })
}

/// The report of both runs, if one goes on where the other ended.
fn joined(mut before: Report, mut after: Report) -> Report {
    if before.trace.last() != after.trace.first() {
        return after;
    }
    for fall in &mut after.falls {
        fall.iteration += before.iterations();
    }
    before.falls.append(&mut after.falls);
    before.trace.extend(after.trace.iter().skip(1));
    Report { stop: after.stop, ..before }
}
