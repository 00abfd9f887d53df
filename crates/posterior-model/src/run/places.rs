//! Indices: reading and writing of parts.

use std::sync::Arc;

use posterior_stan::{Expr, ExprKind, Index};

use super::Run;
use crate::fault::Fault;
use crate::value::{Elem, Pick, Shape, Value, select};

impl Run<'_> {
    fn index(&mut self, expr: &Expr, size: usize) -> Result<usize, Fault> {
        match self.eval(expr)? {
            Value::Int(i) => within(i, size).map_err(|fault| fault.at(expr.span.start)),
            _ => Err(Fault::new("an index that is not an integer").at(expr.span.start)),
        }
    }

    /// Positions along each axis that indices name.
    fn picks(&mut self, indices: &[Index], sizes: &[usize]) -> Result<Vec<Pick>, Fault> {
        let mut picks = Vec::with_capacity(indices.len());
        for (at, index) in indices.iter().enumerate() {
            let size = sizes.get(at).copied().unwrap_or(0);
            let pick = match index {
                Index::All => Pick::Many((0..size).collect()),
                Index::At(expr) => match self.eval(expr)? {
                    Value::Int(i) => Pick::One(within(i, size).map_err(|fault| fault.at(expr.span.start))?),
                    Value::Ints(list) => Pick::Many(
                        list.data
                            .iter()
                            .map(|&i| within(i, size).map_err(|fault| fault.at(expr.span.start)))
                            .collect::<Result<_, _>>()?,
                    ),
                    _ => return Err(Fault::new("an index that is not an integer").at(expr.span.start)),
                },
                Index::From(from) => {
                    let from = self.bound(from)?;
                    Pick::Many(range(from, crate::library::int_of(size), size)?)
                }
                Index::To(to) => {
                    let to = self.bound(to)?;
                    Pick::Many(range(1, to, size)?)
                }
                Index::Between(from, to) => {
                    let (from, to) = (self.bound(from)?, self.bound(to)?);
                    Pick::Many(range(from, to, size)?)
                }
            };
            picks.push(pick);
        }
        Ok(picks)
    }

    fn bound(&mut self, expr: &Expr) -> Result<i64, Fault> {
        match self.eval(expr)? {
            Value::Int(i) => Ok(i),
            _ => Err(Fault::new("an index that is not an integer").at(expr.span.start)),
        }
    }

    /// A part of a value.
    pub(super) fn part(&mut self, base: &Value, indices: &[Index]) -> Result<Value, Fault> {
        match base {
            Value::List(list) => {
                let Some(Index::At(first)) = indices.first() else {
                    return Err(Fault::new("arrays of tuples take one index at a time here"));
                };
                let at = self.index(first, list.len())?;
                if indices.len() == 1 {
                    Ok(list[at].clone())
                } else {
                    self.part(&list[at].clone(), &indices[1..])
                }
            }
            Value::Ints(ints) => {
                if let Some(at) = self.single(indices, &ints.dims, 1)? {
                    return Ok(Value::Int(ints.data[at]));
                }
                let shape = Shape { dims: ints.dims.clone(), elem: Elem::Scalar };
                let picks = self.picks(indices, &shape.sizes())?;
                let (positions, shape) = select(&shape, &picks);
                Ok(Value::ints(shape.dims, positions.into_iter().map(|at| ints.data[at]).collect()))
            }
            Value::Complex(parts) => {
                let shape = parts[0].shape();
                let picks = self.picks(indices, &shape.sizes())?;
                let (positions, shape) = select(&shape, &picks);
                let part = |own: &Value| {
                    let all = own.nums();
                    Value::tensor(shape.clone(), positions.iter().map(|&at| all[at]).collect())
                };
                Ok(Value::complex(part(&parts[0]), part(&parts[1])))
            }
            Value::Reals(tensor) => {
                let shape = &tensor.shape;
                let at = self.one_number(indices, shape)?;
                if let Some(at) = at {
                    return Ok(Value::Real(tensor.data[at]));
                }
                if let Some(at) = self.member(indices, &shape.dims)? {
                    let inner = Shape { dims: shape.dims[indices.len()..].to_vec(), elem: shape.elem };
                    let block = inner.len();
                    return Ok(Value::tensor(inner, tensor.data[at * block..(at + 1) * block].to_vec()));
                }
                let picks = self.picks(indices, &shape.sizes())?;
                let (positions, shape) = select(shape, &picks);
                Ok(Value::tensor(shape, positions.into_iter().map(|at| tensor.data[at]).collect()))
            }
            _ => Err(Fault::new("a value that has no parts")),
        }
    }

    fn is_int(&self, expr: &Expr) -> bool {
        self.code.typed.type_of(expr).is_some_and(|one| one.of == posterior_stan::Type::Int)
    }

    /// The position that indices name if each is one integer, one for each size.
    fn single(&mut self, indices: &[Index], sizes: &[usize], block: usize) -> Result<Option<usize>, Fault> {
        if indices.len() != sizes.len() {
            return Ok(None);
        }
        let mut at = 0;
        for (index, &size) in indices.iter().zip(sizes) {
            match index {
                Index::At(expr) if self.is_int(expr) => at = at * size + self.index(expr, size)?,
                _ => return Ok(None),
            }
        }
        Ok(Some(at * block))
    }

    /// Which member of an array the indices name, if they are one integer for each of its first sizes.
    fn member(&mut self, indices: &[Index], dims: &[usize]) -> Result<Option<usize>, Fault> {
        match dims.get(..indices.len()) {
            Some(sizes) if !indices.is_empty() => self.single(indices, sizes, 1),
            _ => Ok(None),
        }
    }

    /// The position of one number of a container of reals, if the indices name one.
    fn one_number(&mut self, indices: &[Index], shape: &Shape) -> Result<Option<usize>, Fault> {
        match shape.elem {
            Elem::Scalar => self.single(indices, &shape.dims, 1),
            Elem::Vector(n) | Elem::Row(n) if shape.dims.is_empty() => self.single(indices, &[n], 1),
            // A vector of an array is in one piece, as a row of a table.
            Elem::Vector(_) | Elem::Row(_) => self.single(indices, &shape.sizes(), 1),
            Elem::Matrix(r, c) if shape.dims.is_empty() && indices.len() == 2 => {
                match (&indices[0], &indices[1]) {
                    (Index::At(i), Index::At(j)) if self.is_int(i) && self.is_int(j) => {
                        Ok(Some(self.index(i, r)? + r * self.index(j, c)?))
                    }
                    _ => Ok(None),
                }
            }
            Elem::Matrix(..) => Ok(None),
        }
    }

    /// Puts a value to a place: a variable or its part.
    pub(super) fn assign(&mut self, target: &Expr, value: Value) -> Result<(), Fault> {
        match &target.kind {
            ExprKind::Paren(inner) => self.assign(inner, value),
            ExprKind::Tuple(targets) => {
                let Value::Tuple(values) = value else {
                    return Err(Fault::new("a tuple is assigned from a tuple").at(target.span.start));
                };
                targets.iter().zip(values).try_for_each(|(target, value)| self.assign(target, value))
            }
            _ => {
                let mut path = vec![];
                let base = path_of(target, &mut path)?;
                let slot = self.code.variable(base) as usize;
                let mut old = self.frame[slot]
                    .take()
                    .ok_or_else(|| Fault::new("a variable without declaration").at(target.span.start))?;
                path.reverse();
                let value = match self.code.typed.type_of(target) {
                    Some(own) => value.promoted_to(&own.of),
                    None => value,
                };
                let outcome = self.put(&mut old, &path, value);
                self.frame[slot] = Some(old);
                outcome.map_err(|fault| fault.at(target.span.start))
            }
        }
    }

    fn put(&mut self, old: &mut Value, path: &[Step<'_>], value: Value) -> Result<(), Fault> {
        match path {
            [] => {
                same_sizes(&old.shape(), &value.shape())?;
                *old = value;
                Ok(())
            }
            [Step::Field(at), rest @ ..] => match old {
                Value::Tuple(members) => self.put(&mut members[at - 1], rest, value),
                _ => Err(Fault::new("a field of what is not a tuple")),
            },
            [Step::Index(indices), rest @ ..] => match old {
                Value::List(list) => {
                    let [Index::At(first)] = indices else {
                        return Err(Fault::new("arrays of tuples take one index at a time here"));
                    };
                    let at = self.index(first, list.len())?;
                    self.put(&mut list[at], rest, value)
                }
                Value::Ints(ints) => {
                    let shape = Shape { dims: ints.dims.clone(), elem: Elem::Scalar };
                    let (positions, part) = self.positions(&shape, indices, rest)?;
                    same_sizes(&part, &value.shape())?;
                    let data = Arc::make_mut(&mut ints.data);
                    positions.into_iter().zip(value.int_list()).for_each(|(at, x)| data[at] = x);
                    Ok(())
                }
                Value::Complex(parts) => {
                    let shape = parts[0].shape();
                    let (positions, part) = self.positions(&shape, indices, rest)?;
                    same_sizes(&part, &value.shape())?;
                    for (own, new) in parts.iter_mut().zip(value.parts()) {
                        let mut numbers = own.nums();
                        positions.iter().zip(new.nums()).for_each(|(&at, x)| numbers[at] = x);
                        *own = Value::tensor(shape.clone(), numbers);
                    }
                    Ok(())
                }
                Value::Reals(tensor) => {
                    if let (Value::Real(x), []) = (&value, rest)
                        && let Some(at) = self.one_number(indices, &tensor.shape)?
                    {
                        Arc::make_mut(&mut tensor.data)[at] = *x;
                        return Ok(());
                    }
                    let (positions, part) = self.positions(&tensor.shape.clone(), indices, rest)?;
                    same_sizes(&part, &value.shape())?;
                    let data = Arc::make_mut(&mut tensor.data);
                    if let (Value::Real(x), [at]) = (&value, positions.as_slice()) {
                        data[*at] = *x;
                        return Ok(());
                    }
                    positions.into_iter().zip(value.nums()).for_each(|(at, x)| data[at] = x);
                    Ok(())
                }
                _ => Err(Fault::new("a value that has no parts")),
            },
        }
    }

    fn positions(
        &mut self,
        shape: &Shape,
        indices: &[Index],
        rest: &[Step<'_>],
    ) -> Result<(Vec<usize>, Shape), Fault> {
        let picks = self.picks(indices, &shape.sizes())?;
        let (mut positions, mut part) = select(shape, &picks);
        for step in rest {
            let Step::Index(indices) = step else { return Err(Fault::new("a field of what is not a tuple")) };
            let picks = self.picks(indices, &part.sizes())?;
            let (inner, next) = select(&part, &picks);
            positions = inner.into_iter().map(|at| positions[at]).collect();
            part = next;
        }
        Ok((positions, part))
    }
}

enum Step<'a> {
    Index(&'a [Index]),
    Field(usize),
}

fn path_of<'a>(target: &'a Expr, path: &mut Vec<Step<'a>>) -> Result<&'a Expr, Fault> {
    match &target.kind {
        ExprKind::Variable(_) => Ok(target),
        ExprKind::Paren(inner) => path_of(inner, path),
        ExprKind::Index(base, indices) => {
            path.push(Step::Index(indices));
            path_of(base, path)
        }
        ExprKind::Field(base, at) => {
            path.push(Step::Field(*at));
            path_of(base, path)
        }
        _ => Err(Fault::new("a place that cannot be assigned to").at(target.span.start)),
    }
}

fn within(i: i64, size: usize) -> Result<usize, Fault> {
    if i >= 1 && i as u64 <= size as u64 {
        return Ok(i as usize - 1);
    }
    Err(Fault::reject(format!("index {i} is out of range: there are {size}")))
}

fn range(from: i64, to: i64, size: usize) -> Result<Vec<usize>, Fault> {
    if to < from {
        return Ok(vec![]);
    }
    Ok((within(from, size)?..=within(to, size)?).collect())
}

fn same_sizes(old: &Shape, new: &Shape) -> Result<(), Fault> {
    if old.sizes() == new.sizes() {
        return Ok(());
    }
    Err(Fault::new(format!("sizes {:?} are assigned to a variable of sizes {:?}", new.sizes(), old.sizes())))
}
