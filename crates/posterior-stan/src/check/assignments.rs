//! Assignments: what may stand on the left, and what fits into it.

use super::choice::describe;
use super::declarations::help_for_value;
use super::expressions::operator_type;
use super::{Checker, ExprType};
use crate::ast::{BinaryOp, BlockKind, Expr, ExprKind, Index, Statement};
use crate::diagnostic::Diagnostic;
use crate::types::Type;

/// The most places that one assignment names.
const MOST_PARTS: usize = 500;

impl Checker {
    pub(super) fn assign(
        &mut self,
        statement: &Statement,
        target: &Expr,
        op: Option<BinaryOp>,
        value: &Expr,
    ) {
        let left = self.target(target);
        self.check_overlap(statement, target);
        let right = self.value(value);
        if left.of == Type::Unknown || right.of == Type::Unknown {
            return;
        }
        let Some(op) = op else {
            if right.of.promotion(&left.of).is_none() {
                let message = format!(
                    "the left side is {}, the right side {}",
                    describe(&left.of),
                    describe(&right.of)
                );
                let help = help_for_value(&right.of, &left.of);
                self.error(Diagnostic::error(value.span, message).with_help_if(help));
            }
            return;
        };
        let scalars = matches!(left.of, Type::Int | Type::Real | Type::Complex);
        let elementwise = matches!(op, BinaryOp::EltMultiply | BinaryOp::EltDivide);
        let result = if scalars && elementwise {
            Err(vec![format!("write `{}=` for single numbers", &op.sign()[1..])])
        } else {
            operator_type(op.function(), &[left.clone(), right.clone()])
        };
        match result {
            Ok((resolved, typed)) if typed.of == left.of => {
                self.found.calls.insert(target.id, resolved);
            }
            Ok((_, typed)) => {
                let message = format!(
                    "`{}` of `{}` and `{}` is `{}`, which does not fit into the left side",
                    op.sign(),
                    left.of,
                    right.of,
                    typed.of
                );
                self.error(Diagnostic::error(value.span, message));
            }
            Err(help) => {
                let message = format!("`{}=` has no meaning for `{}` and `{}`", op.sign(), left.of, right.of);
                let mut error = Diagnostic::error(value.span, message);
                error.help = help;
                self.error(error);
            }
        }
    }

    /// The type of what stands left of `=`.
    fn target(&mut self, target: &Expr) -> ExprType {
        if let ExprKind::Tuple(members) = &target.kind {
            let of = members.iter().map(|member| self.target(member).of).collect();
            let typed = ExprType::new(Type::Tuple(of), true);
            if let Some(slot) = self.found.types.get_mut(target.id as usize) {
                *slot = Some(typed.clone());
            }
            return typed;
        }
        if let Some((name, root)) = root(target) {
            self.check_assignable(name, root);
            self.check_slices(target);
        }
        let typed = self.expr(target);
        if let Type::Function(_) = typed.of { ExprType::unknown() } else { typed }
    }

    fn check_assignable(&mut self, name: &str, root: &Expr) {
        let Some(variable) = self.scopes.get(name) else {
            if self.functions.contains_key(name) || crate::signatures::signatures(name).is_some() {
                self.error(Diagnostic::error(
                    root.span,
                    format!("`{name}` is a function: it cannot be assigned to"),
                ));
            }
            return;
        };
        let block = variable.block;
        let reason = if let Some(reason) = variable.fixed {
            reason.to_owned()
        } else if variable.global && block != self.place.block {
            format!("it belongs to the {} block", block.name())
        } else if matches!(block, BlockKind::Data | BlockKind::Parameters) {
            format!("what the {} block declares is given", block.name())
        } else {
            return;
        };
        let error = Diagnostic::error(root.span, format!("`{name}` cannot be assigned to"));
        self.error(error.with_help(reason));
    }

