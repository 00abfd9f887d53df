//! Integrals of functions of the program over a line, and maps over jobs.

use std::cmp::Ordering;
use std::f64::consts::FRAC_PI_2;

use super::Run;
use crate::fault::Fault;
use crate::library::real;
use crate::op::Un;
use crate::value::{Num, Shape, Value};

/// How far the trapezoidal rule goes, and its steps: each is compared with that before it.
const REACH: f64 = 4.0;
const STEPS: [f64; 4] = [0.0625, 0.03125, 0.015625, 0.0078125];

impl Run<'_> {
    /// `map_rect(f, φ, θ, x_r, x_i)`: what f makes of each job, one behind another.
    pub(super) fn map_rect(&mut self, values: &[Value]) -> Result<Value, Fault> {
        let [function, shared, jobs, x_r, x_i] = values else {
            return Err(Fault::new("five arguments are wanted"));
        };
        let count = jobs.shape().sizes().first().copied().unwrap_or(0);
        let part = |all: &Value, at: usize| -> Value {
            let Shape { dims, elem } = all.shape();
            let block = all.shape().len() / count.max(1);
            let inner = dims.get(1..).map(<[usize]>::to_vec).unwrap_or_default();
            if all.is_int() {
                return Value::ints(inner, all.int_list()[at * block..(at + 1) * block].to_vec());
            }
            Value::tensor(Shape { dims: inner, elem }, all.nums()[at * block..(at + 1) * block].to_vec())
        };
        let mut out = vec![];
        for at in 0..count {
            let args = vec![shared.clone(), part(jobs, at), part(x_r, at), part(x_i, at)];
            out.extend(self.call_value(function, args)?.nums());
        }
        Ok(Value::vector(out))
    }

    /// `integrate_1d(f, a, b, θ, x_r, x_i, [relative tolerance])` by the trapezoidal rule after a
    /// double-exponential substitution (Takahasi and Mori 1974), recorded node by node.
    pub(super) fn integrate(&mut self, values: &[Value]) -> Result<Value, Fault> {
        let [function, a, b, theta, x_r, x_i, rest @ ..] = values else {
            return Err(Fault::new("six arguments are wanted"));
        };
        let tolerance = match rest.first() {
            Some(own) => self.machine.trace.value(real(own)?),
            None => f64::EPSILON.sqrt(),
        };
        let ends = [real(a)?, real(b)?];
        let integrand = |run: &mut Self, x: Num, xc: Num| -> Result<Num, Fault> {
            let args = vec![Value::Real(x), Value::Real(xc), theta.clone(), x_r.clone(), x_i.clone()];
            let value = run.call_value(function, args)?;
            real(&value)
        };
        let mut terms = self.nodes(ends, STEPS[0], false, &integrand)?;
        for (at, step) in STEPS.iter().enumerate().skip(1) {
            let rule = |run: &mut Self, terms: &[Num], step: f64| {
                let sum = run.machine.trace.sum(terms);
                run.machine.trace.mul(Num::C(step), sum)
            };
            let coarse = rule(self, &terms, STEPS[at - 1]);
            let more = self.nodes(ends, *step, true, &integrand)?;
            terms.extend(more);
            let fine = rule(self, &terms, *step);
            let trace = &mut self.machine.trace;
            let gap = trace.sub(fine, coarse);
            let size: Vec<Num> = terms.iter().map(|x| trace.un(Un::Abs, *x)).collect();
            let size = trace.sum(&size);
            let allowed = trace.mul(Num::C(tolerance * step), size);
            let gap = trace.un(Un::Abs, gap);
            if trace.compare(gap, allowed).is_some_and(Ordering::is_le) {
                return Ok(Value::Real(fine));
            }
        }
        Err(Fault::reject(format!("the integral is not found to a relative error of {tolerance:e}")))
    }

    /// Weighted values of the integrand at the nodes of a step, or at those that half the step adds.
    fn nodes(
        &mut self,
        [a, b]: [Num; 2],
        step: f64,
        between: bool,
        integrand: &impl Fn(&mut Self, Num, Num) -> Result<Num, Fault>,
    ) -> Result<Vec<Num>, Fault> {
        let infinite = |x: Num| matches!(x, Num::C(x) if x.is_infinite());
        let n = (REACH / step).round() as i64;
        let mut terms = vec![];
        for k in (-n..=n).filter(|k| !between || k % 2 != 0) {
            let t = step * k as f64;
            let (inner, stretch) = (FRAC_PI_2 * t.sinh(), FRAC_PI_2 * t.cosh());
            let trace = &mut self.machine.trace;
            let (x, xc, weight) = match (infinite(a), infinite(b)) {
                (false, false) => {
                    // The distance to the nearer end, as a share of half the width.
                    let share = 2.0 / ((2.0 * inner.abs()).exp() + 1.0);
                    let width = trace.sub(b, a);
                    let half = trace.mul(Num::C(0.5), width);
                    let gap = trace.mul(Num::C(share), half);
                    let weight = trace.mul(Num::C(stretch / inner.cosh().powi(2)), half);
                    if inner < 0.0 {
                        (trace.add(a, gap), trace.un(Un::Minus, gap), weight)
                    } else {
                        (trace.sub(b, gap), gap, weight)
                    }
                }
                (false, true) | (true, false) => {
                    let far = inner.exp();
                    let x = if infinite(b) { trace.add(a, Num::C(far)) } else { trace.sub(b, Num::C(far)) };
                    (x, Num::C(f64::NAN), Num::C(stretch * far))
                }
                (true, true) => (Num::C(inner.sinh()), Num::C(f64::NAN), Num::C(stretch * inner.cosh())),
            };
            let value = integrand(self, x, xc)?;
            let term = self.machine.trace.mul(weight, value);
            // At the ends of the range the integrand may have no value.
            let own = self.machine.trace.value(term);
            if own.is_finite() {
                terms.push(term);
            } else if own.is_nan() && t.abs() < 0.5 * REACH {
                return Err(Fault::reject("the integrand has no value within the limits"));
            }
        }
        Ok(terms)
    }
}
