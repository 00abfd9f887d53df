//! Functions that pass the rest of their arguments on to a function that they are given.

use super::choice::{Form, Refusal, choose, describe, fits};
use super::places::{Kind, unnormalized};
use super::{Checker, ExprType, Resolved, UserFunction};
use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::types::{FunctionType, Type, list};

/// The names of all of them.
pub(super) const NAMES: [&str; 37] = [
    "integrate_1d_gauss_kronrod",
    "integrate_1d_gauss_kronrod_tol",
    "reduce_sum",
    "reduce_sum_static",
    "ode_rk45",
    "ode_rk45_tol",
    "ode_adams",
    "ode_adams_tol",
    "ode_bdf",
    "ode_bdf_tol",
    "ode_ckrk",
    "ode_ckrk_tol",
    "ode_adjoint_tol_ctl",
    "dae",
    "dae_tol",
    "solve_newton",
    "solve_newton_tol",
    "solve_powell",
    "solve_powell_tol",
    "laplace_marginal",
    "laplace_marginal_tol",
    "laplace_latent_rng",
    "laplace_latent_tol_rng",
    "laplace_latent_solve",
    "laplace_latent_solve_tol",
    "laplace_marginal_bernoulli_logit_lpmf",
    "laplace_marginal_tol_bernoulli_logit_lpmf",
    "laplace_marginal_poisson_log_lpmf",
    "laplace_marginal_tol_poisson_log_lpmf",
    "laplace_marginal_neg_binomial_2_log_lpmf",
    "laplace_marginal_tol_neg_binomial_2_log_lpmf",
    "laplace_latent_bernoulli_logit_rng",
    "laplace_latent_tol_bernoulli_logit_rng",
    "laplace_latent_poisson_log_rng",
    "laplace_latent_tol_poisson_log_rng",
    "laplace_latent_neg_binomial_2_log_rng",
    "laplace_latent_tol_neg_binomial_2_log_rng",
];

/// Whether a function passes arguments on.
pub(super) fn is_variadic(name: &str) -> bool {
    let base = unnormalized(name);
    NAMES.contains(&base.as_deref().unwrap_or(name))
}

/// What such a function takes after the function, what that takes and returns, and what comes out.
struct Rule {
    /// Whether each takes data only, and its type.
    args: Vec<(bool, Type)>,
    /// The first arguments of the function that is given; the rest is passed on.
    passed: Vec<Type>,
    inner: Type,
    returns: Type,
}

fn rule(name: &str, given: &[ExprType]) -> Rule {
    let vector = || (false, Type::Vector);
    let data = |of: &Type| (true, of.clone());
    let times = Type::Real.array(1);
    let tolerances = [Type::Real, Type::Real, Type::Int];
    if name.starts_with("reduce_sum") {
        let slice = given.first().map_or(Type::Unknown, |one| one.of.clone());
        return Rule {
            args: vec![(false, slice.clone()), (false, Type::Int)],
            passed: vec![slice, Type::Int, Type::Int],
            inner: Type::Real,
            returns: Type::Real,
        };
    }
    let ends_in_tolerances = name.ends_with("_tol");
    if name.starts_with("integrate") {
        let mut args = vec![(false, Type::Real), (false, Type::Real)];
        if ends_in_tolerances {
            args.extend([Type::Real, Type::Real, Type::Int].iter().map(data));
        }
        return Rule { args, passed: vec![Type::Real, Type::Real], inner: Type::Real, returns: Type::Real };
    }
    let (mut args, passed, returns) = if name.starts_with("ode") {
        let args = vec![vector(), (false, Type::Real), (false, times)];
        (args, vec![Type::Real, Type::Vector], Type::Vector.array(1))
    } else if name.starts_with("dae") {
        let args = vec![vector(), vector(), data(&Type::Real), data(&times)];
        (args, vec![Type::Real, Type::Vector, Type::Vector], Type::Vector.array(1))
    } else {
        (vec![vector()], vec![Type::Vector], Type::Vector)
    };
    if name == "ode_adjoint_tol_ctl" {
        use Type::{Int, Real, Vector};
        args.extend([Real, Vector, Real, Vector, Real, Real, Int, Int, Int, Int, Int].iter().map(data));
    } else if ends_in_tolerances {
        args.extend(tolerances.iter().map(data));
    }
    Rule { args, passed, inner: Type::Vector, returns }
}

