//! Expressions and types as text, with the places where a line may be broken.

use super::BREAK;
use crate::ast::{Element, Expr, ExprKind, Index, SizedType, UnsizedElement, UnsizedType};

/// Members with commas between them.
pub(super) fn list<T>(members: &[T], show: impl Fn(&T) -> String) -> String {
    members.iter().map(show).collect::<Vec<_>>().join(&format!(",{BREAK}"))
}

pub(super) fn exprs(members: &[Expr]) -> String {
    list(members, expr)
}

pub(super) fn expr(expr: &Expr) -> String {
    let show = self::expr;
    match &expr.kind {
        ExprKind::Int(text) | ExprKind::Real(text) | ExprKind::Imaginary(text) | ExprKind::Variable(text) => {
            text.clone()
        }
        ExprKind::Paren(inner) => format!("({})", show(inner)),
        ExprKind::Unary(op, inner) => format!("{}{}", op.sign(), show(inner)),
        ExprKind::Transpose(inner) => format!("{}'", show(inner)),
        ExprKind::Binary(op, left, right) => format!("{}{BREAK}{} {}", show(left), op.sign(), show(right)),
        ExprKind::Conditional(three) => {
            let [condition, then, otherwise] = three.as_ref();
            format!("{}{BREAK}? {}{BREAK}: {}", show(condition), show(then), show(otherwise))
        }
        ExprKind::Array(members) => format!("{{{}}}", exprs(members)),
        ExprKind::RowVector(members) => format!("[{}]", exprs(members)),
        ExprKind::Tuple(members) if members.len() == 1 => format!("({},)", exprs(members)),
        ExprKind::Tuple(members) => format!("({})", exprs(members)),
        ExprKind::Call { function, args, bar: false } => format!("{}({})", function.text, exprs(args)),
        ExprKind::Call { function, args, bar: true } => {
            let (first, rest) = args.split_at(1.min(args.len()));
            format!("{}({} |{BREAK}{})", function.text, exprs(first), exprs(rest))
        }
        ExprKind::Target => "target()".to_owned(),
        ExprKind::Index(base, indices) => format!("{}[{}]", show(base), list(indices, index)),
        ExprKind::Field(base, field) => format!("{}.{field}", show(base)),
    }
}

fn index(index: &Index) -> String {
    match index {
        Index::All => ":".to_owned(),
        Index::At(at) => expr(at),
        Index::From(from) => format!("{}:", expr(from)),
        Index::To(to) => format!(":{}", expr(to)),
        Index::Between(from, to) => format!("{}:{}", expr(from), expr(to)),
    }
}

pub(super) fn sized(of: &SizedType) -> String {
    let mut text = String::new();
    if !of.array.is_empty() {
        text = format!("array[{}] ", exprs(&of.array));
    }
    text.push_str(of.element.word());
    let bounds: Vec<String> =
        of.bounds.list().map(|(word, bound)| format!("{word}={}", expr(bound))).collect();
    if !bounds.is_empty() {
        text.push('<');
        text.push_str(&bounds.join(&format!(",{BREAK}")));
        text.push('>');
    }
    if let Element::Tuple(members) = &of.element {
        text.push_str(&tuple(members, sized));
    }
    if !of.sizes.is_empty() {
        text.push('[');
        text.push_str(&exprs(&of.sizes));
        text.push(']');
    }
    text
}

pub(super) fn unsized_type(of: &UnsizedType) -> String {
    let array = if of.dims == 0 { String::new() } else { format!("array[{}] ", ",".repeat(of.dims - 1)) };
    match &of.element {
        UnsizedElement::Plain(element) => format!("{array}{}", element.word()),
        UnsizedElement::Tuple(members) => format!("{array}tuple{}", tuple(members, unsized_type)),
    }
}

fn tuple<T>(members: &[T], show: impl Fn(&T) -> String) -> String {
    let comma = if members.len() == 1 { "," } else { "" };
    format!("({}{comma})", list(members, show))
}
