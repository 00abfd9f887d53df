//! The words and signs of the language.

use std::fmt;

/// What a token is; its text is its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name that is no keyword.
    Name,
    /// A keyword: one of [`KEYWORDS`].
    Word(&'static str),
    /// The head of a block: `functions`, `transformed data`, ...
    Block(&'static str),
    Int,
    Real,
    Imaginary,
    /// `.5` or `.2`: a number, or the field of a tuple after an expression.
    Dot,
    Text,
    /// A sign: one of [`SIGNS`].
    Sign(&'static str),
    End,
}

/// Words that are never names.
pub(crate) const KEYWORDS: [&str; 46] = [
    "return",
    "if",
    "else",
    "while",
    "for",
    "in",
    "break",
    "continue",
    "profile",
    "void",
    "int",
    "real",
    "complex",
    "vector",
    "row_vector",
    "matrix",
    "complex_vector",
    "complex_row_vector",
    "complex_matrix",
    "ordered",
    "positive_ordered",
    "simplex",
    "unit_vector",
    "sum_to_zero_vector",
    "sum_to_zero_matrix",
    "cholesky_factor_corr",
    "cholesky_factor_cov",
    "corr_matrix",
    "cov_matrix",
    "column_stochastic_matrix",
    "row_stochastic_matrix",
    "tuple",
    "array",
    "lower",
    "upper",
    "offset",
    "multiplier",
    "print",
    "reject",
    "fatal_error",
    "target",
    "jacobian",
    "functions",
    "data",
    "parameters",
    "model",
];

/// Signs, the longest first.
pub(crate) const SIGNS: [&str; 42] = [
    "%/%", ".*=", "./=", "<-", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", ".*", "./", ".^",
    "{", "}", "(", ")", "[", "]", "<", ">", ",", ";", "|", "?", ":", "!", "-", "+", "^", "/", "*", "%", "\\",
    "'", "=", "~", "&",
];

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("a name"),
            Self::Word(word) | Self::Block(word) | Self::Sign(word) => write!(f, "`{word}`"),
            Self::Int => f.write_str("an integer"),
            Self::Real | Self::Dot => f.write_str("a number"),
            Self::Imaginary => f.write_str("an imaginary number"),
            Self::Text => f.write_str("a text in quotes"),
            Self::End => f.write_str("the end of the file"),
        }
    }
}
