//! Calls of the solvers of differential equations.

use std::sync::{Arc, Mutex};

use super::Run;
use crate::fault::Fault;
use crate::graph::{Courses, compile};
use crate::op::Op;
use crate::root::Root;
use crate::system::System;
use crate::trace::Trace;
use crate::value::{Elem, Num, Shape, Value};

/// How a differential equation is solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Control {
    relative: f64,
    absolute: f64,
    most_steps: usize,
    /// Whether steps are implicit.
    stiff: bool,
}

impl Control {
    /// The tolerances of `ode_rk45`.
    pub(super) const EXPLICIT: Self =
        Self { relative: 1e-6, absolute: 1e-6, most_steps: 1_000_000, stiff: false };
    /// Tolerances that make the order of the method irrelevant.
    pub(super) const STRICT: Self = Self { relative: 1e-10, absolute: 1e-10, ..Self::EXPLICIT };
    /// The same for equations that may be stiff.
    pub(super) const STIFF: Self = Self { stiff: true, ..Self::STRICT };
}

fn data(run: &Run<'_>, value: Option<&Value>, otherwise: f64) -> Result<f64, Fault> {
    let Some(value) = value else { return Ok(otherwise) };
    match value.nums().first() {
        Some(Num::C(x)) => Ok(*x),
        Some(Num::N(_)) => {
            Err(Fault::new("times and tolerances that depend on parameters are not executed yet"))
        }
        None => Ok(run.machine.trace.value(Num::C(otherwise))),
    }
}

