//! How well a model predicts sequences.

/// The probability of sequences under a model, and what was counted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct LanguageScore {
    /// The number of sequences.
    pub sequences: usize,
    /// The number of predictions: all symbols, the unknown among them, and the ends where they are marked.
    pub tokens: u64,
    /// The number of these that were the symbol that stands for the unknown.
    pub unknown: u64,
    /// ln p of all but the unknown.
    pub ln_known: f64,
    /// ln p of the unknown, as if all unknown names were one.
    pub ln_unknown: f64,
}

impl LanguageScore {
    /// ln p of everything.
    pub fn ln_probability(&self) -> f64 {
        self.ln_known + self.ln_unknown
    }

    /// exp(-ln p/N), where N counts everything that was predicted: symbols, unknown ones and marked ends. NaN
    /// of nothing.
    pub fn perplexity(&self) -> f64 {
        (-self.ln_probability() / self.tokens as f64).exp()
    }

    /// The same without the predictions of the unknown, in ln p and in N.
    pub fn perplexity_of_known(&self) -> f64 {
        (-self.ln_known / (self.tokens - self.unknown) as f64).exp()
    }

    /// -log₂ p/N: bits for each of what was predicted.
    pub fn bits_per_token(&self) -> f64 {
        -self.ln_probability() / (self.tokens as f64 * std::f64::consts::LN_2)
    }
}
