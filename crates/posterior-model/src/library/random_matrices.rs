//! Random vectors, matrices and states of chains.

use posterior_dist as dist;
use rand::distr::Distribution as _;
use rand_pcg::Pcg64;

use super::arithmetic::extent;
use super::matrices::{cholesky, square};
use super::random::{choose, gamma, generator, numbers, standard, unit};
use super::{Group, count, int_of};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::Un;
use crate::value::{Elem, Num, Value};

pub(crate) const GROUP: Group = &[
    ("multi_student_t_rng", |machine, values| student_t(machine, values, false)),
    ("multi_student_t_cholesky_rng", |machine, values| student_t(machine, values, true)),
    ("wishart_rng", |machine, values| {
        let (n, scale) = factor(machine, &values[1], false)?;
        let l = wishart(machine, values, &scale, n)?;
        Ok(matrix(self_product(&l, n), n))
    }),
    ("wishart_cholesky_rng", |machine, values| {
        let (n, scale) = factor(machine, &values[1], true)?;
        let l = wishart(machine, values, &scale, n)?;
        Ok(matrix(with_positive_diagonal(l, n), n))
    }),
    ("inv_wishart_rng", |machine, values| {
        let (n, scale) = factor(machine, &values[1], false)?;
        let l = inverse_wishart(machine, values, &scale, n)?;
        Ok(matrix(self_product(&l, n), n))
    }),
    ("inv_wishart_cholesky_rng", |machine, values| {
        let (n, scale) = factor(machine, &values[1], true)?;
        let root = inverse_wishart(machine, values, &scale, n)?;
        let nums: Vec<Num> = self_product(&root, n).into_iter().map(Num::C).collect();
        Ok(Value::matrix(n, n, cholesky(&mut machine.trace, &nums, n)))
    }),
    ("lkj_corr_cholesky_rng", |machine, values| {
        let n = count(&values[0])?;
        let l = lkj(machine, n, &values[1])?;
        Ok(matrix(l, n))
    }),
    ("lkj_corr_rng", |machine, values| {
        let n = count(&values[0])?;
        let l = lkj(machine, n, &values[1])?;
        let mut all = self_product(&l, n);
        (0..n).for_each(|i| all[i * (n + 1)] = 1.0);
        Ok(matrix(all, n))
    }),
    ("multinomial_logit_rng", |machine, values| {
        let mut p = numbers(machine, &values[0]);
        posterior_math::log_space::softmax_in_place(&mut p);
        counts(machine, &p, count(&values[1])?)
    }),
    ("dirichlet_multinomial_rng", |machine, values| {
        let alpha = numbers(machine, &values[0]);
        let rng = generator(machine)?;
        let p = alpha.iter().map(|&a| gamma(rng, a, 1.0)).collect::<Result<Vec<_>, _>>()?;
        counts(machine, &p, count(&values[1])?)
    }),
    ("ordered_probit_rng", |machine, values| {
        let (eta, cuts) = (numbers(machine, &values[0])[0], numbers(machine, &values[1]));
        let z = eta + standard(generator(machine)?)?;
        Ok(Value::Int(int_of(cuts.iter().take_while(|cut| z > **cut).count()) + 1))
    }),
    ("bernoulli_logit_glm_rng", |machine, values| {
        let (x, alpha, beta) = (&values[0], numbers(machine, &values[1]), numbers(machine, &values[2]));
        let (rows, cols) = match x.shape().elem {
            Elem::Row(n) => (1, n),
            _ => extent(x),
        };
        let x = numbers(machine, x);
        let rng = generator(machine)?;
        let draw = |i: usize| {
            let image: f64 = (0..cols).map(|j| x[i % rows.max(1) + j * rows] * beta[j]).sum();
            let eta = image + alpha[if alpha.len() == 1 { 0 } else { i }];
            i64::from(unit(rng) < Un::InvLogit.value(eta))
        };
        let n = rows.max(alpha.len());
        Ok(Value::ints(vec![n], (0..n).map(draw).collect()))
    }),
    ("hmm_latent_rng", |machine, values| {
        let (k, times) = extent(&values[0]);
        let (omega, gamma) = (numbers(machine, &values[0]), numbers(machine, &values[1]));
        let start = numbers(machine, &values[2]);
        if gamma.len() != k * k || start.len() != k || times == 0 {
            return Err(Fault::reject(format!("{k} states at {times} times, and matrices of other sizes")));
        }
        // Forwards with sums of one, then a path backwards.
        let mut ahead: Vec<Vec<f64>> = vec![];
        for t in 0..times {
            let arrived = |j: usize| match ahead.last() {
                Some(before) => (0..k).map(|i| before[i] * gamma[i + j * k]).sum::<f64>(),
                None => start[j],
            };
            let top = omega[t * k..(t + 1) * k].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let own: Vec<f64> = (0..k).map(|j| arrived(j) * (omega[j + t * k] - top).exp()).collect();
            let sum: f64 = own.iter().sum();
            ahead.push(own.into_iter().map(|p| p / sum).collect());
        }
        let mut path = vec![0; times];
        for t in (0..times).rev() {
            let mut p = ahead[t].clone();
            if t + 1 < times {
                let next = path[t + 1] as usize - 1;
                p.iter_mut().enumerate().for_each(|(i, p)| *p *= gamma[i + next * k]);
            }
            if let Value::Int(at) = choose(machine, &p)? {
                path[t] = at;
            }
        }
        Ok(Value::ints(vec![times], path))
    }),
];

