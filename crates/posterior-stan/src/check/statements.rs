//! Statements.

use super::Checker;
use super::choice::describe;
use super::scope::Variable;
use crate::ast::{Expr, ExprKind, ForRange, Name, Printable, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::types::Type;

impl Checker {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(declaration) => self.declaration(declaration, statement.span),
            StatementKind::Assign { target, op, value } => self.assign(statement, target, *op, value),
            StatementKind::Call(call) => self.call_statement(call),
            StatementKind::TargetPlus(value) => {
                if !self.place.adds_to_target() {
                    let error = Diagnostic::error(statement.span, "`target` cannot be added to here");
                    self.error(
                        error.with_help("only in the model block, and in functions that end in `_lp`"),
                    );
                }
                self.increment(value);
            }
            StatementKind::JacobianPlus(value) => {
                if !self.place.adds_to_jacobian() {
                    let error = Diagnostic::error(statement.span, "`jacobian` cannot be added to here");
                    self.error(error.with_help(
                        "only in the transformed parameters block, and in functions that end in `_jacobian`",
                    ));
                }
                self.increment(value);
            }
            StatementKind::Distribution(what) => self.distribution(statement, what),
            StatementKind::Output(_, list) => {
                for one in list {
                    if let Printable::Value(value) = one {
                        self.value(value);
                    }
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.nested(then);
                if let Some(otherwise) = otherwise {
                    self.nested(otherwise);
                }
            }
            StatementKind::While(condition, body) => {
                self.condition(condition);
                self.repeated(body);
            }
            StatementKind::For { variable, range, body } => self.for_loop(variable, range, body),
            StatementKind::Profile(_, list) | StatementKind::Block(list) => {
                self.scopes.open();
                self.statements(list);
                self.scopes.close();
            }
            StatementKind::Break | StatementKind::Continue => {
                if self.loops == 0 {
                    let word = if statement.kind == StatementKind::Break { "break" } else { "continue" };
                    self.error(Diagnostic::error(statement.span, format!("`{word}` stands in no loop")));
                }
            }
            StatementKind::Return(value) => self.returns(statement, value.as_ref()),
            StatementKind::Empty => {}
        }
    }

    fn nested(&mut self, statement: &Statement) {
        self.scopes.open();
        self.statement(statement);
        self.scopes.close();
    }

    fn repeated(&mut self, body: &Statement) {
        self.loops += 1;
        self.nested(body);
        self.loops -= 1;
    }

    fn call_statement(&mut self, call: &Expr) {
        let Some(typed) = self.call(call) else {
            return;
        };
        if typed.of == Type::Unknown {
            return;
        }
        let name =
            if let ExprKind::Call { function, .. } = &call.kind { function.text.as_str() } else { "it" };
        let error =
            Diagnostic::error(call.span, format!("`{name}` returns `{}`, which nothing takes", typed.of));
        self.error(error.with_help("assign it, or call a function that returns nothing"));
    }

    fn increment(&mut self, value: &Expr) {
        let typed = self.value(value);
        let element = typed.of.element().0;
        if matches!(
            element,
            Type::Tuple(_)
                | Type::Complex
                | Type::ComplexVector
                | Type::ComplexRowVector
                | Type::ComplexMatrix
        ) {
            let message = format!("only real numbers are added, not {}", describe(&typed.of));
            self.error(Diagnostic::error(value.span, message));
        }
    }

    fn condition(&mut self, condition: &Expr) {
        let typed = self.value(condition);
        if typed.of.promotion(&Type::Real).is_none() {
            let message = format!("a condition is an `int`, not {}", describe(&typed.of));
            self.error(Diagnostic::error(condition.span, message));
        }
    }

    fn for_loop(&mut self, variable: &Name, range: &ForRange, body: &Statement) {
        let (of, data) = match range {
            ForRange::Between(from, to) => {
                let mut data = true;
                for bound in [from, to] {
                    let typed = self.value(bound);
                    data &= typed.data;
                    if typed.of.promotion(&Type::Int).is_none() {
                        let message =
                            format!("a loop counts from `int` to `int`; this is {}", describe(&typed.of));
                        self.error(Diagnostic::error(bound.span, message));
                    }
                }
                (Type::Int, data)
            }
            ForRange::Each(over) => {
                let typed = self.value(over);
                let of = match typed.of {
                    Type::Array(element, dims) => element.array(dims - 1),
                    Type::Vector | Type::RowVector | Type::Matrix => Type::Real,
                    Type::ComplexVector | Type::ComplexRowVector | Type::ComplexMatrix => Type::Complex,
                    Type::Unknown => Type::Unknown,
                    other => {
                        let message = format!(
                            "a loop runs over an array, a vector or a matrix, not over {}",
                            describe(&other)
                        );
                        let error = Diagnostic::error(over.span, message);
                        let int = other == Type::Int;
                        let help = int.then(|| format!("did you mean `{} in 1:...`?", variable.text));
                        self.error(error.with_help_if(help));
                        Type::Unknown
                    }
                };
                (of, typed.data)
            }
        };
        self.scopes.open();
        let fixed = Some("it is the variable of a loop");
        let data = data || of.only_int();
        self.declare(variable, Variable { of, data, block: self.place.block, global: false, fixed });
        self.repeated(body);
        self.scopes.close();
    }

    fn returns(&mut self, statement: &Statement, value: Option<&Expr>) {
        let given = value.map(|value| self.value(value));
        let Some(body) = self.place.body.clone() else {
            let error = Diagnostic::error(statement.span, "`return` stands in no function");
            self.error(error);
            return;
        };
        let message = match (&body.returns, &given) {
            (Some(wanted), Some(given)) if given.of.promotion(wanted).is_some() => return,
            (None, None) => return,
            (Some(wanted), Some(given)) => {
                format!("the function returns `{wanted}`; this is {}", describe(&given.of))
            }
            (Some(wanted), None) => format!("the function returns `{wanted}`; here is nothing"),
            (None, Some(_)) => "the function returns nothing (`void`); here is a value".to_owned(),
        };
        self.error(Diagnostic::error(statement.span, message));
    }
}
