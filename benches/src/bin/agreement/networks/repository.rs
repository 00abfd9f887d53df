//! Networks of the Bayesian Network Repository, where they are available.

use std::error::Error;
use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use posterior::inference::{Engine, JunctionTree, Targets, VariableElimination};
use posterior::pgm::{Evidence, GraphicalModel, bif};
use posterior_testkit::shared::shared_file;
use serde_json::Value;

use crate::row::{Comparison, Rows};

const NETWORKS: [&str; 10] =
    ["asia", "sachs", "child", "alarm", "pathfinder", "hepar2", "win95pts", "water", "mildew", "munin"];

/// Of one network as many variables are asked of elimination, which goes through the network for each.
const ASKED: usize = 12;

pub(super) fn rows() -> Rows {
    let [mut engines, mut published] = [Comparison::default(); 2];
    let (mut networks, mut questions, mut largest) = (0, 0, 0);
    for name in NETWORKS {
        let Some((network, answers)) = load(name)? else { continue };
        networks += 1;
        let variables = network.variables();
        largest = largest.max(variables.len());
        for query in answers["queries"].as_array().ok_or("no questions")? {
            let seen = query["evidence"].as_object().ok_or("no evidence")?;
            let seen = seen.iter().map(|(name, state)| (name.as_str(), state.as_str().unwrap_or_default()));
            let evidence = Evidence::named(variables, seen)?;
            let beliefs = JunctionTree::default().query(&network, &Targets::All, &evidence)?;
            published.see(beliefs.ln_z().value(), query["log_evidence"].as_f64().ok_or("no number")?);
            for (at, (name, marginal)) in
                query["marginals"].as_object().ok_or("no marginals")?.iter().enumerate()
            {
                let v = variables.require(name)?;
                let known: Vec<f64> =
                    marginal.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
                let own = beliefs.marginal(v).unwrap_or_default();
                published.see_all(own, &known);
                if at < ASKED {
                    let other = VariableElimination::default();
                    let other = other.query(&network, &Targets::These(vec![v]), &evidence)?;
                    engines.see_all(own, other.marginal(v).unwrap_or_default());
                    engines.see(beliefs.ln_z().value(), other.ln_z().value());
                }
            }
            questions += 1;
        }
    }
    if networks == 0 {
        return Ok(Vec::new());
    }
    let on = format!(
        "{networks} networks of the bnlearn repository with up to {largest} variables, {questions} questions"
    );
    Ok(vec![
        engines.exact(
            "ln Z and marginals",
            ["junction tree", "variable elimination"],
            &on,
            "1e-11 (`posterior-inference/elimination_on_networks.rs`)",
        ),
        published.numerical(
            "ln Z and marginals",
            ["junction tree", "published answers of 12 decimals"],
            &on,
            "1e-11 (`posterior-inference/junction_tree.rs`)",
        ),
    ])
}

/// A network and the questions about it.
type Asked = (posterior::pgm::BayesianNetwork, Value);

/// What the shared folder has of this name.
fn load(name: &str) -> Result<Option<Asked>, Box<dyn Error + Send + Sync>> {
    let packed = name == "mildew";
    let path = format!("data/bn/{name}.bif{}", if packed { ".gz" } else { "" });
    let answers = shared_file("agreement", &format!("data/bn/{name}.marginals.json"));
    let (Some(network), Some(answers)) = (shared_file("agreement", &path), answers) else { return Ok(None) };
    let mut bytes = fs::read(network)?;
    if packed {
        let mut plain = Vec::new();
        GzDecoder::new(&bytes[..]).read_to_end(&mut plain)?;
        bytes = plain;
    }
    Ok(Some((bif::read(&bytes)?.network, serde_json::from_slice(&fs::read(answers)?)?)))
}