impl Run<'_> {
    /// `integrate_ode_rk45(f, y0, t0, ts, theta, x_r, x_i, [rel, abs, steps])`.
    pub(super) fn old_ode(&mut self, values: &[Value], control: Control) -> Result<Value, Fault> {
        let [function, y0, t0, ts, theta, x_r, x_i, rest @ ..] = values else {
            return Err(Fault::new("seven arguments are wanted"));
        };
        let control = Control {
            relative: data(self, rest.first(), control.relative)?,
            absolute: data(self, rest.get(1), control.absolute)?,
            most_steps: data(self, rest.get(2), control.most_steps as f64)? as usize,
            ..control
        };
        let (fixed_r, fixed_i, function) = (x_r.clone(), x_i.clone(), function.clone());
        let n = y0.shape().len();
        let parameters = theta.nums();
        let call = move |run: &mut Run<'_>, t: Num, y: Vec<Num>, theta: Vec<Num>| {
            let args =
                vec![Value::Real(t), Value::array(y), Value::array(theta), fixed_r.clone(), fixed_i.clone()];
            run.call_value(&function, args)
        };
        let out = self.solve((&y0.nums(), &parameters), (t0, ts), control, call)?;
        Ok(Value::tensor(Shape { dims: vec![ts.shape().len(), n], elem: Elem::Scalar }, out))
    }

    /// `ode_rk45(f, y0, t0, ts, ...)`, and `_tol` with its three numbers before the rest.
    pub(super) fn new_ode(
        &mut self,
        tolerances: bool,
        values: &[Value],
        control: Control,
    ) -> Result<Value, Fault> {
        let [function, y0, t0, ts, rest @ ..] = values else {
            return Err(Fault::new("four arguments or more are wanted"));
        };
        let (control, rest) = match rest {
            [relative, absolute, steps, rest @ ..] if tolerances => {
                let control = Control {
                    relative: data(self, Some(relative), control.relative)?,
                    absolute: data(self, Some(absolute), control.absolute)?,
                    most_steps: data(self, Some(steps), control.most_steps as f64)? as usize,
                    ..control
                };
                (control, rest)
            }
            rest => (control, rest),
        };
        let n = y0.shape().len();
        let (fixed, function) = (rest.to_vec(), function.clone());
        let parameters = numbers_of(rest);
        let call = move |run: &mut Run<'_>, t: Num, y: Vec<Num>, theta: Vec<Num>| {
            let mut args = vec![Value::Real(t), Value::vector(y)];
            args.extend(put(&fixed, &theta));
            run.call_value(&function, args)
        };
        let out = self.solve((&y0.nums(), &parameters), (t0, ts), control, call)?;
        Ok(Value::tensor(Shape { dims: vec![ts.shape().len()], elem: Elem::Vector(n) }, out))
    }

    /// `algebra_solver(f, guess, θ, x_r, x_i, [relative, of f, steps])`.
    pub(super) fn old_root(&mut self, values: &[Value]) -> Result<Value, Fault> {
        let [function, guess, theta, x_r, x_i, rest @ ..] = values else {
            return Err(Fault::new("five arguments are wanted"));
        };
        let control = (data(self, rest.get(1), 1e-6)?, data(self, rest.get(2), 1e3)? as usize);
        let (fixed_r, fixed_i, function) = (x_r.clone(), x_i.clone(), function.clone());
        let call = move |run: &mut Run<'_>, y: Vec<Num>, theta: Vec<Num>| {
            let args = vec![Value::vector(y), Value::vector(theta), fixed_r.clone(), fixed_i.clone()];
            run.call_value(&function, args)
        };
        self.root((&guess.nums(), &theta.nums()), control, call)
    }

    /// `solve_newton(f, guess, ...)`, and `_tol` with its three numbers before the rest.
    pub(super) fn new_root(&mut self, tolerances: bool, values: &[Value]) -> Result<Value, Fault> {
        let [function, guess, rest @ ..] = values else {
            return Err(Fault::new("two arguments or more are wanted"));
        };
        let (control, rest) = match rest {
            [_, of_function, steps, rest @ ..] if tolerances => {
                ((data(self, Some(of_function), 1e-6)?, data(self, Some(steps), 200.0)? as usize), rest)
            }
            rest => ((1e-6, 200), rest),
        };
        let (fixed, function) = (rest.to_vec(), function.clone());
        let parameters = numbers_of(rest);
        let call = move |run: &mut Run<'_>, y: Vec<Num>, theta: Vec<Num>| {
            let mut args = vec![Value::vector(y)];
            args.extend(put(&fixed, &theta));
            run.call_value(&function, args)
        };
        self.root((&guess.nums(), &parameters), control, call)
    }

    fn root(
        &mut self,
        (guess, parameters): (&[Num], &[Num]),
        (tolerance, most_steps): (f64, usize),
        call: impl Fn(&mut Run<'_>, Vec<Num>, Vec<Num>) -> Result<Value, Fault> + Send + Sync + 'static,
    ) -> Result<Value, Fault> {
        let n = guess.len();
        if n == 0 {
            return Err(Fault::reject("a guess of one number or more is wanted"));
        }
        let point: Vec<f64> = guess.iter().chain(parameters).map(|x| self.machine.trace.value(*x)).collect();
        let count = parameters.len();
        let outer = std::mem::replace(&mut self.machine.trace, Trace::new(&point));
        let outcome = call(self, wires(0, n), wires(n, count));
        let inner = std::mem::replace(&mut self.machine.trace, outer);
        let values = outcome?.nums();
        if values.len() != n {
            return Err(Fault::new(format!("{} equations for {n} numbers", values.len())));
        }
        let code = Arc::clone(self.code);
        let record = move |point: &[f64]| {
            let mut run = Run::new(&code, Trace::new(point), None);
            let values = call(&mut run, wires(0, n), wires(n, count)).ok()?.nums();
            Some(compile(&run.machine.trace, point.len(), &values))
        };
        let root = Root {
            function: Courses::new(compile(&inner, point.len(), &values)),
            recorder: Box::new(record),
            guess: point[..n].to_vec(),
            tolerance,
            most_steps,
        };
        let index = self.machine.trace.systems.len() as u32;
        self.machine.trace.systems.push(Arc::new(root));
        let found = self.machine.trace.many(Op::System(index), parameters, n);
        Ok(Value::vector(found))
    }

    fn solve(
        &mut self,
        (start, parameters): (&[Num], &[Num]),
        times: (&Value, &Value),
        control: Control,
        call: impl Fn(&mut Run<'_>, Num, Vec<Num>, Vec<Num>) -> Result<Value, Fault> + Send + Sync + 'static,
    ) -> Result<Vec<Num>, Fault> {
        let n = start.len();
        let t0 = data(self, Some(times.0), 0.0)?;
        let mut at = vec![];
        for t in times.1.nums() {
            at.push(data(self, Some(&Value::Real(t)), 0.0)?);
        }
        if n == 0 || at.is_empty() || at.windows(2).any(|two| !(two[0] <= two[1])) || !(t0 < at[0]) {
            return Err(Fault::reject("a state, and times in ascending order after the first are wanted"));
        }
        // The right side has a record of its own.
        let mut point = vec![t0];
        point.extend(start.iter().chain(parameters).map(|x| self.machine.trace.value(*x)));
        let dim = point.len();
        let outer = std::mem::replace(&mut self.machine.trace, Trace::new(&point));
        let count = parameters.len();
        let outcome = call(self, Num::N(0), wires(1, n), wires(1 + n, count));
        let inner = std::mem::replace(&mut self.machine.trace, outer);
        let slopes = outcome?.nums();
        if slopes.len() != n {
            return Err(Fault::new(format!("{} derivatives of {n} numbers", slopes.len())));
        }
        let code = Arc::clone(self.code);
        let record = move |point: &[f64]| {
            let mut run = Run::new(&code, Trace::new(point), None);
            let slopes = call(&mut run, Num::N(0), wires(1, n), wires(1 + n, count)).ok()?.nums();
            Some(compile(&run.machine.trace, point.len(), &slopes))
        };
        let active = |all: &[Num]| all.iter().any(|x| matches!(x, Num::N(_)));
        let system = System {
            right_side: Courses::new(compile(&inner, dim, &slopes)),
            recorder: Box::new(record),
            solved: Mutex::default(),
            n,
            parameters: parameters.len(),
            t0,
            times: at,
            relative: control.relative,
            absolute: control.absolute,
            most_steps: control.most_steps,
            stiff: control.stiff,
            active: (active(start), active(parameters)),
        };
        let wanted = n * system.times.len();
        let index = self.machine.trace.systems.len() as u32;
        self.machine.trace.systems.push(Arc::new(system));
        let inputs: Vec<Num> = start.iter().chain(parameters).copied().collect();
        Ok(self.machine.trace.many(Op::System(index), &inputs, wanted))
    }
}

/// The numbers of arguments but integers.
fn numbers_of(rest: &[Value]) -> Vec<Num> {
    rest.iter().flat_map(Value::reals).collect()
}

/// The arguments with other numbers.
fn put(rest: &[Value], numbers: &[Num]) -> Vec<Value> {
    let mut left = numbers;
    rest.iter().map(|value| value.with_reals(&mut left)).collect()
}

fn wires(from: usize, len: usize) -> Vec<Num> {
    (from..from + len).map(|at| Num::N(at as u32)).collect()
}
