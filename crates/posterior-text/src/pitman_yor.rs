//! The hierarchical Pitman-Yor model of sequences (Teh 2006).
//!
//! After every context the distribution of the next symbol is drawn from a Pitman-Yor process around the
//! distribution after the context without its oldest symbol; that of single symbols is drawn around the
//! uniform distribution. In the picture of restaurants, each context is one, symbols are dishes, what was
//! seen are customers, and each table of a restaurant is a customer of the shorter context's. [`Seating`] is
//! one such arrangement with a Gibbs sampler; [`fit`] averages predictions over arrangements and over the
//! discounts and concentrations of the levels.
//!
//! With one table for each dish and concentration zero, predictions are those of interpolated Kneser-Ney;
//! with discount zero the model is the hierarchical Dirichlet process over a finite alphabet.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_text::ngram::{LanguageModel, NGramCounts, NgramVocabulary};
//! use posterior_text::pitman_yor::{PitmanYorOptions, fit};
//!
//! let sentences = [vec![0, 1, 2, 0, 1], vec![0, 1, 2]];
//! let counts = NGramCounts::of(&sentences, NgramVocabulary::new(3)?, 3)?;
//! let mut rng = posterior_dist::stream::stream(1, &[]);
//! let model = fit(&counts, &PitmanYorOptions::default(), &mut rng, &mut Silent)?.model;
//! assert!(model.ln_probability(&[0, 1], 2)?.exp() > 0.5);
//! # Ok::<(), posterior_text::Error>(())
//! ```

mod model;
mod seating;

pub use model::PitmanYorModel;
pub use seating::Seating;

use posterior_dist::{PitmanYor, PitmanYorPrior};
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use rand::Rng;

use crate::error::Error;
use crate::ngram::NGramCounts;

/// Options of [`fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct PitmanYorOptions {
    /// The distribution of the discount and the concentration of every level.
    pub prior: PitmanYorPrior,
    /// The discount and concentration at the start, or for good if [`Self::parameters`] says so.
    pub start: PitmanYor,
    /// Whether discounts and concentrations are fitted.
    pub parameters: LevelParameters,
    /// Sweeps before the first draw that is kept.
    pub warm_up: usize,
    /// Draws over which predictions are averaged, at least 1.
    pub draws: usize,
    /// Sweeps from draw to draw, at least 1.
    pub thin: usize,
}

/// The treatment of the discounts and concentrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LevelParameters {
    /// Each level's are drawn anew after every sweep. The default.
    #[default]
    Learned,
    /// They stay as they are.
    Fixed,
}

impl Default for PitmanYorOptions {
    /// Parameters learned from 0.5 and 1, discounts uniform and concentrations exponential with mean 1 (Teh
    /// 2006); ten draws, five sweeps apart, after thirty.
    fn default() -> Self {
        Self {
            prior: PitmanYorPrior { discount: [1.0, 1.0], concentration: [1.0, 1.0] },
            start: PitmanYor::new(0.5, 1.0).expect("invariant: both are in range"),
            parameters: LevelParameters::Learned,
            warm_up: 30,
            draws: 10,
            thin: 5,
        }
    }
}

impl PitmanYorOptions {
    fn check(&self) -> Result<(), Error> {
        check::at_least_one("PitmanYorOptions", "draws", self.draws)?;
        check::at_least_one("PitmanYorOptions", "thin", self.thin)?;
        Ok(self.prior.check()?)
    }

    const fn sweeps(&self) -> usize {
        self.warm_up.saturating_add(self.thin.saturating_mul(self.draws))
    }
}

/// Draws seatings, and with them discounts and concentrations, and averages over them.
///
/// The trace is ln p(data, seating | parameters) after each sweep: a chain that has forgotten its start goes
/// up and down about one height. An observer that stops the run before the first draw leaves the seating so
/// far as the only one. A sweep takes O(n) and a few draws for every symbol counted.
///
/// # Errors
/// No draws, no sweeps from draw to draw, or parameters that can't be.
pub fn fit<R: Rng + ?Sized>(
    counts: &NGramCounts,
    options: &PitmanYorOptions,
    rng: &mut R,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<PitmanYorModel>, Error> {
    options.check()?;
    let mut seating = Seating::drawn(counts, &vec![options.start; counts.order()], rng)?;
    let mut model = PitmanYorModel::empty(counts);
    let mut progress = Progress::new(seating.ln_probability(), options.sweeps(), observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let sweep = progress.iterations() + 1;
        seating.sweep(rng);
        if options.parameters == LevelParameters::Learned {
            seating.draw_parameters(&options.prior, rng)?;
        }
        if sweep > options.warm_up && (sweep - options.warm_up).is_multiple_of(options.thin) {
            model.push(&seating);
        }
        if progress.stopped_after(seating.ln_probability()) {
            break Stop::Observer;
        }
    };
    if model.draws() == 0 {
        model.push(&seating);
    }
    Ok(Fitted { model, report: progress.finish(stop) })
}
