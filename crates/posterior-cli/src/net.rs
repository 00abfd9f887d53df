//! `posterior net`: networks of discrete variables.

mod network_input;
mod structure;

use crate::args::NetVerb;
use crate::failure::Failure;

/// Runs a verb.
pub(crate) fn run(verb: &NetVerb) -> Result<(), Failure> {
    match verb {
        NetVerb::Info(args) => structure::info(args),
        NetVerb::Dsep(args) => structure::dsep(args),
        NetVerb::Blanket(args) => structure::blanket(args),
        NetVerb::Moralize(args) => structure::moralize(args),
        NetVerb::Cliques(args) => structure::cliques(args),
        NetVerb::Dot(args) => structure::dot(args),
    }
}
