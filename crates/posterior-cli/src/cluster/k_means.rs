//! Groups by the nearest centre.

use posterior::latent::Observations;
use posterior::latent::k_means::{Clustering, KMeansOptions, best_of_starts, silhouette};

use super::answer::{Answer, Candidate, best_of, rows_of};
use super::model::Groups;
use crate::args::{ClusterFit, Counts};
use crate::failure::{Failure, refused};
use crate::rows_input::Rows;

/// Rows up to which the silhouette chooses the number of centres: it takes all distances.
const MOST_ROWS: usize = 20_000;

/// The clustering; of a range of numbers of centres that with the widest silhouette.
pub(super) fn answer(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(Answer, Groups), Failure> {
    if data.incomplete() {
        let message = format!("{}: values are missing, which k-means has no place for", data.source);
        return Err(Failure::data(message).with_hint("--method gmm takes rows with missing values"));
    }
    let rows = Observations::new(&data.values).map_err(refused)?;
    let fit = |k: usize| {
        let options = KMeansOptions {
            max_iterations: args.iterations.unwrap_or(500) as usize,
            ..KMeansOptions::new(k)
        };
        best_of_starts(&rows, &options, usize::from(args.restarts), args.common.seed)
    };
    if counts.least == counts.most {
        let found = fit(counts.least).map_err(refused)?;
        return Ok(output(args, data, found.best, Vec::new()));
    }
    if rows.len() > MOST_ROWS {
        let message = format!(
            "to choose the number of centres by the silhouette takes all distances: {MOST_ROWS} rows at most"
        );
        return Err(Failure::data(message).with_hint("give one number with --k"));
    }
    let best = best_of(counts.least.max(2)..=counts.most, "mean silhouette", |k| {
        let found = fit(k).map_err(refused)?.best;
        let widths = silhouette(&rows, &found.labels).map_err(refused)?;
        Ok((widths.iter().sum::<f64>() / widths.len() as f64, found))
    })?;
    match best {
        Some((_, best, selection)) => Ok(output(args, data, best, selection)),
        None => Err(Failure::Usage("--k: the silhouette needs two centres at least".to_owned())),
    }
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
