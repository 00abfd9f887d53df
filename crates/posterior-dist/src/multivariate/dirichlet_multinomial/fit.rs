//! The α of maximum likelihood for vectors of counts.

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::log_space::x_ln_y;

use super::DirichletMultinomial;
use crate::concentration::{ConcentrationOptions, Level, Objective, Slope, Symmetry, ascend};
use crate::count_histograms::{CountHistograms, Rises};
use crate::dirichlet::Dirichlet;

impl DirichletMultinomial {
    /// The prior of maximum likelihood for vectors of counts, whose totals may differ.
    ///
    /// The objective of the report is the log-likelihood Σ ln B(α + n) - ln B(α), without the coefficients,
    /// which do not depend on α. It rises with every step, up to rounding. For counts that vary less than
    /// those of a multinomial it has no maximum: α grows without bound towards the multinomial distribution,
    /// and the report says `Stalled` where that is reached.
    ///
    /// # Errors
    /// If the options are invalid, no vector has a total of two or more (one draw says nothing of the
    /// concentration), or α is free and a category was never seen (its α would be zero).
    ///
    /// # References
    /// T. Minka, Estimating a Dirichlet distribution, 2000, section 3: equations 55 (fixed point), 56 to 60
    /// (Newton).
    pub fn fit(
        counts: &CountHistograms,
        options: &ConcentrationOptions,
        observer: &mut dyn Observer,
    ) -> Result<Fitted<Dirichlet>, ParamError> {
        let longest = counts.longest();
        check::require(longest > 1, "DirichletMultinomial", "largest total", longest as f64, "at least 2")?;
        let categories = counts.categories();
        let objective = Counts::of(counts, options.symmetry);
        let unseen = objective.cells.iter().position(Rises::is_empty);
        if let Some(category) = unseen {
            let category = category as f64;
            return Err(ParamError::new(
                "DirichletMultinomial",
                "unseen category",
                category,
                "in some vector",
            ));
        }
        let start = options.start_or(objective.cells.len(), || guess(counts, options.symmetry))?;
        let (free, report) = ascend(&objective, start, options, observer);
        let alpha = match options.symmetry {
            Symmetry::Asymmetric => free,
            Symmetry::Symmetric => vec![free[0]; categories],
        };
        Ok(Fitted { model: Dirichlet::new(&alpha)?, report })
    }
}

/// The overall proportions, with a concentration of one per category.
fn guess(counts: &CountHistograms, symmetry: Symmetry) -> Vec<f64> {
    let categories = counts.categories();
    if symmetry == Symmetry::Symmetric {
        return vec![1.0];
    }
    let sums: Vec<f64> = (0..categories).map(|k| counts.count(k)).collect();
    let total: f64 = sums.iter().sum();
    sums.into_iter().map(|sum| categories as f64 * sum / total).collect()
}

/// The log-likelihood of free α, each of which stands for `copies` categories.
struct Counts {
    cells: Vec<Rises>,
    totals: Rises,
    copies: f64,
    /// The log-likelihood of the multinomial distribution that large α tend to.
    multinomial: f64,
    /// The Σ α from which the likelihood is worth comparing with it: a distribution that far is closer to it
    /// than counts tell.
    far: f64,
}

impl Counts {
    fn of(counts: &CountHistograms, symmetry: Symmetry) -> Self {
        let (cells, copies) = match symmetry {
            Symmetry::Asymmetric => (counts.cell_rises(), 1.0),
            Symmetry::Symmetric => (vec![counts.pooled_rises()], counts.categories() as f64),
        };
        let all: f64 = (0..counts.categories()).map(|k| counts.count(k)).sum();
        let multinomial = match symmetry {
            Symmetry::Asymmetric => {
                (0..counts.categories()).map(|k| x_ln_y(counts.count(k), counts.count(k) / all)).sum()
            }
            Symmetry::Symmetric => -all * copies.ln(),
        };
        let far = 1e8 * counts.longest() as f64;
        Self { cells, totals: counts.total_rises(), copies, multinomial, far }
    }

    fn total(&self, alpha: &[f64]) -> f64 {
        self.copies * alpha.iter().sum::<f64>()
    }
}

impl Objective for Counts {
    fn value(&self, alpha: &[f64]) -> Level {
        let cells = self.cells.iter().zip(alpha).map(|(cell, &a)| cell.ln_gamma(a));
        let (sum, size) = cells.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + f64::abs(term)));
        let of_total = self.totals.ln_gamma(self.total(alpha));
        Level { value: sum - of_total, scale: size + of_total.abs() }
    }

    fn slope(&self, alpha: &[f64]) -> Slope {
        let total = self.total(alpha);
        let of_total = self.copies * self.totals.digamma(total);
        let term = |(cell, &a): (&Rises, &f64)| a * (cell.digamma(a) + of_total);
        Slope {
            scale: self.cells.iter().zip(alpha).map(term).sum(),
            gradient: self.cells.iter().zip(alpha).map(|(cell, &a)| cell.digamma(a) - of_total).collect(),
            diagonal: self.cells.iter().zip(alpha).map(|(cell, &a)| -cell.trigamma(a)).collect(),
            constant: self.copies * self.copies * self.totals.trigamma(total),
        }
    }

    fn limit(&self) -> (f64, f64) {
        (self.multinomial, self.far / self.copies)
    }

    fn fixed_point(&self, alpha: &[f64]) -> Vec<f64> {
        let of_total = self.copies * self.totals.digamma(self.total(alpha));
        self.cells.iter().zip(alpha).map(|(cell, &a)| a * cell.digamma(a) / of_total).collect()
    }
}
