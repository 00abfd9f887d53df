//! Distribution statements and truncation.

use super::calls::refused;
use super::choice::{Refusal, describe};
use super::{Checker, ExprType, variadic};
use crate::ast::{Distribution, Expr, ExprKind, Name, Statement};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::signatures::signatures;
use crate::types::{Type, list};

/// The id of a call that is not in the text.
const NO_ID: u32 = u32::MAX;

impl Checker {
    pub(super) fn distribution(&mut self, statement: &Statement, what: &Distribution) {
        let name = what.name.text.as_str();
        if !self.place.adds_to_target() {
            let error =
                Diagnostic::error(statement.span, "`~` cannot stand here: nothing is added to the target");
            self.error(error.with_help("only in the model block, and in functions that end in `_lp`"));
        }
        let suffix = ["_lpdf", "_lpmf", "_lupdf", "_lupmf", "_lcdf", "_lccdf", "_cdf", "_rng"]
            .iter()
            .find(|suffix| name.ends_with(**suffix));
        if let Some(laplace) = laplace_name(name) {
            self.laplace_distribution(statement, what, laplace);
            return;
        }
        let left = self.value(&what.left);
        let mut given = vec![left];
        given.extend(what.args.iter().map(|arg| self.value(arg)));
        let bounds = self.truncation_bounds(what);
        if let Some(suffix) = suffix {
            let stem = name.strip_suffix(suffix).unwrap_or(name);
            let error = Diagnostic::error(
                what.name.span,
                format!("`~` takes a distribution without suffix, not `{name}`"),
            );
            self.error(error.with_help(format!("write `~ {stem}(...)`, or `target += {name}(...)`")));
            return;
        }
        let known = |name: &str| self.functions.contains_key(name) || signatures(name).is_some();
        let mut densities: Vec<String> = ["_lpdf", "_lpmf"]
            .iter()
            .map(|suffix| format!("{name}{suffix}"))
            .filter(|name| known(name))
            .collect();
        if densities.is_empty() && self.dialect == Dialect::Any {
            densities.extend(self.old_density(&what.name));
        }
        if densities.is_empty() {
            let error = self.unknown_distribution(name, what);
            self.error(error);
            return;
        }
        let mut last = None;
        for density in &densities {
            match self.resolve(density, &given) {
                Ok((resolved, _)) => {
                    self.found.distributions.insert(what.name.span, resolved);
                    self.check_truncation(statement, what, &given, &bounds);
                    return;
                }
                Err(refusal) => {
                    let ambiguous = matches!(refusal, Refusal::Several(_));
                    if ambiguous || last.is_none() {
                        last = Some(refusal);
                    }
                }
            }
        }
        if let (Some(refusal), false) = (last, given.iter().any(|one| one.of == Type::Unknown)) {
            let error = refused_distribution(statement, name, &densities, &given, refusal);
            self.error(error);
        }
    }

    /// A distribution of the embedded Laplace approximation: a call whose first argument is the left side.
    fn laplace_distribution(&mut self, statement: &Statement, what: &Distribution, function: String) {
        let args: Vec<Expr> = std::iter::once(&what.left).chain(&what.args).cloned().collect();
        let function = Name { text: function, span: what.name.span };
        let call = Expr { id: NO_ID, kind: ExprKind::Target, span: statement.span, depth: 1 };
        self.variadic(&function, &args, &call);
        if let Some(resolved) = self.found.calls.remove(&NO_ID) {
            self.found.distributions.insert(what.name.span, resolved);
        }
    }

    fn unknown_distribution(&self, name: &str, what: &Distribution) -> Diagnostic {
        let error = Diagnostic::error(what.name.span, format!("no distribution `{name}` is known"));
        if self.functions.contains_key(name) || signatures(name).is_some() {
            return error.with_help(format!(
                "`{name}` is a function; a distribution has a density `{name}_lpdf` or `{name}_lpmf`"
            ));
        }
        let known: Vec<&str> =
            self.functions.keys().map(String::as_str).chain(crate::signatures::function_names()).collect();
        let known = known.into_iter();
        let stems =
            known.filter_map(|name| name.strip_suffix("_lpdf").or_else(|| name.strip_suffix("_lpmf")));
        let near = crate::nearest::nearest(name, stems);
        error.with_help_if(near.map(|near| format!("did you mean `{near}`?")))
    }

