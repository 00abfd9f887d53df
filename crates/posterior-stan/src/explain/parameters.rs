//! What is known of each parameter, of the terms that depend on it.

use std::collections::BTreeSet;

use super::conjugate;
use super::dependence::Place;
use super::findings::{
    ConditionalKind, ExplainedParameter, ExplainedTerm, PriorKind, ProgramExplanation, SummedMixture,
    TextPlace,
};
use super::terms::Term;
use super::walker::{Declared, Walker, is_constrained};
use crate::ast::Element;
use crate::span::Span;

/// Distributions with a location and a scale, at their places among the arguments.
const SCALES: &[(&str, usize)] = &[
    ("normal", 2),
    ("cauchy", 2),
    ("double_exponential", 2),
    ("logistic", 2),
    ("lognormal", 2),
    ("student_t", 3),
    ("multi_normal", 2),
    ("multi_normal_cholesky", 2),
    ("multi_student_t", 3),
    ("multi_student_t_cholesky", 3),
];

/// Everything that is known of a program that was followed.
pub(super) fn explanation(walker: &Walker<'_>) -> ProgramExplanation {
    let terms: Vec<(usize, &Term)> = walker.terms.values().enumerate().collect();
    let mut of_each = vec![vec![]; walker.parameters.len()];
    for (at, term) in &terms {
        term.parameters().into_iter().for_each(|own| of_each[own].push((*at, *term)));
    }
    let parameters: Vec<ExplainedParameter> =
        of_each.iter().enumerate().map(|(own, terms)| parameter(walker, own, terms)).collect();
    let mixtures = walker
        .mixtures
        .iter()
        .map(|(span, function)| SummedMixture { function: function.clone(), place: place(walker, *span) });
    ProgramExplanation {
        joint: together(walker, &gaussian(&parameters, &of_each))
            .into_iter()
            .filter(|set| set.len() > 1)
            .collect(),
        latent: together(walker, &latent(walker, &of_each)),
        parameters,
        terms: terms.iter().map(|(_, term)| explained(walker, term)).collect(),
        mixtures: mixtures.collect(),
        complete: walker.is_complete(),
    }
}

fn place(walker: &Walker<'_>, span: Span) -> TextPlace {
    let (file, position) = walker.typed.program().source.place(span.start);
    TextPlace { file: file.to_owned(), line: position.line, column: position.column }
}

fn explained(walker: &Walker<'_>, term: &Term) -> ExplainedTerm {
    let text = term.span.of(walker.typed.program().text());
    let name = |own: &Place| walker.parameters[*own].name.to_owned();
    ExplainedTerm {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        place: place(walker, term.span),
        distribution: term.distribution.clone(),
        parameters: term.parameters().iter().map(name).collect(),
        truncated: term.truncation.is_some(),
    }
}

/// A parameter of which these are all terms.
fn parameter(walker: &Walker<'_>, own: Place, all: &[(usize, &Term)]) -> ExplainedParameter {
    let declared = &walker.parameters[own];
    let (priors, others): (Vec<_>, Vec<_>) = all.iter().copied().partition(|(_, term)| is_prior(own, term));
    let places = |some: &[(usize, &Term)]| some.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    let changed: Vec<_> = all.iter().filter(|(_, term)| changes(own, term)).copied().collect();
    let conditional = if walker.is_complete() {
        conditional(walker, own, all, &places(&priors))
    } else {
        ConditionalKind::Unknown { obstacle: None }
    };
    ExplainedParameter {
        name: declared.name.to_owned(),
        declared: declared.sized.to_string(),
        place: place(walker, declared.span),
        prior: prior(walker, own, &priors, &others),
        priors: places(&priors),
        terms: places(&others),
        quantities: walker.quantities.get(&own).cloned().unwrap_or_default(),
        conditional,
        scales: scales(walker, own, &priors),
        changed: places(&changed),
    }
}

/// Whether a term says how a parameter is distributed: elements of it are the outcome, or the outcome is a
/// function of it alone.
fn is_prior(own: Place, term: &Term) -> bool {
    let of = |outcome: &super::dependence::Dependence| {
        outcome.elements.contains(&own) || outcome.has(own) && outcome.degrees.len() == 1 && !outcome.data
    };
    term.args.first().is_some_and(of)
}

/// Whether a term's outcome is a function of a parameter that is not affine.
fn changes(own: Place, term: &Term) -> bool {
    is_prior(own, term) && term.args.first().is_some_and(|outcome| !outcome.is_affine_in(own))
}

fn prior(walker: &Walker<'_>, own: Place, priors: &[(usize, &Term)], others: &[(usize, &Term)]) -> PriorKind {
    let may_hold = |term: &Term| {
        term.distribution.is_none()
            || term.args.first().is_some_and(|outcome| outcome.has(own) && !outcome.data)
    };
    if !priors.is_empty() {
        PriorKind::Stated
    } else if !walker.is_complete() || others.iter().any(|(_, term)| may_hold(term)) {
        PriorKind::Unclear
    } else if is_bounded(&walker.parameters[own]) {
        PriorKind::Uniform
    } else {
        PriorKind::Flat
    }
}

/// Whether the values that a declaration allows are a bounded set.
fn is_bounded(declared: &Declared<'_>) -> bool {
    let bounds = &declared.sized.bounds;
    bounds.lower.is_some() && bounds.upper.is_some()
        || matches!(
            declared.sized.element,
            Element::Simplex
                | Element::UnitVector
                | Element::CorrMatrix
                | Element::CholeskyFactorCorr
                | Element::ColumnStochasticMatrix
                | Element::RowStochasticMatrix
        )
}

