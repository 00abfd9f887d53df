//! Indices and fields.

use super::choice::describe;
use super::{Checker, ExprType};
use crate::ast::{Expr, Index};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::types::Type;

impl Checker {
    pub(super) fn index(&mut self, base: &Expr, indices: &[Index]) -> ExprType {
        let inner = self.value(base);
        let (several, data) = self.indices(indices);
        if let Some(of) = indexed(&inner.of, &several) {
            return ExprType::new(of, inner.data && data);
        }
        let (what, count) = (describe(&inner.of), indices.len());
        let message = match dimensions(&inner.of) {
            0 => format!("{what} has no parts to index"),
            1 => format!("{what} takes one index, here are {count}"),
            dims => format!("{what} takes at most {dims} indices, here are {count}"),
        };
        self.error(Diagnostic::error(base.span, message));
        ExprType::unknown()
    }

    /// Whether each index takes several members, and whether all are data.
    fn indices(&mut self, indices: &[Index]) -> (Vec<bool>, bool) {
        let mut several = Vec::with_capacity(indices.len());
        let mut all_data = true;
        for index in indices {
            let mut many = !matches!(index, Index::At(_));
            for expr in index.expressions() {
                let given = self.value(expr);
                all_data &= given.data;
                let list = matches!(index, Index::At(_)) && given.of == Type::Int.array(1);
                many |= list;
                if given.of != Type::Int && given.of != Type::Unknown && !list {
                    let wanted = if matches!(index, Index::At(_)) {
                        "an `int` or an `array[] int`"
                    } else {
                        "an `int`"
                    };
                    let message = format!("this index is {}; it wants {wanted}", describe(&given.of));
                    self.error(Diagnostic::error(expr.span, message));
                }
            }
            several.push(many);
        }
        (several, all_data)
    }

    pub(super) fn field(&mut self, base: &Expr, field: usize, span: Span) -> ExprType {
        let inner = self.value(base);
        let message = match &inner.of {
            Type::Unknown => return ExprType::unknown(),
            Type::Tuple(members) => {
                if let Some(of) = field.checked_sub(1).and_then(|at| members.get(at)) {
                    return ExprType::new(of.clone(), inner.data);
                }
                format!("`{}` has fields 1 to {}, not {field}", inner.of, members.len())
            }
            other => format!("{} is no tuple: it has no field {field}", describe(other)),
        };
        self.error(Diagnostic::error(span, message));
        ExprType::unknown()
    }
}

/// How many indices a type takes at most.
fn dimensions(of: &Type) -> usize {
    let (element, dims) = of.element();
    dims + match element {
        Type::Vector | Type::RowVector | Type::ComplexVector | Type::ComplexRowVector => 1,
        Type::Matrix | Type::ComplexMatrix => 2,
        _ => 0,
    }
}

/// The type of a part; each index takes one member or several. Nothing if there are too many indices.
fn indexed(of: &Type, several: &[bool]) -> Option<Type> {
    let (element, dims) = of.element();
    if *element == Type::Unknown {
        return Some(Type::Unknown);
    }
    let (of_array, rest) = several.split_at(dims.min(several.len()));
    let kept = of_array.iter().filter(|&&many| many).count() + dims - of_array.len();
    let complex = matches!(element, Type::ComplexVector | Type::ComplexRowVector | Type::ComplexMatrix);
    let scalar = if complex { Type::Complex } else { Type::Real };
    let column = if complex { Type::ComplexVector } else { Type::Vector };
    let row = if complex { Type::ComplexRowVector } else { Type::RowVector };
    let matrix = matches!(element, Type::Matrix | Type::ComplexMatrix);
    let vector = *element == column || *element == row;
    let inner = match rest {
        [] => element.clone(),
        [true] if vector || matrix => element.clone(),
        [true, true] if matrix => element.clone(),
        [false] if vector => scalar,
        [false, false] if matrix => scalar,
        [true, false] if matrix => column,
        [false] | [false, true] if matrix => row,
        _ => return None,
    };
    Some(inner.array(kept))
}
