//! Our speed beside that of other crates and of Python's libraries: `compare SUBJECT [PYTHON] [--quick]`
//! prints the tables of one subject, the columns of Python's libraries where a Python program is named.

mod cluster;
mod cut;
mod gp;
mod hierarchical;
mod math;
mod mcmc;
mod model;
mod net;
mod optimize;
mod regress;
mod sequence;
mod series;
mod sparse;
mod topics;
mod verbs;

use posterior_benches::comparison::{Outcome, Settings};

/// Prints the tables of a subject.
type Comparison = fn(&Settings) -> Outcome;

/// The subjects by name.
const SUBJECTS: [(&str, Comparison); 15] = [
    ("cluster", cluster::compare),
    ("cut", cut::compare),
    ("gp", gp::compare),
    ("hierarchical", hierarchical::compare),
    ("math", math::compare),
    ("mcmc", mcmc::compare),
    ("model", model::compare),
    ("net", net::compare),
    ("optimize", optimize::compare),
    ("regress", regress::compare),
    ("sequence", sequence::compare),
    ("series", series::compare),
    ("sparse", sparse::compare),
    ("topics", topics::compare),
    ("verbs", verbs::compare),
];

fn main() -> Outcome {
    let settings = Settings::from_arguments();
    let (_, compare) = SUBJECTS
        .iter()
        .find(|(name, _)| *name == settings.subject)
        .ok_or_else(|| format!("there is no subject {:?}", settings.subject))?;
    compare(&settings)
}
