//! What is found of a program.

/// A place in the text of a program: the file that holds it, and where there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    /// The program's name, or that of a file that it includes.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// What the prior of a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorKind {
    /// Statements say it.
    Stated,
    /// No statement does; uniform on the values that its declaration allows, which are a bounded set.
    Uniform,
    /// No statement does; flat on an unbounded set, which is no distribution.
    Flat,
    /// Something is added to the log density that may hold it.
    Unclear,
}

/// The distribution of a parameter given all others and the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionalKind {
    /// Normal: the log density is a polynomial of the second degree in it.
    Gaussian {
        /// Whether constraints cut it off: of its declaration, of what is declared by it, of a truncation.
        within: bool,
    },
    /// Of the family of its prior.
    Conjugate {
        /// The family, as the language names it: `gamma`, `beta`, ...
        family: &'static str,
        /// The terms of the likelihood, as places in [`ProgramExplanation::terms`].
        likelihoods: Vec<usize>,
    },
    /// No known one.
    Unknown {
        /// The first term in which it stands so that the distribution is not normal, as a place in
        /// [`ProgramExplanation::terms`]; nothing where its declaration excludes that, or no term holds it.
        obstacle: Option<usize>,
    },
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedParameter {
    /// Its name.
    pub name: String,
    /// Its type with sizes and bounds, as it is declared.
    pub declared: String,
    /// Where it is declared.
    pub place: TextPlace,
    /// What its prior is.
    pub prior: PriorKind,
    /// The terms that are its prior, as places in [`ProgramExplanation::terms`].
    pub priors: Vec<usize>,
    /// The other terms that depend on it.
    pub terms: Vec<usize>,
    /// Transformed parameters and generated quantities that depend on it.
    pub quantities: Vec<String>,
    /// Its distribution given the others.
    pub conditional: ConditionalKind,
    /// Parameters that the scale of its prior depends on where it is declared centred: a funnel where the
    /// data say little of it.
    pub scales: Vec<String>,
    /// Terms whose outcome is a function of it that is not affine: their density is one of that function,
    /// and the derivative of it must be added.
    pub changed: Vec<usize>,
}

/// A term of the log density.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedTerm {
    /// The statement as it is written.
    pub text: String,
    /// Where it is.
    pub place: TextPlace,
    /// The distribution, without suffix; nothing of what is added otherwise.
    pub distribution: Option<String>,
    /// The parameters that it depends on.
    pub parameters: Vec<String>,
    /// Whether it is truncated.
    pub truncated: bool,
}

/// A sum over what is not observed and discrete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummedMixture {
    /// The function that sums: `log_mix`, `log_sum_exp`, ...
    pub function: String,
    /// Where it is.
    pub place: TextPlace,
}

/// What the density of a program is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramExplanation {
    /// The parameters in the order of their declarations.
    pub parameters: Vec<ExplainedParameter>,
    /// The terms of the log density that depend on parameters, in the order of the text.
    pub terms: Vec<ExplainedTerm>,
    /// Sets of two or more parameters that are Gaussian together given the others, without constraints.
    pub joint: Vec<Vec<String>>,
    /// Sets of parameters whose priors are Gaussian together given the others, without constraints: those of
    /// latent Gaussian models, whatever the likelihood.
    pub latent: Vec<Vec<String>>,
    /// Mixtures that are summed out by hand.
    pub mixtures: Vec<SummedMixture>,
    /// Whether all of the program was followed: of one with very many nested calls and loops nothing is
    /// claimed.
    pub complete: bool,
}
