//! Conjugate pairs: a prior whose family the likelihood keeps.

use super::dependence::{Form, Place};
use super::terms::Term;
use super::walker::{Declared, bounded_by, is_constrained};
use crate::ast::Element;

/// Where a parameter may stand in a likelihood: the distribution, the place among its arguments (the outcome
/// is 0), and in which forms.
type Role = (&'static str, usize, &'static [Form]);

/// A family with its likelihoods.
struct Family {
    name: &'static str,
    /// Distributions that are of the family.
    priors: &'static [&'static str],
    roles: &'static [Role],
}

const MULTIPLE: &[Form] = &[Form::Element, Form::Scaled];

/// Families of one number or of one vector or matrix, each element independent.
const FAMILIES: &[Family] = &[
    Family {
        name: "beta",
        priors: &["beta"],
        roles: &[("bernoulli", 1, &[Form::Element]), ("binomial", 2, &[Form::Element])],
    },
    Family {
        name: "gamma",
        priors: &["gamma", "exponential", "chi_square"],
        roles: &[
            ("poisson", 1, MULTIPLE),
            ("exponential", 1, MULTIPLE),
            ("gamma", 2, MULTIPLE),
            ("inv_gamma", 2, MULTIPLE),
            ("normal", 2, &[Form::InvSqrt]),
            ("lognormal", 2, &[Form::InvSqrt]),
            ("double_exponential", 2, &[Form::Inverse]),
        ],
    },
    Family {
        name: "inv_gamma",
        priors: &["inv_gamma", "inv_chi_square", "scaled_inv_chi_square"],
        roles: &[
            ("normal", 2, &[Form::Sqrt]),
            ("lognormal", 2, &[Form::Sqrt]),
            ("exponential", 1, &[Form::Inverse]),
            ("gamma", 2, &[Form::Inverse]),
            ("double_exponential", 2, MULTIPLE),
        ],
    },
    Family {
        name: "dirichlet",
        priors: &["dirichlet"],
        roles: &[("categorical", 1, &[Form::Element]), ("multinomial", 1, &[Form::Element])],
    },
    Family { name: "inv_wishart", priors: &["inv_wishart"], roles: &[("multi_normal", 2, &[Form::Element])] },
    Family { name: "wishart", priors: &["wishart"], roles: &[("multi_normal_prec", 2, &[Form::Element])] },
];

/// Whether the values that the declaration allows are those of the family.
fn fits(family: &str, declared: &Declared<'_>) -> bool {
    match (family, &declared.sized.element) {
        ("beta", _) => bounded_by(declared.sized, "0", Some("1")),
        ("dirichlet", element) => *element == Element::Simplex,
        ("inv_wishart" | "wishart", element) => *element == Element::CovMatrix,
        _ => is_constrained(declared.sized) && bounded_by(declared.sized, "0", None),
    }
}

/// The family that the conditional distribution of a parameter has, and the terms of the likelihood.
///
/// `terms` are all that depend on it, with their places; `priors` says which are its prior.
pub(super) fn family(
    own: Place,
    declared: &Declared<'_>,
    terms: &[(usize, &Term)],
    priors: &[usize],
) -> Option<(&'static str, Vec<usize>)> {
    let stated: Vec<&Term> =
        terms.iter().filter(|(at, _)| priors.contains(at)).map(|(_, term)| *term).collect();
    let likelihoods: Vec<(usize, &Term)> =
        terms.iter().filter(|(at, _)| !priors.contains(at)).copied().collect();
    let found = FAMILIES.iter().find(|family| {
        let flat = matches!(family.name, "beta" | "dirichlet");
        fits(family.name, declared)
            && (flat || !stated.is_empty())
            && stated.iter().all(|term| is_prior(own, term, family))
            && likelihoods.iter().all(|(_, term)| has_role(own, term, family))
    })?;
    let places: Vec<usize> = likelihoods.into_iter().map(|(at, _)| at).collect();
    (!places.is_empty()).then_some((found.name, places))
}

fn is_prior(own: Place, term: &Term, family: &Family) -> bool {
    let distribution = term.distribution.as_deref();
    term.value.is_none()
        && term.truncation.is_none()
        && distribution.is_some_and(|name| family.priors.contains(&name))
        && term.only_outcome_has(own)
        && term.args[0].forms.get(&own) == Some(&Form::Element)
}

fn has_role(own: Place, term: &Term, family: &Family) -> bool {
    let Some(distribution) = term.distribution.as_deref() else { return false };
    let fits = |(name, at, forms): &Role| {
        *name == distribution
            && term.args.iter().enumerate().all(|(place, arg)| {
                if place == *at {
                    arg.forms.get(&own).is_some_and(|form| forms.contains(form))
                } else {
                    !arg.has(own)
                }
            })
    };
    term.value.is_none()
        && term.truncation.is_none()
        && !term.control.contains(&own)
        && family.roles.iter().any(fits)
}
