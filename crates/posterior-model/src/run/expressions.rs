//! Expressions.

use posterior_stan::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

use super::equations::Control;
use super::{DEEPEST, Flow, Run};
use crate::code::Callee;
use crate::fault::Fault;
use crate::library::{self, Builtin, arithmetic, complex};
use crate::value::{Num, Shape, Value};

impl Run<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, expr: &Expr) -> Result<Value, Fault> {
        self.eval_inner(expr).map_err(|fault| fault.at(expr.span.start))
    }

    fn eval_inner(&mut self, expr: &Expr) -> Result<Value, Fault> {
        match &expr.kind {
            ExprKind::Int(text) => {
                let value = text.parse().or_else(|_| text.replace('_', "").parse());
                value.map(Value::Int).map_err(|_| Fault::new(format!("{text} is too large")))
            }
            ExprKind::Real(text) => {
                let value = text.parse().or_else(|_| text.replace('_', "").parse());
                value.map(Value::constant).map_err(|_| Fault::new(format!("cannot read the number {text}")))
            }
            ExprKind::Imaginary(text) => {
                let value = text.trim_end_matches('i').replace('_', "").parse();
                let value = value.map_err(|_| Fault::new(format!("cannot read the number {text}")))?;
                Ok(Value::complex(Value::constant(0.0), Value::constant(value)))
            }
            ExprKind::Variable(name) => {
                let at = self.code.variable(expr) as usize;
                match self.frame.get(at).and_then(Option::as_ref) {
                    Some(value) => Ok(value.clone()),
                    None => match self.code.callee(expr) {
                        Some(Callee::User(at, _)) => Ok(Value::Function(Some(*at), name.clone())),
                        _ => Ok(Value::Function(self.code.defined(name), name.clone())),
                    },
                }
            }
            ExprKind::Paren(inner) => self.eval(inner),
            ExprKind::Unary(op, inner) => {
                let value = self.eval(inner)?;
                match op {
                    UnaryOp::Plus => Ok(value),
                    UnaryOp::Minus => Ok(arithmetic::minus(&mut self.machine.trace, &value)),
                    UnaryOp::Not => Ok(Value::Int(i64::from(!self.truth(&value)?))),
                }
            }
            ExprKind::Transpose(inner) => {
                let value = self.eval(inner)?;
                arithmetic::transpose(&value)
            }
            ExprKind::Binary(op, one, other) => self.binary(*op, one, other),
            ExprKind::Conditional(three) => {
                let [condition, yes, no] = three.as_ref();
                let value = self.eval(condition)?;
                let chosen = if self.truth(&value)? { self.eval(yes)? } else { self.eval(no)? };
                Ok(match self.code.typed.type_of(expr) {
                    Some(own) => chosen.promoted_to(&own.of),
                    None => chosen,
                })
            }
            ExprKind::Array(all) => {
                let values = all.iter().map(|one| self.eval(one)).collect::<Result<Vec<_>, _>>()?;
                array(values)
            }
            ExprKind::RowVector(all) => {
                let values = all.iter().map(|one| self.eval(one)).collect::<Result<Vec<_>, _>>()?;
                rows(&values)
            }
            ExprKind::Tuple(all) => {
                Ok(Value::Tuple(all.iter().map(|one| self.eval(one)).collect::<Result<_, _>>()?))
            }
            ExprKind::Target => {
                let terms: Vec<Num> = self.terms.iter().chain(&self.jacobian).copied().collect();
                Ok(Value::Real(self.machine.trace.sum(&terms)))
            }
            ExprKind::Index(base, indices) => {
                let base = self.eval(base)?;
                self.part(&base, indices)
            }
            ExprKind::Field(base, at) => match self.eval(base)? {
                Value::Tuple(members) => Ok(members[at - 1].clone()),
                _ => Err(Fault::new("a field of what is not a tuple")),
            },
            ExprKind::Call { function, args, .. } => {
                let values = args.iter().map(|one| self.eval(one)).collect::<Result<Vec<_>, _>>()?;
                let code = self.code;
                match code.callee(expr) {
                    Some(Callee::User(at, types)) => self.call(*at, values, types),
                    Some(Callee::Library(found)) => self.library(*found, &function.text, &values),
                    _ => self.higher(&function.text, &values),
                }
            }
        }
    }

    /// Whether a condition holds.
    pub(super) fn truth(&mut self, value: &Value) -> Result<bool, Fault> {
        match value {
            Value::Int(i) => Ok(*i != 0),
            Value::Real(x) => Ok(!self.machine.trace.is_zero(*x)),
            _ => Err(Fault::new("a condition that is not a number")),
        }
    }

    fn binary(&mut self, op: BinaryOp, one: &Expr, other: &Expr) -> Result<Value, Fault> {
        let a = self.eval(one)?;
        match op {
            BinaryOp::Or if self.truth(&a)? => return Ok(Value::Int(1)),
            BinaryOp::And if !self.truth(&a)? => return Ok(Value::Int(0)),
            BinaryOp::Or | BinaryOp::And => {
                let b = self.eval(other)?;
                return Ok(Value::Int(i64::from(self.truth(&b)?)));
            }
            _ => {}
        }
        let b = self.eval(other)?;
        complex::binary(&mut self.machine.trace, op, &a, &b)
    }

    /// `x op= y`.
    pub(super) fn combine(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
        complex::binary(&mut self.machine.trace, op, a, b)
    }

    /// A call of a library's function.
    pub(super) fn library(&mut self, found: Builtin, name: &str, values: &[Value]) -> Result<Value, Fault> {
        let outcome = if values.iter().any(Value::is_complex) {
            complex::call_complex(&mut self.machine, found, name, values)
        } else {
            library::call(&mut self.machine, found, values)
        };
        outcome.map_err(|fault| Fault { message: format!("{name}: {}", fault.message), ..fault })
    }

    /// A call of a function of the program.
    pub(crate) fn call(&mut self, at: usize, values: Vec<Value>, types: &[Type]) -> Result<Value, Fault> {
        let Some(definition) = self.code.definition(at) else {
            return Err(Fault::new("a function that is announced and never defined"));
        };
        if self.depth >= DEEPEST {
            return Err(Fault::new(format!("calls are nested more than {DEEPEST} deep")));
        }
        let mut frame = vec![None; self.code.names()];
        for ((arg, value), of) in definition.args.iter().zip(values).zip(types) {
            frame[self.code.name_of(&arg.name.text) as usize] = Some(value.promoted_to(of));
        }
        let before = std::mem::replace(&mut self.frame, frame);
        let place = self.machine.trace.place;
        self.depth += 1;
        let flow = definition.body.as_ref().map_or(Ok(Flow::Next), |body| self.statement(body));
        self.depth -= 1;
        self.frame = before;
        self.machine.trace.place = place;
        let returned = match flow? {
            Flow::Return(value) => value,
            _ => Value::Void,
        };
        Ok(match &definition.returns {
            Some(of) => returned.promoted_to(&Type::of_unsized(of)),
            None => returned,
        })
    }

    /// Calls whatever a value names.
    pub(crate) fn call_value(&mut self, function: &Value, values: Vec<Value>) -> Result<Value, Fault> {
        let Value::Function(at, name) = function else {
            return Err(Fault::new("a call of what is not a function"));
        };
        match at {
            Some(at) => {
                let types: Vec<Type> = self.code.definition(*at).map_or_else(Vec::new, |definition| {
                    definition.args.iter().map(|arg| Type::of_unsized(&arg.of)).collect()
                });
                self.call(*at, values, &types)
            }
            None => match library::builtin(name) {
                Some(found) => self.library(found, name, &values),
                None => Err(missing(name)),
            },
        }
    }

    /// Functions that take functions.
    fn higher(&mut self, name: &str, values: &[Value]) -> Result<Value, Fault> {
        match name {
            "reduce_sum" | "reduce_sum_static" => {
                let [function, sliced, _, rest @ ..] = values else { return Err(missing(name)) };
                let n = library::int_of(sliced.shape().sizes().first().copied().unwrap_or(0));
                let mut args = vec![sliced.clone(), Value::Int(1), Value::Int(n)];
                args.extend_from_slice(rest);
                self.call_value(function, args)
            }
            "integrate_ode_rk45" | "integrate_ode" => self.old_ode(values, Control::EXPLICIT),
            "ode_rk45" | "ode_rk45_tol" | "ode_ckrk" | "ode_ckrk_tol" => {
                self.new_ode(name.ends_with("_tol"), values, Control::EXPLICIT)
            }
            "map_rect" => self.map_rect(values),
            "integrate_1d" => self.integrate(values),
            "algebra_solver" | "algebra_solver_newton" => self.old_root(values),
            "solve_newton" | "solve_newton_tol" | "solve_powell" | "solve_powell_tol" => {
                self.new_root(name.ends_with("_tol"), values)
            }
            "ode_adams" => self.new_ode(false, values, Control::STRICT),
            "ode_adams_tol" => self.new_ode(false, &without(values, 3), Control::STRICT),
            "ode_bdf" => self.new_ode(false, values, Control::STIFF),
            "ode_bdf_tol" => self.new_ode(false, &without(values, 3), Control::STIFF),
            "ode_adjoint_tol_ctl" => self.new_ode(false, &without(values, 11), Control::STIFF),
            "integrate_ode_adams" => self.old_ode(&values[..values.len().min(7)], Control::STRICT),
            "integrate_ode_bdf" => self.old_ode(&values[..values.len().min(7)], Control::STIFF),
            _ => match library::constraints::named(name) {
                Some(map) => self.constraint(map, values),
                None => Err(missing(name)),
            },
        }
    }
}

