//! What f64 cannot represent: the documented limits, with reasons. What falls under one is counted, not
//! reported.

use super::trial::{Finding, LEFT_OUT};

/// A finding that is expected.
#[derive(Debug)]
pub struct Limit {
    /// The kind of distribution; `*` for any.
    pub name: &'static str,
    /// The check.
    pub check: &'static str,
    /// What the message of such a finding holds.
    pub message: &'static str,
    /// Why no other answer can be given, and where this is documented.
    pub reason: &'static str,
}

/// All of them.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "geometric",
        check: "draw in the support",
        message: "drew 1.8446744073709552e19",
        reason: "a count that does not fit in 64 bits is drawn as 2^64 - 1 (Geometric, Numerics)",
    },
    Limit {
        name: "negative_binomial",
        check: "draw in the support",
        message: "drew 1.8446744073709552e19",
        reason: "a count that does not fit in 64 bits is drawn as 2^64 - 1 (NegativeBinomial, Numerics)",
    },
    Limit {
        name: "zero_inflated",
        check: "draw in the support",
        message: "drew 1.8446744073709552e19",
        reason: "a count that does not fit in 64 bits is drawn as 2^64 - 1 (Geometric, NegativeBinomial, Numerics)",
    },
    Limit {
        name: "inverse_wishart",
        check: "draw in the support",
        message: "NaN",
        reason: "degrees of freedom next to p - 1: a zero in the factor of the inverse (InverseWishart, Distribution)",
    },
    Limit {
        name: "affine",
        check: LEFT_OUT,
        message: "",
        reason: "left out: X with probability at numbers whose place is beyond f64, or that have few digits (Affine, Numerics)",
    },
    Limit {
        name: "truncated",
        check: LEFT_OUT,
        message: "",
        reason: "left out: a logarithm of the mass, or a width, that leaves probabilities four digits and less (Truncated, Numerics)",
    },
    Limit {
        name: "beta_binomial",
        check: "no call over a millisecond",
        message: "quantile(",
        reason: "some sums of a thousand masses for a quantile of very many trials (BetaBinomial, Numerics)",
    },
    Limit {
        name: "beta_binomial",
        check: "no call over a millisecond",
        message: "entropy takes 1.",
        reason: "a sum of some two thousand masses for the entropy of very many trials (BetaBinomial, Numerics)",
    },
    Limit {
        name: "beta_binomial",
        check: "no call over a millisecond",
        message: "summaries(",
        reason: "some sums of a thousand masses for the entropy of very many trials (BetaBinomial, Numerics)",
    },
    Limit {
        name: "truncated",
        check: "no call over a millisecond",
        message: "takes",
        reason: "the inversion of integrals of a density of many scales takes some milliseconds (Truncated, Numerics)",
    },
    Limit {
        name: "wishart",
        check: "draw in the support",
        message: "inf",
        reason: "entries beyond the largest number of f64, and what they are added to (Wishart, Numerics)",
    },
    Limit {
        name: "lkj",
        check: "draw in the support",
        message: "NaN",
        reason: "twice the shape is infinite (Lkj, Numerics)",
    },
    Limit {
        name: "mixture",
        check: "density outside of the support",
        message: "mixture([",
        reason: "a weight whose probability underflows is in the logarithm of the density only (Mixture, Numerics)",
    },
    Limit {
        name: "affine",
        check: "density is a number",
        message: "= inf",
        reason: "(x - shift)/scale underflows onto the end of the inner support, where the density has a pole (Affine, Numerics)",
    },
];

/// The limit that a finding falls under.
pub(super) fn of(finding: &Finding) -> Option<&'static Limit> {
    LIMITS.iter().find(|limit| {
        (limit.name == "*" || limit.name == finding.name)
            && limit.check == finding.check
            && finding.message.contains(limit.message)
    })
}
