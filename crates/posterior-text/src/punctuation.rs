//! What comes next, punctuation or something else.
//!
//! The class of the next character (one of six marks, or something else) given the last n + 1 characters: a
//! table with 6 free numbers for each of the mⁿ⁺¹ contexts of m characters, of which a text shows few.
//! [`ContextSmoothing`] says what is done about the others: a relative frequency is undefined there, all else
//! goes on to shorter contexts.
//!
//! ```
//! use posterior_text::punctuation::{PunctuationModel, ContextSmoothing, Symbol};
//!
//! let lines = ["Stop! Who goes there? A friend.", "Stop! Go.", "Who is there? A cat."];
//! let model = PunctuationModel::fit(&lines, 3, &ContextSmoothing::WittenBell)?;
//! let distribution = model.distribution("Stop").expect("smoothed distributions are defined everywhere");
//! assert!(distribution[Symbol::Exclamation as usize] > 0.8);
//! assert_eq!(model.restore("Stop Go", 20), "Stop! Go.");
//! # Ok::<(), posterior_text::Error>(())
//! ```

mod context_tree;
mod model;
mod restore;
mod scores;
mod seating;
mod smoothing;

use std::fmt;

pub use model::PunctuationModel;
pub use scores::{PunctuationScores, score};
pub use seating::FranchiseOptions;
pub use smoothing::ContextSmoothing;

/// The number of classes.
pub const CLASSES: usize = 7;

/// The classes of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// `.`
    FullStop,
    /// `!`
    Exclamation,
    /// `?`
    Question,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// Every other character.
    Other,
}

impl Symbol {
    /// All classes in the order of their numbers.
    pub const ALL: [Self; CLASSES] = [
        Self::FullStop,
        Self::Exclamation,
        Self::Question,
        Self::Semicolon,
        Self::Colon,
        Self::Comma,
        Self::Other,
    ];

    /// The class of a character.
    pub const fn of(character: char) -> Self {
        match character {
            '.' => Self::FullStop,
            '!' => Self::Exclamation,
            '?' => Self::Question,
            ';' => Self::Semicolon,
            ':' => Self::Colon,
            ',' => Self::Comma,
            _ => Self::Other,
        }
    }

    /// The mark; none of the class of all others.
    pub const fn character(self) -> Option<char> {
        match self {
            Self::FullStop => Some('.'),
            Self::Exclamation => Some('!'),
            Self::Question => Some('?'),
            Self::Semicolon => Some(';'),
            Self::Colon => Some(':'),
            Self::Comma => Some(','),
            Self::Other => None,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.character() {
            Some(character) => write!(f, "{character}"),
            None => f.write_str("other"),
        }
    }
}