    /// A slice of a slice is a copy: it cannot be assigned to.
    fn check_slices(&mut self, target: &Expr) {
        if let ExprKind::Index(inner, _) = &target.kind
            && let ExprKind::Index(_, indices) = &inner.kind
            && indices.iter().any(|index| !matches!(index, Index::At(_)))
        {
            let error = Diagnostic::error(inner.span, "a slice of a slice cannot be assigned to");
            self.error(error.with_help("give all indices in one pair of brackets: x[1:2, 3]"));
        }
        if let ExprKind::Index(inner, _) | ExprKind::Field(inner, _) = &target.kind {
            self.check_slices(inner);
        }
    }

    /// Each place is assigned to once, and no index reads what is being assigned.
    fn check_overlap(&mut self, statement: &Statement, target: &Expr) {
        let mut parts = Vec::new();
        flatten(target, &mut parts);
        if parts.len() > MOST_PARTS {
            let message = format!("{} places are assigned to at once; at most {MOST_PARTS}", parts.len());
            self.error(Diagnostic::error(statement.span, message));
            return;
        }
        let names: Vec<&str> = parts.iter().filter_map(|part| root(part)).map(|(name, _)| name).collect();
        for part in &parts {
            if let Some(name) = names.iter().find(|name| indices_read(part, name)) {
                let error = Diagnostic::error(
                    statement.span,
                    format!("`{name}` is read in an index while it is assigned to"),
                );
                self.error(error.with_help("keep the index in a variable before"));
                return;
            }
        }
        for (at, part) in parts.iter().enumerate() {
            if let Some(other) = parts[..at].iter().find(|other| overlap(other, part)) {
                let name = root(other).map_or("", |(name, _)| name);
                let error = Diagnostic::error(
                    statement.span,
                    format!("`{name}` is assigned to twice in one statement"),
                );
                self.error(error);
                return;
            }
        }
    }
}

/// The variable of which something is a part.
fn root(target: &Expr) -> Option<(&str, &Expr)> {
    match &target.kind {
        ExprKind::Variable(name) => Some((name, target)),
        ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => root(inner),
        _ => None,
    }
}

fn flatten<'e>(target: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &target.kind {
        ExprKind::Tuple(members) => members.iter().for_each(|member| flatten(member, parts)),
        _ => parts.push(target),
    }
}

/// Whether an index of a target reads a variable.
fn indices_read(target: &Expr, name: &str) -> bool {
    match &target.kind {
        ExprKind::Index(inner, indices) => {
            indices.iter().flat_map(Index::expressions).any(|expr| reads(expr, name))
                || indices_read(inner, name)
        }
        ExprKind::Field(inner, _) => indices_read(inner, name),
        _ => false,
    }
}

fn reads(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Variable(other) => other == name,
        ExprKind::Paren(one)
        | ExprKind::Unary(_, one)
        | ExprKind::Transpose(one)
        | ExprKind::Field(one, _) => reads(one, name),
        ExprKind::Binary(_, one, other) => reads(one, name) || reads(other, name),
        ExprKind::Conditional(three) => three.iter().any(|one| reads(one, name)),
        ExprKind::Array(list)
        | ExprKind::RowVector(list)
        | ExprKind::Tuple(list)
        | ExprKind::Call { args: list, .. } => list.iter().any(|one| reads(one, name)),
        ExprKind::Index(inner, indices) => {
            reads(inner, name) || indices.iter().flat_map(Index::expressions).any(|one| reads(one, name))
        }
        ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Imaginary(_) | ExprKind::Target => false,
    }
}

/// The steps from the variable to the part: fields by number, indices as nothing.
fn path(target: &Expr) -> Vec<Option<usize>> {
    match &target.kind {
        ExprKind::Index(inner, _) => path(inner).into_iter().chain([None]).collect(),
        ExprKind::Field(inner, field) => path(inner).into_iter().chain([Some(*field)]).collect(),
        _ => Vec::new(),
    }
}

/// Whether two parts may be the same place: of one variable, and no two fields that differ.
fn overlap(one: &Expr, other: &Expr) -> bool {
    let same = root(one).map(|(name, _)| name) == root(other).map(|(name, _)| name);
    same && !path(one).iter().zip(path(other)).any(|(a, b)| matches!((a, b), (Some(a), Some(b)) if *a != b))
}
