//! `posterior net`: networks of discrete variables.

mod answer;
mod artefacts;
mod convert;
mod engine;
mod finding_input;
mod learn;
mod map;
mod network_input;
mod portrait;
mod query;
mod records_input;
mod sample;
mod structure;
mod uai;

use crate::args::NetVerb;
use crate::failure::Failure;

/// Runs a verb.
pub(crate) fn run(verb: &NetVerb) -> Result<(), Failure> {
    match verb {
        NetVerb::Info(args) => structure::info(args),
        NetVerb::Query(args) => query::run(args),
        NetVerb::Map(args) => map::run(args),
        NetVerb::Dsep(args) => structure::dsep(args),
        NetVerb::Blanket(args) => structure::blanket(args),
        NetVerb::Moralize(args) => structure::moralize(args),
        NetVerb::Cliques(args) => structure::cliques(args),
        NetVerb::Dot(args) => structure::dot(args),
        NetVerb::Sample(args) => sample::run(args),
        NetVerb::Learn(args) => learn::run(args),
        NetVerb::Convert(args) => convert::run(args),
        NetVerb::Uai(args) => uai::run(args),
    }
}