/// A call that passes arguments on.
#[derive(Clone, Copy)]
pub(super) struct Passing<'c> {
    /// The function that is called.
    pub(super) name: &'c str,
    /// The function that it is given.
    pub(super) inner: &'c str,
    /// The arguments, that function first.
    pub(super) args: &'c [Expr],
    /// Types of the arguments behind it.
    pub(super) given: &'c [ExprType],
    /// Where the call is.
    pub(super) span: Span,
}

impl Checker {
    pub(super) fn variadic(&mut self, function: &Name, args: &[Expr], expr: &Expr) -> ExprType {
        if function.text.starts_with("laplace") {
            return self.laplace(function, args, expr);
        }
        let name = function.text.as_str();
        let given: Vec<ExprType> = args.iter().skip(1).map(|arg| self.value(arg)).collect();
        let rule = rule(name, &given);
        let data = given.iter().all(|one| one.data);
        let typed = ExprType::new(rule.returns.clone(), data);
        let Some(inner) = self.given_function(name, args, expr) else {
            return typed;
        };
        let overloads = self.functions.get(&inner).cloned().unwrap_or_default();
        let call = Passing { name, inner: &inner, args, given: &given, span: expr.span };
        if let [only] = overloads.as_slice() {
            if self.one_form(call, only, &rule) {
                self.pass_to(&inner, only, &args[0]);
            }
        } else {
            self.several_forms(call, &rule);
        }
        self.found.calls.entry(expr.id).or_insert_with(|| Resolved {
            function: name.to_owned(),
            args: Vec::new(),
            returns: Some(rule.returns),
            user: None,
        });
        typed
    }

    /// Checks a call whose function has one form: its header first, then each argument in turn.
    fn one_form(&mut self, call: Passing<'_>, only: &UserFunction, rule: &Rule) -> bool {
        let Passing { name, inner, args, given, .. } = call;
        let sums = name.starts_with("reduce_sum");
        let wanted = only.args.iter().map(|(_, of)| of);
        let header = only.args.len() >= rule.passed.len()
            && wanted
                .zip(&rule.passed)
                .enumerate()
                .all(|(at, (of, passed))| if sums && at == 0 { of.element().1 > 0 } else { of == passed });
        if !header || only.returns.as_ref() != Some(&rule.inner) {
            let found = FunctionType { args: only.args.clone(), returns: only.returns.clone() };
            let slice =
                |at: usize, of: &Type| if sums && at == 0 { "array[] T".to_owned() } else { of.to_string() };
            let passed = list(rule.passed.iter().enumerate().map(|(at, of)| slice(at, of)));
            let message = format!("`{inner}` is `{found}`, which `{name}` cannot call");
            let error = Diagnostic::error(args[0].span, message);
            self.error(error.with_help(format!("it wants `({passed}, ...) => {}`", rule.inner)));
            return false;
        }
        let rest = &only.args[rule.passed.len()..];
        let mut wanted = rule.args.clone();
        if sums {
            wanted[0] = only.args[0].clone();
        }
        wanted.extend_from_slice(rest);
        if wanted.len() != given.len() {
            let message = format!(
                "`{name}` with `{inner}` takes {} arguments, here are {}",
                wanted.len() + 1,
                args.len()
            );
            let types = list(wanted.iter().map(|(_, of)| of));
            let place = args.last().map_or(args[0].span, |last| last.span);
            self.error(
                Diagnostic::error(place, message).with_help(format!("form: {name}({inner}, {types})")),
            );
            return false;
        }
        args[1..]
            .iter()
            .zip(given)
            .zip(&wanted)
            .all(|((arg, one), wanted)| self.check_argument(name, arg, one, wanted))
    }

    /// Checks a call whose function has several forms: one must take what it is passed.
    fn several_forms(&mut self, call: Passing<'_>, rule: &Rule) {
        let Passing { name, args, given, span, .. } = call;
        if given.len() < rule.args.len() {
            let message =
                format!("`{name}` wants {} arguments or more, here are {}", rule.args.len() + 1, args.len());
            self.error(Diagnostic::error(span, message));
            return;
        }
        let fit = args[1..]
            .iter()
            .zip(given)
            .zip(&rule.args)
            .all(|((arg, one), wanted)| self.check_argument(name, arg, one, wanted));
        if !fit {
            return;
        }
        let mut passed: Vec<ExprType> =
            rule.passed.iter().map(|of| ExprType::new(of.clone(), of.is_int())).collect();
        if name.starts_with("reduce_sum") {
            passed[0].data = given[0].data;
        }
        passed.extend(given.iter().skip(rule.args.len()).cloned());
        self.pass_on(call, &passed, &rule.inner);
    }

