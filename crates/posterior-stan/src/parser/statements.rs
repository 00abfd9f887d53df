//! Statements.

use super::declarations::Place;
use super::{Parsed, Parser};
use crate::ast::{
    BinaryOp, Distribution, Expr, ExprKind, ForRange, Output, Printable, Statement, StatementKind,
};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::Token;

impl Parser<'_> {
    /// One statement; a declaration may become several.
    pub(super) fn statement(&mut self, place: Place, out: &mut Vec<Statement>) -> Parsed<()> {
        if self.is_type() {
            return self.declaration(place, out);
        }
        let start = self.span();
        let kind = self.deeper(Self::statement_kind)?;
        out.push(Statement { kind, span: self.since(start) });
        Ok(())
    }

    /// The statement of an `if` or a loop.
    fn body(&mut self) -> Parsed<Box<Statement>> {
        let start = self.span();
        let mut list = Vec::with_capacity(1);
        self.statement(Place::Local, &mut list)?;
        if let (Some(one), true) = (list.pop(), list.is_empty()) {
            return Ok(Box::new(one));
        }
        Err(Diagnostic::error(start, "several declarations without braces"))
    }

    pub(super) fn function_body(&mut self) -> Parsed<Statement> {
        self.body().map(|body| *body)
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let start = self.span();
        match self.peek() {
            Token::Sign("{") if !self.is_array() => {
                self.next();
                Ok(StatementKind::Block(self.statements(Place::Local)?))
            }
            Token::Sign(";") => {
                self.next();
                Ok(StatementKind::Empty)
            }
            Token::Word("if") => self.if_statement(),
            Token::Word("while") => {
                self.next();
                let condition = self.in_parens()?;
                Ok(StatementKind::While(condition, self.body()?))
            }
            Token::Word("for") => self.for_statement(),
            Token::Word("break" | "continue") => {
                let kind = if self.is_word("break") { StatementKind::Break } else { StatementKind::Continue };
                self.next();
                self.expect(";")?;
                Ok(kind)
            }
            Token::Word("return") => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.end_of_statement()?;
                Ok(StatementKind::Return(value))
            }
            Token::Word("profile") => self.profile(),
            Token::Word("print") => self.output(Output::Print),
            Token::Word("reject") => self.output(Output::Reject),
            Token::Word("fatal_error") => self.output(Output::FatalError),
            Token::Word("target") if self.peek_after() != Token::Sign("(") => {
                self.next();
                Ok(StatementKind::TargetPlus(self.increment()?))
            }
            Token::Word("jacobian") => {
                self.next();
                Ok(StatementKind::JacobianPlus(self.increment()?))
            }
            Token::Word(_) | Token::Block(_) if !self.is_word("target") && !self.is_old_name() => {
                Err(self.unexpected("a statement"))
            }
            Token::Sign("}" | ")" | "]") | Token::End => Err(self.unexpected("a statement")),
            _ => self.expression_statement(start),
        }
    }

    /// Whether a brace opens an array, `{1, 2} ~ normal(0, 1);`, and no block: a comma or a brace follows the
    /// first expression.
    fn is_array(&mut self) -> bool {
        let (at, id, notes) = (self.at, self.next_id, self.notes.len());
        if let Some(&known) = self.arrays.get(&at) {
            return known;
        }
        // Primary expressions say of each brace on the way what it is: an error behind it changes nothing.
        let _ = self.expression();
        (self.at, self.next_id) = (at, id);
        self.notes.truncate(notes);
        self.arrays.get(&at).copied().unwrap_or(false)
    }

    fn increment(&mut self) -> Parsed<Expr> {
        self.expect("+=")?;
        let value = self.expression()?;
        self.end_of_statement()?;
        Ok(value)
    }

    fn end_of_statement(&mut self) -> Parsed<()> {
        if self.take(";") { Ok(()) } else { Err(self.unexpected("an operator or `;`")) }
    }

    /// Assignments, distribution statements and calls begin alike.
    fn expression_statement(&mut self, start: Span) -> Parsed<StatementKind> {
        let mut left = self.expression()?;
        let sign = match self.peek() {
            Token::Sign(sign) => sign,
            _ => "",
        };
        let op = match sign {
            "=" => Some(None),
            "<-" => {
                let span = self.span();
                self.note(span, "`<-` assigns".to_owned(), "today: `=`");
                Some(None)
            }
            "+=" | "-=" | "*=" | "/=" | ".*=" | "./=" => Some(BinaryOp::of_sign(&sign[..sign.len() - 1])),
            _ => None,
        };
        if let Some(op) = op {
            if !is_assignable(&left) {
                let span = Span { start: start.start, end: left.span.end };
                let error = Diagnostic::error(span, "this cannot be assigned to");
                let help = "left of `=`: a variable, its part by index or field, or a tuple of those";
                return Err(error.with_help(help));
            }
            self.next();
            let value = self.expression()?;
            self.end_of_statement()?;
            return Ok(StatementKind::Assign { target: left, op, value });
        }
        if self.take("~") {
            return self.distribution(left);
        }
        let is_call = matches!(left.kind, ExprKind::Call { bar: false, .. });
        let left = match left.kind {
            ExprKind::Call { ref function, ref mut args, .. }
                if function.text == "increment_log_prob" && args.len() == 1 && self.is(";") =>
            {
                let span = function.span;
                let value = args.swap_remove(0);
                self.next();
                self.note(span, "`increment_log_prob`".to_owned(), "today: `target += ...;`");
                return Ok(StatementKind::TargetPlus(value));
            }
            _ => left,
        };
        if is_call && self.take(";") {
            return Ok(StatementKind::Call(left));
        }
        let expected = if is_call { "`~`, an operator or `;`" } else { "`=`, `~` or an operator" };
        let error = self.unexpected(expected);
        Err(if self.is(";") { error.with_help("a value alone does nothing") } else { error })
    }

    fn distribution(&mut self, left: Expr) -> Parsed<StatementKind> {
        let name = self.name("the name of a distribution")?;
        self.expect("(")?;
        let args = if self.take(")") { Vec::new() } else { self.list(")", Self::expression)? };
        let truncated = self.peek() == Token::Name && self.span().of(self.text) == "T";
        let truncation = if truncated { Some(self.truncation()?) } else { None };
        if !self.take(";") {
            return Err(self.unexpected(if truncation.is_some() { "`;`" } else { "`;` or `T[`" }));
        }
        Ok(StatementKind::Distribution(Box::new(Distribution { left, name, args, truncation })))
    }

    fn truncation(&mut self) -> Parsed<(Option<Expr>, Option<Expr>)> {
        self.next();
        self.expect("[")?;
        let lower = if self.is(",") { None } else { Some(self.expression()?) };
        self.expect(",")?;
        let upper = if self.is("]") { None } else { Some(self.expression()?) };
        self.expect("]")?;
        Ok((lower, upper))
    }

    fn in_parens(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let inner = self.expression()?;
        if self.take(")") { Ok(inner) } else { Err(self.unexpected("`)` or an operator")) }
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.next();
        let condition = self.in_parens()?;
        let then = self.body()?;
        let mut otherwise = None;
        if self.is_word("else") {
            self.next();
            otherwise = Some(self.body()?);
        }
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect("(")?;
        let variable = self.name("the name of the loop's variable")?;
        self.expect_word("in")?;
        let first = self.expression()?;
        let range =
            if self.take(":") { ForRange::Between(first, self.expression()?) } else { ForRange::Each(first) };
        if !self.take(")") {
            return Err(self.unexpected(if matches!(range, ForRange::Each(_)) {
                "`:` or `)`"
            } else {
                "`)`"
            }));
        }
        Ok(StatementKind::For { variable, range: Box::new(range), body: self.body()? })
    }

    fn profile(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect("(")?;
        if self.peek() != Token::Text {
            return Err(self.unexpected("a text in quotes"));
        }
        let name = self.quoted();
        self.expect(")")?;
        self.expect("{")?;
        Ok(StatementKind::Profile(name, self.statements(Place::Local)?))
    }

    /// The text between quotes.
    fn quoted(&mut self) -> String {
        let text = self.next().of(self.text);
        text.trim_matches('"').to_owned()
    }

    fn output(&mut self, kind: Output) -> Parsed<StatementKind> {
        self.next();
        self.expect("(")?;
        let printable = |parser: &mut Self| {
            if parser.peek() == Token::Text {
                Ok(Printable::Text(parser.quoted()))
            } else {
                parser.expression().map(Printable::Value)
            }
        };
        let list = if self.take(")") { Vec::new() } else { self.list(")", printable)? };
        self.expect(";")?;
        Ok(StatementKind::Output(kind, list))
    }
}

/// Whether an expression may stand left of `=`.
fn is_assignable(expr: &Expr) -> bool {
    fn part(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(_) => true,
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => part(base),
            _ => false,
        }
    }
    match &expr.kind {
        ExprKind::Tuple(members) => members.iter().all(is_assignable),
        _ => part(expr),
    }
}
