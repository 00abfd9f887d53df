//! Statements.

use std::collections::BTreeSet;

use super::dependence::Dependence;
use super::functions;
use super::terms::Term;
use super::walker::{Variables, Walker};
use crate::ast::{
    BinaryOp, Distribution, Expr, ExprKind, ForRange, Index, Printable, Statement, StatementKind,
};

impl Walker<'_> {
    pub(super) fn statements(&mut self, all: &[Statement]) {
        for one in all {
            self.statement(one);
        }
    }

    pub(super) fn statement(&mut self, one: &Statement) {
        if !self.step() {
            return;
        }
        match &one.kind {
            StatementKind::Declare(declaration) => {
                for (name, value) in &declaration.variables {
                    let value = value.as_ref().map(|value| self.governed(value));
                    self.variables.insert(name.text.clone(), value);
                }
            }
            StatementKind::Assign { target, op, value } => {
                let mut value = self.governed(value);
                if let Some(op) = op {
                    let old = self.value(target);
                    value = self.combined(*op, [target, target], &[old, value]);
                    value.decided_by(&self.control.clone());
                }
                self.assign(target, &value);
            }
            StatementKind::Call(expr) => {
                self.value(expr);
            }
            StatementKind::TargetPlus(expr) => self.target_plus(expr),
            StatementKind::JacobianPlus(expr) => {
                let value = self.value(expr);
                self.term(Term::added(expr.span, value, self.control.clone()));
            }
            StatementKind::Distribution(distribution) => self.distribution(distribution, one),
            StatementKind::Output(output, parts) => {
                for part in parts {
                    if let Printable::Value(expr) = part {
                        self.value(expr);
                    }
                }
                if *output != crate::ast::Output::Print {
                    self.restricted.extend(&self.control);
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.choice(condition, then, otherwise.as_deref());
            }
            StatementKind::While(condition, body) => {
                let outside = self.enter(&[condition], &[body]);
                self.repeat(|walker| {
                    let value = walker.value(condition);
                    walker.control.extend(value.degrees.keys());
                    walker.statement(body);
                });
                self.leave(outside);
            }
            StatementKind::For { variable, range, body } => {
                let (value, outside) = match range.as_ref() {
                    ForRange::Between(from, to) => {
                        let ends = [self.value(from), self.value(to)];
                        let mut value = Dependence::mixed(&ends);
                        value.data = false;
                        (value, self.enter(&[from, to], &[body]))
                    }
                    ForRange::Each(all) => (self.value(all), self.enter(&[], &[body])),
                };
                self.variables.insert(variable.text.clone(), Some(value));
                self.repeat(|walker| walker.statement(body));
                self.leave(outside);
            }
            StatementKind::Profile(_, all) | StatementKind::Block(all) => self.statements(all),
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.governed(value));
                if let (Some((_, returned)), Some(value)) = (self.calls.last_mut(), value) {
                    join(returned, &value);
                }
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Empty => {}
        }
    }

    /// The value of an expression, with what decides whether it is taken.
    fn governed(&mut self, expr: &Expr) -> Dependence {
        let mut value = self.value(expr);
        value.decided_by(&self.control.clone());
        value
    }

    /// Gives a value to a variable, or to a part of it.
    fn assign(&mut self, target: &Expr, value: &Dependence) {
        match &target.kind {
            ExprKind::Variable(name) if self.control.is_empty() => {
                self.variables.insert(name.clone(), Some(value.clone()));
            }
            ExprKind::Variable(name) => {
                join(self.variables.entry(name.clone()).or_default(), value);
            }
            ExprKind::Index(base, indices) => {
                let places: Vec<Dependence> =
                    indices.iter().flat_map(Index::expressions).map(|one| self.value(one)).collect();
                let mut value = value.clone();
                value.decided_by(&places.iter().flat_map(|own| own.degrees.keys().copied()).collect());
                self.assign_part(base, &value);
            }
            ExprKind::Tuple(members) => members.iter().for_each(|one| self.assign(one, value)),
            _ => self.assign_part(target, value),
        }
    }

    fn assign_part(&mut self, target: &Expr, value: &Dependence) {
        match &target.kind {
            ExprKind::Variable(name) => join(self.variables.entry(name.clone()).or_default(), value),
            ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Paren(base) => {
                self.assign_part(base, value);
            }
            _ => {}
        }
    }

    fn choice(&mut self, condition: &Expr, then: &Statement, otherwise: Option<&Statement>) {
        let branches: Vec<&Statement> = std::iter::once(then).chain(otherwise).collect();
        let outside = self.enter(&[condition], &branches);
        let before = self.snapshot();
        self.statement(then);
        let after = std::mem::replace(&mut self.variables, before);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        join_all(&mut self.variables, &after);
        self.leave(outside);
    }

    /// Repeats until nothing changes; no round at all is possible as well.
    fn repeat(&mut self, mut round: impl FnMut(&mut Self)) {
        loop {
            let (before, control) = (self.snapshot(), self.control.clone());
            round(self);
            join_all(&mut self.variables, &before);
            if (self.variables == before && self.control == control) || !self.is_complete() {
                return;
            }
        }
    }

    /// Enters statements that conditions decide on; what decided before is returned, but for statements that
    /// may end a loop or a function: all that follows depends on their conditions.
    fn enter(&mut self, conditions: &[&Expr], bodies: &[&Statement]) -> Option<BTreeSet<usize>> {
        let before = self.control.clone();
        for condition in conditions {
            let value = self.value(condition);
            self.control.extend(value.degrees.keys());
        }
        (!bodies.iter().any(|body| leaps(body))).then_some(before)
    }

    fn leave(&mut self, outside: Option<BTreeSet<usize>>) {
        if let Some(control) = outside {
            self.control = control;
        }
    }

    /// Adds a term, if it depends on parameters.
    fn term(&mut self, term: Term) {
        if !self.of_density || term.parameters().is_empty() {
            return;
        }
        match self.terms.get_mut(&term.span) {
            Some(known) => known.join(&term),
            None => {
                self.terms.insert(term.span, term);
            }
        }
    }

    /// Each summand is a term.
    fn target_plus(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Paren(one) => return self.target_plus(one),
            ExprKind::Binary(BinaryOp::Add, one, other) => {
                self.target_plus(one);
                return self.target_plus(other);
            }
            ExprKind::Call { args, .. } => {
                let function = self.function(expr);
                if let Some(distribution) = functions::distribution(&function) {
                    let values: Vec<Dependence> = args.iter().map(|arg| self.value(arg)).collect();
                    let is_user = self.typed.resolved(expr).is_some_and(|own| own.user.is_some());
                    let value = is_user.then(|| self.value(expr));
                    return self.term(Term {
                        span: expr.span,
                        distribution: Some(distribution.to_owned()),
                        args: values,
                        value,
                        truncation: None,
                        control: self.control.clone(),
                    });
                }
            }
            _ => {}
        }
        let value = self.value(expr);
        self.term(Term::added(expr.span, value, self.control.clone()));
    }

    fn distribution(&mut self, own: &Distribution, statement: &Statement) {
        let args: Vec<Dependence> =
            std::iter::once(&own.left).chain(&own.args).map(|arg| self.value(arg)).collect();
        let resolved = self.typed.density(own).cloned();
        let user = resolved.and_then(|resolved| resolved.user);
        let value = user.map(|at| self.call(at, &args));
        let truncation = own.truncation.as_ref().map(|(low, high)| {
            let bounds: Vec<Dependence> = low.iter().chain(high).map(|bound| self.value(bound)).collect();
            Dependence::mixed(&bounds)
        });
        self.term(Term {
            span: statement.span,
            distribution: Some(own.name.text.clone()),
            args,
            value,
            truncation,
            control: self.control.clone(),
        });
    }
}

fn join(variable: &mut Option<Dependence>, value: &Dependence) {
    match variable {
        Some(own) => own.join(value),
        None => *variable = Some(value.clone()),
    }
}

fn join_all(variables: &mut Variables, others: &Variables) {
    for (name, other) in others {
        let own = variables.entry(name.clone()).or_default();
        if let Some(other) = other {
            join(own, other);
        }
    }
}

/// Whether a statement may end a loop or a function.
fn leaps(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break | StatementKind::Continue | StatementKind::Return(_) => true,
        StatementKind::If { then, otherwise, .. } => {
            leaps(then) || otherwise.as_ref().is_some_and(|other| leaps(other))
        }
        StatementKind::While(_, body) | StatementKind::For { body, .. } => leaps(body),
        StatementKind::Block(all) | StatementKind::Profile(_, all) => all.iter().any(leaps),
        _ => false,
    }
}
