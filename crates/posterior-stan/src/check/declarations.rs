//! Declarations: sizes, bounds, first values.

use super::Checker;
use super::choice::describe;
use super::scope::Variable;
use crate::ast::{BlockKind, Declaration, Element, Expr, SizedType};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::types::Type;

impl Checker {
    pub(super) fn declaration(&mut self, declaration: &Declaration, span: Span) {
        let sized = &declaration.sized;
        let of = Type::of_sized(sized);
        let block = self.place.block;
        let global = self.scopes.is_top() && block != BlockKind::Functions && block != BlockKind::Model;
        self.sized_type(sized, global, span);
        let sampled = matches!(block, BlockKind::Parameters | BlockKind::TransformedParameters);
        if sampled && global && of.holds_int() {
            let error =
                Diagnostic::error(span, format!("an `int` cannot be declared in the {} block", block.name()));
            self.error(error.with_help("what is sampled is continuous: use `real`, or sum the integers out"));
        }
        let data = of.only_int() || !self.place.depends_on_parameters();
        for (name, value) in &declaration.variables {
            self.declare(name, Variable { of: of.clone(), data, block, global, fixed: None });
            if let Some(value) = value {
                let given = self.value(value);
                if given.of.promotion(&of).is_none() {
                    let message =
                        format!("`{}` is {}; its value is {}", name.text, describe(&of), describe(&given.of));
                    let help = help_for_value(&given.of, &of);
                    self.error(Diagnostic::error(span, message).with_help_if(help));
                }
            }
        }
    }

    fn sized_type(&mut self, sized: &SizedType, global: bool, declaration: Span) {
        for size in sized.array.iter().chain(&sized.sizes) {
            self.size(size, global);
        }
        if let Element::Tuple(members) = &sized.element {
            for member in members {
                self.sized_type(member, global, declaration);
            }
            return;
        }
        let of = Type::of_sized(sized);
        let element = of.element().0.clone();
        for (word, bound) in sized.bounds.list() {
            let given = self.value(bound);
            if given.of == Type::Unknown {
                continue;
            }
            if matches!(
                element,
                Type::Complex | Type::ComplexVector | Type::ComplexRowVector | Type::ComplexMatrix
            ) {
                self.error(Diagnostic::error(
                    declaration,
                    format!("`{word}` has no meaning for `{element}`: complex numbers have no order"),
                ));
                return;
            }
            let scalar = if element == Type::Int { Type::Int } else { Type::Real };
            let fits =
                [&scalar, &element, &of].into_iter().any(|wanted| given.of.promotion(wanted).is_some());
            if fits {
                continue;
            }
            let message = format!("`{word}` of a `{of}` is {}; it wants `{scalar}`", describe(&given.of));
            let place = if element == Type::Int { declaration } else { bound.span };
            let help = (of != scalar).then(|| format!("or `{of}`, one bound for each member"));
            self.error(Diagnostic::error(place, message).with_help_if(help));
        }
    }

    fn size(&mut self, size: &Expr, global: bool) {
        let given = self.value(size);
        if given.of.promotion(&Type::Int).is_none() {
            let message = format!("a size is an `int`, not {}", describe(&given.of));
            self.error(Diagnostic::error(size.span, message));
        } else if global && !given.data {
            let error = Diagnostic::error(
                size.span,
                "a size here must be known before sampling; this depends on parameters",
            );
            self.error(error.with_help("sizes come from the data and transformed data blocks"));
        }
    }
}

/// What makes one type of another.
pub(super) fn help_for_value(given: &Type, wanted: &Type) -> Option<String> {
    let call = match (given, wanted) {
        (Type::Real, Type::Int) => "`to_int(...)` makes an `int` of data",
        (Type::RowVector, Type::Vector) | (Type::Vector, Type::RowVector) => "turn it by `'`",
        (Type::Array(..), Type::Vector) => "`to_vector(...)` makes a vector of it",
        (Type::Array(..), Type::RowVector) => "`to_row_vector(...)` makes a row vector of it",
        (Type::Array(..) | Type::Vector | Type::RowVector, Type::Matrix) => {
            "`to_matrix(...)` makes a matrix of it"
        }
        (Type::Vector | Type::RowVector, Type::Array(..)) => "`to_array_1d(...)` makes an array of it",
        (Type::Complex, Type::Real) => "`get_real(...)` takes its real part",
        _ => return None,
    };
    Some(call.to_owned())
}
