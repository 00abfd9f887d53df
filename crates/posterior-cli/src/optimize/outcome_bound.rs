//! Bounds of further outcomes, as people write them: `memory <= 8`.

use posterior::decision::optimization::OutcomeConstraint;

use super::input::Input;
use super::noise_text::NoiseText;
use crate::output::shortest;

/// An outcome that must keep a bound.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OutcomeBound {
    pub(super) name: String,
    /// Whether it is the most that the outcome may be, not the least.
    is_most: bool,
    bound: f64,
}

impl OutcomeBound {
    /// From `NAME <= NUMBER` or `NAME >= NUMBER`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str = "expected NAME <= NUMBER or NAME >= NUMBER, such as \"memory <= 8\"";
        let most = text.split_once("<=").map(|sides| (sides, true));
        let ((name, bound), is_most) =
            most.or_else(|| text.split_once(">=").map(|sides| (sides, false))).ok_or(FORM)?;
        let (name, bound) = (name.trim(), bound.trim().parse::<f64>().map_err(|_| FORM)?);
        if name.is_empty() || name.contains(['=', ',', '<', '>']) || !bound.is_finite() {
            return Err(FORM.to_owned());
        }
        Ok(Self { name: name.to_owned(), is_most, bound })
    }

    /// Whether the name is one of its own.
    pub(super) fn check(&self, inputs: &[Input], before: &[Self]) -> Result<(), String> {
        let name = &self.name;
        if inputs.iter().any(|input| input.name == *name) {
            return Err(format!("{name} is an input: what is known of inputs alone is a --constraint"));
        }
        if before.iter().any(|other| other.name == *name) {
            return Err(format!("{name} has a bound already"));
        }
        if ["trial", "outcome", "failed", "kept"].contains(&name.as_str()) {
            return Err("expected another name than trial, outcome, failed and kept".to_owned());
        }
        Ok(())
    }

    /// An outcome as one that is to be small.
    pub(super) fn turned(&self, outcome: f64) -> f64 {
        if self.is_most { outcome } else { -outcome }
    }

    /// Whether an outcome keeps the bound.
    pub(super) fn is_kept(&self, outcome: f64) -> bool {
        self.turned(outcome) <= self.turned(self.bound)
    }

    /// The same for the optimiser. A standard deviation is one of the outcome that is wanted, not of this.
    pub(super) fn constraint(&self, noise: NoiseText) -> OutcomeConstraint {
        let noise = if let NoiseText::Sd(_) = noise { NoiseText::LEARNED } else { noise };
        OutcomeConstraint { bound: self.turned(self.bound), noise: noise.outcome_noise() }
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        format!("{} {} {}", self.name, if self.is_most { "<=" } else { ">=" }, shortest(self.bound))
    }
}

/// How outcomes with a bound are reported, behind the outcome that is wanted.
pub(super) fn form(bounds: &[OutcomeBound]) -> String {
    bounds.iter().fold(String::new(), |form, own| form + "," + &own.name + "=NUMBER")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_read_as_people_write_them() {
        let memory = OutcomeBound::parse("memory<= 8").unwrap();
        assert_eq!(memory.text(), "memory <= 8");
        assert!(memory.is_kept(8.0) && !memory.is_kept(8.1) && memory.turned(3.0) == 3.0);
        let accuracy = OutcomeBound::parse(" test accuracy >= 0.9 ").unwrap();
        assert_eq!((accuracy.name.as_str(), accuracy.turned(1.0)), ("test accuracy", -1.0));
        assert!(accuracy.is_kept(0.9) && !accuracy.is_kept(0.89));
        assert_eq!(accuracy.constraint(NoiseText::Sd(2.0)).bound, -0.9);
        for text in
            ["memory", "memory < 8", "<= 8", "memory <= x", "memory <= inf", "a = b <= 1", "1 <= a <= 2"]
        {
            assert!(OutcomeBound::parse(text).is_err(), "{text}");
        }
        let inputs = [Input::parse("x=0:1").unwrap()];
        assert!(memory.check(&inputs, &[]).is_ok());
        assert!(memory.check(&inputs, std::slice::from_ref(&memory)).is_err());
        assert!(OutcomeBound::parse("x <= 1").unwrap().check(&inputs, &[]).is_err());
        assert!(OutcomeBound::parse("kept <= 1").unwrap().check(&inputs, &[]).is_err());
    }
}
