//! `posterior dist list`.

use posterior::dist::text::{Entry, UNIVARIATE};
use posterior::gaussian::text::{CONJUGATE_PAIRS, MULTIVARIATE};
use serde::Serialize;

use crate::args::{Format, Listing};
use crate::failure::Failure;
use crate::output;
use crate::text_table;

#[derive(Serialize)]
struct Listed {
    distributions: Vec<ListedDistribution>,
    conjugate: Vec<ListedPair>,
}

#[derive(Serialize)]
struct ListedDistribution {
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
pub(crate) fn run(args: &Listing) -> Result<(), Failure> {
    match args.format {
        Format::Text => output::print(&text()),
        Format::Json => output::print_json(&listed()),
    }
}

fn listed() -> Listed {
    let pair = |pair: &posterior::gaussian::text::ConjugatePair| ListedPair {
        prior: pair.prior,
        likelihood: pair.likelihood,
        fixed: pair.fixed,
    };
    Listed {
        distributions: entries(UNIVARIATE, false).chain(entries(MULTIVARIATE, true)).collect(),
        conjugate: CONJUGATE_PAIRS.iter().map(pair).collect(),
    }
}

fn entries<A>(entries: &[Entry<A>], vectors: bool) -> impl Iterator<Item = ListedDistribution> {
    entries.iter().map(move |own| ListedDistribution {
        name: own.name,
        parameters: own.parameters,
        support: own.support,
        vectors,
    })
}

fn text() -> String {
    let mut priors: Vec<&str> = CONJUGATE_PAIRS.iter().map(|pair| pair.prior).collect();
    priors.dedup();
    let likelihoods = |prior: &str| {
        let pairs = CONJUGATE_PAIRS.iter().filter(|pair| pair.prior == prior);
        pairs.map(posterior::gaussian::text::ConjugatePair::signature).collect::<Vec<_>>().join(", ")
    };
    let pairs: Vec<(String, String)> =
        priors.into_iter().map(|prior| (prior.to_owned(), likelihoods(prior))).collect();
    [
        "Univariate distributions, and where they live\n".to_owned() + &distributions(UNIVARIATE),
        "Distributions of vectors\n".to_owned() + &distributions(MULTIVARIATE),
        "Priors, and the likelihoods that --observe updates them by\n".to_owned()
            + &text_table::pairs(&pairs),
    ]
    .join("\n")
}

fn distributions<A>(entries: &[Entry<A>]) -> String {
    let rows: Vec<(String, String)> = entries
        .iter()
        .map(|distribution| (distribution.signature(), distribution.support.to_owned()))
        .collect();
    text_table::pairs(&rows)
}
