//! How outcomes scatter, as a text or a number.

use posterior::decision::optimization::OutcomeNoise;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// How outcomes at one point scatter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum NoiseText {
    Sd(f64),
    Word(NoiseWord),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NoiseWord {
    Learned,
    None,
}

impl NoiseText {
    pub(super) const LEARNED: Self = Self::Word(NoiseWord::Learned);

    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        match (text, text.parse()) {
            ("learned", _) => Ok(Self::Word(NoiseWord::Learned)),
            ("none", _) => Ok(Self::Word(NoiseWord::None)),
            (_, Ok(sd)) if sd > 0.0 && f64::is_finite(sd * sd) => Ok(Self::Sd(sd)),
            _ => {
                let message =
                    format!("--noise {text}: expected learned, none, or a standard deviation above 0");
                Err(Failure::Usage(message))
            }
        }
    }

    pub(super) fn outcome_noise(self) -> OutcomeNoise {
        match self {
            Self::Sd(sd) => OutcomeNoise::Variance(sd * sd),
            Self::Word(NoiseWord::Learned) => OutcomeNoise::Learned,
            Self::Word(NoiseWord::None) => OutcomeNoise::None,
        }
    }
}
