//! Bigrams of classes of words, found by exchange (Kneser and Ney 1993; Brown et al. 1992).
//!
//! p(w | v) = p(w | class of w) p(class of w | class of v): C² + V numbers instead of V², so that words help
//! each other. Which word belongs to which class is learned from the text alone: one word after the other
//! moves to the class under which the text is most probable.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_text::alphabet::{Alphabet, words};
//! use posterior_text::class_bigram::{ClassBigramOptions, best_of_starts};
//! use posterior_text::ngram::{NGramCounts, NgramVocabulary};
//!
//! let mut alphabet = Alphabet::new();
//! let sentences = ["a dog barks", "the dog barks", "a cat sleeps", "the cat sleeps", "the cow sleeps", "a cow barks"];
//! let sentences = sentences.map(|sentence| alphabet.intern(words(sentence)));
//! let counts = NGramCounts::of(&sentences, NgramVocabulary::new(alphabet.len())?, 2)?;
//! let fitted = best_of_starts(&counts, &ClassBigramOptions::new(3), 20, 1, &mut Silent)?;
//! let class = |word| fitted.model.class(alphabet.get(word).unwrap());
//! assert_eq!(class("dog"), class("cow"));
//! assert_ne!(class("dog"), class("barks"));
//! # Ok::<(), posterior_text::Error>(())
//! ```

mod exchange;
mod model;

pub use model::ClassBigram;

use posterior_inference::best_of;
use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use rand::RngExt;

use crate::error::Error;
use crate::ngram::NGramCounts;
use exchange::Exchange;

/// Options of the search for classes.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassBigramOptions {
    /// The number C of classes.
    pub classes: usize,
    /// The number that is added to every count of a class after a class, and of a word of a class, once the
    /// classes are found. 0.5 by default.
    pub pseudo_count: f64,
    /// The largest number of times that all words are visited. 100 by default.
    pub max_sweeps: usize,
}

impl ClassBigramOptions {
    /// So many classes.
    pub const fn new(classes: usize) -> Self {
        Self { classes, pseudo_count: 0.5, max_sweeps: 100 }
    }

    fn check(&self, counts: &NGramCounts) -> Result<(), Error> {
        let classes = self.classes as f64;
        let fits = (1..=counts.vocabulary().symbols()).contains(&self.classes);
        check::require(fits, "ClassBigram", "classes", classes, "from 1 to the number of symbols")?;
        check::positive("ClassBigram", "pseudo_count", self.pseudo_count)?;
        if counts.order() < 2 {
            return Err(Error::TooFew { what: "a class bigram", needed: "counts of bigrams" });
        }
        Ok(())
    }
}

/// The usual start: each of the C - 1 most frequent symbols is a class, all others are the last.
pub fn frequency_start(counts: &NGramCounts, classes: usize) -> Vec<usize> {
    let mut start = vec![classes.saturating_sub(1); counts.vocabulary().symbols()];
    for (class, symbol) in exchange::by_frequency(counts).into_iter().enumerate().take(start[0]) {
        start[symbol] = class;
    }
    start
}

/// Moves symbols from class to class, beginning with `start`, until no move makes the text more probable.
///
/// The objective is ln p of all bigrams under relative frequencies, those with marks included; it never
/// falls. The result is a local optimum, which depends on the start. A symbol that was never counted stays
/// where it was. A visit costs O(C m), where m is the number of classes of the symbol's neighbours.
///
/// # Errors
/// A number of classes that is not from 1 to V, a pseudo-count that is not positive, counts of single symbols
/// only; a start of another length or with a class that is none.
pub fn fit(
    counts: &NGramCounts,
    start: &[usize],
    options: &ClassBigramOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ClassBigram>, Error> {
    options.check(counts)?;
    let (expected, found) = (counts.vocabulary().symbols(), start.len());
    check::dimension("classes of symbols at the start", expected, found)?;
    for (symbol, &class) in start.iter().enumerate() {
        let known = class < options.classes;
        check::require(known, "ClassBigram", "start", class as f64, "one of the classes")
            .map_err(|error| error.at(symbol))?;
    }
    let order = exchange::by_frequency(counts);
    let mut exchange = Exchange::new(counts, start.to_vec(), options.classes);
    let mut progress = Progress::new(exchange.ln_likelihood(), options.max_sweeps, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let moves = order.iter().filter(|&&symbol| exchange.visit(symbol)).count();
        if progress.stopped_after(exchange.ln_likelihood()) {
            break Stop::Observer;
        }
        if moves == 0 {
            break Stop::Converged;
        }
    };
    let model = ClassBigram::of(counts, exchange, options.pseudo_count);
    Ok(Fitted { model, report: progress.finish(stop) })
}

/// The best of several fits: the first from [`frequency_start`], the others from classes by chance.
///
/// # Errors
/// As [`fit`].
pub fn best_of_starts(
    counts: &NGramCounts,
    options: &ClassBigramOptions,
    starts: usize,
    seed: u64,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<ClassBigram>, Error> {
    options.check(counts)?;
    let mut first = true;
    let found = best_of(starts, seed, |rng| {
        let start = if std::mem::take(&mut first) {
            frequency_start(counts, options.classes)
        } else {
            (0..counts.vocabulary().symbols()).map(|_| rng.random_range(0..options.classes)).collect()
        };
        fit(counts, &start, options, observer)
    })?;
    Ok(found.best)
}
