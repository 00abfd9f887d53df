//! Walks over the parts of a tree.

use crate::ast::{Element, Expr, ExprKind, Index, SizedType};

/// Calls a function at each expression of a type: sizes and bounds, with their parts.
pub(crate) fn for_each_size(sized: &mut SizedType, f: &mut impl FnMut(&mut Expr)) {
    let bounds = &mut sized.bounds;
    let bounds = [&mut bounds.lower, &mut bounds.upper, &mut bounds.offset, &mut bounds.multiplier];
    let all = sized.array.iter_mut().chain(&mut sized.sizes).chain(bounds.into_iter().flatten());
    for expr in all {
        for_each(expr, f);
    }
    if let Element::Tuple(members) = &mut sized.element {
        for member in members {
            for_each_size(member, f);
        }
    }
}

fn for_each(expr: &mut Expr, f: &mut impl FnMut(&mut Expr)) {
    f(expr);
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Imaginary(_)
        | ExprKind::Variable(_)
        | ExprKind::Target => {}
        ExprKind::Paren(one)
        | ExprKind::Unary(_, one)
        | ExprKind::Transpose(one)
        | ExprKind::Field(one, _) => {
            for_each(one, f);
        }
        ExprKind::Binary(_, one, other) => {
            for_each(one, f);
            for_each(other, f);
        }
        ExprKind::Conditional(three) => {
            for one in three.iter_mut() {
                for_each(one, f);
            }
        }
        ExprKind::Array(list)
        | ExprKind::RowVector(list)
        | ExprKind::Tuple(list)
        | ExprKind::Call { args: list, .. } => {
            for one in list {
                for_each(one, f);
            }
        }
        ExprKind::Index(base, indices) => {
            for_each(base, f);
            for index in indices {
                match index {
                    Index::All => {}
                    Index::At(one) | Index::From(one) | Index::To(one) => for_each(one, f),
                    Index::Between(one, other) => {
                        for_each(one, f);
                        for_each(other, f);
                    }
                }
            }
        }
    }
}
