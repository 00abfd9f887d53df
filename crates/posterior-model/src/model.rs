//! A program without its data.

use std::sync::Arc;

use posterior_stan::{Diagnostics, Program};

use crate::code::Code;
use crate::fault::ModelError;
use crate::posterior::StanPosterior;

/// A program in Stan's language that was read and checked.
#[derive(Debug, Clone)]
pub struct StanModel {
    code: Arc<Code>,
}

impl StanModel {
    /// Reads and checks a program.
    ///
    /// # Errors
    /// All errors of syntax and of types, each with its line.
    pub fn parse(text: &str) -> Result<Self, Diagnostics> {
        Ok(Self::new(&Program::parse(text)?.check()?))
    }

    /// A model of a checked program.
    pub fn new(typed: &posterior_stan::TypedProgram) -> Self {
        Self { code: Arc::new(Code::new(typed)) }
    }

    /// Puts data to the program: `json` is one object, its members the variables of the data block.
    ///
    /// Transformed data are computed once; the log density is recorded and put in order.
    ///
    /// # Errors
    /// Data that are missing or do not fit their declarations; what goes wrong in the program, with its line.
    pub fn with_data(&self, json: &str) -> Result<StanPosterior, ModelError> {
        self.with_data_and_seed(json, 0)
    }

    /// As [`with_data`](Self::with_data); `seed` is for random numbers of the transformed data.
    ///
    /// # Errors
    /// As [`with_data`](Self::with_data).
    pub fn with_data_and_seed(&self, json: &str, seed: u64) -> Result<StanPosterior, ModelError> {
        let parsed: serde_json::Value = if json.trim().is_empty() {
            serde_json::Value::Object(serde_json::Map::new())
        } else {
            serde_json::from_str(json)
                .map_err(|error| ModelError::plain(format!("the data cannot be read as JSON: {error}")))?
        };
        let serde_json::Value::Object(map) = parsed else {
            return Err(ModelError::plain("the data are one JSON object: its members are the variables"));
        };
        StanPosterior::new(&self.code, &map, seed).map_err(|fault| fault.error(self.code.text()))
    }
}
