//! The rows that have responses of one kind.

use std::ops::Range;
use std::sync::Arc;

use crate::hyperparameter::Hyperparameter;
use crate::response::Response;

/// Rows that have responses of one kind.
#[derive(Debug)]
pub(crate) struct ResponsePart {
    pub(crate) name: String,
    pub(crate) response: Arc<dyn Response>,
    pub(crate) rows: Range<usize>,
    /// Which of the hyperparameters of all responses are its own.
    pub(crate) parameters: Range<usize>,
}

impl ResponsePart {
    /// The name of the responses that a model begins with.
    pub(crate) const FIRST: &str = "response";

    /// The part that a model begins with.
    pub(crate) fn first(response: Arc<dyn Response>, rows: usize) -> Self {
        let parameters = 0..response.hyperparameters().len();
        Self { name: Self::FIRST.to_owned(), response, rows: 0..rows, parameters }
    }

    /// The hyperparameters: of parts after the first with the part in their name, as `shape(death)`.
    pub(crate) fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let mut own = self.response.hyperparameters();
        if self.name != Self::FIRST {
            for own in &mut own {
                own.name = format!("{}({})", own.name, self.name);
            }
        }
        own
    }
}
