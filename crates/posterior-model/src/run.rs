//! The execution of a program on values: once to record the graph, once per draw for what is generated.

mod constraints;
mod equations;
mod expressions;
mod integrals;
mod places;
mod statements;

use std::sync::Arc;

use posterior_stan::{Element, Expr, SizedType};
use rand_pcg::Pcg64;

use crate::code::Code;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::trace::Trace;
use crate::transform::{Limits, is_complex};
use crate::value::{Elem, Num, Shape, Value};

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// The most numbers in one variable: 2 GB of them.
const MOST: usize = 1 << 27;
/// The deepest nesting of calls.
const DEEPEST: usize = 400;
/// The most statements of one run.
const LONGEST: u64 = 400_000_000;

/// A run of a program.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) code: &'a Arc<Code>,
    pub(crate) machine: Machine,
    pub(crate) frame: Vec<Option<Value>>,
    /// Terms of the log density.
    pub(crate) terms: Vec<Num>,
    /// Terms of the ln |Jacobian|.
    pub(crate) jacobian: Vec<Num>,
    pub(crate) printed: Vec<String>,
    depth: usize,
    steps: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(code: &'a Arc<Code>, trace: Trace, rng: Option<Pcg64>) -> Self {
        Self {
            code,
            machine: Machine { trace, rng },
            frame: vec![None; code.names()],
            terms: vec![],
            jacobian: vec![],
            printed: vec![],
            depth: 0,
            steps: 0,
        }
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let at = self.code.name_of(name) as usize;
        if let Some(slot) = self.frame.get_mut(at) {
            *slot = Some(value);
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.frame.get(self.code.name_of(name) as usize)?.as_ref()
    }

    /// A size: a known integer that is not negative.
    pub(crate) fn size(&mut self, expr: &Expr) -> Result<usize, Fault> {
        match self.eval(expr)? {
            Value::Int(n) if n >= 0 && (n as u64) <= MOST as u64 => Ok(n as usize),
            Value::Int(n) if n < 0 => {
                Err(Fault::new(format!("a size of {n}, which is negative")).at(expr.span.start))
            }
            Value::Int(n) => {
                Err(Fault::new(format!("a size of {n}: no variable holds more than {MOST} numbers"))
                    .at(expr.span.start))
            }
            _ => Err(Fault::new("a size that is not an integer").at(expr.span.start)),
        }
    }

    /// The shape of a variable that is declared so.
    pub(crate) fn shape(&mut self, sized: &SizedType) -> Result<Shape, Fault> {
        let dims = sized.array.iter().map(|expr| self.size(expr)).collect::<Result<Vec<_>, _>>()?;
        let sizes = sized.sizes.iter().map(|expr| self.size(expr)).collect::<Result<Vec<_>, _>>()?;
        let square = |sizes: &[usize]| Elem::Matrix(sizes[0], sizes.get(1).copied().unwrap_or(sizes[0]));
        let elem = match sized.element {
            Element::Int | Element::Real | Element::Complex | Element::Tuple(_) => Elem::Scalar,
            Element::Vector
            | Element::ComplexVector
            | Element::Ordered
            | Element::PositiveOrdered
            | Element::Simplex
            | Element::UnitVector
            | Element::SumToZeroVector => Elem::Vector(sizes[0]),
            Element::RowVector | Element::ComplexRowVector => Elem::Row(sizes[0]),
            _ => square(&sizes),
        };
        let shape = Shape { dims, elem };
        let total = shape.sizes().iter().try_fold(1_usize, |all, &n| all.checked_mul(n));
        if total.is_none_or(|total| total > MOST) {
            return Err(
                Fault::new(format!("no variable holds more than {MOST} numbers")).at(sized.span.start)
            );
        }
        Ok(shape)
    }

    /// Bounds of a declaration.
    pub(crate) fn limits(&mut self, sized: &SizedType, shape: &Shape) -> Result<Limits, Fault> {
        let mut evaluate = |expr: &Option<Expr>| -> Result<Option<Value>, Fault> {
            let Some(expr) = expr else { return Ok(None) };
            let value = self.eval(expr)?.promoted();
            let given = value.shape();
            if given.len() == shape.len() && given.sizes() == shape.sizes() {
                return Ok(Some(value));
            }
            let numbers = value.nums();
            if numbers.is_empty() || !shape.len().is_multiple_of(numbers.len()) {
                let message = format!("bounds of {:?} for a variable of {:?}", given.sizes(), shape.sizes());
                return Err(Fault::new(message).at(expr.span.start));
            }
            // One bound for all, or one per element of the array.
            let all = (0..shape.len()).map(|i| numbers[i % numbers.len()]).collect();
            Ok(Some(Value::tensor(shape.clone(), all)))
        };
        let bounds = &sized.bounds;
        Ok(Limits {
            lower: evaluate(&bounds.lower)?,
            upper: evaluate(&bounds.upper)?,
            offset: evaluate(&bounds.offset)?,
            multiplier: evaluate(&bounds.multiplier)?,
        })
    }

    /// A variable before its first value: NaN, or the least integer.
    pub(crate) fn blank(&mut self, sized: &SizedType) -> Result<Value, Fault> {
        let shape = self.shape(sized)?;
        Ok(match &sized.element {
            Element::Int => Value::ints(shape.dims.clone(), vec![i64::from(i32::MIN); shape.len()]),
            Element::Tuple(members) => {
                let one = Value::Tuple(members.iter().map(|of| self.blank(of)).collect::<Result<_, _>>()?);
                match shape.dims.as_slice() {
                    [] => one,
                    [n] => Value::List(vec![one; *n]),
                    _ => {
                        return Err(
                            Fault::new("arrays of tuples have one dimension here").at(sized.span.start)
                        );
                    }
                }
            }
            element => {
                let nothing = vec![Num::C(f64::NAN); shape.len() * if is_complex(element) { 2 } else { 1 }];
                if is_complex(element) {
                    Value::of_pairs(&shape, &nothing)
                } else {
                    Value::tensor(shape, nothing)
                }
            }
        })
    }
}
