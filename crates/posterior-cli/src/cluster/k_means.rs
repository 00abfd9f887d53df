//! Groups by the nearest centre.

use posterior::latent::k_means::{self, CentreStart, Clustering, KMeansOptions, best_of_starts, silhouette};
use posterior::latent::{Error, Observations};
use posterior::math::iteration::Silent;

use super::answer::{Answer, Candidate, best_of, rows_of};
use super::model::Groups;
use crate::args::{ClusterFit, Counts};
use crate::failure::{Failure, refused};
use crate::folds::order;
use crate::rows_input::Rows;

/// Rows up to which the silhouette chooses the number of centres: it takes all distances.
const MOST_ROWS: usize = 20_000;

/// Rows that starts see, of more than twice as many.
const SAMPLE: usize = 2000;

/// The proportion of the inertia of many rows by which the last step may still lower it.
const TOLERANCE: f64 = 1e-6;

/// The clustering; of a range of numbers of centres that with the widest silhouette.
pub(super) fn answer(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(Answer, Groups), Failure> {
    if data.incomplete() {
        let message = format!("{}: values are missing, which k-means has no place for", data.source);
        return Err(Failure::data(message).with_hint("--method gmm takes rows with missing values"));
    }
    let rows = Observations::new(&data.values).map_err(refused)?;
    let fit = |k: usize| best(args, &rows, k);
    if counts.least == counts.most {
        let found = fit(counts.least).map_err(refused)?;
        return Ok(output(args, data, found, Vec::new()));
    }
    if rows.len() > MOST_ROWS {
        let message = format!(
            "to choose the number of centres by the silhouette takes all distances: {MOST_ROWS} rows at most"
        );
        return Err(Failure::data(message).with_hint("give one number with --k"));
    }
    let best = best_of(counts.least.max(2)..=counts.most, "mean silhouette", args.common.quiet, |k| {
        let found = fit(k).map_err(refused)?;
        let widths = silhouette(&rows, &found.labels).map_err(refused)?;
        Ok((widths.iter().sum::<f64>() / widths.len() as f64, found))
    })?;
    match best {
        Some((_, best, selection)) => Ok(output(args, data, best, selection)),
        None => Err(Failure::Usage("--k: the silhouette needs two centres at least".to_owned())),
    }
}

/// The best of several starts. Of many rows the starts see some, and the best of them goes on with all.
fn best(args: &ClusterFit, rows: &Observations, k: usize) -> Result<Clustering, Error> {
    let max_iterations = args.iterations.unwrap_or(500) as usize;
    let options = KMeansOptions { max_iterations, ..KMeansOptions::new(k) };
    let (starts, seed) = (usize::from(args.restarts), args.common.seed);
    if rows.len() > 2 * SAMPLE {
        let some = order(rows.len(), None, seed);
        let sample = Observations::new(&rows.values().select_rows(&some[..SAMPLE]))?;
        // Of so few different rows in the sample that there are not k, all are to be seen.
        if let Ok(found) = best_of_starts(&sample, &options, starts, seed) {
            let start = CentreStart::Centres(found.best.model.centres());
            let options = KMeansOptions { start, tolerance: TOLERANCE, ..options };
            return k_means::fit(rows, &options, seed, &mut Silent);
        }
    }
    Ok(best_of_starts(rows, &options, starts, seed)?.best)
}

fn output(args: &ClusterFit, data: &Rows, found: Clustering, selection: Vec<Candidate>) -> (Answer, Groups) {
    let centres = found.model.centres();
    let mut sizes = vec![0.0; centres.nrows()];
    for &label in &found.labels {
        sizes[label] += 1.0 / found.labels.len() as f64;
    }
    let lost = (found.reseeded > 0)
        .then(|| format!("{} times a centre lost all its rows and went to the farthest one", found.reseeded));
    let answer = Answer {
        weights: sizes,
        means: rows_of(&centres),
        inertia: Some(found.inertia()),
        converged: Some(found.report.converged()),
        certainty: vec![1.0; found.labels.len()],
        trace: found.half_steps,
        assignments: found.labels,
        selection,
        warnings: lost.into_iter().collect(),
        ..Answer::new(args, data)
    };
    (answer.in_units(data), Groups::Centres(found.model))
}