/// Whether the values are a linear space or part of one with a density of its own.
fn is_linear(element: &Element) -> bool {
    matches!(
        element,
        Element::Real
            | Element::Vector
            | Element::RowVector
            | Element::Matrix
            | Element::Ordered
            | Element::PositiveOrdered
            | Element::SumToZeroVector
            | Element::SumToZeroMatrix
    )
}

fn is_cut(element: &Element) -> bool {
    matches!(element, Element::Ordered | Element::PositiveOrdered)
}

fn conditional(
    walker: &Walker<'_>,
    own: Place,
    terms: &[(usize, &Term)],
    priors: &[usize],
) -> ConditionalKind {
    let declared = &walker.parameters[own];
    let restricted = walker.restricted.contains(&own);
    if !restricted && let Some((family, likelihoods)) = conjugate::family(own, declared, terms, priors) {
        return ConditionalKind::Conjugate { family, likelihoods };
    }
    if !is_linear(&declared.sized.element) {
        return ConditionalKind::Unknown { obstacle: None };
    }
    let obstacle = terms.iter().find(|(_, term)| !term.is_quadratic_in(own));
    if obstacle.is_some() || !terms.iter().any(|(_, term)| term.curves()) {
        return ConditionalKind::Unknown { obstacle: obstacle.map(|(at, _)| *at) };
    }
    let terms: Vec<&Term> = terms.iter().map(|(_, term)| *term).collect();
    ConditionalKind::Gaussian { within: is_constrained_or_cut(walker, own, &terms) }
}

/// Sets of parameters that are Gaussian together, each parameter in the first that it fits; `terms` are those
/// of each parameter that make it Gaussian, and none of others.
fn together(walker: &Walker<'_>, terms: &[Vec<&Term>]) -> Vec<Vec<String>> {
    let apart: Vec<BTreeSet<Place>> = terms
        .iter()
        .enumerate()
        .map(|(own, terms)| terms.iter().flat_map(|term| term.not_together_with(own)).collect())
        .collect();
    let mut sets: Vec<Vec<Place>> = vec![];
    for own in (0..terms.len()).filter(|own| !terms[*own].is_empty()) {
        let fits = |other: &Place| !apart[own].contains(other) && !apart[*other].contains(&own);
        match sets.iter_mut().find(|set| set.iter().all(fits)) {
            Some(set) => set.push(own),
            None => sets.push(vec![own]),
        }
    }
    let name = |own: Place| walker.parameters[own].name.to_owned();
    sets.into_iter().map(|set| set.into_iter().map(name).collect()).collect()
}

/// Of each parameter the terms that make it Gaussian given the others: all of those that it has.
fn gaussian<'a>(parameters: &[ExplainedParameter], terms: &[Vec<(usize, &'a Term)>]) -> Vec<Vec<&'a Term>> {
    let own = |(parameter, terms): (&ExplainedParameter, &Vec<(usize, &'a Term)>)| {
        let is = parameter.conditional == (ConditionalKind::Gaussian { within: false });
        terms.iter().filter(|_| is).map(|(_, term)| *term).collect()
    };
    parameters.iter().zip(terms).map(own).collect()
}

/// Of each parameter that a latent Gaussian model has as a latent value the terms of its prior.
fn latent<'a>(walker: &Walker<'_>, terms: &[Vec<(usize, &'a Term)>]) -> Vec<Vec<&'a Term>> {
    let own = |(own, terms): (Place, &Vec<(usize, &'a Term)>)| {
        let priors: Vec<&Term> =
            terms.iter().map(|(_, term)| *term).filter(|term| is_prior(own, term)).collect();
        let is = walker.is_complete() && !is_constrained_or_cut(walker, own, &priors);
        let is_gaussian = |term: &&Term| term.is_quadratic_in(own) && term.curves();
        if is && priors.iter().all(is_gaussian) { priors } else { vec![] }
    };
    terms.iter().enumerate().map(own).collect()
}

/// Whether the values of a parameter are less than a linear space.
fn is_constrained_or_cut(walker: &Walker<'_>, own: Place, terms: &[&Term]) -> bool {
    let declared = &walker.parameters[own];
    let bounds = &declared.sized.bounds;
    !is_linear(&declared.sized.element)
        || walker.restricted.contains(&own)
        || bounds.lower.is_some()
        || bounds.upper.is_some()
        || is_cut(&declared.sized.element)
        || terms.iter().any(|term| term.truncation.is_some() || !term.curves())
}

/// Parameters that the scale of the prior depends on, unless the declaration is scaled by them.
fn scales(walker: &Walker<'_>, own: Place, priors: &[(usize, &Term)]) -> Vec<String> {
    let declared = &walker.parameters[own];
    let mut found = BTreeSet::new();
    for (_, term) in priors {
        let Some(distribution) = term.distribution.as_deref() else { continue };
        let Some((_, at)) = SCALES.iter().find(|(name, _)| *name == distribution) else { continue };
        if term.value.is_some() || !term.args[0].is_affine_in(own) {
            continue;
        }
        if let Some(scale) = term.args.get(*at) {
            found.extend(scale.degrees.keys().filter(|one| **one != own));
        }
    }
    let unscaled = found.iter().filter(|one| !declared.moved_by.contains(one));
    if is_constrained(declared.sized) && !is_cut(&declared.sized.element) {
        return vec![];
    }
    unscaled.map(|one| walker.parameters[*one].name.to_owned()).collect()
}
