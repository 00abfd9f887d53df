//! Expressions.

use super::choice::{Form, choose, describe};
use super::places::{CALLS_TARGET, unnormalized};
use super::{Checker, ExprType, Resolved};
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::signatures::signatures;
use crate::span::Span;
use crate::types::{FunctionType, Type, list};

impl Checker {
    /// The type of an expression, which is kept under its id.
    pub(super) fn expr(&mut self, expr: &Expr) -> ExprType {
        let typed = self.kind(expr);
        if let Some(slot) = self.found.types.get_mut(expr.id as usize) {
            *slot = Some(typed.clone());
        }
        typed
    }

    /// The type of an expression that is a value: no function.
    pub(super) fn value(&mut self, expr: &Expr) -> ExprType {
        let typed = self.expr(expr);
        if let Type::Function(_) = typed.of {
            let error = Diagnostic::error(expr.span, "a function is no value");
            self.error(error.with_help(
                "call it by `(...)`; only functions like `reduce_sum` and `ode_rk45` take functions",
            ));
            return ExprType::unknown();
        }
        typed
    }

    fn kind(&mut self, expr: &Expr) -> ExprType {
        match &expr.kind {
            ExprKind::Int(text) => self.integer(text, expr.span),
            ExprKind::Real(_) => ExprType::new(Type::Real, true),
            ExprKind::Imaginary(_) => ExprType::new(Type::Complex, true),
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Paren(inner) => self.value(inner),
            ExprKind::Unary(op, inner) => {
                let given = self.value(inner);
                self.operator(op.function(), op.sign(), &[given], expr)
            }
            ExprKind::Transpose(inner) => {
                let given = self.value(inner);
                self.operator("transpose", "'", &[given], expr)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Conditional(three) => self.conditional(three),
            ExprKind::Array(members) => self.array(members),
            ExprKind::RowVector(members) => self.row_vector(members),
            ExprKind::Tuple(members) => {
                let members: Vec<_> = members.iter().map(|one| self.value(one)).collect();
                let data = members.iter().all(|one| one.data);
                ExprType::new(Type::Tuple(members.into_iter().map(|one| one.of).collect()), data)
            }
            ExprKind::Call { .. } => self.call(expr).unwrap_or_else(|| {
                let error = Diagnostic::error(expr.span, "a function that returns nothing is no value");
                self.error(error.with_help("call it as a statement"));
                ExprType::unknown()
            }),
            ExprKind::Target => {
                if !self.place.calls_target() {
                    let error = Diagnostic::error(expr.span, "`target()` cannot be read here");
                    self.error(error.with_help(format!("only {CALLS_TARGET}")));
                }
                ExprType::new(Type::Real, false)
            }
            ExprKind::Index(base, indices) => self.index(base, indices),
            ExprKind::Field(base, field) => self.field(base, *field, expr.span),
        }
    }

    fn integer(&mut self, text: &str, span: Span) -> ExprType {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if digits.parse::<i32>().is_err() {
            let error = Diagnostic::error(span, "an integer of more than 31 bits: at most 2147483647");
            self.error(error.with_help("write a real number: add `.0`"));
        }
        ExprType::new(Type::Int, true)
    }

    fn variable(&mut self, name: &str, span: Span) -> ExprType {
        if let Some(variable) = self.scopes.get(name) {
            return ExprType::new(variable.of.clone(), variable.data || self.place_is_after_sampling());
        }
        if let Some(function) = self.function_value(name) {
            return ExprType::new(Type::Function(Box::new(function)), true);
        }
        let error = self.unknown_variable(name, span);
        self.error(error);
        ExprType::unknown()
    }

    fn place_is_after_sampling(&self) -> bool {
        self.place.block == crate::ast::BlockKind::GeneratedQuantities
    }

    /// A function that is passed to another: the first definition of a user's name, or any of the library.
    fn function_value(&self, name: &str) -> Option<FunctionType> {
        let base = unnormalized(name).unwrap_or_else(|| name.to_owned());
        if let Some(user) = self.functions.get(&base).and_then(|forms| forms.first()) {
            return Some(FunctionType { args: user.args.clone(), returns: user.returns.clone() });
        }
        let form = signatures(&base)?.first()?;
        let args = form.args.iter().map(|of| (false, of.clone())).collect();
        Some(FunctionType { args, returns: Some(form.returns.clone()) })
    }

    /// An operator: the function that it stands for.
    pub(super) fn operator(
        &mut self,
        function: &str,
        sign: &str,
        given: &[ExprType],
        expr: &Expr,
    ) -> ExprType {
        match operator_type(function, given) {
            Ok((resolved, typed)) => {
                self.found.calls.insert(expr.id, resolved);
                typed
            }
            Err(help) => {
                let types = list(given.iter().map(|one| format!("`{}`", one.of)));
                let of = if given.len() == 1 { types } else { types.replace("`, `", "` and `") };
                let mut error = Diagnostic::error(expr.span, format!("`{sign}` has no meaning for {of}"));
                error.help = help;
                self.error(error);
                ExprType::unknown()
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr) -> ExprType {
        let (one, other) = (self.value(left), self.value(right));
        let ints = one.of == Type::Int && other.of == Type::Int;
        if op == BinaryOp::IntDivide && !ints && one.of != Type::Unknown && other.of != Type::Unknown {
            let message =
                format!("`%/%` divides integers, not {} and {}", describe(&one.of), describe(&other.of));
            self.error(Diagnostic::error(expr.span, message).with_help("write `/`"));
            return ExprType::unknown();
        }
        if op == BinaryOp::Divide && ints {
            self.warn(
                expr.span,
                "a quotient of integers is rounded towards 0",
                "write `%/%` if that is meant, or `1.0 *` before it",
            );
        }
        let matrix = matches!(other.of, Type::Matrix | Type::ComplexMatrix);
        let from_right =
            op == BinaryOp::Divide && matrix && !matches!(one.of, Type::Int | Type::Real | Type::Complex);
        let function = if from_right { "mdivide_right" } else { op.function() };
        self.operator(function, op.sign(), &[one, other], expr)
    }

    fn conditional(&mut self, [condition, then, otherwise]: &[Expr; 3]) -> ExprType {
        let (decides, one, other) = (self.value(condition), self.value(then), self.value(otherwise));
        if decides.of.promotion(&Type::Int).is_none() {
            let message = format!("what stands before `?` is {}; it wants an `int`", describe(&decides.of));
            self.error(Diagnostic::error(condition.span, message));
        }
        let data = decides.data && one.data && other.data;
        let Some(common) = one.of.common(&other.of) else {
            let message = format!("the branches of `?` differ: `{}` and `{}`", one.of, other.of);
            self.error(Diagnostic::error(condition.span.to(otherwise.span), message));
            return ExprType::unknown();
        };
        ExprType::new(common, data)
    }

    fn array(&mut self, members: &[Expr]) -> ExprType {
        let mut common = Type::Unknown;
        let mut data = true;
        for member in members {
            let typed = self.value(member);
            data &= typed.data;
            let Some(of) = common.common(&typed.of) else {
                let message =
                    format!("members of an array have one type: `{common}` before, here `{}`", typed.of);
                self.error(Diagnostic::error(member.span, message));
                return ExprType::unknown();
            };
            common = of;
        }
        ExprType::new(common.array(1), data)
    }

    fn row_vector(&mut self, members: &[Expr]) -> ExprType {
        let typed: Vec<_> = members.iter().map(|one| self.value(one)).collect();
        let data = typed.iter().all(|one| one.data);
        let mut common = Type::Real;
        for (at, (member, one)) in members.iter().zip(&typed).enumerate() {
            let fits = matches!(
                one.of,
                Type::Int
                    | Type::Real
                    | Type::Complex
                    | Type::RowVector
                    | Type::ComplexRowVector
                    | Type::Unknown
            );
            let next = if at == 0 && one.of != Type::Int && one.of != Type::Unknown {
                Some(one.of.clone())
            } else {
                common.common(&one.of)
            };
            match next.filter(|_| fits) {
                Some(of) => common = of,
                None if fits && at > 0 => {
                    let message =
                        format!("rows of a matrix have one type: `{common}` before, here `{}`", one.of);
                    self.error(Diagnostic::error(member.span, message));
                    return ExprType::unknown();
                }
                None => {
                    let message = format!(
                        "a row vector has numbers or row vectors as members, not {}",
                        describe(&one.of)
                    );
                    let help = if one.of == Type::Vector { Some("turn it by `'`".to_owned()) } else { None };
                    self.error(Diagnostic::error(member.span, message).with_help_if(help));
                    return ExprType::unknown();
                }
            }
        }
        let of = match common {
            Type::Complex => Type::ComplexRowVector,
            Type::RowVector => Type::Matrix,
            Type::ComplexRowVector => Type::ComplexMatrix,
            _ => Type::RowVector,
        };
        ExprType::new(of, data)
    }
}

/// What a person may have wanted with an operator that does not fit.
fn near_operators(function: &str, given: &[ExprType]) -> Vec<String> {
    let [one, other] = given else {
        return Vec::new();
    };
    let same = one.of == other.of;
    let help = match function {
        "multiply" if same && one.of == Type::Vector => {
            "`.*` multiplies members, `dot_product(a, b)` or `a' * b` sums the products"
        }
        "divide" | "multiply" if same => "members are taken one by one by `.*` and `./`",
        _ if one.of.element().1 > 0 || other.of.element().1 > 0 => {
            "arrays have no arithmetic: `to_vector(...)` makes a vector of one"
        }
        _ => return Vec::new(),
    };
    vec![help.to_owned()]
}

/// What an operator returns, or why it does not.
pub(super) fn operator_type(function: &str, given: &[ExprType]) -> Result<(Resolved, ExprType), Vec<String>> {
    let data = given.iter().all(|one| one.data);
    if given.iter().any(|one| one.of == Type::Unknown) {
        let resolved =
            Resolved { function: function.to_owned(), args: Vec::new(), returns: None, user: None };
        return Ok((resolved, ExprType::new(Type::Unknown, data)));
    }
    let forms = signatures(function).unwrap_or(&[]);
    let plain: Vec<Form<'_>> = forms.iter().map(Form::Library).collect();
    match choose(&plain, given) {
        Ok(at) => {
            let form = &forms[at];
            let resolved = Resolved {
                function: function.to_owned(),
                args: form.args.clone(),
                returns: Some(form.returns.clone()),
                user: None,
            };
            Ok((resolved, ExprType::new(form.returns.clone(), data)))
        }
        Err(_) => Err(near_operators(function, given)),
    }
}
