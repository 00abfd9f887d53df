//! Joint states drawn from a Bayesian network, parents before children.

use posterior_dist::choose;
use posterior_dist::stream::stream;
use posterior_graph::VarId;
use rand::{Rng, RngExt};

use crate::{BayesianNetwork, CptPrior, Error, FamilyCounts, GraphicalModel, Records};

/// So many records share one stream of random numbers.
const BLOCK: usize = 1024;

impl BayesianNetwork {
    /// Draws a joint state of all variables, each given its parents (ancestral or forward sampling, Henrion
    /// 1988). O(arrows + states).
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<usize> {
        let mut states = vec![0; self.variables().len()];
        for &v in self.graph().topological_order() {
            states[v.index()] = choose(self.row_given(v, &states), rng.random()).unwrap_or_default();
        }
        states
    }

    /// Draws `n` independent records. Each block of 1024 has a stream of its own, so that the first records
    /// of a seed are the same however many there are.
    ///
    /// ```
    /// use posterior_pgm::{BayesianNetwork, Table, Variables};
    ///
    /// let variables = Variables::new([("coin", ["heads", "tails"])])?;
    /// let coin = variables.require("coin")?;
    /// let network = BayesianNetwork::new(variables, vec![Table::new(vec![coin], vec![2], vec![0.25, 0.75])?])?;
    /// let heads = network.sample(1000, 7)?.state_counts(coin)[0];
    /// assert!((200..300).contains(&heads));
    /// # Ok::<(), posterior_pgm::Error>(())
    /// ```
    ///
    /// # Errors
    /// None in practice: the states fit the variables.
    pub fn sample(&self, n: usize, seed: u64) -> Result<Records, Error> {
        let mut records = Records::new(self.variables().clone());
        for block in 0..n.div_ceil(BLOCK) {
            let mut rng = stream(seed, &[block as u64]);
            for _ in 0..BLOCK.min(n - block * BLOCK) {
                let states: Vec<Option<usize>> = self.draw(&mut rng).into_iter().map(Some).collect();
                records.push(&states)?;
            }
        }
        Ok(records)
    }

    /// A network with the graph of this one, each row of each table drawn uniformly from all distributions: a
    /// start for learning with hidden variables.
    ///
    /// # Errors
    /// None in practice.
    pub fn with_random_tables<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Self, Error> {
        FamilyCounts::zeros_like(self)?.posterior(&CptPrior::Symmetric(1.0))?.draw(rng)
    }

    /// p(v | its parents in these states), which stand where their ids say.
    fn row_given(&self, v: VarId, states: &[usize]) -> &[f64] {
        let cpt = self.cpt(v);
        let parents = &cpt.scope()[..cpt.scope().len() - 1];
        let row = parents.iter().zip(cpt.cards()).fold(0, |row, (p, &card)| row * card + states[p.index()]);
        let card = self.variables().card(v);
        &cpt.values()[row * card..(row + 1) * card]
    }
}
