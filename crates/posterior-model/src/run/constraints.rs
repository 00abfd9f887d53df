//! Maps from unconstrained numbers to constrained values and back, as functions of the program.

use posterior_stan::{Element, SizedType};

use super::Run;
use crate::fault::Fault;
use crate::library::constraints::{Direction, STEMS};
use crate::library::count;
use crate::transform::{Limits, constrain, free, free_len, free_numbers};
use crate::value::{Elem, Num, Shape, Value};

impl Run<'_> {
    /// The value of a variable that is declared so, of as many of the numbers as it needs; `like` has its
    /// sizes.
    pub(crate) fn constrained(
        &mut self,
        sized: &SizedType,
        like: &Value,
        numbers: &mut &[Num],
    ) -> Result<Value, Fault> {
        match (&sized.element, like) {
            (_, Value::List(all)) => {
                let each = all.iter().map(|one| self.constrained(sized, one, numbers));
                Ok(Value::List(each.collect::<Result<_, _>>()?))
            }
            (Element::Tuple(types), Value::Tuple(members)) => {
                let each = types.iter().zip(members).map(|(of, one)| self.constrained(of, one, numbers));
                Ok(Value::Tuple(each.collect::<Result<_, _>>()?))
            }
            (element, _) => {
                let shape = like.shape();
                let limits = self.limits(sized, &shape)?;
                let (own, others) = numbers.split_at(free_numbers(sized, like));
                *numbers = others;
                let Self { machine, jacobian, .. } = self;
                Ok(constrain(&mut machine.trace, element, &shape, &limits, own, jacobian))
            }
        }
    }

    /// Unconstrained numbers of such a value.
    pub(crate) fn freed(
        &mut self,
        sized: &SizedType,
        value: &Value,
        out: &mut Vec<f64>,
    ) -> Result<(), Fault> {
        match (&sized.element, value) {
            (_, Value::List(all)) => all.iter().try_for_each(|one| self.freed(sized, one, out)),
            (Element::Tuple(types), Value::Tuple(members)) => {
                let mut each = types.iter().zip(members);
                each.try_for_each(|(of, one)| self.freed(of, one, out))
            }
            (element, _) => {
                let shape = value.shape();
                let limits = self.limits(sized, &shape)?;
                let trace = &mut self.machine.trace;
                let numbers = free(trace, element, &shape, &limits, &value.nums())?;
                out.extend(numbers.into_iter().map(|x| trace.value(x)));
                Ok(())
            }
        }
    }

    /// Calls such a function.
    pub(super) fn constraint(
        &mut self,
        (at, direction): (usize, Direction),
        values: &[Value],
    ) -> Result<Value, Fault> {
        let (stem, element) = &STEMS[at];
        let Some(own) = values.first() else { return Err(Fault::new("an argument is wanted")) };
        let argument = |at: usize| values.get(at).cloned().map(Value::promoted);
        let limits = match *stem {
            "lower_bound" => Limits { lower: argument(1), ..Limits::default() },
            "upper_bound" => Limits { upper: argument(1), ..Limits::default() },
            "lower_upper_bound" => Limits { lower: argument(1), upper: argument(2), ..Limits::default() },
            "offset_multiplier" => {
                Limits { offset: argument(1), multiplier: argument(2), ..Limits::default() }
            }
            _ => Limits::default(),
        };
        let own = own.clone().promoted();
        let matrix_sum = matches!((*stem, own.shape().elem), ("sum_to_zero", Elem::Matrix(..)));
        let element = if matrix_sum { Element::SumToZeroMatrix } else { element.clone() };
        let Shape { dims, elem } = own.shape();
        if direction == Direction::Unconstrain {
            let free = free(&mut self.machine.trace, &element, &own.shape(), &limits, &own.nums())?;
            let elem = match elem {
                _ if element == Element::Real => elem,
                Elem::Matrix(r, c) => match element {
                    Element::ColumnStochasticMatrix => Elem::Matrix(r.saturating_sub(1), c),
                    Element::RowStochasticMatrix => Elem::Matrix(r, c.saturating_sub(1)),
                    Element::SumToZeroMatrix => Elem::Matrix(r.saturating_sub(1), c.saturating_sub(1)),
                    _ => Elem::Vector(free_len(&element, elem)),
                },
                _ => Elem::Vector(free_len(&element, elem)),
            };
            return Ok(Value::tensor(Shape { dims, elem }, free));
        }
        let size = |at: usize| values.get(at).map_or(Ok(0), count);
        let elem = match (elem, &element) {
            (Elem::Vector(n), Element::Simplex | Element::SumToZeroVector) => Elem::Vector(n + 1),
            (Elem::Matrix(r, c), Element::ColumnStochasticMatrix) => Elem::Matrix(r + 1, c),
            (Elem::Matrix(r, c), Element::RowStochasticMatrix) => Elem::Matrix(r, c + 1),
            (Elem::Matrix(r, c), Element::SumToZeroMatrix) => Elem::Matrix(r + 1, c + 1),
            (_, Element::CholeskyFactorCov) => Elem::Matrix(size(1)?, size(2)?),
            (_, Element::CholeskyFactorCorr | Element::CorrMatrix | Element::CovMatrix) => {
                Elem::Matrix(size(1)?, size(1)?)
            }
            (elem, _) => elem,
        };
        let shape = Shape { dims, elem };
        let numbers = own.nums();
        let wanted = free_len(&element, elem) * shape.dims.iter().product::<usize>();
        if element != Element::Real && numbers.len() != wanted {
            return Err(Fault::reject(format!("{} numbers, where {wanted} are wanted", numbers.len())));
        }
        let mut jacobian = vec![];
        let made = constrain(&mut self.machine.trace, &element, &shape, &limits, &numbers, &mut jacobian);
        if direction == Direction::Jacobian {
            self.jacobian.extend(jacobian);
        }
        Ok(made)
    }
}
