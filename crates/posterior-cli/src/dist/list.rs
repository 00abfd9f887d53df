//! `posterior dist list`.

use posterior::dist::text::{CONJUGATE_PAIRS, LAWS_OF_VECTORS, LAWS_ON_THE_LINE, LawEntry};
use serde::Serialize;

use crate::args::{DistList, Format};
use crate::failure::Failure;
use crate::output;
use crate::text_table;

#[derive(Serialize)]
struct Listed {
    laws: Vec<ListedLaw>,
    conjugate: Vec<ListedPair>,
}

#[derive(Serialize)]
struct ListedLaw {
    name: &'static str,
    parameters: &'static [&'static str],
    support: &'static str,
    vectors: bool,
}

#[derive(Serialize)]
struct ListedPair {
    prior: &'static str,
    likelihood: &'static str,
    fixed: &'static [&'static str],
}

/// Runs the verb.
pub(crate) fn run(args: &DistList) -> Result<(), Failure> {
    match args.format {
        Format::Text => output::print(&text()),
        Format::Json => output::print_json(&listed()),
    }
}

fn listed() -> Listed {
    let on_the_line = LAWS_ON_THE_LINE.iter().map(|law| (law.name, law.parameters, law.support, false));
    let of_vectors = LAWS_OF_VECTORS.iter().map(|law| (law.name, law.parameters, law.support, true));
    let law = |(name, parameters, support, vectors)| ListedLaw { name, parameters, support, vectors };
    let pair = |pair: &posterior::dist::text::ConjugatePair| ListedPair {
        prior: pair.prior,
        likelihood: pair.likelihood,
        fixed: pair.fixed,
    };
    Listed {
        laws: on_the_line.chain(of_vectors).map(law).collect(),
        conjugate: CONJUGATE_PAIRS.iter().map(pair).collect(),
    }
}

fn text() -> String {
    let mut priors: Vec<&str> = CONJUGATE_PAIRS.iter().map(|pair| pair.prior).collect();
    priors.dedup();
    let likelihoods = |prior: &str| {
        let pairs = CONJUGATE_PAIRS.iter().filter(|pair| pair.prior == prior);
        pairs.map(posterior::dist::text::ConjugatePair::signature).collect::<Vec<_>>().join(", ")
    };
    let pairs: Vec<(String, String)> =
        priors.into_iter().map(|prior| (prior.to_owned(), likelihoods(prior))).collect();
    [
        "Laws on the real line, and where they live\n".to_owned() + &laws(LAWS_ON_THE_LINE),
        "Laws of vectors\n".to_owned() + &laws(LAWS_OF_VECTORS),
        "Priors, and the likelihoods that --observe updates them by\n".to_owned()
            + &text_table::pairs(&pairs),
    ]
    .join("\n")
}

fn laws<A>(entries: &[LawEntry<A>]) -> String {
    let rows: Vec<(String, String)> =
        entries.iter().map(|law| (law.signature(), law.support.to_owned())).collect();
    text_table::pairs(&rows)
}
