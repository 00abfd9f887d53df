//! What is known of a state a little later.

use std::collections::VecDeque;

use super::{Filter, HiddenMarkovModel};
use crate::chain::{Edges, LinearChain};
use crate::emission::Emissions;
use crate::error::Error;
use posterior_math::check;

/// Distributions of states given what was seen up to `lag` positions later, as observations come in.
///
/// After position t the distribution of the state at t - lag is available, in O(lag K²) for each observation
/// and memory for lag + 1 positions. With a lag of 0 it is the [filter](Filter), with one as long as the
/// sequence the distribution given everything.
#[derive(Debug, Clone)]
pub struct FixedLag<'a, E> {
    filter: Filter<'a, E>,
    lag: usize,
    /// ln p(z_s | x up to s - 1) of the positions s in the window.
    ln_starts: VecDeque<Vec<f64>>,
    /// ln densities of the positions in the window.
    ln_nodes: Vec<f64>,
}

impl<'a, E: Emissions> FixedLag<'a, E> {
    /// Nothing seen yet.
    ///
    /// # Errors
    /// A lag so large that the window cannot be held.
    pub fn new(model: &'a HiddenMarkovModel<E>, lag: usize) -> Result<Self, Error> {
        const MOST: usize = 1 << 27;
        let needed = lag.saturating_add(1).saturating_mul(model.states());
        if needed > MOST {
            return Err(Error::TooLarge { what: "numbers in the window of a fixed lag", most: MOST, needed });
        }
        Ok(Self { filter: Filter::new(model), lag, ln_starts: VecDeque::new(), ln_nodes: Vec::new() })
    }

    /// Sees the first observation of `data`, which is to be of length 1, or a position at which nothing was
    /// seen. Returns the distribution of the state `lag` positions before, once there is such a position.
    ///
    /// # Errors
    /// Data of another length; an observation that is none of the model's; one that is impossible: none was
    /// taken then.
    pub fn push(&mut self, data: Option<&E::Data>) -> Result<Option<Vec<f64>>, Error> {
        let states = self.filter.model().states();
        let mut ln_nodes = vec![0.0; states];
        if let Some(data) = data {
            let found = E::length(data);
            check::dimension("observations at a position", 1, found)?;
            self.filter.model().emissions().check(data)?;
            self.filter.model().emissions().ln_densities(data, 0..1, &mut ln_nodes);
        }
        let ln_start = self.filter.ln_predicted().to_vec();
        self.filter.push_ln_densities(&ln_nodes)?;
        self.ln_starts.push_back(ln_start);
        self.ln_nodes.extend(ln_nodes);
        if self.ln_starts.len() <= self.lag {
            return Ok(None);
        }
        let distribution = self.first()?;
        self.forget();
        Ok(Some(distribution))
    }

    /// The distributions of the last positions, for which no later observation will come: given everything,
    /// in order.
    ///
    /// # Errors
    /// None that an observation did not give before.
    pub fn finish(mut self) -> Result<Vec<Vec<f64>>, Error> {
        let mut distributions = Vec::with_capacity(self.ln_starts.len());
        while !self.ln_starts.is_empty() {
            distributions.push(self.first()?);
            self.forget();
        }
        Ok(distributions)
    }

    /// The filter up to the last observation.
    pub const fn filter(&self) -> &Filter<'a, E> {
        &self.filter
    }

    /// The distribution of the first state in the window given all of it.
    fn first(&self) -> Result<Vec<f64>, Error> {
        let model = self.filter.model();
        let Some(ln_start) = self.ln_starts.front() else { return Ok(Vec::new()) };
        let chain = LinearChain::new(ln_start, Edges::Same(model.transitions()), &self.ln_nodes)?;
        let mut nodes = chain.marginals().nodes;
        nodes.truncate(model.states());
        Ok(nodes)
    }

    fn forget(&mut self) {
        self.ln_starts.pop_front();
        self.ln_nodes.drain(..self.filter.model().states());
    }
}
