//! Blocks, functions and statements.

use super::expressions::{expr, exprs, list, sized, unsized_type};
use super::{BREAK, Printer};
use crate::ast::{ForRange, FunctionDefinition, Printable, Statement, StatementKind, Tree};
use crate::span::Span;

impl Printer<'_> {
    pub(super) fn tree(&mut self, tree: &Tree) {
        if let Some(block) = &tree.functions {
            self.open(block.span, "functions", "functions {");
            for definition in &block.definitions {
                self.function(definition);
            }
            self.close(block.span, "}");
        }
        for block in &tree.blocks {
            let name = block.kind.name();
            self.open(block.span, name, &format!("{name} {{"));
            self.statements(&block.statements);
            self.close(block.span, "}");
        }
        self.comments_before(u32::MAX);
    }

    fn open(&mut self, span: Span, name: &str, line: &str) {
        self.before(span.start, span.start);
        self.line(line);
        self.indent += 1;
        self.opened(span.start + name.len() as u32);
    }

    /// Writes the comments before a closing brace, and the line that it begins.
    fn close(&mut self, span: Span, line: &str) {
        self.comments_before(span.end);
        self.indent -= 1;
        self.line(line);
        self.ended(span.end);
    }

    fn function(&mut self, definition: &FunctionDefinition) {
        let header_end = definition.args.last().map_or(definition.name.span.end, |arg| arg.name.span.end);
        self.before(definition.span.start, header_end);
        let returns = definition.returns.as_ref().map_or_else(|| "void".to_owned(), unsized_type);
        let args = list(&definition.args, |arg| {
            let data = if arg.data { "data " } else { "" };
            format!("{data}{} {}", unsized_type(&arg.of), arg.name.text)
        });
        let header = format!("{returns} {}({args})", definition.name.text);
        let Some(body) = &definition.body else {
            self.line(&format!("{header};"));
            self.ended(definition.span.end);
            return;
        };
        self.body(&header, header_end, body);
        self.close(definition.span, "}");
    }

    /// A header with the statements of its body; the closing brace is left to the caller.
    fn body(&mut self, header: &str, header_end: u32, body: &Statement) {
        self.line(&format!("{header} {{"));
        self.indent += 1;
        self.opened(header_end);
        match &body.kind {
            StatementKind::Block(statements) => self.statements(statements),
            _ => self.statement(body),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Empty => {}
            StatementKind::If { .. } => {
                self.if_chain(statement);
            }
            StatementKind::While(condition, body) => {
                self.nest(span, &format!("while ({})", expr(condition)), condition.span.end, body);
            }
            StatementKind::For { variable, range, body } => {
                let (over, end) = match range.as_ref() {
                    ForRange::Between(from, to) => (format!("{}:{}", expr(from), expr(to)), to.span.end),
                    ForRange::Each(over) => (expr(over), over.span.end),
                };
                self.nest(span, &format!("for ({} in {over})", variable.text), end, body);
            }
            StatementKind::Profile(name, statements) => {
                self.comments_before(span.start);
                self.before(span.start, span.start);
                self.line(&format!("profile(\"{name}\") {{"));
                self.indent += 1;
                self.opened(span.start + 7);
                self.statements(statements);
                self.close(span, "}");
            }
            StatementKind::Block(statements) => {
                self.before(span.start, span.start);
                self.line("{");
                self.indent += 1;
                self.opened(span.start + 1);
                self.statements(statements);
                self.close(span, "}");
            }
            plain => {
                self.before(span.start, span.end);
                self.line(&format!("{};", simple(plain)));
                self.ended(span.end);
            }
        }
    }

    fn nest(&mut self, span: Span, header: &str, header_end: u32, body: &Statement) {
        self.before(span.start, header_end);
        self.body(header, header_end, body);
        self.close(span, "}");
    }

    fn if_chain(&mut self, statement: &Statement) {
        let mut current = statement;
        let mut lead = String::new();
        while let StatementKind::If { condition, then, otherwise } = &current.kind {
            if lead.is_empty() {
                self.before(current.span.start, condition.span.end);
            }
            self.body(&format!("{lead}if ({})", expr(condition)), condition.span.end, then);
            self.comments_before(then.span.end);
            self.indent -= 1;
            let Some(otherwise) = otherwise else {
                break;
            };
            "} else ".clone_into(&mut lead);
            if matches!(otherwise.kind, StatementKind::If { .. }) {
                current = otherwise;
                continue;
            }
            self.body("} else", then.span.end, otherwise);
            self.comments_before(otherwise.span.end);
            self.indent -= 1;
            break;
        }
        self.line("}");
        self.ended(statement.span.end);
    }
}

/// A statement of one line, without its semicolon.
fn simple(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Declare(declaration) => {
            let variables = list(&declaration.variables, |(name, value)| match value {
                Some(value) => format!("{} ={BREAK}{}", name.text, expr(value)),
                None => name.text.clone(),
            });
            format!("{} {variables}", sized(&declaration.sized))
        }
        StatementKind::Assign { target, op, value } => {
            let op = op.map_or("", |op| op.sign());
            format!("{} {op}={BREAK}{}", expr(target), expr(value))
        }
        StatementKind::Call(call) => expr(call),
        StatementKind::TargetPlus(value) => format!("target +={BREAK}{}", expr(value)),
        StatementKind::JacobianPlus(value) => format!("jacobian +={BREAK}{}", expr(value)),
        StatementKind::Distribution(what) => {
            let bound = |bound: &Option<_>| bound.as_ref().map_or_else(String::new, expr);
            let truncation = what.truncation.as_ref();
            let truncation =
                truncation.map(|(lower, upper)| format!(" T[{},{BREAK}{}]", bound(lower), bound(upper)));
            let truncation = truncation.unwrap_or_default();
            format!("{}{BREAK}~ {}({}){truncation}", expr(&what.left), what.name.text, exprs(&what.args))
        }
        StatementKind::Output(output, printed) => {
            let printed = list(printed, |one| match one {
                Printable::Text(text) => format!("\"{text}\""),
                Printable::Value(value) => expr(value),
            });
            format!("{}({printed})", output.word())
        }
        StatementKind::Break => "break".to_owned(),
        StatementKind::Continue => "continue".to_owned(),
        StatementKind::Return(Some(value)) => format!("return {}", expr(value)),
        StatementKind::Return(None) => "return".to_owned(),
        _ => String::new(),
    }
}
