//! The embedded Laplace approximation: likelihood and covariance, each with a tuple of arguments.

use std::collections::BTreeSet;

use super::places::unnormalized;
use super::variadic::Passing;
use super::{Checker, ExprType, Resolved};
use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::types::Type;

/// How the names of functions begin that have first derivatives only.
const SOLVERS: [&str; 7] =
    ["algebra_solver", "solve_", "ode_", "integrate_", "dae", "map_rect", "reduce_sum"];

/// What comes before the covariance function.
enum Likelihood {
    /// A function and the tuple of its arguments.
    Given,
    /// Types of the arguments of a likelihood that the library has, what is distributed first.
    Known(Vec<Type>),
}

fn likelihood(name: &str) -> Likelihood {
    let counts = || Type::Int.array(1);
    if name.contains("neg_binomial_2_log") {
        Likelihood::Known(vec![counts(), counts(), Type::Vector, Type::Vector])
    } else if name.contains("poisson") || name.contains("bernoulli") {
        Likelihood::Known(vec![counts(), counts(), Type::Vector])
    } else {
        Likelihood::Given
    }
}

/// Start, tolerance, steps, solver, steps of the line search, and whether to go on with another solver.
fn options() -> Type {
    Type::Tuple(vec![Type::Vector, Type::Real, Type::Int, Type::Int, Type::Int, Type::Int])
}

impl Checker {
    pub(super) fn laplace(&mut self, function: &Name, args: &[Expr], expr: &Expr) -> ExprType {
        let full = function.text.as_str();
        let base = unnormalized(full);
        let name = base.as_deref().unwrap_or(full);
        let returns = if name.ends_with("_rng") {
            Type::Vector
        } else if name.contains("solve") {
            Type::Tuple(vec![Type::Vector, Type::Matrix])
        } else {
            Type::Real
        };
        let typed = ExprType::new(returns.clone(), name.ends_with("_rng"));
        let likelihood = likelihood(name);
        let front = match &likelihood {
            Likelihood::Given => 2,
            Likelihood::Known(types) => types.len(),
        };
        let tolerances = name.contains("_tol");
        let wanted = front + 3 + usize::from(tolerances);
        for (at, arg) in args.iter().enumerate() {
            let is_function = (at == 0 && front == 2) || at == front + 1;
            let given = if is_function { ExprType::unknown() } else { self.value(arg) };
            if let Some(slot) = self.found.types.get_mut(arg.id as usize) {
                slot.get_or_insert(given);
            }
        }
        if args.len() < wanted {
            let message = format!("`{name}` takes {wanted} arguments; here are {}", args.len());
            let options_only = tolerances && args.len() + 1 == wanted;
            let last = args.last().filter(|_| !options_only);
            let end = last.map_or(expr.span, |last| Span { start: last.span.end - 1, end: last.span.end });
            self.error(Diagnostic::error(end, message).with_help(form(name, front, tolerances)));
            return typed;
        }
        let known = self.laplace_front(name, &likelihood, args, expr)
            && self.laplace_argument(name, &args[front], &(true, Type::Int))
            && self.laplace_function(name, &args[front + 1..=front + 2], &[], &Type::Matrix, expr);
        if known && tolerances {
            let _ = self.laplace_options(name, &args[front + 3]);
        }
        if known && args.len() > wanted {
            let message = format!("`{name}` takes {wanted} arguments; here are {}", args.len());
            self.error(
                Diagnostic::error(args[wanted].span, message).with_help(form(name, front, tolerances)),
            );
        }
        let resolved =
            Resolved { function: name.to_owned(), args: Vec::new(), returns: Some(returns), user: None };
        self.found.calls.insert(expr.id, resolved);
        typed
    }

