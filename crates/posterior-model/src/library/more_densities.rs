//! Densities that are made of others, and hidden Markov models.

use posterior_math::special::{HALF_LN_TAU, ln_factorial};

use super::arithmetic::{lift, product, transpose};
use super::matrices::{cholesky, ln_diagonal, solve, square};
use super::multivariate::{vectors, wishart_by_factors};
use super::{Builtin, Group, call, density_lanes, int_of, real};
use crate::density::{Density, Tail};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Bin, Op, Un};
use crate::trace::Trace;
use crate::value::{Elem, Num, Value};

pub(crate) const GROUP: Group = &[
    ("ordered_probit_lpmf", |machine, values| {
        let trace = &mut machine.trace;
        let (y, eta, all) = (values[0].int_list(), values[1].nums(), vectors(&values[2]));
        let mut terms = vec![];
        for (i, &y) in y.iter().enumerate() {
            let eta = eta[if eta.len() == 1 { 0 } else { i }];
            let cuts = &all[i % all.len()];
            terms.push(ordered_probit(trace, y, eta, cuts)?);
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("ordered_logistic_glm_lpmf", |machine, values| {
        let eta = linear(&mut machine.trace, &values[1], &values[2], None)?;
        let ordered = named("ordered_logistic_lpmf")?;
        let n = values[0].int_list().len().max(eta.len());
        let y = repeated_ints(&values[0], n);
        call(machine, ordered, &[y, Value::vector(eta), values[3].clone()])
    }),
    ("categorical_logit_glm_lpmf", |machine, values| {
        let trace = &mut machine.trace;
        let image = product(trace, &as_matrix(&values[1]), &values[3])?;
        let (rows, k) = super::arithmetic::extent(&image);
        let (image, alpha, y) = (image.nums(), values[2].nums(), values[0].int_list());
        let mut terms = vec![];
        for i in 0..y.len().max(rows) {
            let row = if rows == 1 { 0 } else { i };
            let logits: Vec<Num> = (0..k).map(|j| trace.add(image[row + j * rows], alpha[j])).collect();
            let y = y[if y.len() == 1 { 0 } else { i }];
            let Some(own) = usize::try_from(y - 1).ok().and_then(|at| logits.get(at)).copied() else {
                return Err(Fault::reject(format!("{y} is not one of {k} categories")));
            };
            let total = trace.log_sum_exp(&logits);
            terms.push(trace.sub(own, total));
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("binomial_logit_glm_lpmf", |machine, values| {
        let eta = linear(&mut machine.trace, &values[2], &values[4], Some(&values[3]))?;
        let args = [values[0].clone(), values[1].clone(), Value::vector(eta)];
        let lanes = density_lanes(&mut machine.trace, Density::BinomialLogit, &args)?;
        Ok(Value::Real(machine.trace.sum(&lanes)))
    }),
    ("multinomial_logit_lpmf", |machine, values| {
        let trace = &mut machine.trace;
        let (counts, logits) = (values[0].int_list(), values[1].nums());
        if counts.len() != logits.len() {
            return Err(Fault::reject(format!("{} counts and {} logits", counts.len(), logits.len())));
        }
        let total = trace.log_sum_exp(&logits);
        let mut terms = vec![Num::C(multinomial_constant(&counts)?)];
        for (n, x) in counts.iter().zip(logits) {
            if *n > 0 {
                let ln = trace.sub(x, total);
                terms.push(trace.mul(Num::C(*n as f64), ln));
            }
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("dirichlet_multinomial_lpmf", |machine, values| {
        let trace = &mut machine.trace;
        let (counts, alpha) = (values[0].int_list(), values[1].nums());
        if counts.len() != alpha.len() {
            return Err(Fault::reject(format!("{} counts and {} weights", counts.len(), alpha.len())));
        }
        let total: i64 = counts.iter().sum();
        let mut terms = vec![Num::C(multinomial_constant(&counts)?)];
        let mut gain = |trace: &mut Trace, a: Num, n: i64, sign: f64| {
            if n > 0 {
                let ln = trace.bin(Bin::LogRising, a, Num::C(n as f64));
                terms.push(trace.mul(Num::C(sign), ln));
            }
        };
        let sum = trace.sum(&alpha);
        gain(trace, sum, total, -1.0);
        for (n, a) in counts.iter().zip(&alpha) {
            gain(trace, *a, *n, 1.0);
        }
        Ok(Value::Real(trace.sum(&terms)))
    }),
    ("multi_gp_lpdf", |machine, values| {
        let n = square(&values[1])?;
        let l = cholesky(&mut machine.trace, &values[1].nums(), n);
        multi_gp(&mut machine.trace, values, &l, n)
    }),
    ("multi_gp_cholesky_lpdf", |machine, values| {
        let n = square(&values[1])?;
        let l = values[1].nums();
        multi_gp(&mut machine.trace, values, &l, n)
    }),
    ("multi_student_t_cholesky_lpdf", |machine, values| {
        let turned = transpose(&values[3])?;
        let scale = product(&mut machine.trace, &values[3], &turned)?;
        let args = [values[0].clone(), values[1].clone(), values[2].clone(), scale];
        call(machine, named("multi_student_t_lpdf")?, &args)
    }),
    ("wishart_cholesky_lpdf", |machine, values| by_cholesky(&mut machine.trace, values, false)),
    ("inv_wishart_cholesky_lpdf", |machine, values| by_cholesky(&mut machine.trace, values, true)),
    ("lkj_cov_lpdf", |machine, values| {
        let n = square(&values[0])?;
        let trace = &mut machine.trace;
        let all = values[0].nums();
        let sds: Vec<Num> = (0..n).map(|i| trace.un(Un::Sqrt, all[i * (n + 1)])).collect();
        let mut correlations = vec![];
        for at in 0..n * n {
            let both = trace.mul(sds[at % n], sds[at / n]);
            correlations.push(if at % n == at / n { Num::C(1.0) } else { trace.div(all[at], both) });
        }
        let args = [Value::vector(sds), values[1].clone(), values[2].clone()];
        let lanes = density_lanes(trace, Density::Lognormal, &args)?;
        let of_sds = trace.sum(&lanes);
        let args = [Value::matrix(n, n, correlations), values[3].clone()];
        let of_correlations = call(machine, named("lkj_corr_lpdf")?, &args)?;
        let own = real(&of_correlations)?;
        Ok(Value::Real(machine.trace.add(of_sds, own)))
    }),
    ("gaussian_dlm_obs_lpdf", |machine, values| dynamic_linear(&mut machine.trace, values)),
    ("wiener_lpdf", |machine, values| {
        if values.len() != 5 {
            return Err(Fault::new("it is executed with five arguments, without variability between trials"));
        }
        let lanes = density_lanes(&mut machine.trace, Density::Wiener, values)?;
        Ok(Value::Real(machine.trace.sum(&lanes)))
    }),
    ("hmm_marginal", |machine, values| {
        let steps = forward(&mut machine.trace, values)?;
        let last = steps.last().cloned().unwrap_or_default();
        Ok(Value::Real(machine.trace.log_sum_exp(&last)))
    }),
    ("hmm_hidden_state_prob", |machine, values| {
        let steps = forward(&mut machine.trace, values)?;
        let (k, times) = (steps.first().map_or(0, Vec::len), steps.len());
        let known = |machine: &Machine, all: &[Num]| -> Vec<f64> {
            all.iter().map(|x| machine.trace.value(*x)).collect()
        };
        let (gamma, omega) = (known(machine, &values[1].nums()), known(machine, &values[0].nums()));
        let mut after = vec![0.0; k];
        let mut out = vec![Num::C(0.0); k * times];
        for t in (0..times).rev() {
            let ahead = known(machine, &steps[t]);
            let mut own: Vec<f64> = ahead.iter().zip(&after).map(|(a, b)| a + b).collect();
            posterior_math::log_space::softmax_in_place(&mut own);
            own.iter().enumerate().for_each(|(i, p)| out[i + t * k] = Num::C(*p));
            let before = |i: usize| {
                let terms: Vec<f64> =
                    (0..k).map(|j| gamma[i + j * k].ln() + omega[j + t * k] + after[j]).collect();
                posterior_math::log_space::ln_sum_exp(&terms)
            };
            after = (0..k).map(before).collect();
        }
        Ok(Value::matrix(k, times, out))
    }),
];

fn named(name: &str) -> Result<Builtin, Fault> {
    super::builtin(name).ok_or_else(|| Fault::new(format!("{name} is not known")))
}

/// The ln of n! / Π nᵢ!.
fn multinomial_constant(counts: &[i64]) -> Result<f64, Fault> {
    if counts.iter().any(|n| *n < 0) {
        return Err(Fault::reject("a negative count"));
    }
    let total: i64 = counts.iter().sum();
    Ok(ln_factorial(total as u64) - counts.iter().map(|n| ln_factorial(*n as u64)).sum::<f64>())
}

fn as_matrix(value: &Value) -> Value {
    match value.shape().elem {
        Elem::Row(n) => Value::matrix(1, n, value.nums()),
        _ => value.clone(),
    }
}

fn repeated_ints(value: &Value, n: usize) -> Value {
    let all = value.int_list();
    Value::ints(vec![n], (0..n).map(|i| all[if all.len() == 1 { 0 } else { i }]).collect())
}

/// x β + α for each row.
fn linear(trace: &mut Trace, x: &Value, beta: &Value, alpha: Option<&Value>) -> Result<Vec<Num>, Fault> {
    let image = product(trace, &as_matrix(x), &Value::vector(beta.nums()))?;
    let image = Value::vector(image.nums());
    Ok(match alpha {
        Some(alpha) if image.shape().len() == 1 => {
            let own = image.nums()[0];
            alpha.nums().into_iter().map(|a| trace.add(own, a)).collect()
        }
        Some(alpha) => lift(trace, Bin::Add, &image, alpha)?.nums(),
        None => image.nums(),
    })
}

fn ordered_probit(trace: &mut Trace, y: i64, eta: Num, cuts: &[Num]) -> Result<Num, Fault> {
    let k = int_of(cuts.len()) + 1;
    if y < 1 || y > k {
        return Err(Fault::reject(format!("{y} is not one of {k} categories")));
    }
    let mut tail = |at: i64, upper: bool| {
        let z = trace.sub(cuts[at as usize - 1], eta);
        trace.one(Op::Tail(Tail::StdNormal, upper), &[z])
    };
    Ok(match (y == 1, y == k) {
        (true, true) => Num::C(0.0),
        (true, false) => tail(1, false),
        (false, true) => tail(k - 1, true),
        (false, false) => {
            // On the side where the tails are small, so that digits are left.
            let (low, high) = (tail(y - 1, true), tail(y, true));
            trace.bin(Bin::LogDiffExp, low, high)
        }
    })
}

/// Rows of y, each normal with the covariance over its weight.
fn multi_gp(trace: &mut Trace, values: &[Value], l: &[Num], n: usize) -> Result<Value, Fault> {
    let turned = transpose(&values[0])?;
    let (rows, weights) = (super::arithmetic::extent(&values[0]), values[2].nums());
    if rows.1 != n || rows.0 != weights.len() {
        return Err(Fault::reject(format!(
            "{} weights and a matrix of {} × {}",
            weights.len(),
            rows.0,
            rows.1
        )));
    }
    let half = ln_diagonal(trace, l, n);
    let z = solve(trace, Op::SolveLower, l, &turned.nums(), n);
    let mut terms = vec![];
    for (z, &w) in z.chunks(n.max(1)).zip(&weights) {
        let square = trace.dot(z, z);
        let scaled = trace.mul(w, square);
        let ln = trace.un(Un::Log, w);
        terms.push(trace.mul(Num::C(-0.5), scaled));
        terms.push(trace.mul(Num::C(0.5 * n as f64), ln));
        terms.push(trace.un(Un::Minus, half));
        terms.push(Num::C(-(n as f64) * HALF_LN_TAU));
    }
    Ok(Value::Real(trace.sum(&terms)))
}

/// The density of a Cholesky factor L of a Wishart matrix: that of L Lᵀ, and 2ⁿ Π Lᵢᵢⁿ⁻ⁱ⁺¹.
fn by_cholesky(trace: &mut Trace, values: &[Value], inverse: bool) -> Result<Value, Fault> {
    let n = square(&values[0])?;
    let (of_point, of_scale) = (values[0].nums(), values[2].nums());
    let nu = real(&values[1])?;
    let main = wishart_by_factors(trace, nu, &of_point, &of_scale, n, inverse);
    let mut terms = vec![main, Num::C(n as f64 * std::f64::consts::LN_2)];
    for i in 0..n {
        let ln = trace.un(Un::Log, of_point[i * (n + 1)]);
        terms.push(trace.mul(Num::C((n - i) as f64), ln));
    }
    Ok(Value::Real(trace.sum(&terms)))
}

/// The Kalman filter: y by columns, F, G, V (or the diagonal of a diagonal one), W, m₀ and C₀.
fn dynamic_linear(trace: &mut Trace, values: &[Value]) -> Result<Value, Fault> {
    let [y, f, g, v, w, m0, c0] = values else { return Err(Fault::new("seven arguments are wanted")) };
    let (r, times) = super::arithmetic::extent(y);
    let v = match v.shape().elem {
        Elem::Vector(k) => {
            let own = v.nums();
            let data = (0..k * k).map(|at| if at % k == at / k { own[at / k] } else { Num::C(0.0) });
            Value::matrix(k, k, data.collect())
        }
        _ => v.clone(),
    };
    let (ft, gt) = (transpose(f)?, transpose(g)?);
    let (mut m, mut c) = (m0.clone(), c0.clone());
    let mut terms = vec![];
    for t in 0..times {
        let a = product(trace, g, &m)?;
        let spread = product(trace, g, &c)?;
        let spread = product(trace, &spread, &gt)?;
        let big_r = lift(trace, Bin::Add, &spread, w)?;
        let expected = product(trace, &ft, &a)?;
        let image = product(trace, &ft, &big_r)?;
        let q = product(trace, &image, f)?;
        let q = lift(trace, Bin::Add, &q, &v)?;
        let own = Value::vector(y.nums()[t * r..(t + 1) * r].to_vec());
        let gap = lift(trace, Bin::Sub, &own, &Value::vector(expected.nums()))?;
        let l = cholesky(trace, &q.nums(), r);
        let z = solve(trace, Op::SolveLower, &l, &gap.nums(), r);
        let square = trace.dot(&z, &z);
        terms.push(trace.mul(Num::C(-0.5), square));
        let half = ln_diagonal(trace, &l, r);
        terms.push(trace.un(Un::Minus, half));
        terms.push(Num::C(-(r as f64) * HALF_LN_TAU));
        // The gain by solutions: R F Q⁻¹.
        let s = solve(trace, Op::SolveLower, &l, &image.nums(), r);
        let s = image.with(s);
        let st = transpose(&s)?;
        let step = product(trace, &st, &Value::vector(z))?;
        m = lift(trace, Bin::Add, &a, &step)?;
        let less = product(trace, &st, &s)?;
        c = lift(trace, Bin::Sub, &big_r, &less)?;
    }
    Ok(Value::Real(trace.sum(&terms)))
}

/// ln of the probabilities of all observations until each time and of the state then.
fn forward(trace: &mut Trace, values: &[Value]) -> Result<Vec<Vec<Num>>, Fault> {
    let (k, times) = super::arithmetic::extent(&values[0]);
    let (omega, start) = (values[0].nums(), values[2].nums());
    if square(&values[1])? != k || start.len() != k || times == 0 {
        return Err(Fault::reject(format!("{k} states at {times} times, and matrices of other sizes")));
    }
    let gamma: Vec<Num> = values[1].nums().into_iter().map(|p| trace.un(Un::Log, p)).collect();
    let first: Vec<Num> = (0..k)
        .map(|i| {
            let ln = trace.un(Un::Log, start[i]);
            trace.add(ln, omega[i])
        })
        .collect();
    let mut steps = vec![first];
    for t in 1..times {
        let before = steps[t - 1].clone();
        let own = (0..k).map(|j| {
            let terms: Vec<Num> = (0..k).map(|i| trace.add(before[i], gamma[i + j * k])).collect();
            let arrived = trace.log_sum_exp(&terms);
            trace.add(arrived, omega[j + t * k])
        });
        let own = own.collect();
        steps.push(own);
    }
    Ok(steps)
}
