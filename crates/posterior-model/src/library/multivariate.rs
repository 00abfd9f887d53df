//! Densities of vectors and matrices, and those that are made of others.

use posterior_math::special::HALF_LN_TAU;

use super::matrices::{cholesky, ln_diagonal, solve};
use super::{Group, density_lanes, int_of};
use crate::density::Density;
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Value};

pub(crate) const GROUP: Group = &[
    ("categorical_lpmf", |machine, values| categorical(machine, values, false)),
    ("categorical_logit_lpmf", |machine, values| categorical(machine, values, true)),
    ("multinomial_lpmf", |machine, values| {
        let (counts, theta) = (values[0].int_list(), values[1].nums());
        let total: i64 = counts.iter().sum();
        let mut terms = vec![Num::C(posterior_math::special::ln_factorial(total as u64))];
        for (n, p) in counts.iter().zip(theta) {
            terms.push(Num::C(-posterior_math::special::ln_factorial(*n as u64)));
            if *n > 0 {
                let ln = machine.trace.un(Un::Log, p);
                terms.push(machine.trace.mul(Num::C(*n as f64), ln));
            }
        }
        Ok(Value::Real(machine.trace.sum(&terms)))
    }),
    ("dirichlet_lpdf", |machine, values| {
        let trace = &mut machine.trace;
        let (points, alphas) = (vectors(&values[0]), vectors(&values[1]));
        let mut terms = vec![];
        for i in 0..points.len().max(alphas.len()) {
            let (theta, alpha) = (&points[i % points.len()], &alphas[i % alphas.len()]);
            let total = trace.sum(alpha);
            terms.push(trace.un(Un::Lgamma, total));
            for (&p, &a) in theta.iter().zip(alpha) {
                let ln_gamma = trace.un(Un::Lgamma, a);
                terms.push(trace.un(Un::Minus, ln_gamma));
                let ln = trace.un(Un::Log, p);
                let less = trace.sub(a, Num::C(1.0));
                if !matches!(less, Num::C(0.0)) {
                    terms.push(trace.mul(less, ln));
                }
            }
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("multi_normal_cholesky_lpdf", |machine, values| {
        let n = factor_size(&values[2])?;
        let l = values[2].nums();
        normal_by_factor(&mut machine.trace, values, &l, n)
    }),
    ("multi_normal_lpdf", |machine, values| {
        let n = factor_size(&values[2])?;
        let l = cholesky(&mut machine.trace, &values[2].nums(), n);
        normal_by_factor(&mut machine.trace, values, &l, n)
    }),
    ("multi_normal_prec_lpdf", |machine, values| {
        let trace = &mut machine.trace;
        let n = factor_size(&values[2])?;
        let precision = values[2].nums();
        let l = cholesky(trace, &precision, n);
        let half = ln_diagonal(trace, &l, n);
        let mut terms = vec![];
        for gap in gaps(trace, values) {
            let image = trace.multiply(&precision, &gap, (n, n, 1));
            let square = trace.dot(&gap, &image);
            terms.push(trace.mul(Num::C(-0.5), square));
            terms.push(half);
            terms.push(Num::C(-(n as f64) * HALF_LN_TAU));
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("multi_student_t_lpdf", |machine, values| {
        let trace = &mut machine.trace;
        let n = factor_size(&values[3])?;
        let nu = super::real(&values[1])?;
        let l = cholesky(trace, &values[3].nums(), n);
        let half = ln_diagonal(trace, &l, n);
        let mut terms = vec![];
        for gap in gaps(trace, &[values[0].clone(), values[2].clone()]) {
            let z = solve(trace, Op::SolveLower, &l, &gap, n);
            let square = trace.dot(&z, &z);
            let ratio = trace.div(square, nu);
            let ln = trace.un(Un::Log1p, ratio);
            let sum = trace.add(nu, Num::C(n as f64));
            let order = trace.mul(Num::C(0.5), sum);
            let tail = trace.mul(order, ln);
            let half_nu = trace.mul(Num::C(0.5), nu);
            let (up, down) = (trace.un(Un::Lgamma, order), trace.un(Un::Lgamma, half_nu));
            let ln_nu = trace.un(Un::Log, nu);
            let scale = trace.mul(Num::C(0.5 * n as f64), ln_nu);
            terms.push(up);
            for less in [down, scale, half, tail] {
                terms.push(trace.un(Un::Minus, less));
            }
            terms.push(Num::C(-0.5 * n as f64 * std::f64::consts::PI.ln()));
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("wishart_lpdf", |machine, values| wishart(&mut machine.trace, values, false)),
    ("inv_wishart_lpdf", |machine, values| wishart(&mut machine.trace, values, true)),
    ("lkj_corr_lpdf", |machine, values| {
        let trace = &mut machine.trace;
        let n = factor_size(&values[0])?;
        let eta = super::real(&values[1])?;
        let l = cholesky(trace, &values[0].nums(), n);
        let ln = ln_diagonal(trace, &l, n);
        let less = trace.sub(eta, Num::C(1.0));
        let twice = trace.mul(Num::C(2.0), less);
        let main = trace.mul(twice, ln);
        let constant = lkj_constant(trace, eta, n);
        Ok(Value::Real(trace.add(main, constant)))
    }),
    ("lkj_corr_cholesky_lpdf", |machine, values| {
        let trace = &mut machine.trace;
        let n = factor_size(&values[0])?;
        let eta = super::real(&values[1])?;
        let l = values[0].nums();
        let less = trace.sub(eta, Num::C(1.0));
        let twice = trace.mul(Num::C(2.0), less);
        let mut terms = vec![lkj_constant(trace, eta, n)];
        for i in 1..n {
            let power = trace.add(twice, Num::C((n - i - 1) as f64));
            let ln = trace.un(Un::Log, l[i * (n + 1)]);
            terms.push(trace.mul(power, ln));
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("ordered_logistic_lpmf", |machine, values| {
        let trace = &mut machine.trace;
        let (y, eta) = (values[0].int_list(), values[1].nums());
        let all = vectors(&values[2]);
        let mut terms = vec![];
        for (i, &y) in y.iter().enumerate() {
            let eta = eta[if eta.len() == 1 { 0 } else { i }];
            let cuts = &all[i % all.len()];
            let k = int_of(cuts.len()) + 1;
            if y < 1 || y > k {
                return Err(Fault::reject(format!("{y} is not one of {k} categories")));
            }
            let upper = (y < k).then(|| trace.sub(eta, cuts[y as usize - 1]));
            let lower = (y > 1).then(|| trace.sub(eta, cuts[y as usize - 2]));
            let term = match (lower, upper) {
                (None, Some(upper)) => trace.un(Un::Log1mInvLogit, upper),
                (Some(lower), None) => trace.un(Un::LogInvLogit, lower),
                (Some(lower), Some(upper)) => {
                    let a = trace.un(Un::LogInvLogit, lower);
                    let b = trace.un(Un::LogInvLogit, upper);
                    trace.bin(crate::op::Bin::LogDiffExp, a, b)
                }
                (None, None) => Num::C(0.0),
            };
            terms.push(term);
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("bernoulli_logit_glm_lpmf", |machine, values| glm(machine, values, Density::BernoulliLogit)),
    ("poisson_log_glm_lpmf", |machine, values| glm(machine, values, Density::PoissonLog)),
    ("normal_id_glm_lpdf", |machine, values| glm(machine, values, Density::Normal)),
    ("neg_binomial_2_log_glm_lpmf", |machine, values| glm(machine, values, Density::NegBinomial2Log)),
];

/// The vectors of an array of them, or the one.
pub(super) fn vectors(value: &Value) -> Vec<Vec<Num>> {
    let len = value.shape().elem.len().max(1);
    let all: Vec<Vec<Num>> = value.nums().chunks(len).map(<[Num]>::to_vec).collect();
    if all.is_empty() { vec![vec![]] } else { all }
}

fn factor_size(value: &Value) -> Result<usize, Fault> {
    match value.shape().elem {
        Elem::Matrix(r, c) if r == c => Ok(r),
        _ => Err(Fault::new("a square matrix is wanted")),
    }
}

fn gaps(trace: &mut Trace, values: &[Value]) -> Vec<Vec<Num>> {
    let empty = values[..2].iter().any(|value| value.shape().dims.first() == Some(&0));
    let (points, means) = (vectors(&values[0]), vectors(&values[1]));
    let n = if empty { 0 } else { points.len().max(means.len()) };
    (0..n)
        .map(|i| {
            let pairs = points[i % points.len()].iter().zip(&means[i % means.len()]);
            pairs.map(|(y, m)| trace.sub(*y, *m)).collect()
        })
        .collect()
}

fn normal_by_factor(trace: &mut Trace, values: &[Value], l: &[Num], n: usize) -> Result<Value, Fault> {
    let half = ln_diagonal(trace, l, n);
    let all = gaps(trace, values);
    if all.iter().any(|gap| gap.len() != n) {
        return Err(Fault::new(format!("vectors that have not {n} numbers")));
    }
    let columns: Vec<Num> = all.iter().flatten().copied().collect();
    if columns.is_empty() {
        return Ok(Value::constant(0.0));
    }
    let z = solve(trace, Op::SolveLower, l, &columns, n);
    let squares = trace.dot(&z, &z);
    let main = trace.mul(Num::C(-0.5), squares);
    let count = all.len() as f64;
    let scale = trace.mul(Num::C(-count), half);
    let terms = [main, scale, Num::C(-count * n as f64 * HALF_LN_TAU)];
    Ok(Value::Real(trace.sum(&terms)))
}

fn categorical(machine: &mut Machine, values: &[Value], logits: bool) -> Result<Value, Fault> {
    let trace = &mut machine.trace;
    let theta = values[1].nums();
    let total = if logits { trace.log_sum_exp(&theta) } else { Num::C(0.0) };
    let mut terms = vec![];
    for y in values[0].int_list() {
        let Some(&x) = usize::try_from(y - 1).ok().and_then(|at| theta.get(at)) else {
            return Err(Fault::reject(format!("{y} is not one of {} categories", theta.len())));
        };
        terms.push(if logits { trace.sub(x, total) } else { trace.un(Un::Log, x) });
    }
    Ok(Value::Real(trace.sum(&terms)))
}

fn multivariate_ln_gamma(trace: &mut Trace, p: usize, a: Num) -> Num {
    let mut terms = vec![Num::C((p * p.saturating_sub(1)) as f64 / 4.0 * std::f64::consts::PI.ln())];
    for j in 0..p {
        let shifted = trace.sub(a, Num::C(0.5 * j as f64));
        terms.push(trace.un(Un::Lgamma, shifted));
    }
    trace.sum(&terms)
}

fn wishart(trace: &mut Trace, values: &[Value], inverse: bool) -> Result<Value, Fault> {
    let n = factor_size(&values[0])?;
    let nu = super::real(&values[1])?;
    let of_w = cholesky(trace, &values[0].nums(), n);
    let of_s = cholesky(trace, &values[2].nums(), n);
    Ok(Value::Real(wishart_by_factors(trace, nu, &of_w, &of_s, n, inverse)))
}

/// The density of W = L Lᵀ by the Cholesky factors of it and of the scale.
pub(super) fn wishart_by_factors(
    trace: &mut Trace,
    nu: Num,
    of_w: &[Num],
    of_s: &[Num],
    n: usize,
    inverse: bool,
) -> Num {
    let (ln_w, ln_s) = (ln_diagonal(trace, of_w, n), ln_diagonal(trace, of_s, n));
    // tr(S⁻¹ W) = |L_S⁻¹ L_W|², and the other way for the inverse.
    let (below, above) = if inverse { (of_w, of_s) } else { (of_s, of_w) };
    let quotient = solve(trace, Op::SolveLower, below, above, n);
    let square = trace.dot(&quotient, &quotient);
    let half_nu = trace.mul(Num::C(0.5), nu);
    let ln_gamma = multivariate_ln_gamma(trace, n, half_nu);
    let power =
        if inverse { trace.add(nu, Num::C(n as f64 + 1.0)) } else { trace.sub(nu, Num::C(n as f64 + 1.0)) };
    let of_point = trace.mul(power, ln_w);
    let of_scale = trace.mul(nu, ln_s);
    let twos = trace.mul(nu, Num::C(0.5 * n as f64 * std::f64::consts::LN_2));
    let mut terms = vec![trace.mul(Num::C(-0.5), square), if inverse { of_scale } else { of_point }];
    for less in [twos, ln_gamma, if inverse { of_point } else { of_scale }] {
        terms.push(trace.un(Un::Minus, less));
    }
    trace.sum(&terms)
}

/// ln of the constant of the LKJ distribution.
fn lkj_constant(trace: &mut Trace, eta: Num, k: usize) -> Num {
    if k < 2 {
        return Num::C(0.0);
    }
    let km1 = k - 1;
    let base = trace.add(eta, Num::C(0.5 * km1 as f64));
    let ln_gamma = trace.un(Un::Lgamma, base);
    let mut terms = vec![trace.mul(Num::C(km1 as f64), ln_gamma)];
    for i in 1..k {
        terms.push(Num::C(-0.5 * i as f64 * std::f64::consts::PI.ln()));
        let order = trace.add(eta, Num::C(0.5 * (km1 - i) as f64));
        let ln_gamma = trace.un(Un::Lgamma, order);
        terms.push(trace.un(Un::Minus, ln_gamma));
    }
    trace.sum(&terms)
}

/// A generalised linear model: y, x, intercept, coefficients and what else the density has.
fn glm(machine: &mut Machine, values: &[Value], density: Density) -> Result<Value, Fault> {
    let [y, x, alpha, beta, rest @ ..] = values else { return Err(Fault::new("four arguments are wanted")) };
    let trace = &mut machine.trace;
    let column = Value::vector(beta.nums());
    let image = super::arithmetic::product(trace, x, &column)?;
    let image = if let Elem::Row(_) = x.shape().elem { Value::Real(image.nums()[0]) } else { image };
    let eta = super::arithmetic::lift(trace, crate::op::Bin::Add, &image, alpha)?;
    let mut args = vec![y.clone(), eta];
    args.extend_from_slice(rest);
    let lanes = density_lanes(trace, density, &args)?;
    Ok(Value::Real(trace.sum(&lanes)))
}
