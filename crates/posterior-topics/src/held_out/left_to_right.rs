//! Particles that read a document from left to right.

use posterior_math::check;
use posterior_sampling::importance::Resampling;
use rand::{Rng, RngExt};

use super::HeldOutEstimate;
use super::assignment::{Assignment, Conditional};
use super::estimate::by_runs;
use super::tokens::Tokens;
use crate::{Corpus, Error, Topics};

/// The treatment of particles that predicted a token badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Particles {
    /// They give way to copies of better ones (systematic resampling): the product of mean predictions is
    /// unbiased.
    #[default]
    Resampled,
    /// Each goes on alone and counts for one in every mean, as Wallach et al. (2009) have it. Unbiased with
    /// one particle only: the topics of earlier tokens hear of a new word by one Gibbs sweep, which need not
    /// be enough, and more particles do not change that.
    Alone,
}

/// Options of [`left_to_right`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftToRight {
    /// Particles of a run: 10 by default.
    pub particles: usize,
    /// Independent runs, at least 2; 4 by default. They give the standard error.
    pub runs: usize,
    /// The number of earlier tokens that get a new topic before each token: all by default, in O(N²). The
    /// estimate is unbiased for any number, zero included; 100 are plenty for documents of thousands of
    /// words.
    pub revisited: usize,
    /// The treatment of bad particles.
    pub scheme: Particles,
    /// The seed.
    pub seed: u64,
}

impl Default for LeftToRight {
    fn default() -> Self {
        Self { particles: 10, runs: 4, revisited: usize::MAX, scheme: Particles::default(), seed: 0 }
    }
}

/// `ln p(w)` of each document as a product of predictions: each token given the topics of the tokens before
/// it.
///
/// Every run reads the tokens in an order of its own. Before each token, the particles draw new topics for
/// earlier tokens, given all others up to there: for all, or for the next
/// [`revisited`](LeftToRight::revisited) of them in turn.
///
/// # Errors
/// Other than one positive concentration a topic, another vocabulary than the topics', no particles, fewer
/// than two runs.
pub fn left_to_right(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    options: &LeftToRight,
) -> Result<HeldOutEstimate, Error> {
    check::require(options.particles > 0, "LeftToRight", "particles", 0.0, "positive")?;
    let run = |tokens: &Tokens<'_>, rng: &mut _| read(tokens, options, rng);
    by_runs((topics, alpha), corpus, (options.runs, options.seed), run)
}

/// One run: ln of the product of the mean predictions.
fn read<R: Rng + ?Sized>(tokens: &Tokens<'_>, options: &LeftToRight, rng: &mut R) -> f64 {
    let mut shuffled = tokens.clone();
    shuffle(&mut shuffled.words, rng);
    let tokens = &shuffled;
    let mut distribution = Conditional::new(tokens.stride());
    let mut particles = vec![Assignment::empty(tokens); options.particles];
    let mut predictions = vec![0.0; options.particles];
    let mut ln_likelihood = 0.0;
    let mut next = 0;
    for n in 0..tokens.len() {
        let revisited = options.revisited.min(n);
        for (particle, prediction) in particles.iter_mut().zip(&mut predictions) {
            for i in 0..revisited {
                particle.redraw(tokens, (next + i) % n, &mut distribution, rng);
            }
            let mass = distribution.weigh(tokens.factors(n), &particle.counts, &tokens.alpha);
            *prediction = mass / (tokens.alpha_sum + n as f64);
        }
        next = if n > 0 { (next + revisited) % n } else { 0 };
        ln_likelihood += (predictions.iter().sum::<f64>() / options.particles as f64).ln();
        if options.scheme == Particles::Resampled && options.particles > 1 {
            resample(&mut particles, &predictions, rng);
        }
        for particle in &mut particles {
            distribution.weigh(tokens.factors(n), &particle.counts, &tokens.alpha);
            particle.push(distribution.draw(rng));
        }
    }
    ln_likelihood
}

/// Particles in proportion to their predictions; those that stay keep their place.
fn resample<R: Rng + ?Sized>(particles: &mut [Assignment], predictions: &[f64], rng: &mut R) {
    let chosen = Resampling::Systematic.indices(predictions, predictions.len(), rng).expect(
        "invariant: predictions are positive, since all concentrations are and each word has a topic",
    );
    let mut copies = vec![0_usize; particles.len()];
    for &ancestor in &chosen {
        copies[ancestor] += 1;
    }
    let mut free = (0..particles.len()).filter(|&place| copies[place] == 0).collect::<Vec<_>>().into_iter();
    for ancestor in 0..particles.len() {
        for place in free.by_ref().take(copies[ancestor].saturating_sub(1)) {
            let copy = particles[ancestor].clone();
            particles[place] = copy;
        }
    }
}

fn shuffle<R: Rng + ?Sized>(words: &mut [u32], rng: &mut R) {
    for last in (1..words.len()).rev() {
        words.swap(last, rng.random_range(0..=last));
    }
}
