//! Statements.

use posterior_stan::{
    Declaration, Distribution, Element, Expr, ForRange, Output, Printable, SizedType, Statement,
    StatementKind, Type,
};

use super::{Flow, LONGEST, Run};
use crate::code::Callee;
use crate::fault::Fault;
use crate::library::{self, Builtin, builtin};
use crate::op::{Bin, Op};
use crate::trace::{Bound, Check};
use crate::value::{Elem, Num, Value};

impl Run<'_> {
    /// Executes statements in order.
    pub(crate) fn statements(&mut self, all: &[Statement]) -> Result<(), Fault> {
        for one in all {
            self.statement(one)?;
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, one: &Statement) -> Result<Flow, Fault> {
        self.steps += 1;
        let place = one.span.start;
        if self.steps > LONGEST {
            return Err(Fault::new(format!("more than {LONGEST} statements in one run")).at(place));
        }
        self.machine.trace.place = place;
        self.statement_inner(one).map_err(|fault| fault.at(place))
    }

    fn statement_inner(&mut self, one: &Statement) -> Result<Flow, Fault> {
        match &one.kind {
            StatementKind::Declare(declaration) => self.declare(declaration)?,
            StatementKind::Assign { target, op, value } => {
                let mut value = self.eval(value)?;
                if let Some(op) = op {
                    let old = self.eval(target)?;
                    value = self.combine(*op, &old, &value)?;
                }
                self.assign(target, value)?;
            }
            StatementKind::Call(expr) => {
                self.eval(expr)?;
            }
            StatementKind::TargetPlus(expr) => {
                let value = self.eval(expr)?;
                self.terms.extend(value.nums());
            }
            StatementKind::JacobianPlus(expr) => {
                let value = self.eval(expr)?;
                self.jacobian.extend(value.nums());
            }
            StatementKind::Distribution(distribution) => self.distribution(distribution)?,
            StatementKind::Output(output, parts) => self.output(*output, parts)?,
            StatementKind::If { condition, then, otherwise } => {
                let value = self.eval(condition)?;
                if self.truth(&value)? {
                    return self.statement(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.statement(otherwise);
                }
            }
            StatementKind::While(condition, body) => return self.repeat(condition, body),
            StatementKind::For { variable, range, body } => {
                let slot = self.code.name_of(&variable.text) as usize;
                let flow = match range.as_ref() {
                    ForRange::Between(from, to) => {
                        let (Value::Int(from), Value::Int(to)) = (self.eval(from)?, self.eval(to)?) else {
                            return Err(Fault::new("the ends of a loop are integers"));
                        };
                        self.rounds(slot, (from..=to).map(Value::Int), body)?
                    }
                    ForRange::Each(all) => {
                        let all = self.eval(all)?;
                        self.rounds(slot, members(&all).into_iter(), body)?
                    }
                };
                self.frame[slot] = None;
                return Ok(flow);
            }
            StatementKind::Profile(_, all) | StatementKind::Block(all) => {
                for one in all {
                    match self.statement(one)? {
                        Flow::Next => {}
                        other => return Ok(other),
                    }
                }
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
            StatementKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::Void), |value| self.eval(value))?;
                return Ok(Flow::Return(value));
            }
            StatementKind::Empty => {}
        }
        Ok(Flow::Next)
    }

    fn repeat(&mut self, condition: &Expr, body: &Statement) -> Result<Flow, Fault> {
        loop {
            self.steps += 1;
            if self.steps > LONGEST {
                return Err(Fault::new(format!("more than {LONGEST} statements in one run")));
            }
            let value = self.eval(condition)?;
            if !self.truth(&value)? {
                return Ok(Flow::Next);
            }
            match self.statement(body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
    }

    /// The body for each value of the variable.
    fn rounds(
        &mut self,
        slot: usize,
        values: impl Iterator<Item = Value>,
        body: &Statement,
    ) -> Result<Flow, Fault> {
        for value in values {
            self.frame[slot] = Some(value);
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
        Ok(Flow::Next)
    }

    fn declare(&mut self, declaration: &Declaration) -> Result<(), Fault> {
        for (name, value) in &declaration.variables {
            let mut blank = self.blank(&declaration.sized)?;
            if let Some(value) = value {
                let place = value.span.start;
                let value = self.eval(value)?.promoted_to(&Type::of_sized(&declaration.sized));
                let (wanted, given) = (blank.shape().sizes(), value.shape().sizes());
                if wanted != given {
                    let message = format!("`{}` has sizes {wanted:?}, its value {given:?}", name.text);
                    return Err(Fault::new(message).at(place));
                }
                blank = value;
            }
            self.set(&name.text, blank);
        }
        Ok(())
    }

    fn distribution(&mut self, one: &Distribution) -> Result<(), Fault> {
        let left = self.eval(&one.left)?;
        let mut values = vec![left];
        for arg in &one.args {
            values.push(self.eval(arg)?);
        }
        let code = self.code;
        match code.density(one) {
            Some(Callee::Library(Builtin::Density(density))) => {
                let lanes = library::density_lanes(&mut self.machine.trace, *density, &values)?;
                self.terms.extend(lanes);
            }
            Some(Callee::Library(found)) => {
                let value = self.library(*found, &one.name.text, &values)?;
                self.terms.extend(value.nums());
            }
            Some(Callee::User(at, types)) => {
                let value = self.call(*at, values.clone(), types)?;
                self.terms.extend(value.nums());
            }
            _ => return Err(super::expressions::missing(&format!("{}_lpdf", one.name.text))),
        }
        if let Some((low, high)) = &one.truncation {
            self.truncate(one, &values, low.as_ref(), high.as_ref())?;
        }
        Ok(())
    }

    /// Takes the probability between the bounds away, for each number of the left side.
    fn truncate(
        &mut self,
        one: &Distribution,
        values: &[Value],
        low: Option<&Expr>,
        high: Option<&Expr>,
    ) -> Result<(), Fault> {
        let discrete = values[0].is_int();
        let low = low.map(|low| self.eval(low)).transpose()?;
        let high = high.map(|high| self.eval(high)).transpose()?;
        let count = values[0].shape().len();
        let lanes = values[1..].iter().map(|value| value.shape().len()).max().unwrap_or(1);
        let copies = if lanes > 1 { 1 } else { count };
        for y in values[0].nums() {
            for (bound, below) in [(&low, true), (&high, false)] {
                let Some(bound) = bound else { continue };
                let bound = bound.nums()[0];
                let both = if below { [y, bound] } else { [bound, y] };
                let outside = self.machine.trace.one(Op::AtLeast, &both);
                if !matches!(outside, Num::C(0.0)) {
                    self.terms.push(outside);
                }
            }
        }
        let tail = |run: &mut Self, suffix: &str, bound: &Value| -> Result<Num, Fault> {
            let name = format!("{}_{suffix}", one.name.text);
            let found = builtin(&name).ok_or_else(|| super::expressions::missing(&name))?;
            let mut args = vec![bound.clone()];
            args.extend_from_slice(&values[1..]);
            Ok(run.library(found, &name, &args)?.nums()[0])
        };
        let below = |low: &Value| match low {
            Value::Int(i) if discrete => Value::Int(i - 1),
            other => other.clone(),
        };
        let mass = match (&low, &high) {
            (Some(low), Some(high)) => {
                let a = tail(self, "lcdf", high)?;
                let b = tail(self, "lcdf", &below(low))?;
                self.machine.trace.bin(Bin::LogDiffExp, a, b)
            }
            (Some(low), None) => tail(self, "lccdf", &below(low))?,
            (None, Some(high)) => tail(self, "lcdf", high)?,
            (None, None) => return Ok(()),
        };
        let taken = self.machine.trace.mul(mass, Num::C(-(copies as f64)));
        self.terms.push(taken);
        Ok(())
    }

    fn output(&mut self, output: Output, parts: &[Printable]) -> Result<(), Fault> {
        let mut text = String::new();
        for part in parts {
            match part {
                Printable::Text(one) => text.push_str(one),
                Printable::Value(expr) => {
                    let value = self.eval(expr)?;
                    let numbers: Vec<String> = match &value {
                        Value::Int(_) | Value::Ints(_) => {
                            value.int_list().iter().map(ToString::to_string).collect()
                        }
                        Value::Complex(_) => {
                            let numbers = value.nums();
                            let pairs = numbers.as_chunks::<2>().0.iter();
                            let pairs = pairs.map(|pair| pair.map(|x| self.machine.trace.value(x)));
                            pairs.map(|[x, y]| format!("({x},{y})")).collect()
                        }
                        other => {
                            let numbers = other.nums();
                            numbers.iter().map(|x| self.machine.trace.value(*x).to_string()).collect()
                        }
                    };
                    let list = numbers.join(",");
                    let one = value.is_complex() && value.shape().sizes().is_empty();
                    let plain = one || matches!(value, Value::Int(_) | Value::Real(_));
                    if plain {
                        text.push_str(&list);
                    } else {
                        text.extend(["[", &list, "]"]);
                    }
                }
            }
        }
        match output {
            Output::Print => self.printed.push(text),
            Output::Reject => {
                // Whether the statement is reached may depend on the point: then the record is for it only.
                return Err(Fault::reject(text));
            }
            Output::FatalError => return Err(Fault::new(text)),
        }
        Ok(())
    }

    /// Adds the conditions of a declaration on the value that its variable has now.
    pub(crate) fn check(&mut self, declaration: &Declaration) -> Result<(), Fault> {
        for (name, _) in &declaration.variables {
            let Some(value) = self.get(&name.text).cloned() else { continue };
            let place = name.span.start;
            self.check_value(&declaration.sized, (&name.text, place), &value)
                .map_err(|fault| fault.at(place))?;
        }
        Ok(())
    }

    fn check_value(&mut self, sized: &SizedType, name: (&str, u32), value: &Value) -> Result<(), Fault> {
        match (&sized.element, value) {
            (_, Value::List(all)) => {
                return all.iter().try_for_each(|one| self.check_value(sized, name, one));
            }
            (Element::Tuple(types), Value::Tuple(members)) => {
                let mut each = types.iter().zip(members);
                return each.try_for_each(|(of, one)| self.check_value(of, name, one));
            }
            _ => {}
        }
        let shape = value.shape();
        let limits = self.limits(sized, &shape)?;
        let numbers = value.nums();
        let (name, place) = (name.0.to_owned(), name.1);
        let mut push = |what: Bound, numbers: Vec<Num>| {
            if !numbers.is_empty() {
                self.machine.trace.checks.push(Check { what, numbers, place, name: name.clone() });
            }
        };
        for (bound, what) in [(&limits.lower, Bound::AtLeast), (&limits.upper, Bound::AtMost)] {
            if let Some(bound) = bound {
                push(what, numbers.iter().copied().chain(bound.nums()).collect());
            }
        }
        let what = match (&sized.element, shape.elem) {
            (Element::Ordered, _) => Bound::Ordered,
            (Element::PositiveOrdered, _) => Bound::PositiveOrdered,
            (Element::Simplex, _) => Bound::Simplex,
            (Element::UnitVector, _) => Bound::UnitVector,
            (Element::SumToZeroVector, _) => Bound::SumToZero,
            (Element::CholeskyFactorCorr, Elem::Matrix(n, _)) => Bound::CholeskyCorr(n),
            (Element::CholeskyFactorCov, Elem::Matrix(n, m)) => Bound::CholeskyCov(n, m),
            (Element::CorrMatrix, Elem::Matrix(n, _)) => Bound::Corr(n),
            (Element::CovMatrix, Elem::Matrix(n, _)) => Bound::Cov(n),
            _ => return Ok(()),
        };
        for one in numbers.chunks(shape.elem.len().max(1)) {
            push(what, one.to_vec());
        }
        Ok(())
    }
}

/// What a loop over a container runs over.
fn members(all: &Value) -> Vec<Value> {
    match all {
        Value::List(list) => list.clone(),
        Value::Complex(parts) => {
            let [real, imaginary] = [0, 1].map(|at| members(&parts[at]));
            real.into_iter().zip(imaginary).map(|(x, y)| Value::complex(x, y)).collect()
        }
        Value::Ints(ints) if ints.dims.len() == 1 => ints.data.iter().map(|&i| Value::Int(i)).collect(),
        Value::Ints(ints) => {
            let block = ints.dims[1..].iter().product::<usize>().max(1);
            ints.data.chunks(block).map(|part| Value::ints(ints.dims[1..].to_vec(), part.to_vec())).collect()
        }
        Value::Reals(tensor) if !tensor.shape.dims.is_empty() => {
            let inner =
                crate::value::Shape { dims: tensor.shape.dims[1..].to_vec(), elem: tensor.shape.elem };
            tensor
                .data
                .chunks(inner.len().max(1))
                .map(|part| Value::tensor(inner.clone(), part.to_vec()))
                .collect()
        }
        other => other.nums().into_iter().map(Value::Real).collect(),
    }
}
