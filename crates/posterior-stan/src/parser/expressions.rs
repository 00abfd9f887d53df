//! Expressions: one function per strength of binding.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Index, Name, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::token::Token;

/// How strongly `+` binds: bounds of types have nothing weaker.
const SUM: u8 = BinaryOp::Add.strength();
/// How strongly `^` binds.
const POWER: u8 = BinaryOp::Power.strength();

fn depth_of<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> usize {
    1 + parts.into_iter().map(|part| usize::from(part.depth)).max().unwrap_or(0)
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| {
            let condition = parser.binary(1)?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let then = parser.expression()?;
            parser.expect(":")?;
            let otherwise = parser.expression()?;
            let span = parser.since(condition.span);
            let depth = depth_of([&condition, &then, &otherwise]);
            parser.expr(ExprKind::Conditional(Box::new([condition, then, otherwise])), span, depth)
        })
    }

    /// An expression between `<` and `>`.
    pub(super) fn bound(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| parser.binary(SUM))
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        match self.peek() {
            Token::Sign(sign) => BinaryOp::of_sign(sign),
            _ => None,
        }
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(op) = self.binary_op().filter(|op| (weakest..POWER).contains(&op.strength())) {
            self.next();
            let right = self.deeper(|parser| parser.binary(op.strength() + 1))?;
            let span = left.span.to(right.span);
            let depth = depth_of([&left, &right]);
            left = self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), span, depth)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            Token::Sign("-") => UnaryOp::Minus,
            Token::Sign("+") => UnaryOp::Plus,
            Token::Sign("!") => UnaryOp::Not,
            _ => return self.power(),
        };
        let start = self.next();
        let operand = self.deeper(Self::unary)?;
        let (span, depth) = (start.to(operand.span), depth_of([&operand]));
        self.expr(ExprKind::Unary(op, Box::new(operand)), span, depth)
    }

    fn power(&mut self) -> Parsed<Expr> {
        let base = self.postfix()?;
        let Some(op) = self.binary_op().filter(|op| op.strength() == POWER) else {
            return Ok(base);
        };
        self.next();
        let exponent = self.deeper(Self::unary)?;
        let (span, depth) = (base.span.to(exponent.span), depth_of([&base, &exponent]));
        self.expr(ExprKind::Binary(op, Box::new(base), Box::new(exponent)), span, depth)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut base = self.primary()?;
        let number = matches!(base.kind, ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Imaginary(_));
        loop {
            let start = base.span;
            let depth = depth_of([&base]);
            let (kind, depth) = match self.peek() {
                Token::Sign("'") => {
                    self.next();
                    (ExprKind::Transpose(Box::new(base)), depth)
                }
                Token::Sign("[") => {
                    self.next();
                    let indices = self.list("]", Self::index)?;
                    let inner = depth_of(indices.iter().flat_map(Index::expressions));
                    (ExprKind::Index(Box::new(base), indices), depth.max(inner))
                }
                Token::Dot if !number => {
                    let field = self.field()?;
                    (ExprKind::Field(Box::new(base), field), depth)
                }
                _ => return Ok(base),
            };
            let span = self.since(start);
            base = self.expr(kind, span, depth)?;
        }
    }

    /// `.2` after an expression.
    fn field(&mut self) -> Parsed<usize> {
        let span = self.span();
        let text = &span.of(self.text)[1..];
        let field = text.parse::<u32>().map_err(|_| {
            Diagnostic::error(span, format!("a tuple has no field {text}")).with_help("fields count from 1")
        })?;
        self.next();
        Ok(field as usize)
    }

    fn index(&mut self) -> Parsed<Index> {
        if self.is(",") || self.is("]") {
            return Ok(Index::All);
        }
        if self.take(":") {
            let all = self.is(",") || self.is("]");
            return if all { Ok(Index::All) } else { Ok(Index::To(self.expression()?)) };
        }
        let first = self.expression()?;
        if !self.take(":") {
            return Ok(Index::At(first));
        }
        let open = self.is(",") || self.is("]");
        if open { Ok(Index::From(first)) } else { Ok(Index::Between(first, self.expression()?)) }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let text = || start.of(self.text).to_owned();
        let literal = match self.peek() {
            Token::Int => Some(ExprKind::Int(text())),
            Token::Real | Token::Dot => Some(ExprKind::Real(text())),
            Token::Imaginary => Some(ExprKind::Imaginary(text())),
            _ => None,
        };
        if let Some(kind) = literal {
            self.next();
            return self.expr(kind, start, 1);
        }
        match self.peek() {
            Token::Word("target") => {
                self.next();
                self.expect("(")?;
                self.expect(")")?;
                self.expr(ExprKind::Target, self.since(start), 1)
            }
            Token::Sign("(") => self.paren(),
            Token::Sign("{") => {
                let at = self.at;
                self.arrays.insert(at, false);
                self.next();
                let first = self.expression()?;
                self.arrays.insert(at, self.is(",") || self.is("}"));
                let mut members = vec![first];
                while self.take(",") {
                    members.push(self.expression()?);
                }
                if !self.take("}") {
                    return Err(self.unexpected("`,` or `}`"));
                }
                let depth = depth_of(&members);
                self.expr(ExprKind::Array(members), self.since(start), depth)
            }
            Token::Sign("[") => {
                self.next();
                let members = if self.take("]") { Vec::new() } else { self.list("]", Self::expression)? };
                let depth = depth_of(&members);
                self.expr(ExprKind::RowVector(members), self.since(start), depth)
            }
            _ => {
                let name = self.name("an expression")?;
                if self.is("(") {
                    self.call(name)
                } else {
                    self.expr(ExprKind::Variable(name.text), start, 1)
                }
            }
        }
    }

    fn paren(&mut self) -> Parsed<Expr> {
        let start = self.next();
        let first = self.expression()?;
        if self.take(")") {
            let depth = depth_of([&first]);
            return self.expr(ExprKind::Paren(Box::new(first)), self.since(start), depth);
        }
        if !self.take(",") {
            return Err(self.unexpected("`)` or `,`"));
        }
        let mut members = vec![first];
        if !self.take(")") {
            members.extend(self.list(")", Self::expression)?);
        }
        let depth = depth_of(&members);
        self.expr(ExprKind::Tuple(members), self.since(start), depth)
    }

    fn call(&mut self, function: Name) -> Parsed<Expr> {
        self.next();
        let mut args = Vec::new();
        let mut bar = false;
        if !self.take(")") {
            args.push(self.expression()?);
            bar = self.take("|");
            if bar && self.take(")") {
            } else if bar || self.take(",") {
                args.extend(self.list(")", Self::expression)?);
            } else if !self.take(")") {
                return Err(self.unexpected("`,`, `|` or `)`"));
            }
        }
        let (span, depth) = (self.since(function.span), depth_of(&args));
        if let Some(kind) = self.old_call(&function, &mut args, &mut bar) {
            return self.expr(kind, span, depth);
        }
        self.expr(ExprKind::Call { function, args, bar }, span, depth)
    }
}
