//! A study: the file of what may be tried and what is wanted, and its history as an optimiser.

use std::path::Path;

use posterior::decision::optimization::{Optimizer, OptimizerOptions, Space};
use posterior::table::read_text;
use serde::{Deserialize, Serialize};

use super::inequality;
use super::input::Input;
use super::noise_text::NoiseText;
use super::outcome_bound::OutcomeBound;
use crate::failure::Failure;
use crate::json::Pairs;

/// What is wanted of the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Goal {
    Minimize,
    Maximize,
}

impl Goal {
    /// The outcome as one that is to be small; and back.
    pub(super) fn turned(self, outcome: f64) -> f64 {
        if self == Self::Maximize { -outcome } else { outcome }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Minimize => "minimize",
            Self::Maximize => "maximize",
        }
    }

    /// What the best outcome is.
    pub(super) const fn best(self) -> &'static str {
        match self {
            Self::Minimize => "least",
            Self::Maximize => "largest",
        }
    }
}

/// The file of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Study {
    pub(super) goal: Goal,
    pub(super) noise: NoiseText,
    /// How many points are spread evenly first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) initial: Option<usize>,
    pub(super) inputs: Vec<Input>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) constraints: Vec<String>,
    /// Bounds of further outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) outcome_constraints: Vec<String>,
}

impl Study {
    /// The study of a file, with the name of the file.
    pub(super) fn read(path: &Path) -> Result<(String, Self), Failure> {
        if path == Path::new("-") {
            let message = "a study has a history beside it: name its file, not standard input";
            return Err(Failure::Usage(message.to_owned()));
        }
        let (source, text) = read_text(path)?;
        let study: Self = serde_json::from_str(&text).map_err(|error| {
            Failure::data(format!("{source}: {error}"))
                .with_hint("`posterior optimize init` writes such a file; its --help has an example")
        })?;
        let wrong = |why: String| Failure::data(format!("{source}: {why}"));
        study.space().map_err(wrong)?;
        study.checked_bounds().map_err(wrong)?;
        if let NoiseText::Sd(sd) = study.noise
            && !(sd > 0.0 && (sd * sd).is_finite())
        {
            let message =
                format!("{source}: noise {sd}: expected learned, none, or a standard deviation above 0");
            return Err(Failure::data(message));
        }
        Ok((source, study))
    }

    /// All points that may be tried.
    pub(super) fn space(&self) -> Result<Space, String> {
        let mut axes = Vec::new();
        for (place, input) in self.inputs.iter().enumerate() {
            let wrong = |why: String| format!("input {}: {why}", input.name);
            if self.inputs[..place].iter().any(|other| other.name == input.name) {
                return Err(wrong("is there twice".to_owned()));
            }
            let axis = input.axis().map_err(wrong)?;
            Space::new(&[axis]).map_err(|error| wrong(error.to_string()))?;
            axes.push(axis);
        }
        let mut space = Space::new(&axes).map_err(|error| error.to_string())?;
        for text in &self.constraints {
            let wrong = |why: String| format!("constraint {text:?}: {why}");
            let constraint = inequality::parse(text, &self.inputs).map_err(wrong)?;
            space = space.with_constraints(&[constraint]).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(space)
    }

    /// The bounds of further outcomes, in their order.
    pub(super) fn checked_bounds(&self) -> Result<Vec<OutcomeBound>, String> {
        let mut bounds: Vec<OutcomeBound> = Vec::new();
        for text in &self.outcome_constraints {
            let wrong = |why: String| format!("outcome constraint {text:?}: {why}");
            let bound = OutcomeBound::parse(text).map_err(wrong)?;
            bound.check(&self.inputs, &bounds).map_err(wrong)?;
            bounds.push(bound);
        }
        Ok(bounds)
    }

    /// The same of a study that was read.
    pub(super) fn bounds(&self) -> Result<Vec<OutcomeBound>, Failure> {
        self.checked_bounds().map_err(Failure::data)
    }

    /// An optimiser before any trial.
    pub(super) fn optimizer(&self, seed: u64) -> Result<Optimizer, Failure> {
        let space = self.space().map_err(Failure::data)?;
        let (initial, noise) = (self.initial, self.noise.outcome_noise());
        let constraints = self.bounds()?.iter().map(|own| own.constraint(self.noise)).collect();
        let options = OptimizerOptions { initial, noise, seed, constraints, ..OptimizerOptions::default() };
        Ok(Optimizer::new(space, options)?)
    }

    /// The coordinates of a point by the names of inputs.
    pub(super) fn point(&self, coordinates: &[f64]) -> Pairs<serde_json::Value> {
        let pair = |(input, &own): (&Input, &f64)| (input.name.clone(), input.json(own));
        Pairs(self.inputs.iter().zip(coordinates).map(pair).collect())
    }

    /// The same as short texts.
    pub(super) fn short(&self, coordinates: &[f64]) -> Vec<String> {
        self.inputs.iter().zip(coordinates).map(|(input, &own)| input.short(own)).collect()
    }

    /// The same as exact texts.
    pub(super) fn texts(&self, coordinates: &[f64]) -> Vec<String> {
        self.inputs.iter().zip(coordinates).map(|(input, &own)| input.text(own)).collect()
    }
}
