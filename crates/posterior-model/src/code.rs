//! A checked program with what a run looks up: names as numbers, calls as functions.

use std::collections::BTreeMap;

use posterior_stan::{
    Distribution, Expr, ExprKind, FunctionDefinition, Index, SizedType, Statement, StatementKind, Type,
    TypedProgram,
};

use crate::library::{Builtin, builtin};

/// What a call means.
#[derive(Debug, Clone)]
pub(crate) enum Callee {
    /// A definition of the program, with the types of its arguments.
    User(usize, Vec<Type>),
    Library(Builtin),
    /// A function that takes functions, or one that is not known here.
    Named,
}

/// The program, ready to run.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) typed: TypedProgram,
    names: BTreeMap<String, u32>,
    variables: Vec<u32>,
    callees: Vec<Option<Callee>>,
    densities: BTreeMap<u32, Callee>,
}

impl Code {
    pub(crate) fn new(typed: &TypedProgram) -> Self {
        let n = typed.tree().expressions as usize;
        let mut code = Self {
            typed: typed.clone(),
            names: BTreeMap::new(),
            variables: vec![u32::MAX; n],
            callees: vec![None; n],
            densities: BTreeMap::new(),
        };
        let tree = typed.tree();
        for definition in tree.functions.iter().flat_map(|block| &block.definitions) {
            definition.args.iter().for_each(|arg| {
                code.name(&arg.name.text);
            });
            if let Some(body) = &definition.body {
                code.statement(body);
            }
        }
        for block in &tree.blocks {
            block.statements.iter().for_each(|statement| code.statement(statement));
        }
        code
    }

    pub(crate) fn text(&self) -> &str {
        self.typed.program().text()
    }

    pub(crate) fn names(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name_of(&self, text: &str) -> u32 {
        self.names.get(text).copied().unwrap_or(u32::MAX)
    }

    pub(crate) fn variable(&self, expr: &Expr) -> u32 {
        self.variables[expr.id as usize]
    }

    pub(crate) fn callee(&self, expr: &Expr) -> Option<&Callee> {
        self.callees[expr.id as usize].as_ref()
    }

    pub(crate) fn density(&self, statement: &Distribution) -> Option<&Callee> {
        self.densities.get(&statement.name.span.start)
    }

    /// The first definition of a name.
    pub(crate) fn defined(&self, name: &str) -> Option<usize> {
        let all = &self.typed.tree().functions.as_ref()?.definitions;
        all.iter().position(|one| one.name.text == name && one.body.is_some())
    }

    /// A definition with a body: announcements lead to it.
    pub(crate) fn definition(&self, at: usize) -> Option<&FunctionDefinition> {
        let all = &self.typed.tree().functions.as_ref()?.definitions;
        let one = all.get(at)?;
        if one.body.is_some() {
            return Some(one);
        }
        let types = |of: &FunctionDefinition| -> Vec<Type> {
            of.args.iter().map(|arg| Type::of_unsized(&arg.of)).collect()
        };
        all.iter().find(|o| o.body.is_some() && o.name.text == one.name.text && types(o) == types(one))
    }

    fn name(&mut self, text: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(text.to_owned()).or_insert(next)
    }

    fn sized(&mut self, sized: &SizedType) {
        sized.array.iter().chain(&sized.sizes).for_each(|expr| self.expr(expr));
        sized.bounds.list().for_each(|(_, expr)| self.expr(expr));
        if let posterior_stan::Element::Tuple(members) = &sized.element {
            for member in members {
                self.sized(member);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(declaration) => {
                self.sized(&declaration.sized);
                for (name, value) in &declaration.variables {
                    self.name(&name.text);
                    if let Some(value) = value {
                        self.expr(value);
                    }
                }
            }
            StatementKind::Assign { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            StatementKind::Call(expr)
            | StatementKind::TargetPlus(expr)
            | StatementKind::JacobianPlus(expr) => {
                self.expr(expr);
            }
            StatementKind::Distribution(one) => {
                self.expr(&one.left);
                for arg in &one.args {
                    self.expr(arg);
                }
                let bounds = one.truncation.iter().flat_map(|(low, high)| low.iter().chain(high));
                bounds.for_each(|bound| self.expr(bound));
                if let Some(resolved) = self.typed.density(one).cloned() {
                    self.densities.insert(one.name.span.start, callee(&resolved));
                }
            }
            StatementKind::Output(_, parts) => {
                for part in parts {
                    if let posterior_stan::Printable::Value(expr) = part {
                        self.expr(expr);
                    }
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::While(condition, body) => {
                self.expr(condition);
                self.statement(body);
            }
            StatementKind::For { variable, range, body } => {
                self.name(&variable.text);
                match range.as_ref() {
                    posterior_stan::ForRange::Between(from, to) => {
                        self.expr(from);
                        self.expr(to);
                    }
                    posterior_stan::ForRange::Each(all) => self.expr(all),
                }
                self.statement(body);
            }
            StatementKind::Profile(_, all) | StatementKind::Block(all) => {
                for one in all {
                    self.statement(one);
                }
            }
            StatementKind::Return(Some(expr)) => self.expr(expr),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let id = expr.id as usize;
        if let Some(resolved) = self.typed.resolved(expr).cloned() {
            self.callees[id] = Some(callee(&resolved));
        }
        match &expr.kind {
            ExprKind::Variable(name) => self.variables[id] = self.name(name),
            ExprKind::Paren(one)
            | ExprKind::Unary(_, one)
            | ExprKind::Transpose(one)
            | ExprKind::Field(one, _) => {
                self.expr(one);
            }
            ExprKind::Binary(_, one, other) => {
                self.expr(one);
                self.expr(other);
            }
            ExprKind::Conditional(three) => {
                for one in three.iter() {
                    self.expr(one);
                }
            }
            ExprKind::Array(all) | ExprKind::RowVector(all) | ExprKind::Tuple(all) => {
                for one in all {
                    self.expr(one);
                }
            }
            ExprKind::Call { args, .. } => {
                for one in args {
                    self.expr(one);
                }
                if self.callees[id].is_none() {
                    self.callees[id] = Some(Callee::Named);
                }
            }
            ExprKind::Index(base, indices) => {
                self.expr(base);
                indices.iter().flat_map(Index::expressions).for_each(|one| self.expr(one));
            }
            _ => {}
        }
    }
}

fn callee(resolved: &posterior_stan::Resolved) -> Callee {
    if let Some(at) = resolved.user {
        return Callee::User(at, resolved.args.clone());
    }
    match builtin(&resolved.function) {
        Some(found) => Callee::Library(found),
        None => Callee::Named,
    }
}
