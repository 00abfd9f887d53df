//! Calls of functions.

use super::choice::{Form, Refusal, choose};
use super::places::{CALLS_TARGET, Kind, unnormalized};
use super::{Checker, ExprType, Resolved, variadic};
use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::Diagnostic;
use crate::signatures::{Signature, signatures};
use crate::span::Span;
use crate::types::{FunctionType, Type, list};

/// Suffixes of functions that take what is distributed before a bar.
const CONDITIONAL: [&str; 7] = ["_lpdf", "_lpmf", "_lupdf", "_lupmf", "_lcdf", "_lccdf", "_cdf"];

/// Functions of the library that are given a function.
fn takes_function(name: &str) -> bool {
    signatures(name).is_some_and(|forms| {
        matches!(forms.first().and_then(|form| form.args.first()), Some(Type::Function(_)))
    })
}

impl Checker {
    /// The type of a call; nothing if the function returns nothing.
    pub(super) fn call(&mut self, expr: &Expr) -> Option<ExprType> {
        let ExprKind::Call { function, args, bar } = &expr.kind else {
            return Some(ExprType::unknown());
        };
        let name = function.text.as_str();
        if self.scopes.get(name).is_some() {
            let error = Diagnostic::error(expr.span, format!("`{name}` is a variable: it cannot be called"));
            self.error(error);
            return Some(ExprType::unknown());
        }
        self.check_place_of_call(name, expr.span);
        if let Some(body) = &self.place.body {
            self.called.entry(body.name.clone()).or_default().insert(name.to_owned());
        }
        if variadic::is_variadic(name) {
            self.check_bar(name, *bar, args.len(), expr.span);
            return Some(self.variadic(function, args, expr));
        }
        let given: Vec<ExprType> = args
            .iter()
            .enumerate()
            .map(|(at, arg)| if at == 0 && takes_function(name) { self.expr(arg) } else { self.value(arg) })
            .collect();
        if !self.check_bar(name, *bar, args.len(), expr.span) {
            return Some(ExprType::unknown());
        }
        let name = self.current_name(function);
        self.call_given(&name, function, args, &given, expr)
    }

    fn call_given(
        &mut self,
        name: &str,
        function: &Name,
        args: &[Expr],
        given: &[ExprType],
        expr: &Expr,
    ) -> Option<ExprType> {
        let target = unnormalized(name).unwrap_or_else(|| name.to_owned());
        if !self.functions.contains_key(&target) && signatures(&target).is_none() {
            let error = self.unknown_function(function);
            self.error(error);
            return Some(ExprType::unknown());
        }
        if let (Some(ExprKind::Variable(inner)), Some(Type::Function(_))) =
            (args.first().map(|arg| &arg.kind), given.first().map(|one| &one.of))
        {
            if Kind::of_name(inner) != Kind::Plain {
                let message =
                    format!("`{inner}` cannot be given to `{name}`: it has a suffix with a meaning");
                self.error(Diagnostic::error(expr.span, message));
                return Some(ExprType::unknown());
            }
            for overload in self.functions.get(inner).cloned().unwrap_or_default() {
                let mut given = given.to_vec();
                let of = FunctionType { args: overload.args, returns: overload.returns };
                given[0].of = Type::Function(Box::new(of));
                if let Ok((resolved, typed)) = self.resolve(&target, &given) {
                    self.found.calls.insert(expr.id, resolved);
                    return typed;
                }
            }
        }
        match self.resolve(&target, given) {
            Ok((resolved, typed)) => {
                self.found.calls.insert(expr.id, resolved);
                typed
            }
            Err(_) if given.iter().any(|one| one.of == Type::Unknown) => Some(ExprType::unknown()),
            Err(refusal) => {
                self.error(refused(name, given, expr.span, refusal));
                Some(ExprType::unknown())
            }
        }
    }

