//! Where the chain goes.

use posterior_math::linalg::DMatrix;
use posterior_sampling::markov_chain::TransitionMatrix;

use super::MarkovChain;
use crate::error::Error;

/// Contexts up to which the matrix of all pairs is made.
const MOST_CONTEXTS: usize = 4096;

impl MarkovChain {
    /// The chain as one of order 1 on words of m symbols (on one state, if m is 0): the route to stationary
    /// distributions, periods, mixing and hitting times.
    ///
    /// # Errors
    /// More than 4096 words.
    pub fn transition_matrix(&self) -> Result<TransitionMatrix, Error> {
        let contexts = self.contexts();
        if contexts.count > MOST_CONTEXTS {
            let what = "words in a matrix of all pairs of them";
            return Err(Error::TooLarge { what, most: MOST_CONTEXTS, needed: contexts.count });
        }
        let mut matrix = DMatrix::zeros(contexts.count, contexts.count);
        for context in 0..contexts.count {
            for (symbol, &p) in self.row_of(context).iter().enumerate() {
                matrix[(context, contexts.next(context, symbol))] += p;
            }
        }
        // Of order 0 all probabilities fall on one cell.
        for entry in &mut matrix {
            *entry = f64::min(*entry, 1.0);
        }
        Ok(TransitionMatrix::new(matrix)?)
    }

    /// The distribution of the last m symbols in the long run, Vᵐ numbers.
    ///
    /// # Errors
    /// More than 4096 words; a chain with several closed classes, whose long run depends on its start.
    pub fn stationary(&self) -> Result<Vec<f64>, Error> {
        Ok(self.transition_matrix()?.stationary().map_err(posterior_sampling::Error::from)?)
    }

    /// The distribution of one symbol in the long run.
    ///
    /// # Errors
    /// As [`stationary`](Self::stationary).
    pub fn stationary_symbols(&self) -> Result<Vec<f64>, Error> {
        let mut distribution = vec![0.0; self.symbols()];
        for (context, p) in self.stationary()?.iter().enumerate() {
            for (distribution, row) in distribution.iter_mut().zip(self.row_of(context)) {
                *distribution += p * row;
            }
        }
        Ok(distribution)
    }

    /// The entropy of the next symbol in the long run, given all before, in nats: what a symbol costs the
    /// best code.
    ///
    /// # Errors
    /// As [`stationary`](Self::stationary).
    pub fn entropy_rate(&self) -> Result<f64, Error> {
        let surprise = |p: &f64| if *p > 0.0 { -p * p.ln() } else { 0.0 };
        let entropy = |context: usize| self.row_of(context).iter().map(surprise).sum::<f64>();
        Ok(self.stationary()?.iter().enumerate().map(|(context, p)| p * entropy(context)).sum())
    }
}
