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
        match indexed(&inner.of, &several) {
            Ok(of) => ExprType::new(of, inner.data && data),
            Err(()) => {
                let dims = dimensions(&inner.of);
                let message = match dims {
                    0 => format!("{} has no parts to index", describe(&inner.of)),
                    1 => format!("{} takes one index, here are {}", describe(&inner.of), indices.len()),
                    _ => format!("{} takes at most {dims} indices, here are {}", describe(&inner.of), indices.len()),
                };
                self.error(Diagnostic::error(base.span, message));
                ExprType::unknown()
            }
        }
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
                    let wanted = if matches!(index, Index::At(_)) { "an `int` or an `array[] int`" } else { "an `int`" };
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
        match &inner.of {
            Type::Unknown => ExprType::unknown(),
            Type::Tuple(members) => match field.checked_sub(1).and_then(|at| members.get(at)) {
                Some(of) => ExprType::new(of.clone(), inner.data),
                None => {
                    let message = format!("`{}` has fields 1 to {}, not {field}", inner.of, members.len());
                    self.error(Diagnostic::error(span, message));
                    ExprType::unknown()
                }
            },
            other => {
                let message = format!("{} is no tuple: it has no field {field}", describe(other));
                self.error(Diagnostic::error(span, message));
                ExprType::unknown()
            }
        }
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

/// The type of a part; each index takes one member or several.
fn indexed(of: &Type, several: &[bool]) -> Result<Type, ()> {
    let (element, dims) = of.element();
    if *element == Type::Unknown {
        return Ok(Type::Unknown);
    }
    let (of_array, rest) = several.split_at(dims.min(several.len()));
    let kept = of_array.iter().filter(|&&many| many).count() + dims - of_array.len();
    let inner = match (element, rest) {
        (other, []) => other.clone(),
        (Type::Vector | Type::RowVector | Type::ComplexVector | Type::ComplexRowVector, [true]) => element.clone(),
        (Type::Vector | Type::RowVector, [false]) => Type::Real,
        (Type::ComplexVector | Type::ComplexRowVector, [false]) => Type::Complex,
        (Type::Matrix, [false]) => Type::RowVector,
        (Type::ComplexMatrix, [false]) => Type::ComplexRowVector,
        (Type::Matrix | Type::ComplexMatrix, [true] | [true, true]) => element.clone(),
        (Type::Matrix, [true, false]) => Type::Vector,
        (Type::ComplexMatrix, [true, false]) => Type::ComplexVector,
        (Type::Matrix, [false, true]) => Type::RowVector,
        (Type::ComplexMatrix, [false, true]) => Type::ComplexRowVector,
        (Type::Matrix, [false, false]) => Type::Real,
        (Type::ComplexMatrix, [false, false]) => Type::Complex,
        _ => return Err(()),
    };
    Ok(inner.array(kept))
}