    /// The form of a function that fits best, of the user's and of the library's.
    pub(super) fn resolve(
        &self,
        name: &str,
        given: &[ExprType],
    ) -> Result<(Resolved, Option<ExprType>), Refusal> {
        let user = self.functions.get(name).map_or(&[][..], Vec::as_slice);
        let library: &[Signature] = signatures(name).unwrap_or(&[]);
        let mut forms: Vec<Form<'_>> = user.iter().map(|one| Form::User(&one.args)).collect();
        forms.extend(library.iter().map(Form::Library));
        let at = choose(&forms, given)?;
        let args = match user.get(at) {
            Some(one) => one.args.iter().map(|(_, of)| of.clone()).collect(),
            None => library[at - user.len()].args.clone(),
        };
        let (returns, user) = match user.get(at) {
            Some(one) => (one.returns.clone(), Some(one.index)),
            None => (Some(library[at - user.len()].returns.clone()), None),
        };
        let data = given.iter().all(|one| one.data);
        let typed = returns.clone().map(|of| ExprType::new(of, data));
        Ok((Resolved { function: name.to_owned(), args, returns, user }, typed))
    }

    /// Whether what the suffix does is allowed here.
    fn check_place_of_call(&mut self, name: &str, span: Span) {
        let known = |name: &str| self.functions.contains_key(name) || signatures(name).is_some();
        let (allowed, wanted) = match Kind::of_name(name) {
            Kind::Target if known(name) => (self.place.calls_target(), CALLS_TARGET),
            Kind::Random if known(name) || variadic::is_variadic(name) => (
                self.place.draws(),
                "in the transformed data and generated quantities blocks, and in functions that end in `_rng`",
            ),
            Kind::Jacobian if known(name) => (
                self.place.adds_to_jacobian(),
                "in the transformed parameters block, and in functions that end in `_jacobian`",
            ),
            Kind::Density if unnormalized(name).is_some() => (
                self.place.drops_constants(),
                "in the model block, and in functions that end in `_lpdf` or `_lpmf`",
            ),
            _ => return,
        };
        if !allowed {
            let message = format!("`{name}` cannot be called here");
            self.error(Diagnostic::error(span, message).with_help(format!("only {wanted}")));
        }
    }

    /// Whether the bar stands where it must.
    fn check_bar(&mut self, name: &str, bar: bool, args: usize, span: Span) -> bool {
        let conditional = CONDITIONAL.iter().any(|suffix| name.ends_with(suffix));
        if conditional && !bar && args != 1 {
            let error = Diagnostic::error(span, format!("`{name}` has a bar after its first argument"));
            self.error(error.with_help(format!("write {name}(y | ...)")));
            return false;
        }
        if bar && !conditional {
            let error = Diagnostic::error(span, format!("`{name}` takes no bar between its arguments"));
            self.error(error.with_help("only densities and distribution functions do: write a comma"));
            return false;
        }
        true
    }

    /// The error of a name that no function has.
    fn unknown_function(&self, function: &Name) -> Diagnostic {
        let name = function.text.as_str();
        let known = |name: &str| self.functions.contains_key(name) || signatures(name).is_some();
        let error = Diagnostic::error(function.span, format!("no function `{name}` is known"));
        if let Some(today) = super::old_names::today(name) {
            return error.with_help(today);
        }
        let stem = CONDITIONAL.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        let others = CONDITIONAL.iter().chain(&["_rng", "_lp"]).map(|suffix| format!("{stem}{suffix}"));
        let others: Vec<String> =
            others.filter(|other| known(other)).map(|other| format!("`{other}`")).collect();
        if !others.is_empty() {
            return error.with_help(format!("did you mean {}?", others.join(" or ")));
        }
        error.with_help_if(self.nearest_function(name).map(|near| format!("did you mean `{near}`?")))
    }
}

/// The error of arguments that no form takes.
pub(super) fn refused(name: &str, given: &[ExprType], span: Span, refusal: Refusal) -> Diagnostic {
    let types = list(given.iter().map(|one| &one.of));
    match refusal {
        Refusal::None(help) => {
            let mut error = Diagnostic::error(span, format!("`{name}` has no form for ({types})"));
            error.help = help;
            error
        }
        Refusal::Several(forms) => {
            let error = Diagnostic::error(span, format!("`{name}`({types}) could mean several forms"));
            error.with_help(format!("equally near are {}: convert an argument", forms.join(" and ")))
        }
    }
}
