//! Topics of the addresses, and the addresses by their topics.

use posterior::topics::lda::{Lda, gibbs};
use posterior::topics::{Fitted, TopicModel, Trend, similarity};

use crate::{Addresses, words};

/// Prints each topic's words, its decade and its most typical address, and where neighbours in time differ most.
pub(crate) fn print(addresses: &Addresses, fitted: &Fitted<Lda, gibbs::Report>) {
    let split = &addresses.split;
    let years: Vec<f64> = split.train_documents.iter().map(|&d| addresses.years[d]).collect();
    let lengths: Vec<u64> = split.train.iter().map(|document| document.tokens()).collect();
    let trend = Trend::new(&fitted.doc_topic, &lengths, &years);
    let decades: Vec<f64> = (179..=202).map(|decade| f64::from(10 * decade) + 5.0).collect();
    let smooth = trend.smoothed(&decades, 4.0);
    println!("\nshare, decade, words, typical address");
    for (k, weight) in fitted.model.topics().weights().iter().enumerate() {
        let decade = (0..decades.len()).max_by(|&a, &b| smooth[(a, k)].total_cmp(&smooth[(b, k)]));
        let decade = decade.map_or(f64::NAN, |i| decades[i] - 5.0);
        let (typical, share) = similarity::most_typical(&fitted.doc_topic, k, 1)[0];
        println!(
            "{:4.1} %  {decade:.0}s  {:60}  {} ({:.0} %)",
            100.0 * weight,
            words::of_topic(fitted.model.topics(), k, 7),
            split.train.names()[typical],
            100.0 * share
        );
    }

    let name = |d: usize| &split.train.names()[d];
    println!("\nthe sharpest turns between neighbours in time");
    for jump in similarity::largest_jumps(&fitted.doc_topic, &years, 5) {
        println!("{:.2}  {} -> {}", jump.distance, name(jump.from), name(jump.to));
    }
    if let Some(d) = split.train.names().iter().position(|name| name.contains("1865")) {
        println!("\nnearest to {}", name(d));
        for (other, distance) in similarity::nearest(&fitted.doc_topic, d, 4) {
            println!("{distance:.2}  {}", name(other));
        }
    }
}
