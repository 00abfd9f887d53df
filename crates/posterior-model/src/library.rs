//! Functions of the library: one table from name to implementation.

pub(crate) mod arithmetic;
pub(crate) mod complex;
pub(crate) mod constraints;
mod containers;
mod cumulative;
mod decompositions;
mod matrices;
mod more_densities;
mod multivariate;
mod random;
mod random_matrices;
mod reductions;
mod special;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::density::{Density, Tail};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Bin, Op, Un};
use crate::trace::Trace;
use crate::value::{Num, Value};

pub(crate) type Function = fn(&mut Machine, &[Value]) -> Result<Value, Fault>;

/// An implementation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Builtin {
    /// Of one number, for each element of a container.
    Un(Un),
    /// Of two, element by element.
    Bin(Bin),
    /// A density of one number.
    Density(Density),
    /// The upper tail of a distribution or the lower, and whether itself or its logarithm.
    Tail(Tail, bool, bool),
    /// Anything else.
    Function(Function),
}

/// Names and implementations of a group.
pub(crate) type Group = &'static [(&'static str, Function)];

/// Names that mean the same.
const SAME: &[(&str, &str)] = &[
    ("fabs", "abs"),
    ("multiply_log", "lmultiply"),
    ("binomial_coefficient_log", "lchoose"),
    ("cov_exp_quad", "gp_exp_quad_cov"),
    ("divide", "elt_divide"),
    ("log_std_normal_cdf", "std_normal_lcdf"),
    ("choose_log", "lchoose"),
    ("std_normal_qf", "inv_Phi"),
];

fn table() -> &'static BTreeMap<String, Builtin> {
    static TABLE: OnceLock<BTreeMap<String, Builtin>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = BTreeMap::new();
        for (name, un) in Un::ALL {
            table.insert((*name).to_owned(), Builtin::Un(*un));
        }
        for (name, bin) in Bin::ALL {
            table.insert((*name).to_owned(), Builtin::Bin(*bin));
        }
        for (name, density, discrete) in Density::ALL {
            let suffix = if *discrete { "lpmf" } else { "lpdf" };
            table.insert(format!("{name}_{suffix}"), Builtin::Density(*density));
        }
        for (name, tail) in Tail::ALL {
            for (suffix, upper, plain) in cumulative::SUFFIXES {
                table.insert(format!("{name}_{suffix}"), Builtin::Tail(*tail, upper, plain));
            }
        }
        let groups = [
            arithmetic::GROUP,
            complex::GROUP,
            containers::GROUP,
            decompositions::GROUP,
            matrices::GROUP,
            more_densities::GROUP,
            multivariate::GROUP,
            random::GROUP,
            random_matrices::GROUP,
            reductions::GROUP,
            special::GROUP,
        ];
        for (name, function) in groups.into_iter().flatten() {
            table.insert((*name).to_owned(), Builtin::Function(*function));
        }
        for (old, new) in SAME {
            if let Some(found) = table.get(*new).copied() {
                table.insert((*old).to_owned(), found);
            }
        }
        table
    })
}

/// The implementation of a function, by its name in the table of signatures.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    let kept = name.strip_suffix("_lupdf").map(|stem| format!("{stem}_lpdf"));
    let kept = kept.or_else(|| name.strip_suffix("_lupmf").map(|stem| format!("{stem}_lpmf")));
    table().get(kept.as_deref().unwrap_or(name)).copied()
}

/// Functions that take functions.
const HIGHER: &[&str] = &[
    "algebra_solver",
    "algebra_solver_newton",
    "integrate_1d",
    "integrate_ode",
    "integrate_ode_adams",
    "integrate_ode_bdf",
    "integrate_ode_rk45",
    "map_rect",
    "ode_adams",
    "ode_adams_tol",
    "ode_adjoint_tol_ctl",
    "ode_bdf",
    "ode_bdf_tol",
    "ode_ckrk",
    "ode_ckrk_tol",
    "ode_rk45",
    "ode_rk45_tol",
    "reduce_sum",
    "reduce_sum_static",
    "solve_newton",
    "solve_newton_tol",
    "solve_powell",
    "solve_powell_tol",
];

/// Whether a function of the table of signatures is executed.
///
/// ```
/// assert!(posterior_model::is_executed("normal_lpdf"));
/// assert!(!posterior_model::is_executed("no_such_function"));
/// ```
pub fn is_executed(function: &str) -> bool {
    builtin(function).is_some() || HIGHER.contains(&function) || constraints::named(function).is_some()
}

/// Calls it.
pub(crate) fn call(machine: &mut Machine, found: Builtin, values: &[Value]) -> Result<Value, Fault> {
    match found {
        Builtin::Un(un) => match values {
            [Value::Int(i)] if un == Un::Abs => Ok(Value::Int(i.abs())),
            [one] => Ok(arithmetic::map(&mut machine.trace, un, one)),
            _ => Err(Fault::new("one argument is wanted")),
        },
        Builtin::Bin(bin) => match values {
            [one, other] => arithmetic::lift(&mut machine.trace, bin, one, other),
            [one] if bin == Bin::LogAddExp => {
                let all = one.nums();
                Ok(Value::Real(machine.trace.log_sum_exp(&all)))
            }
            _ => Err(Fault::new("two arguments are wanted")),
        },
        Builtin::Density(density) => {
            let lanes = density_lanes(&mut machine.trace, density, values)?;
            Ok(Value::Real(machine.trace.sum(&lanes)))
        }
        Builtin::Tail(tail, upper, plain) => {
            cumulative::tails(&mut machine.trace, tail, upper, plain, values)
        }
        Builtin::Function(function) => function(machine, values),
    }
}

/// Log densities for each element of the longest argument.
pub(crate) fn density_lanes(
    trace: &mut Trace,
    density: Density,
    values: &[Value],
) -> Result<Vec<Num>, Fault> {
    let (rows, n) = broadcast(values)?;
    let mut x = vec![Num::C(0.0); rows.len()];
    let mut lanes = Vec::with_capacity(n);
    for i in 0..n {
        for (x, row) in x.iter_mut().zip(&rows) {
            *x = row[if row.len() == 1 { 0 } else { i }];
        }
        lanes.push(trace.one(Op::Density(density), &x));
    }
    Ok(lanes)
}

/// Numbers of the arguments, each one or as many as the longest.
pub(crate) fn broadcast(values: &[Value]) -> Result<(Vec<Vec<Num>>, usize), Fault> {
    let scalar = |value: &Value| matches!(value, Value::Int(_) | Value::Real(_));
    let containers = values.iter().filter(|value| !scalar(value)).map(|value| value.shape().len());
    let mut n = 1;
    for (at, len) in containers.enumerate() {
        if at > 0 && len != n {
            return Err(Fault::reject(format!("arguments of {n} and of {len} numbers")));
        }
        n = len;
    }
    Ok((values.iter().map(Value::nums).collect(), n))
}

/// A count as an integer.
pub(crate) fn int_of(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(crate) fn int(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Int(i) => Ok(*i),
        _ => Err(Fault::new("an integer is wanted")),
    }
}

pub(crate) fn count(value: &Value) -> Result<usize, Fault> {
    let n = int(value)?;
    if (0..=1 << 27).contains(&n) { Ok(n as usize) } else { Err(Fault::new(format!("a size of {n}"))) }
}

pub(crate) fn real(value: &Value) -> Result<Num, Fault> {
    match value {
        Value::Int(i) => Ok(Num::C(*i as f64)),
        Value::Real(x) => Ok(*x),
        _ => Err(Fault::new("a number is wanted")),
    }
}
