//! The networks of the Bayesian Network Repository with exact answers, which are too large for this one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Read;

use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, VarId, bif};
use posterior_testkit::shared::shared_file;
use serde_json::Value;

/// A network with questions and their answers.
pub(crate) struct Repository {
    pub(crate) network: BayesianNetwork,
    pub(crate) questions: Vec<Question>,
}

/// Evidence, and what follows from it.
pub(crate) struct Question {
    pub(crate) evidence: Evidence,
    pub(crate) ln_z: f64,
    /// Of every variable that was not seen, to 12 decimals.
    pub(crate) marginals: Vec<(VarId, Vec<f64>)>,
    pub(crate) best_ln_value: f64,
}

/// The network of this name; `None` where the shared data are missing.
pub(crate) fn load(name: &str) -> Option<Repository> {
    let answers = shared_file(name, &format!("data/bn/{name}.marginals.json"))?;
    let answers: Value = serde_json::from_slice(&std::fs::read(answers).unwrap()).unwrap();
    let network = bif::read(&bytes(name)?).unwrap().network;
    let questions = answers["queries"].as_array().unwrap().iter();
    Some(Repository { questions: questions.map(|query| question(&network, query)).collect(), network })
}

fn bytes(name: &str) -> Option<Vec<u8>> {
    let packed = ["diabetes", "mildew"].contains(&name);
    let path = shared_file(name, &format!("data/bn/{name}.bif{}", if packed { ".gz" } else { "" }))?;
    let file = std::fs::read(path).unwrap();
    if !packed {
        return Some(file);
    }
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&file[..]).read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

fn question(network: &BayesianNetwork, query: &Value) -> Question {
    let variables = network.variables();
    let seen = query["evidence"].as_object().unwrap();
    let seen = seen.iter().map(|(name, state)| (name.as_str(), state.as_str().unwrap()));
    let marginals = query["marginals"].as_object().unwrap().iter().map(|(name, marginal)| {
        let marginal = marginal.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        (variables.require(name).unwrap(), marginal)
    });
    Question {
        evidence: Evidence::named(variables, seen).unwrap(),
        ln_z: query["log_evidence"].as_f64().unwrap(),
        marginals: marginals.collect(),
        best_ln_value: query["mpe_log_joint"].as_f64().unwrap(),
    }
}
