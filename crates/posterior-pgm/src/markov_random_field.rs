//! Markov random fields: p(x) ∝ ∏ₛ fₛ(xₛ).

use posterior_graph::FactorGraph;

use crate::bayesian_network::check_table;
use crate::{Error, GraphicalModel, Table, Variables};

/// A Markov random field, as its factors: p(x) ∝ ∏ₛ fₛ(xₛ).
#[derive(Debug, Clone, PartialEq)]
pub struct MarkovRandomField {
    variables: Variables,
    factors: Vec<Table>,
}

impl MarkovRandomField {
    /// The field with these factors.
    ///
    /// # Errors
    /// A factor that does not fit its variables, or has a negative, infinite or missing entry.
    pub fn new(variables: Variables, factors: Vec<Table>) -> Result<Self, Error> {
        factors.iter().try_for_each(|factor| check_table(&variables, factor))?;
        Ok(Self { variables, factors })
    }

    /// Which factor reads which variables.
    #[expect(clippy::missing_panics_doc, reason = "the scopes of tables are those of a factor graph")]
    pub fn factor_graph(&self) -> FactorGraph {
        let scopes = self.factors.iter().map(|factor| factor.scope().to_vec());
        FactorGraph::new(self.variables.names().clone(), scopes)
            .expect("invariant: tables have proper scopes")
    }
}

impl GraphicalModel for MarkovRandomField {
    fn variables(&self) -> &Variables {
        &self.variables
    }

    fn factors(&self) -> &[Table] {
        &self.factors
    }
}