    fn laplace_front(&mut self, name: &str, likelihood: &Likelihood, args: &[Expr], expr: &Expr) -> bool {
        match likelihood {
            Likelihood::Given => {
                let theta = ExprType::new(Type::Vector, false);
                self.laplace_function(name, &args[..2], &[theta], &Type::Real, expr)
            }
            Likelihood::Known(types) => types.iter().zip(args).all(|(of, arg)| {
                let data = of.is_int();
                self.laplace_argument(name, arg, &(data, of.clone()))
            }),
        }
    }

    fn laplace_argument(&mut self, name: &str, arg: &Expr, wanted: &(bool, Type)) -> bool {
        let given =
            self.found.types.get(arg.id as usize).cloned().flatten().unwrap_or_else(ExprType::unknown);
        self.check_argument(name, arg, &given, wanted)
    }

    /// A function and the tuple of what it is given after the first arguments.
    fn laplace_function(
        &mut self,
        name: &str,
        pair: &[Expr],
        first: &[ExprType],
        returns: &Type,
        expr: &Expr,
    ) -> bool {
        let [function, arguments] = pair else {
            return false;
        };
        let Some(inner) = self.given_function(name, std::slice::from_ref(function), expr) else {
            return false;
        };
        if let Some(solver) = self.calls_solver(&inner) {
            let message =
                format!("`{inner}` calls `{solver}`, which has no third derivatives: `{name}` needs them");
            self.error(Diagnostic::error(function.span, message));
            return false;
        }
        let typed = |checker: &Self, expr: &Expr| {
            checker.found.types.get(expr.id as usize).cloned().flatten().unwrap_or_else(ExprType::unknown)
        };
        let tuple = typed(self, arguments);
        let mut passed = first.to_vec();
        match (&arguments.kind, &tuple.of) {
            (ExprKind::Tuple(members), _) => passed.extend(members.iter().map(|one| typed(self, one))),
            (_, Type::Tuple(members)) => {
                passed.extend(members.iter().map(|of| ExprType::new(of.clone(), tuple.data)));
            }
            (_, Type::Unknown) => return true,
            (_, other) => {
                let message = format!("the arguments of `{inner}` come as a tuple, not as `{other}`");
                self.error(
                    Diagnostic::error(arguments.span, message).with_help("one alone is written `(x,)`"),
                );
                return false;
            }
        }
        let call = Passing { name, inner: &inner, args: pair, given: &[], span: function.span };
        self.pass_on(call, &passed, returns)
    }

    /// A function without derivatives of higher order that is called, directly or through others.
    fn calls_solver(&self, name: &str) -> Option<String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![name.to_owned()];
        while let Some(one) = open.pop() {
            for callee in self.called.get(&one).into_iter().flatten() {
                if SOLVERS.iter().any(|start| callee.starts_with(start)) {
                    return Some(callee.clone());
                }
                if seen.insert(callee.clone()) {
                    open.push(callee.clone());
                }
            }
        }
        None
    }

    fn laplace_options(&mut self, name: &str, arg: &Expr) -> bool {
        let wanted = options();
        let given =
            self.found.types.get(arg.id as usize).cloned().flatten().unwrap_or_else(ExprType::unknown);
        let (ExprKind::Tuple(members), Type::Tuple(types)) = (&arg.kind, &wanted) else {
            return self.check_argument(name, arg, &given, &(true, wanted));
        };
        if members.len() != types.len() {
            let error = Diagnostic::error(
                arg.span,
                format!("the options of `{name}` are {} values, not {}", types.len(), members.len()),
            );
            self.error(error.with_help(
                "(start, tolerance, most steps, solver, most steps of the line search, fall through)",
            ));
            return false;
        }
        members.iter().zip(types).all(|(member, of)| self.laplace_argument(name, member, &(true, of.clone())))
    }
}

fn form(name: &str, front: usize, tolerances: bool) -> String {
    let first = match front {
        2 => "likelihood, (its arguments)",
        3 => "y, groups, prior mean",
        _ => "y, groups, log exposure, prior mean",
    };
    let last = if tolerances { ", (options)" } else { "" };
    format!("form: {name}({first}, block size of the Hessian, covariance, (its arguments){last})")
}