/// Arguments without so many that control the solver, behind the first four.
fn without(values: &[Value], controls: usize) -> Vec<Value> {
    values
        .iter()
        .enumerate()
        .filter(|(at, _)| !(4..4 + controls).contains(at))
        .map(|(_, own)| own.clone())
        .collect()
}

pub(crate) fn missing(name: &str) -> Fault {
    Fault::new(format!("the function `{name}` is not executed yet"))
}

/// Real parts and imaginary parts of values, if one of them is complex.
fn of_parts(values: &[Value]) -> Option<[Vec<Value>; 2]> {
    let part = |at: usize| values.iter().map(|value| value.parts()[at].clone()).collect();
    values.iter().any(Value::is_complex).then(|| [0, 1].map(part))
}

/// A row of numbers, or a matrix of rows.
fn rows(values: &[Value]) -> Result<Value, Fault> {
    if let Some([real, imaginary]) = of_parts(values) {
        return Ok(Value::complex(rows(&real)?, rows(&imaginary)?));
    }
    if values.iter().all(|value| matches!(value, Value::Int(_) | Value::Real(_))) {
        return Ok(Value::row(values.iter().flat_map(Value::nums).collect()));
    }
    let (rows, cols) = (values.len(), values[0].shape().len());
    let all: Vec<Vec<Num>> = values.iter().map(Value::nums).collect();
    if all.iter().any(|row| row.len() != cols) {
        return Err(Fault::new("rows of different lengths"));
    }
    let data = (0..cols).flat_map(|j| all.iter().map(move |row| row[j])).collect();
    Ok(Value::matrix(rows, cols, data))
}

/// An array of values of one shape.
pub(crate) fn array(values: Vec<Value>) -> Result<Value, Fault> {
    if let Some([real, imaginary]) = of_parts(&values) {
        return Ok(Value::complex(array(real)?, array(imaginary)?));
    }
    let Some(first) = values.first() else { return Ok(Value::array(vec![])) };
    if matches!(first, Value::Tuple(_) | Value::List(_)) {
        return Ok(Value::List(values));
    }
    let n = values.len();
    if values.iter().all(Value::is_int) {
        let mut dims = first.shape().dims;
        dims.insert(0, n);
        let data: Vec<i64> = values.iter().flat_map(Value::int_list).collect();
        return if data.len() == dims.iter().product::<usize>() {
            Ok(Value::ints(dims, data))
        } else {
            Err(Fault::new("an array of arrays of different lengths"))
        };
    }
    let Shape { mut dims, elem } = first.clone().promoted().shape();
    dims.insert(0, n);
    let shape = Shape { dims, elem };
    let data: Vec<Num> = values.iter().flat_map(Value::nums).collect();
    if data.len() != shape.len() {
        return Err(Fault::new("an array of values of different sizes"));
    }
    Ok(Value::tensor(shape, data))
}
