//! The walk over a program, with dependences in the place of numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::dependence::{Dependence, Place};
use super::terms::Term;
use crate::ast::{BlockKind, Declaration, Element, Expr, ExprKind, SizedType, Statement, StatementKind};
use crate::program::TypedProgram;
use crate::span::Span;

/// Statements and calls that are followed before the walk gives up.
const LONGEST: u32 = 1_000_000;

/// A variable: nothing before its first value.
pub(super) type Variables = BTreeMap<String, Option<Dependence>>;

/// A parameter's declaration.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) name: &'a str,
    pub(super) sized: &'a SizedType,
    pub(super) span: Span,
    /// Parameters that its offset and multiplier depend on.
    pub(super) moved_by: BTreeSet<Place>,
}

/// What is known so far.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    pub(super) typed: &'a TypedProgram,
    pub(super) parameters: Vec<Declared<'a>>,
    pub(super) variables: Variables,
    /// Terms by their places.
    pub(super) terms: BTreeMap<Span, Term>,
    /// Parameters that decide whether the statement is reached.
    pub(super) control: BTreeSet<Place>,
    /// Parameters whose values are restricted by more than their own declarations.
    pub(super) restricted: BTreeSet<Place>,
    /// What depends on each parameter, of transformed parameters and generated quantities.
    pub(super) quantities: BTreeMap<Place, Vec<String>>,
    pub(super) mixtures: BTreeMap<Span, String>,
    /// Definitions that are being followed, with the values that they return.
    pub(super) calls: Vec<(usize, Option<Dependence>)>,
    /// Whether the statements are of the density.
    pub(super) of_density: bool,
    steps: u32,
}

impl<'a> Walker<'a> {
    pub(super) fn new(typed: &'a TypedProgram) -> Self {
        Self {
            typed,
            parameters: vec![],
            variables: Variables::new(),
            terms: BTreeMap::new(),
            control: BTreeSet::new(),
            restricted: BTreeSet::new(),
            quantities: BTreeMap::new(),
            mixtures: BTreeMap::new(),
            calls: vec![],
            of_density: true,
            steps: 0,
        }
    }

    /// Whether the walk may go on.
    pub(super) const fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        self.is_complete()
    }

    /// The variables, to be compared or joined with what becomes of them.
    pub(super) fn snapshot(&mut self) -> Variables {
        let taken = u32::try_from(self.variables.len()).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_add(taken);
        self.variables.clone()
    }

    /// Ends the walk: nothing is claimed.
    pub(super) const fn give_up(&mut self) {
        self.steps = u32::MAX;
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.steps <= LONGEST
    }

    fn block(&self, kind: BlockKind) -> &'a [Statement] {
        self.typed.tree().block(kind).map_or(&[], |block| &block.statements)
    }

    /// Follows all blocks.
    pub(super) fn program(&mut self) {
        for kind in [BlockKind::Data, BlockKind::TransformedData] {
            for declaration in declarations(self.block(kind)) {
                for (name, _) in &declaration.variables {
                    self.variables.insert(name.text.clone(), Some(Dependence::of_data()));
                }
            }
        }
        for declaration in declarations(self.block(BlockKind::Parameters)) {
            self.parameter(declaration);
        }
        self.statements(self.block(BlockKind::TransformedParameters));
        self.derived(BlockKind::TransformedParameters);
        self.statements(self.block(BlockKind::Model));
        self.control.clear();
        self.of_density = false;
        self.statements(self.block(BlockKind::GeneratedQuantities));
        self.derived(BlockKind::GeneratedQuantities);
    }

    fn parameter(&mut self, declaration: &'a Declaration) {
        let bounds = &declaration.sized.bounds;
        for bound in bounds.lower.iter().chain(&bounds.upper) {
            let value = self.value(bound);
            self.restricted.extend(value.degrees.keys());
        }
        let moves = bounds.offset.iter().chain(&bounds.multiplier);
        let moved_by: BTreeSet<Place> = moves.flat_map(|own| self.value(own).degrees.into_keys()).collect();
        for (name, _) in &declaration.variables {
            let own = Dependence::of_parameter(self.parameters.len());
            self.parameters.push(Declared {
                name: &name.text,
                sized: &declaration.sized,
                span: name.span,
                moved_by: moved_by.clone(),
            });
            self.variables.insert(name.text.clone(), Some(own));
        }
    }

    /// Notes what the variables of a block depend on, and what their constraints exclude.
    fn derived(&mut self, kind: BlockKind) {
        for declaration in declarations(self.block(kind)) {
            for (name, _) in &declaration.variables {
                let Some(Some(value)) = self.variables.get(&name.text).cloned() else { continue };
                for place in value.degrees.keys() {
                    self.quantities.entry(*place).or_default().push(name.text.clone());
                }
                if kind == BlockKind::TransformedParameters && is_constrained(&declaration.sized) {
                    let natural = bounded_by(&declaration.sized, "0", None);
                    let own = value.degrees.keys().filter(|one| !(natural && value.forms.contains_key(one)));
                    self.restricted.extend(own);
                }
            }
        }
    }
}

fn declarations(statements: &[Statement]) -> impl Iterator<Item = &Declaration> {
    statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Declare(declaration) => Some(&**declaration),
        _ => None,
    })
}

/// Whether a type excludes values.
pub(super) fn is_constrained(sized: &SizedType) -> bool {
    let bounds = &sized.bounds;
    bounds.lower.is_some() || bounds.upper.is_some() || sized.element.is_constrained()
}

/// Whether the bounds of a type are these numbers.
pub(super) fn bounded_by(sized: &SizedType, lower: &str, upper: Option<&str>) -> bool {
    let is = |bound: &Option<Expr>, wanted: Option<&str>| match (bound, wanted) {
        (None, None) => true,
        (Some(bound), Some(wanted)) => number(bound) == wanted.parse::<f64>().ok(),
        _ => false,
    };
    !sized.element.is_constrained()
        && !matches!(sized.element, Element::Tuple(_))
        && is(&sized.bounds.lower, Some(lower))
        && is(&sized.bounds.upper, upper)
}

/// A number that is written as such.
pub(super) fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Int(text) | ExprKind::Real(text) => text.replace('_', "").parse().ok(),
        ExprKind::Paren(one) => number(one),
        ExprKind::Unary(crate::ast::UnaryOp::Minus, one) => number(one).map(|own| -own),
        _ => None,
    }
}
