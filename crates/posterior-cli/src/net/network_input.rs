//! The network of a run: its file, and what was repaired on reading it.

use std::path::Path;

use posterior::graph::{Dag, UnGraph, VarId};
use posterior::pgm::{BayesianNetwork, GraphicalModel, Model, ModelFile, Table, Variables, read_model};
use posterior::table::read_bytes;

use crate::failure::Failure;

/// A model with the name of its file.
pub(super) struct Input {
    /// How the file is called in messages.
    pub(super) source: String,
    pub(super) file: ModelFile,
}

impl Input {
    /// Reads BIF, XMLBIF or UAI, from a file or from standard input, gzip'd or not.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, bytes) = read_bytes(path)?;
        match read_model(&bytes) {
            Ok(file) => Ok(Self { source, file }),
            Err(error) => {
                let failure = Failure::data(format!(
                    "{source}: line {}, column {}: {}",
                    error.line, error.column, error.message
                ));
                let text = std::str::from_utf8(&bytes).is_ok();
                Err(if text { failure } else { failure.with_hint("this does not look like a text file") })
            }
        }
    }

    pub(super) fn model(&self) -> &Model {
        &self.file.model
    }

    pub(super) fn variables(&self) -> &Variables {
        self.file.model.variables()
    }

    /// The names of a variable and of one of its states.
    pub(super) fn named(&self, v: VarId, state: usize) -> (String, String) {
        (self.variables().name(v).to_owned(), self.variables().states(v)[state].clone())
    }

    /// The variable called `name`.
    pub(super) fn variable(&self, name: &str) -> Result<VarId, Failure> {
        self.variables().require(name).map_err(|error| Failure::data(format!("{}: {error}", self.source)))
    }

    /// The variables with these names; a word may name several with commas between them.
    pub(super) fn variables_of(&self, words: &[String]) -> Result<Vec<VarId>, Failure> {
        let mut found = Vec::with_capacity(words.len());
        for word in words {
            if let Some(v) = self.variables().names().find(unquoted(word)) {
                found.push(v);
            } else {
                for name in word.split(',') {
                    found.push(self.variable(unquoted(name))?);
                }
            }
        }
        Ok(found)
    }

    /// The Bayesian network; a failure for a Markov random field.
    pub(super) fn network(&self) -> Result<&BayesianNetwork, Failure> {
        match self.model() {
            Model::Bayesian(network) => Ok(network),
            _ => Err(Failure::data(format!(
                "{}: this is a Markov random field, expected a Bayesian network",
                self.source
            ))),
        }
    }

    /// The graph of a Bayesian network; a failure for a Markov random field.
    pub(super) fn dag(&self) -> Result<&Dag, Failure> {
        self.model().dag().ok_or_else(|| {
            Failure::data(format!("{}: this is a Markov random field, which has no arrows", self.source))
        })
    }

    /// The undirected graph in which the variables of each factor are joined: of a Bayesian network the moral
    /// graph.
    pub(super) fn primal_graph(&self) -> Result<UnGraph, Failure> {
        let scopes: Vec<&[VarId]> = self.model().factors().iter().map(Table::scope).collect();
        UnGraph::from_scopes(self.variables().names().clone(), &scopes)
            .map_err(|error| Failure::data(format!("{}: {error}", self.source)))
    }

    /// What was repaired, in a line for each kind.
    pub(super) fn warnings(&self) -> Vec<String> {
        let rows = &self.file.renormalized;
        let off = |sum: f64| (sum - 1.0).abs();
        let Some(worst) = rows.iter().max_by(|a, b| off(a.sum).total_cmp(&off(b.sum))) else {
            return Vec::new();
        };
        let name = self.variables().name(worst.variable);
        let (count, verb) = if rows.len() == 1 {
            ("1 row".to_owned(), "does")
        } else {
            (format!("{} rows", rows.len()), "do")
        };
        let worst = format!("the farthest, row {} of {name}, adds up to {}", worst.row + 1, worst.sum);
        vec![format!(
            "{count} of conditional tables {verb} not add up to one, and were divided by their sums ({worst})"
        )]
    }
}

/// Without blanks, and then without one pair of quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}
