//! The cipher as a hidden Markov model: letters follow each other as in the language, and only what they show
//! is fitted.

use posterior_dist::stream::stream;
use posterior_inference::best_of;
use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Report, Silent};
use posterior_math::linalg::DMatrix;
use rand::{Rng, RngExt};

use super::language::Language;
use super::text::Ciphertext;
use crate::chain::{Edges, LinearChain, Marginals, NodeTable, Transitions};
use crate::error::Error;

/// Options of the fit of emissions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmissionOptions {
    /// Random starts, of which the most probable is taken.
    pub starts: usize,
    /// The rule that stops a run.
    pub em: EmOptions,
    /// Concentration of the Dirichlet prior of what a letter shows: 1 is maximum likelihood.
    pub concentration: f64,
}

impl Default for EmissionOptions {
    /// Three starts of at most 60 steps, maximum likelihood.
    fn default() -> Self {
        let em = EmOptions { max_iterations: 60, tolerance: 1e-6, ..EmOptions::default() };
        Self { starts: 3, em, concentration: 1.0 }
    }
}

/// The fitted emissions of letters.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EmissionFit {
    /// p(symbol c | letter i) at (i, c).
    pub emissions: DMatrix<f64>,
    /// The expected number of times that letter i stands for symbol c, at (i, c).
    pub expected: DMatrix<f64>,
    /// The most probable letter of each position.
    pub letters: Vec<usize>,
    /// The probability of each of them.
    pub certainties: Vec<f64>,
    /// ln p(text) after each step of the best start.
    pub report: Report,
    /// ln p(text) (with the prior) at the end of each start.
    pub starts: Vec<f64>,
}

/// Learns what letters show by EM, with the bigrams of `language` as they are, from several random starts.
///
/// What is known of the key stays: zeros of emissions are never left. O(m² T) for a step.
///
/// # Errors
/// A concentration below 1, a tolerance that can't be, a text that was read for another language.
pub fn fit_emissions(
    cipher: &Ciphertext,
    language: &Language,
    options: &EmissionOptions,
    seed: u64,
) -> Result<EmissionFit, Error> {
    check::require(
        (1.0..f64::INFINITY).contains(&options.concentration),
        "EmissionOptions",
        "concentration",
        options.concentration,
        "at least 1 and finite",
    )?;
    let m = language.letters().len();
    if cipher.fixed().len() != m {
        let found = cipher.fixed().len();
        return Err(DimensionError::new("letters of the cipher text", m, found).into());
    }
    let problem = Decipherment {
        symbols: cipher.symbols(),
        ln_initial: language.unigram().iter().map(|p| p.ln()).collect(),
        transitions: Transitions::from_ln(&language.bigram().map(f64::ln))?,
        extra: options.concentration - 1.0,
    };
    let found = best_of(options.starts, stream(seed, &[0]).random(), |rng| {
        expectation_maximization(&problem, random_emissions(cipher, rng), &options.em, &mut Silent)
    })?;
    let emissions = found.best.model;
    let marginals = problem.marginals(&emissions)?;
    let most_probable = |nodes: &[f64]| {
        let best = nodes.iter().enumerate().fold(
            (0, -1.0),
            |best, (letter, &p)| {
                if p > best.1 { (letter, p) } else { best }
            },
        );
        (best.0, best.1.min(1.0))
    };
    let (letters, certainties) = marginals.nodes.chunks_exact(m).map(most_probable).unzip();
    Ok(EmissionFit {
        expected: problem.expected(&marginals),
        emissions,
        letters,
        certainties,
        report: found.best.report,
        starts: found.outcomes.into_iter().map(|outcome| outcome.unwrap_or(f64::NEG_INFINITY)).collect(),
    })
}

/// The text, and what is not fitted.
struct Decipherment<'a> {
    symbols: &'a [usize],
    ln_initial: Vec<f64>,
    transitions: Transitions,
    /// Added to expected counts where something can be.
    extra: f64,
}

impl Decipherment<'_> {
    fn marginals(&self, emissions: &DMatrix<f64>) -> Result<Marginals, Error> {
        let table = NodeTable::from_ln(&emissions.map(f64::ln).transpose())?;
        let edges = Edges::Same(&self.transitions);
        Ok(LinearChain::with_table(&self.ln_initial, edges, &table, self.symbols)?.marginals())
    }

    fn expected(&self, marginals: &Marginals) -> DMatrix<f64> {
        let m = self.ln_initial.len();
        let mut expected = DMatrix::zeros(m, m);
        for (&symbol, nodes) in self.symbols.iter().zip(marginals.nodes.chunks_exact(m)) {
            expected.column_mut(symbol).iter_mut().zip(nodes).for_each(|(sum, p)| *sum += p);
        }
        expected
    }
}

impl Problem for Decipherment<'_> {
    type Model = DMatrix<f64>;
    type Statistics = DMatrix<f64>;
    type Error = Error;

    fn e_step(&self, emissions: &DMatrix<f64>) -> Result<Expected<DMatrix<f64>>, Error> {
        let marginals = self.marginals(emissions)?;
        Ok(Expected::new(self.expected(&marginals), marginals.ln_z))
    }

    fn m_step(&self, expected: &DMatrix<f64>, previous: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let mut emissions = previous.clone();
        for (mut row, counts) in emissions.row_iter_mut().zip(expected.row_iter()) {
            let count = |c: usize, previous: f64| if previous > 0.0 { counts[c] + self.extra } else { 0.0 };
            let total: f64 = row.iter().enumerate().map(|(c, &previous)| count(c, previous)).sum();
            // A letter that is expected nowhere keeps what it had.
            if total > 0.0 {
                row.iter_mut().enumerate().for_each(|(c, cell)| *cell = count(c, *cell) / total);
            }
        }
        Ok(emissions)
    }

    fn ln_prior(&self, emissions: &DMatrix<f64>) -> f64 {
        if self.extra == 0.0 {
            return 0.0;
        }
        // Zeros are known, not fitted.
        emissions.iter().filter(|&&cell| cell > 0.0).map(|cell| self.extra * cell.ln()).sum()
    }
}

/// Emissions that keep what is known: proportions of symbols in the text, each times a random factor.
fn random_emissions<R: Rng + ?Sized>(cipher: &Ciphertext, rng: &mut R) -> DMatrix<f64> {
    let fixed = cipher.fixed();
    let counts = cipher.counts();
    let m = fixed.len();
    let mut emissions = DMatrix::from_fn(m, m, |letter, symbol| {
        let factor = 0.5 + rng.random::<f64>();
        match fixed[symbol] {
            Some(known) => f64::from(u8::from(known == letter)),
            None if fixed.contains(&Some(letter)) => 0.0,
            None => counts[symbol] as f64 * factor,
        }
    });
    for mut row in emissions.row_iter_mut() {
        let total = row.sum();
        row /= total;
    }
    emissions
}
