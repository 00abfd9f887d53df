//! What Laplace's method lacks, to the next order.

use posterior_math::linalg::DMatrix;

use crate::engine::Engine;
use crate::laplace::Laplace;
use crate::response::ResponseTerm;

/// So many rows at most are looked at pair by pair.
const ROWS: usize = 1000;
/// Half of the distance over which third derivatives are compared, in standard deviations of the predictor.
const DIFFERENCE: f64 = 0.01;

impl Engine<'_> {
    /// Whether the terms of second order are known: of up to a thousand rows, where ln p(y | η) of each bends
    /// down at the mode.
    pub(crate) fn is_second_order(&self, peak: &Laplace) -> bool {
        let bends = |term: &ResponseTerm| term.curvature >= 0.0;
        self.rows.count() <= ROWS
            && peak.terms.iter().all(bends)
            && peak.terms.iter().any(|term| term.third != 0.0)
    }

    /// By how much Laplace's approximation of ln p(y | θ) is too small, to second order. With the covariances
    /// s of the predictors and the third and fourth derivatives t and f of ln p(y | η),
    ///
    /// ```text
    /// Σᵢ fᵢ sᵢᵢ² / 8 + Σᵢⱼ tᵢ tⱼ (sᵢᵢ sᵢⱼ sⱼⱼ / 8 + sᵢⱼ³ / 12)
    /// ```
    ///
    /// It counts where there are few rows to each latent value: of single zeros and ones in small groups the
    /// spread of the groups would be found too small.
    ///
    /// # References
    /// Z. Shun, P. McCullagh, Laplace approximation of high dimensional integrals, J. R. Stat. Soc. B 57
    /// (1995), section 2.
    pub(crate) fn second_order(&self, laplace: &Laplace) -> f64 {
        let (count, rows) = (self.rows.count(), &laplace.rows);
        let mut place = vec![usize::MAX; rows.width()];
        let mut seen = Vec::new();
        for &column in (0..count).flat_map(|row| rows.columns(row)) {
            if place[column as usize] == usize::MAX {
                place[column as usize] = seen.len();
                seen.push(column as usize);
            }
        }
        // Covariances of the latent values that are seen with the predictors, a column for each predictor.
        let latent = laplace.factor.covariances_among(&seen);
        let mut along = DMatrix::zeros(seen.len(), count);
        for row in 0..count {
            for (column, value) in rows.row(row) {
                along.column_mut(row).axpy(value, &latent.column(place[column]), 1.0);
            }
        }
        let along = along.transpose();
        let natural = self.natural(&laplace.theta);
        let mut pull = vec![0.0; count];
        let (mut cubes, mut fourth) = (0.0, 0.0);
        let mut own = vec![0.0; count];
        for i in (0..count).filter(|&row| self.model.is_seen(row)) {
            own[..=i].fill(0.0);
            for (&column, value) in rows.columns(i).iter().zip(rows.values(i)) {
                let along = along.column(place[column as usize]);
                own[..=i].iter_mut().zip(&along).for_each(|(sum, along)| *sum += value * along);
            }
            let (variance, third) = (own[i], laplace.terms[i].third);
            pull[i] = third * variance;
            let mut sum = 0.5 * third * variance.powi(3);
            for (s, term) in own[..i].iter().zip(&laplace.terms) {
                sum += term.third * s.powi(3);
            }
            cubes += 2.0 * third * sum;
            let step = DIFFERENCE * variance.max(0.0).sqrt();
            if step > 0.0 {
                let at = |sign: f64| self.model.term(i, laplace.predictor[i] + sign * step, &natural).third;
                fourth += variance * variance * (at(1.0) - at(-1.0)) / (2.0 * step);
            }
        }
        let moved = rows.times(&laplace.factor.solve(&rows.transpose_times(&pull)));
        let square: f64 = moved.iter().zip(&pull).map(|(moved, pull)| moved * pull).sum();
        (fourth + square) / 8.0 + cubes / 12.0
    }
}
