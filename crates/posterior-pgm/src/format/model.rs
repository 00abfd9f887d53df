//! A model of either kind.

use posterior_graph::Dag;

use crate::{
    BayesianNetwork, Format, GraphicalModel, MarkovRandomField, NetworkFile, Renormalized, Table, Variables,
};

/// A Bayesian network or a Markov random field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// p(x) = ∏ᵥ p(xᵥ | parents of v).
    Bayesian(BayesianNetwork),
    /// p(x) ∝ ∏ₛ fₛ(xₛ).
    Markov(MarkovRandomField),
}

impl GraphicalModel for Model {
    fn variables(&self) -> &Variables {
        match self {
            Self::Bayesian(network) => network.variables(),
            Self::Markov(field) => field.variables(),
        }
    }

    fn factors(&self) -> &[Table] {
        match self {
            Self::Bayesian(network) => network.factors(),
            Self::Markov(field) => field.factors(),
        }
    }

    fn dag(&self) -> Option<&Dag> {
        match self {
            Self::Bayesian(network) => network.dag(),
            Self::Markov(field) => field.dag(),
        }
    }
}

/// A model with the format that its file has.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelFile {
    /// The format of the file.
    pub format: Format,
    /// The name of the model; empty where the format has none.
    pub name: String,
    /// The model.
    pub model: Model,
    /// The rows of conditional tables that did not add up to one, and were divided by their sums.
    pub renormalized: Vec<Renormalized>,
}

impl ModelFile {
    /// The network of a file of this format, without its properties.
    pub(super) fn of_network(format: Format, file: NetworkFile) -> Self {
        let NetworkFile { name, network, renormalized, .. } = file;
        Self { format, name, model: Model::Bayesian(network), renormalized }
    }
}