    /// Keeps which form of a function is given.
    fn pass_to(&mut self, inner: &str, form: &UserFunction, place: &Expr) {
        let resolved = Resolved {
            function: inner.to_owned(),
            args: form.args.iter().map(|(_, of)| of.clone()).collect(),
            returns: form.returns.clone(),
            user: Some(form.index),
        };
        self.found.calls.insert(place.id, resolved);
    }

    /// The name of the function that is given first; its suffix must be allowed.
    pub(super) fn given_function(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Option<String> {
        let Some(first) = args.first() else {
            self.error(Diagnostic::error(expr.span, format!("`{name}` wants a function first")));
            return None;
        };
        let ExprKind::Variable(inner) = &first.kind else {
            self.error(Diagnostic::error(first.span, format!("`{name}` wants the name of a function here")));
            return None;
        };
        let base = unnormalized(inner).unwrap_or_else(|| inner.clone());
        if self.scopes.get(inner).is_some() || !self.functions.contains_key(&base) {
            let near = crate::nearest::nearest(inner, self.functions.keys().map(String::as_str));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("`{name}` wants a function of the functions block; `{inner}` is none");
            self.error(Diagnostic::error(first.span, message).with_help_if(help));
            return None;
        }
        let kind = Kind::of_name(inner);
        let sums = name.starts_with("reduce_sum");
        if kind != Kind::Plain && !(sums && kind == Kind::Density) {
            let message = format!("`{inner}` cannot be given to `{name}`: it has a suffix with a meaning");
            self.error(Diagnostic::error(first.span, message));
            return None;
        }
        if unnormalized(inner).is_some() && !self.place.drops_constants() {
            let error = Diagnostic::error(first.span, format!("`{inner}` cannot be given here"));
            self.error(
                error.with_help("only in the model block, and in functions that end in `_lpdf` or `_lpmf`"),
            );
            return None;
        }
        Some(base)
    }

    pub(super) fn check_argument(
        &mut self,
        name: &str,
        arg: &Expr,
        given: &ExprType,
        wanted: &(bool, Type),
    ) -> bool {
        if fits((wanted.0, &wanted.1), given).is_some() {
            return true;
        }
        let error = if given.of.promotion(&wanted.1).is_some() {
            Diagnostic::error(
                arg.span,
                format!("this argument of `{name}` must be data; it depends on parameters"),
            )
        } else {
            let message =
                format!("this argument of `{name}` is {}; it wants `{}`", describe(&given.of), wanted.1);
            Diagnostic::error(arg.span, message)
        };
        self.error(error);
        false
    }

    /// Checks that the function that is given takes what it is passed, and returns what it must.
    pub(super) fn pass_on(&mut self, call: Passing<'_>, passed: &[ExprType], returns: &Type) -> bool {
        let Passing { name, inner, span, .. } = call;
        let place = &call.args[0];
        let overloads = self.functions.get(inner).cloned().unwrap_or_default();
        let forms: Vec<Form<'_>> = overloads.iter().map(|one| Form::User(&one.args)).collect();
        match choose(&forms, passed) {
            Ok(at)
                if name.starts_with("laplace")
                    && returns == &Type::Real
                    && overloads[at].args[0].1 != Type::Vector =>
            {
                let message = format!(
                    "the first argument of `{inner}` is `{}`; `{name}` wants `vector`",
                    overloads[at].args[0].1
                );
                self.error(Diagnostic::error(place.span, message));
                false
            }
            Ok(at) if overloads[at].returns.as_ref() == Some(returns) => {
                self.pass_to(inner, &overloads[at], place);
                true
            }
            Ok(at) => {
                let found = overloads[at]
                    .returns
                    .as_ref()
                    .map_or_else(|| "nothing".to_owned(), |of| format!("`{of}`"));
                let message =
                    format!("`{inner}` returns {found}; `{name}` wants a function that returns `{returns}`");
                self.error(Diagnostic::error(place.span, message));
                false
            }
            Err(_) if passed.iter().any(|one| one.of == Type::Unknown) => true,
            Err(refusal) => {
                let types = list(passed.iter().map(|one| &one.of));
                let message = format!("`{name}` calls `{inner}` with ({types}), which it does not take");
                let (Refusal::None(help) | Refusal::Several(help)) = refusal;
                let mut error = Diagnostic::error(span, message);
                error.help = help;
                self.error(error);
                false
            }
        }
    }
}
