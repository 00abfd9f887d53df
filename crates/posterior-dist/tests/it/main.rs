//! Tests of the crate through its public interface.

mod all_bits;
mod beyond;
mod brute_force;
mod canonical;
mod composed;
mod conjugate_positive;
mod continuous;
mod counts;
mod degenerate;
mod edges;
mod estimates;
mod far_tails;
mod finite;
mod fitting;
mod formula;
mod found_by_fuzzing;
mod glasses;
mod golden;
mod goodness;
mod gradients;
mod joint;
mod kumaraswamy;
mod line;
mod misuse;
mod named_tables;
mod normal_priors;
mod parameters;
mod positive;
mod positive_misuse;
mod powers;
mod processes;
mod properties;
mod sampling;
mod seen_values;
mod stability;
mod stranger;
mod streams;
mod tables;
mod target;
mod text;
#[cfg(feature = "serde")]
mod text_serde;
mod wrappers;

/// All vectors of `categories` counts with this sum.
fn compositions(categories: usize, sum: u64) -> Vec<Vec<u64>> {
    if categories == 1 {
        return vec![vec![sum]];
    }
    (0..=sum)
        .flat_map(|first| {
            compositions(categories - 1, sum - first).into_iter().map(move |mut rest| {
                rest.insert(0, first);
                rest
            })
        })
        .collect()
}
