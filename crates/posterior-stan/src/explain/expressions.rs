//! Expressions.

use super::dependence::Dependence;
use super::walker::{Variables, Walker, number};
use super::{functions, terms};
use crate::ast::{BinaryOp, Expr, ExprKind, FunctionDefinition, Index, UnaryOp};
use crate::types::Type;

/// Calls within each other that are followed.
const DEEPEST: usize = 20;

impl<'a> Walker<'a> {
    pub(super) fn value(&mut self, expr: &Expr) -> Dependence {
        if !self.step() {
            return Dependence::default();
        }
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Imaginary(_) => Dependence::default(),
            ExprKind::Variable(name) => self.variables.get(name).cloned().flatten().unwrap_or_default(),
            ExprKind::Target => Dependence::of_all(0..self.parameters.len()),
            ExprKind::Paren(one) | ExprKind::Transpose(one) | ExprKind::Field(one, _) => self.value(one),
            ExprKind::Unary(op, one) => {
                let value = self.value(one);
                match op {
                    UnaryOp::Plus => value,
                    UnaryOp::Minus => Dependence::sum([&value]),
                    UnaryOp::Not => Dependence::mixed([&value]),
                }
            }
            ExprKind::Binary(op, one, other) => {
                let values = [self.value(one), self.value(other)];
                self.combined(*op, [one, other], &values)
            }
            ExprKind::Conditional(three) => {
                let [condition, one, other] = &**three;
                let condition = self.value(condition);
                let mut value = self.value(one);
                value.join(&self.value(other));
                value.decided_by(&condition.degrees.into_keys().collect());
                value
            }
            ExprKind::Array(all) | ExprKind::RowVector(all) | ExprKind::Tuple(all) => {
                let mut values = all.iter().map(|one| self.value(one));
                let first = values.next().unwrap_or_default();
                values.fold(first, |mut all, one| {
                    all.join(&one);
                    all
                })
            }
            ExprKind::Call { args, .. } => self.called(expr, args),
            ExprKind::Index(base, indices) => {
                let mut value = self.value(base);
                for index in indices.iter().flat_map(Index::expressions) {
                    let place = self.value(index);
                    value.decided_by(&place.degrees.into_keys().collect());
                }
                value
            }
        }
    }

    /// The value of a sign between two expressions.
    pub(super) fn combined(&self, op: BinaryOp, sides: [&Expr; 2], values: &[Dependence; 2]) -> Dependence {
        match op {
            BinaryOp::Power | BinaryOp::EltPower if let Some(exponent) = number(sides[1]) => {
                functions::power(&values[0], exponent)
            }
            _ => functions::apply(op.function(), values, &sides.map(|side| self.is_scalar(side))),
        }
    }

    fn is_scalar(&self, expr: &Expr) -> bool {
        let own = self.typed.type_of(expr);
        own.is_some_and(|own| matches!(own.of, Type::Int | Type::Real))
    }

    /// The name of the function that a call means, with the suffix that it is defined with.
    pub(super) fn function(&self, expr: &Expr) -> String {
        match (self.typed.resolved(expr), &expr.kind) {
            (Some(resolved), _) => resolved.function.clone(),
            (None, ExprKind::Call { function, .. }) => function.text.clone(),
            _ => String::new(),
        }
    }

    fn called(&mut self, expr: &Expr, args: &[Expr]) -> Dependence {
        let function = self.function(expr);
        let values: Vec<Dependence> = args.iter().map(|arg| self.value(arg)).collect();
        if let Some(at) = self.typed.resolved(expr).and_then(|resolved| resolved.user) {
            return self.call(at, &values);
        }
        if function.starts_with("reduce_sum")
            && let [partial, sliced, _, rest @ ..] = values.as_slice()
            && let Some(at) = args.first().and_then(|own| self.typed.resolved(own)).and_then(|own| own.user)
        {
            let ends = [Dependence::default(), Dependence::default()];
            let passed: Vec<Dependence> = std::iter::once(sliced).chain(&ends).chain(rest).cloned().collect();
            let value = self.call(at, &passed);
            return Dependence::sum([&value, partial]);
        }
        let sums = functions::SUMS.contains(&function.as_str()) && values.iter().any(|own| own.density);
        if self.of_density && (sums || functions::CHAINS.contains(&function.as_str())) {
            self.mixtures.insert(expr.span, function.clone());
        }
        if let Some(distribution) = functions::distribution(&function) {
            return terms::density(distribution, &values);
        }
        if function == "pow"
            && let Some(exponent) = args.get(1).and_then(number)
        {
            return functions::power(&values[0], exponent);
        }
        let scalar: Vec<bool> = args.iter().map(|arg| self.is_scalar(arg)).collect();
        let mut value = functions::apply(&function, &values, &scalar);
        value.density |= functions::is_density(&function);
        value
    }

    /// Follows a function of the program.
    pub(super) fn call(&mut self, at: usize, args: &[Dependence]) -> Dependence {
        let Some(definition) = self.definition(at) else { return Dependence::mixed(args) };
        let recursive = self.calls.len() >= DEEPEST || self.calls.iter().any(|call| call.0 == at);
        let (Some(body), false) = (&definition.body, recursive) else {
            // What it adds to the density is not seen.
            if recursive && definition.name.text.ends_with("_lp") {
                self.give_up();
            }
            return Dependence::mixed(args);
        };
        let names = definition.args.iter().map(|arg| arg.name.text.clone());
        let own: Variables = names.zip(args.iter().cloned().map(Some)).collect();
        let outside = std::mem::replace(&mut self.variables, own);
        let control = self.control.clone();
        self.calls.push((at, None));
        self.statement(body);
        let returned = self.calls.pop().and_then(|call| call.1);
        self.variables = outside;
        self.control = control;
        let mut value = returned.unwrap_or_default();
        value.density |= functions::is_density(&definition.name.text);
        value
    }

    /// A definition with a body: announcements lead to it.
    fn definition(&self, at: usize) -> Option<&'a FunctionDefinition> {
        let all = &self.typed.tree().functions.as_ref()?.definitions;
        let own = all.get(at)?;
        let types = |of: &FunctionDefinition| -> Vec<Type> {
            of.args.iter().map(|arg| Type::of_unsized(&arg.of)).collect()
        };
        all.iter()
            .find(|one| one.body.is_some() && one.name.text == own.name.text && types(one) == types(own))
    }
}
