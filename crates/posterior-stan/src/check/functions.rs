//! Functions of the user.

use super::places::{Body, Kind, Place};
use super::scope::Variable;
use super::{Checker, UserFunction, variadic};
use crate::ast::{BlockKind, ExprKind, FunctionDefinition, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::signatures::signatures;
use crate::types::{Type, list};

/// The most forms of one function.
const MOST_FORMS: usize = 500;

impl Checker {
    pub(super) fn functions(&mut self, definitions: &[FunctionDefinition]) {
        for (index, definition) in definitions.iter().enumerate() {
            self.declare_function(index, definition);
        }
        for definition in definitions {
            if definition.body.is_some() {
                self.function_body(definition);
            }
        }
        let missing: Vec<_> = self
            .functions
            .iter()
            .flat_map(|(name, forms)| {
                forms.iter().filter(|form| !form.defined).map(|form| (form.span, name.clone()))
            })
            .collect();
        for (span, name) in missing {
            let error = Diagnostic::error(span, format!("`{name}` is announced but nowhere defined"));
            self.error(error.with_help("write its body in this block"));
        }
        self.place = Place::default();
    }

    fn declare_function(&mut self, index: usize, definition: &FunctionDefinition) {
        let name = definition.name.text.as_str();
        let args: Vec<(bool, Type)> =
            definition.args.iter().map(|arg| (arg.data, Type::of_unsized(&arg.of))).collect();
        let returns = definition.returns.as_ref().map(Type::of_unsized);
        self.check_spelling(&definition.name);
        if variadic::is_variadic(name) {
            let error =
                Diagnostic::error(definition.name.span, format!("`{name}` is a function of the library"));
            self.error(error.with_help("choose another name"));
        }
        if self.functions.get(name).is_some_and(|forms| forms.len() >= MOST_FORMS) {
            let message = format!("`{name}` has more than {MOST_FORMS} forms");
            self.error(Diagnostic::error(definition.name.span, message));
            return;
        }
        self.check_form_of_function(definition, &args, returns.as_ref());
        let types: Vec<&Type> = args.iter().map(|(_, of)| of).collect();
        let in_library = signatures(name)
            .is_some_and(|forms| forms.iter().any(|form| form.args.iter().eq(types.iter().copied())));
        if in_library {
            let message = format!("the library has `{name}` with these arguments: ({})", list(&types));
            self.error(Diagnostic::error(definition.span, message).with_help("choose another name"));
        }
        self.check_twin(definition, &types);
        let forms = self.functions.entry(name.to_owned()).or_default();
        let same = |form: &&mut UserFunction| form.args.iter().map(|(_, of)| of).eq(types.iter().copied());
        let mut problem = None;
        if let Some(before) = forms.iter_mut().find(same) {
            if before.defined && definition.body.is_some() {
                problem = Some("it is defined already");
            } else if before.defined || definition.body.is_none() {
                problem = Some("it is announced already");
            } else if before.returns != returns {
                problem = Some("it was announced with another type");
            } else if before.args != args {
                problem = Some("it was announced with other `data` arguments");
            }
            before.defined |= definition.body.is_some();
            before.index = index;
        } else {
            let defined = definition.body.is_some();
            let span = definition.span;
            forms.push(UserFunction { args: args.clone(), returns, defined, index, span });
        }
        if let Some(problem) = problem {
            let message = format!("`{name}`({}) cannot be defined here", list(&types));
            self.error(Diagnostic::error(definition.span, message).with_help(problem));
        }
    }

    /// A density is of integers or of real numbers, not both, for the same arguments.
    fn check_twin(&mut self, definition: &FunctionDefinition, types: &[&Type]) {
        let name = definition.name.text.as_str();
        let twin = name
            .strip_suffix("_lpdf")
            .map(|stem| format!("{stem}_lpmf"))
            .or_else(|| name.strip_suffix("_lpmf").map(|stem| format!("{stem}_lpdf")));
        let Some(forms) = twin.and_then(|twin| self.functions.get(&twin)) else {
            return;
        };
        if forms.iter().any(|form| form.args.iter().map(|(_, of)| of).eq(types.iter().copied())) {
            let message = format!("`{name}` is a density of these arguments a second time");
            self.error(Diagnostic::error(definition.span, message));
        }
    }

    /// What the suffix demands of the arguments and of what is returned.
    fn check_form_of_function(
        &mut self,
        definition: &FunctionDefinition,
        args: &[(bool, Type)],
        returns: Option<&Type>,
    ) {
        let name = definition.name.text.as_str();
        let kind = Kind::of_name(name);
        if !matches!(kind, Kind::Density | Kind::Cumulative) {
            return;
        }
        let suffix = name.rfind('_').map_or(name, |at| &name[at..]);
        if returns != Some(&Type::Real) {
            let error =
                Diagnostic::error(definition.span, format!("functions that end in `{suffix}` return `real`"));
            self.error(error);
            return;
        }
        let first = args.first().map(|(_, of)| of);
        let problem = match (suffix, first) {
            (_, None) => "takes at least what is distributed",
            ("_lpdf", Some(of)) if of.only_int() => {
                "has a first argument of real numbers: of integers it is `_lpmf`"
            }
            ("_lpmf", Some(of)) if !of.only_int() => {
                "has a first argument of integers: of real numbers it is `_lpdf`"
            }
            _ => return,
        };
        self.error(Diagnostic::error(
            definition.span,
            format!("a function that ends in `{suffix}` {problem}"),
        ));
    }

    fn function_body(&mut self, definition: &FunctionDefinition) {
        let Some(body) = &definition.body else {
            return;
        };
        let returns = definition.returns.as_ref().map(Type::of_unsized);
        let kind = Kind::of_name(&definition.name.text);
        let name = definition.name.text.clone();
        self.place =
            Place { block: BlockKind::Functions, body: Some(Body { name, kind, returns: returns.clone() }) };
        self.scopes.open();
        for arg in &definition.args {
            let of = Type::of_unsized(&arg.of);
            let data = arg.data || of.only_int();
            let fixed = Some("it is an argument: copy it into a variable first");
            let variable = Variable { of, data, block: BlockKind::Functions, global: false, fixed };
            self.declare(&arg.name, variable);
        }
        self.scopes.open();
        if let StatementKind::Block(statements) = &body.kind {
            self.statements(statements);
        } else {
            self.statement(body);
        }
        self.scopes.close();
        self.scopes.close();
        if let Some(returns) = returns
            && !always_returns(body)
        {
            let name = &definition.name.text;
            let error = Diagnostic::error(definition.span, format!("`{name}` can end without `return`"));
            self.error(
                error.with_help(format!("it returns `{returns}`: each way through it must end in one")),
            );
        }
    }
}

/// Whether no way leads through a statement to its end.
fn always_returns(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::Output(kind, _) => *kind != crate::ast::Output::Print,
        StatementKind::Block(list) | StatementKind::Profile(_, list) => list.iter().any(always_returns),
        StatementKind::If { then, otherwise, .. } => {
            always_returns(then) && otherwise.as_ref().is_some_and(|otherwise| always_returns(otherwise))
        }
        StatementKind::For { body, .. } => always_returns(body),
        StatementKind::While(condition, body) => {
            let forever =
                matches!(&condition.kind, ExprKind::Int(text) if text.contains(|c| ('1'..='9').contains(&c)));
            forever && (!breaks(body) || always_returns(body))
        }
        _ => false,
    }
}

/// Whether a statement leaves the loop around it.
fn breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Block(list) | StatementKind::Profile(_, list) => list.iter().any(breaks),
        StatementKind::If { then, otherwise, .. } => {
            breaks(then) || otherwise.as_ref().is_some_and(|one| breaks(one))
        }
        _ => false,
    }
}
