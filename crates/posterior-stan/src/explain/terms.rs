//! Terms of the log density, and of which degree they are in a parameter.

use std::collections::BTreeSet;

use super::dependence::{Degree, Dependence, Place};
use crate::span::Span;

/// A term of the log density.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) span: Span,
    /// The distribution, without suffix; nothing of what is added otherwise.
    pub(super) distribution: Option<String>,
    /// The outcome and its parameters; none of what is added otherwise.
    pub(super) args: Vec<Dependence>,
    /// What is added, of a term without a distribution of the library.
    pub(super) value: Option<Dependence>,
    /// The bounds of a truncation.
    pub(super) truncation: Option<Dependence>,
    /// Parameters that decide whether it is added.
    pub(super) control: BTreeSet<Place>,
}

impl Term {
    /// A term that is added as an expression.
    pub(super) fn added(span: Span, value: Dependence, control: BTreeSet<Place>) -> Self {
        Self { span, distribution: None, args: vec![], value: Some(value), truncation: None, control }
    }

    /// The same statement at another time.
    pub(super) fn join(&mut self, other: &Self) {
        self.args.iter_mut().zip(&other.args).for_each(|(own, one)| own.join(one));
        for (own, one) in [(&mut self.value, &other.value), (&mut self.truncation, &other.truncation)] {
            match (own, one) {
                (Some(own), Some(one)) => own.join(one),
                (own @ None, one) => own.clone_from(one),
                _ => {}
            }
        }
        self.control.extend(&other.control);
    }

    fn values(&self) -> impl Iterator<Item = &Dependence> {
        self.args.iter().chain(&self.value).chain(&self.truncation)
    }

    pub(super) fn parameters(&self) -> BTreeSet<Place> {
        let all = self.values().flat_map(|one| one.degrees.keys());
        all.chain(&self.control).copied().collect()
    }

    /// Whether the parameter is in the outcome and in nothing else.
    pub(super) fn only_outcome_has(&self, one: Place) -> bool {
        !self.control.contains(&one)
            && self.args.first().is_some_and(|outcome| outcome.has(one))
            && self.values().skip(1).all(|own| !own.has(one))
    }

    /// Whether a truncation does not keep the density from being of this parameter's second degree.
    fn truncation_is_free_of(&self, one: Place) -> bool {
        self.truncation.is_none() || self.only_outcome_has(one)
    }

    /// Whether the term is a polynomial of the second degree in the parameter.
    pub(super) fn is_quadratic_in(&self, one: Place) -> bool {
        if self.control.contains(&one) || !self.truncation_is_free_of(one) {
            return false;
        }
        match (self.parts(), &self.value) {
            (Some((deviation, scale)), _) => deviation.is_affine_in(one) && !scale.has(one),
            (None, Some(value)) => value.degrees.get(&one) != Some(&Degree::Any),
            (None, None) => false,
        }
    }

    /// Those with which it is not a polynomial of the second degree in both together, though in each.
    pub(super) fn not_together_with(&self, own: Place) -> Vec<Place> {
        let deviation = self.parts().map(|parts| parts.0);
        let pairs = match (&deviation, &self.value) {
            (Some(deviation), _) => &deviation.products,
            (None, Some(value)) => &value.beyond,
            (None, None) => return vec![],
        };
        let others = pairs.iter().filter_map(|&(a, b)| match own {
            _ if own == a => Some(b),
            _ if own == b => Some(a),
            _ => None,
        });
        others.collect()
    }

    /// Whether the term itself has a second degree, and not only none that is higher.
    pub(super) fn curves(&self) -> bool {
        self.distribution.as_deref() != Some("uniform")
    }

    fn parts(&self) -> Option<(Dependence, Dependence)> {
        parts(self.distribution.as_deref()?, &self.args)
    }
}

/// Of a density that is a quadratic function of a deviation: the deviation, and what it is divided by.
pub(super) fn parts(distribution: &str, args: &[Dependence]) -> Option<(Dependence, Dependence)> {
    match (distribution, args) {
        ("std_normal", [y]) => Some((y.clone(), Dependence::default())),
        ("normal" | "multi_normal" | "multi_normal_cholesky" | "multi_normal_prec", [y, mean, scale]) => {
            Some((Dependence::sum([y, mean]), scale.clone()))
        }
        ("matrix_normal_prec", [y, mean, rows, columns]) => {
            Some((Dependence::sum([y, mean]), Dependence::sum([rows, columns])))
        }
        ("lognormal", [y, mean, scale]) => {
            Some((Dependence::sum([&Dependence::mixed([y]), mean]), scale.clone()))
        }
        ("normal_id_glm", [y, x, alpha, beta, scale]) => {
            let predicted = Dependence::product(x, beta, false);
            Some((Dependence::sum([y, alpha, &predicted]), scale.clone()))
        }
        // Constant where it is not zero.
        ("uniform", [_, low, high]) => Some((Dependence::default(), Dependence::sum([low, high]))),
        _ => None,
    }
}

/// The value of a density of the library as a function of the parameters.
pub(super) fn density(distribution: &str, args: &[Dependence]) -> Dependence {
    let mut value = match parts(distribution, args) {
        Some((deviation, scale)) => {
            let square = Dependence::product(&deviation, &deviation, false);
            Dependence::sum([&Dependence::quotient(&square, &scale, false), &Dependence::mixed([&scale])])
        }
        None => Dependence::mixed(args),
    };
    // The outcome of a uniform distribution is not in its density, but in where that is zero.
    for arg in args {
        for place in arg.degrees.keys() {
            value.degrees.entry(*place).or_insert(Degree::Any);
        }
    }
    value.density = true;
    value
}