fn matrix(all: Vec<f64>, n: usize) -> Value {
    Value::matrix(n, n, all.into_iter().map(Num::C).collect())
}

/// L Lᵀ, by columns.
fn self_product(l: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|at| (0..n).map(|p| l[at % n + p * n] * l[at / n + p * n]).sum()).collect()
}

fn with_positive_diagonal(mut l: Vec<f64>, n: usize) -> Vec<f64> {
    for j in (0..n).filter(|j| l[j * (n + 1)] < 0.0).collect::<Vec<_>>() {
        l[j * n..(j + 1) * n].iter_mut().for_each(|x| *x = -*x);
    }
    l
}

/// The Cholesky factor of a scale, or the scale if it is one.
fn factor(machine: &mut Machine, value: &Value, itself: bool) -> Result<(usize, Vec<f64>), Fault> {
    let n = square(value)?;
    let l = if itself { value.nums() } else { cholesky(&mut machine.trace, &value.nums(), n) };
    let l: Vec<f64> = l.into_iter().map(|x| machine.trace.value(x)).collect();
    if l.iter().any(|x| x.is_nan()) {
        return Err(Fault::reject("a scale that is not positive definite"));
    }
    Ok((n, l))
}

/// The lower A of Bartlett's decomposition.
fn bartlett(rng: &mut Pcg64, nu: f64, n: usize) -> Result<Vec<f64>, Fault> {
    if !(nu > n as f64 - 1.0) {
        return Err(Fault::reject(format!("{nu} degrees of freedom of a matrix of {n} × {n}")));
    }
    let mut a = vec![0.0; n * n];
    for j in 0..n {
        a[j * (n + 1)] = gamma(rng, 0.5 * (nu - j as f64), 0.5)?.sqrt();
        for i in j + 1..n {
            a[i + j * n] = standard(rng)?;
        }
    }
    Ok(a)
}

/// L A, of lower matrices.
fn wishart(machine: &mut Machine, values: &[Value], l: &[f64], n: usize) -> Result<Vec<f64>, Fault> {
    let nu = numbers(machine, &values[0])[0];
    let a = bartlett(generator(machine)?, nu, n)?;
    Ok((0..n * n).map(|at| (0..n).map(|p| l[at % n + p * n] * a[p + at / n * n]).sum()).collect())
}

/// A root of an inverse Wishart matrix: L A⁻ᵀ, whose square is L (A Aᵀ)⁻¹ Lᵀ.
fn inverse_wishart(machine: &mut Machine, values: &[Value], l: &[f64], n: usize) -> Result<Vec<f64>, Fault> {
    let nu = numbers(machine, &values[0])[0];
    let a = bartlett(generator(machine)?, nu, n)?;
    // Rows of X = L A⁻ᵀ: A xᵢ = lᵢ.
    let mut x = vec![0.0; n * n];
    for i in 0..n {
        for p in 0..n {
            let sum: f64 = (0..p).map(|q| a[p + q * n] * x[i + q * n]).sum();
            x[i + p * n] = (l[i + p * n] - sum) / a[p * (n + 1)];
        }
    }
    Ok(x)
}

/// The Cholesky factor of a correlation matrix, by the onion of Lewandowski, Kurowicka and Joe (2009).
fn lkj(machine: &mut Machine, n: usize, eta: &Value) -> Result<Vec<f64>, Fault> {
    let eta = numbers(machine, eta)[0];
    if !(eta > 0.0) {
        return Err(Fault::reject(format!("a shape of {eta}")));
    }
    let rng = generator(machine)?;
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        if i == 0 {
            l[0] = 1.0;
            continue;
        }
        let shape = eta + 0.5 * (n as f64 - 1.0 - i as f64);
        let share =
            dist::Beta::new(0.5 * i as f64, shape).map_err(|error| Fault::reject(error.to_string()))?;
        let square: f64 = share.sample(rng);
        let direction = (0..i).map(|_| standard(rng)).collect::<Result<Vec<_>, _>>()?;
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (j, x) in direction.iter().enumerate() {
            l[i + j * n] = square.sqrt() * x / norm;
        }
        l[i * (n + 1)] = (1.0 - square).sqrt();
    }
    Ok(l)
}

fn counts(machine: &mut Machine, p: &[f64], total: usize) -> Result<Value, Fault> {
    let mut counts = vec![0; p.len()];
    for _ in 0..total {
        if let Value::Int(at) = choose(machine, p)? {
            counts[at as usize - 1] += 1;
        }
    }
    Ok(Value::ints(vec![counts.len()], counts))
}

fn student_t(machine: &mut Machine, values: &[Value], itself: bool) -> Result<Value, Fault> {
    let (n, l) = factor(machine, &values[2], itself)?;
    let (nu, mean) = (numbers(machine, &values[0])[0], numbers(machine, &values[1]));
    if mean.len() != n {
        return Err(Fault::reject(format!("a location of {} numbers", mean.len())));
    }
    let rng = generator(machine)?;
    let scale = gamma(rng, 0.5 * nu, 0.5 * nu)?.sqrt();
    let z = (0..n).map(|_| standard(rng)).collect::<Result<Vec<_>, _>>()?;
    let draw = (0..n).map(|i| mean[i] + (0..=i).map(|j| l[i + j * n] * z[j]).sum::<f64>() / scale);
    Ok(Value::vector(draw.map(Num::C).collect()))
}
