//! A program without its data.

use std::sync::Arc;

use posterior_stan::{BlockKind, Declaration, Diagnostics, Element, Program};

use crate::code::Code;
use crate::data::StanData;
use crate::fault::ModelError;
use crate::posterior::{StanPosterior, declarations};

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
        self.with_values(&StanData::from_json(json)?, seed)
    }

    /// As [`with_data_and_seed`](Self::with_data_and_seed), of data that come otherwise than as JSON.
    ///
    /// # Errors
    /// As [`with_data`](Self::with_data).
    pub fn with_values(&self, data: &StanData, seed: u64) -> Result<StanPosterior, ModelError> {
        StanPosterior::new(&self.code, data, seed).map_err(|fault| fault.error(self.code.text()))
    }

    /// Names of the variables of the data block, and whether each is of integers.
    pub fn data_names(&self) -> Vec<(String, bool)> {
        let all = declarations(&self.code, BlockKind::Data);
        let own = |one: &Declaration| {
            let int = one.sized.element == Element::Int;
            one.variables.iter().map(|(name, _)| (name.text.clone(), int)).collect::<Vec<_>>()
        };
        all.iter().flat_map(own).collect()
    }
}