    /// The types of the bounds; each must be a number.
    fn truncation_bounds(&mut self, what: &Distribution) -> [Option<ExprType>; 2] {
        let Some((lower, upper)) = &what.truncation else {
            return [None, None];
        };
        [lower, upper].map(|bound| {
            let bound = bound.as_ref()?;
            let typed = self.value(bound);
            if typed.of.promotion(&Type::Real).is_none() {
                let message = format!("a bound of a truncation is a number, not {}", describe(&typed.of));
                self.error(Diagnostic::error(bound.span, message));
                return Some(ExprType::unknown());
            }
            Some(typed)
        })
    }

    /// A truncated density is divided by a probability: the functions for it must be there.
    fn check_truncation(
        &mut self,
        statement: &Statement,
        what: &Distribution,
        given: &[ExprType],
        bounds: &[Option<ExprType>; 2],
    ) {
        let name = what.name.text.as_str();
        for (bound, suffix) in bounds.iter().zip(["_lccdf", "_lcdf"]) {
            let Some(bound) = bound.as_ref().filter(|bound| bound.of != Type::Unknown) else {
                continue;
            };
            let mut args = given.to_vec();
            args[0] = bound.clone();
            let function = format!("{name}{suffix}");
            if let Err(refusal) = self.resolve(&function, &args) {
                let known = self.functions.contains_key(&function) || signatures(&function).is_some();
                let message =
                    format!("`{name}` cannot be truncated here: `{function}` does not take the bound");
                let mut error = Diagnostic::error(statement.span, message);
                match refusal {
                    Refusal::None(help) if known => error.help = help,
                    _ => error.help.push(format!("there is no function `{function}`")),
                }
                self.error(error);
                return;
            }
        }
    }
}

/// The function of an embedded Laplace approximation that a distribution names.
fn laplace_name(name: &str) -> Option<String> {
    let full = format!("{name}_lpmf");
    (name.starts_with("laplace_marginal") && variadic::is_variadic(&full)).then_some(full)
}

/// The error of a distribution that does not fit, with the left side in its words.
fn refused_distribution(
    statement: &Statement,
    name: &str,
    densities: &[String],
    given: &[ExprType],
    refusal: Refusal,
) -> Diagnostic {
    let mut error = refused(name, given, statement.span, refusal);
    let left = &given[0].of;
    let discrete = densities.iter().all(|density| density.ends_with("_lpmf"));
    let types = list(given[1..].iter().map(|one| &one.of));
    error.message = format!("`{name}` has no form `{left} ~ {name}({types})`");
    for line in &mut error.help {
        *line = in_statement(line, name);
    }
    if discrete && !left.is_int() {
        error.help.push(format!("`{name}` is a distribution of integers"));
    }
    error
}

/// A line of help on a density in the words of a distribution statement: its first argument stands on the
/// left.
fn in_statement(line: &str, name: &str) -> String {
    let fewer =
        |word: &str| word.parse::<usize>().map_or_else(|_| word.to_owned(), |n| (n.max(1) - 1).to_string());
    if let Some(rest) = line.strip_prefix("argument 1 ") {
        return format!("the left side {rest}");
    }
    if let Some((number, rest)) = line.strip_prefix("argument ").and_then(|rest| rest.split_once(' ')) {
        return format!("argument {} {rest}", fewer(number));
    }
    if line.starts_with("it takes ") {
        return line.split(' ').map(fewer).collect::<Vec<_>>().join(" ");
    }
    let form = line.strip_prefix("form: (").and_then(|rest| rest.strip_suffix(')'));
    form.map_or_else(
        || line.to_owned(),
        |form| {
            let (left, args) = form.split_once(", ").unwrap_or((form, ""));
            format!("form: {left} ~ {name}({args})")
        },
    )
}
