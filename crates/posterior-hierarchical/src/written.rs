//! How responses and effects are written in Stan's language.

/// A distribution of responses in Stan's language: the statement is `y ~ density(arguments)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenResponse {
    /// The type of the responses, of N of them: `vector[N]`, `array[N] int<lower=0>`, …
    pub outcome: &'static str,
    /// The distribution, without suffix.
    pub density: &'static str,
    /// Its arguments; `{eta}` stands for the linear predictor, and `{noise}` for what the standard deviation
    /// of a row with a weight is multiplied by, if weights are such: else they are numbers of equal rows.
    pub arguments: Vec<String>,
    /// What the hyperparameters are called, in their order.
    pub parameters: &'static [&'static str],
}

/// What an effect is in Stan's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenEffect {
    /// Its only hyperparameter is a standard deviation, and a factor of it: a known field.
    Scaled,
    /// Groups with several coefficients: so many standard deviations, then partial correlations.
    Correlated(usize),
    /// Nothing that is written.
    Unwritten,
}
