//! The weights of the states given the steps: tables of restaurants.

use rand::{Rng, RngExt};

use super::model::StickyWeights;
use crate::bayesian::DirichletRow;
use crate::error::Error;

/// How often each state was stepped to: the counts of a row, and the row's number; that of the initial
/// distribution has none.
pub(super) type Row<'a> = (Option<usize>, &'a [f64]);

/// The counts of tables at which a state is served for its weight β alone.
///
/// A step of row j to k opens a table with probability c / (c + i), where i steps came before and c = α β_k,
/// with κ more for k = j. Of the tables of the diagonal, each is there for κ with probability κ / (α β_j +
/// κ), and says nothing of β.
pub(super) fn considered_tables<'a, R: Rng + ?Sized>(
    weights: &StickyWeights,
    rows: impl Iterator<Item = Row<'a>>,
    rng: &mut R,
) -> Vec<f64> {
    let mut tables = vec![0.0; weights.ln_beta.len()];
    for (own, counts) in rows {
        for (k, &count) in counts.iter().enumerate() {
            let for_weight = weights.alpha_beta(k);
            let for_itself = if own == Some(k) { weights.kappa() } else { 0.0 };
            let concentration = for_weight + for_itself;
            for before in 0..count as u64 {
                let opens = rng.random::<f64>() * (concentration + before as f64) < concentration;
                if opens && rng.random::<f64>() * concentration < for_weight {
                    tables[k] += 1.0;
                }
            }
        }
    }
    tables
}

/// ln β given tables: Dirichlet(γ/L + tables).
pub(super) fn draw_weights<R: Rng + ?Sized>(
    gamma: f64,
    tables: &[f64],
    rng: &mut R,
) -> Result<Vec<f64>, Error> {
    let proportion = (gamma / tables.len() as f64).max(f64::MIN_POSITIVE);
    Ok(DirichletRow::symmetric(tables.len(), proportion)?.posterior(tables)?.sample_ln(rng))
}
