//! Random numbers, where the program makes some.

use posterior_dist as dist;
use rand::distr::Distribution;
use rand_pcg::Pcg64;

use super::matrices::cholesky;
use super::{Group, broadcast, int_of};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::Un;
use crate::value::{Elem, Num, Value};

type Draw = fn(&mut Pcg64, &[f64]) -> Result<f64, Fault>;

macro_rules! draws {
    ($($name:literal $int:literal $draw:expr;)* ; $($other:literal $function:expr;)*) => {
        pub(crate) const GROUP: Group = &[
            $(($name, |machine, values| each(machine, values, $draw, $int)),)*
            $(($other, $function),)*
        ];
    };
}

/// A draw of a distribution that may refuse its parameters.
fn of<D, X>(made: Result<D, dist::math::ParamError>, rng: &mut Pcg64) -> Result<X, Fault>
where
    D: Distribution<X>,
{
    made.map(|d| d.sample(rng)).map_err(|error| Fault::reject(error.to_string()))
}

pub(super) fn standard(rng: &mut Pcg64) -> Result<f64, Fault> {
    of(dist::Normal::mean_sd(0.0, 1.0), rng)
}

pub(super) fn unit(rng: &mut Pcg64) -> f64 {
    rand::distr::StandardUniform.sample(rng)
}

pub(super) fn gamma(rng: &mut Pcg64, a: f64, b: f64) -> Result<f64, Fault> {
    of(dist::Gamma::shape_rate(a, b), rng)
}

fn poisson(rng: &mut Pcg64, rate: f64) -> Result<f64, Fault> {
    if rate == 0.0 {
        return Ok(0.0);
    }
    of::<_, u64>(dist::Poisson::new(rate), rng).map(|x| x as f64)
}

fn bernoulli(rng: &mut Pcg64, p: f64) -> Result<f64, Fault> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Fault::reject(format!("a probability of {p}")));
    }
    Ok(f64::from(unit(rng) < p))
}

fn binomial(rng: &mut Pcg64, n: f64, p: f64) -> Result<f64, Fault> {
    if !(n >= 0.0) {
        return Err(Fault::reject(format!("{n} trials")));
    }
    of::<_, u64>(dist::Binomial::new(n as u64, p), rng).map(|x| x as f64)
}

fn logistic(x: f64) -> f64 {
    Un::InvLogit.value(x)
}

draws! {
    "normal_rng" false |r, x| of(dist::Normal::mean_sd(x[0], x[1]), r);
    "std_normal_rng" false |r, _| standard(r);
    "uniform_rng" false |r, x| Ok(x[0] + (x[1] - x[0]) * unit(r));
    "lognormal_rng" false |r, x| of::<_, f64>(dist::Normal::mean_sd(x[0], x[1]), r).map(f64::exp);
    "cauchy_rng" false |r, x| of(dist::Cauchy::new(x[0], x[1]), r);
    "student_t_rng" false |r, x| {
        let chi = gamma(r, 0.5 * x[0], 0.5 * x[0])?;
        Ok(x[1] + x[2] * standard(r)? / chi.sqrt())
    };
    "double_exponential_rng" false |r, x| of(dist::Laplace::new(x[0], x[1]), r);
    "logistic_rng" false |r, x| of(dist::Logistic::new(x[0], x[1]), r);
    "gumbel_rng" false |r, x| of(dist::Gumbel::new(x[0], x[1]), r);
    "exponential_rng" false |r, x| Ok(-(-unit(r)).ln_1p() / x[0]);
    "gamma_rng" false |r, x| gamma(r, x[0], x[1]);
    "inv_gamma_rng" false |r, x| gamma(r, x[0], x[1]).map(|x| 1.0 / x);
    "chi_square_rng" false |r, x| gamma(r, 0.5 * x[0], 0.5);
    "weibull_rng" false |r, x| Ok(x[1] * (-(-unit(r)).ln_1p()).powf(1.0 / x[0]));
    "frechet_rng" false |r, x| Ok(x[1] * (-(-unit(r)).ln_1p()).powf(-1.0 / x[0]));
    "rayleigh_rng" false |r, x| Ok(x[0] * (-2.0 * (-unit(r)).ln_1p()).sqrt());
    "pareto_rng" false |r, x| Ok(x[0] * (1.0 - unit(r)).powf(-1.0 / x[1]));
    "loglogistic_rng" false |r, x| {
        let u = unit(r);
        Ok(x[0] * (u / (1.0 - u)).powf(1.0 / x[1]))
    };
    "pareto_type_2_rng" false |r, x| Ok(x[0] + x[1] * (-(-unit(r)).ln_1p() / x[2]).exp_m1());
    "inv_chi_square_rng" false |r, x| gamma(r, 0.5 * x[0], 0.5).map(f64::recip);
    "scaled_inv_chi_square_rng" false |r, x| {
        gamma(r, 0.5 * x[0], 0.5 * x[0] * x[1] * x[1]).map(f64::recip)
    };
    "skew_double_exponential_rng" false |r, x| {
        let (mu, s, tau) = (x[0], x[1], x[2]);
        let u = unit(r);
        Ok(if u < tau {
            mu + 0.5 * s * (u / tau).ln() / (1.0 - tau)
        } else {
            mu - 0.5 * s * ((1.0 - u) / (1.0 - tau)).ln() / tau
        })
    };
    "von_mises_rng" false |r, x| of(dist::VonMises::new(x[0], x[1]), r);
    "beta_rng" false |r, x| of(dist::Beta::new(x[0], x[1]), r);
    "beta_proportion_rng" false |r, x| of(dist::Beta::new(x[0] * x[1], (1.0 - x[0]) * x[1]), r);
    "skew_normal_rng" false |r, x| {
        let delta = x[2] / x[2].hypot(1.0);
        let (a, b) = (standard(r)?, standard(r)?);
        Ok(x[0] + x[1] * (delta * a.abs() + (1.0 - delta * delta).sqrt() * b))
    };
    "exp_mod_normal_rng" false |r, x| {
        Ok(x[0] + x[1] * standard(r)? - (-unit(r)).ln_1p() / x[2])
    };
    "bernoulli_rng" true |r, x| bernoulli(r, x[0]);
    "bernoulli_logit_rng" true |r, x| bernoulli(r, logistic(x[0]));
    "binomial_rng" true |r, x| binomial(r, x[0], x[1]);
    "binomial_logit_rng" true |r, x| binomial(r, x[0], logistic(x[1]));
    "beta_binomial_rng" true |r, x| {
        let p: f64 = of(dist::Beta::new(x[1], x[2]), r)?;
        binomial(r, x[0], p)
    };
    "poisson_rng" true |r, x| poisson(r, x[0]);
    "poisson_log_rng" true |r, x| poisson(r, x[0].exp());
    "neg_binomial_rng" true |r, x| {
        let rate = gamma(r, x[0], x[1])?;
        poisson(r, rate)
    };
    "neg_binomial_2_rng" true |r, x| {
        let rate = gamma(r, x[1], x[1] / x[0])?;
        poisson(r, rate)
    };
    "neg_binomial_2_log_rng" true |r, x| {
        let rate = gamma(r, x[1], x[1] / x[0].exp())?;
        poisson(r, rate)
    };
    "beta_neg_binomial_rng" true |r, x| {
        let p: f64 = of(dist::Beta::new(x[1], x[2]), r)?;
        let rate = gamma(r, x[0], p / (1.0 - p))?;
        poisson(r, rate)
    };
    "yule_simon_rng" true |r, x| {
        let stop = (-unit(r)).ln_1p() / x[0];
        Ok(((-unit(r)).ln_1p() / (-stop.exp()).ln_1p()).ceil().max(1.0))
    };
    "hypergeometric_rng" true |r, x| {
        // One after another, without putting back.
        let (mut white, mut all, mut found) = (x[1], x[1] + x[2], 0.0);
        for _ in 0..x[0].min(all) as u64 {
            if unit(r) * all < white {
                white -= 1.0;
                found += 1.0;
            }
            all -= 1.0;
        }
        Ok(found)
    };
    "discrete_range_rng" true |r, x| Ok((x[0] + ((x[1] - x[0] + 1.0) * unit(r)).floor()).min(x[1]));
    ;
    "categorical_rng" |machine, values| {
        let p = numbers(machine, &values[0]);
        choose(machine, &p)
    };
    "categorical_logit_rng" |machine, values| {
        let mut p = numbers(machine, &values[0]);
        posterior_math::log_space::softmax_in_place(&mut p);
        choose(machine, &p)
    };
    "ordered_logistic_rng" |machine, values| {
        let eta = numbers(machine, &values[0])[0];
        let cuts = numbers(machine, &values[1]);
        let u = unit(generator(machine)?);
        let above = cuts.iter().take_while(|cut| u > logistic(**cut - eta)).count();
        Ok(Value::Int(int_of(above) + 1))
    };
    "multinomial_rng" |machine, values| {
        let p = numbers(machine, &values[0]);
        let total = super::count(&values[1])?;
        let mut counts = vec![0; p.len()];
        for _ in 0..total {
            if let Value::Int(at) = choose(machine, &p)? {
                counts[at as usize - 1] += 1;
            }
        }
        Ok(Value::ints(vec![counts.len()], counts))
    };
    "dirichlet_rng" |machine, values| {
        let alpha = numbers(machine, &values[0]);
        let rng = generator(machine)?;
        let all = alpha.iter().map(|&a| gamma(rng, a, 1.0)).collect::<Result<Vec<_>, _>>()?;
        let sum: f64 = all.iter().sum();
        Ok(Value::vector(all.into_iter().map(|x| Num::C(x / sum)).collect()))
    };
    "multi_normal_rng" |machine, values| multi_normal(machine, values, false);
    "multi_normal_cholesky_rng" |machine, values| multi_normal(machine, values, true);
}

pub(super) fn numbers(machine: &Machine, value: &Value) -> Vec<f64> {
    value.nums().into_iter().map(|x| machine.trace.value(x)).collect()
}

pub(super) fn generator(machine: &mut Machine) -> Result<&mut Pcg64, Fault> {
    machine
        .rng
        .as_mut()
        .ok_or_else(|| Fault::new("random numbers are drawn in transformed data and generated quantities"))
}

pub(super) fn choose(machine: &mut Machine, p: &[f64]) -> Result<Value, Fault> {
    let total: f64 = p.iter().sum();
    if !(total.is_finite() && total > 0.0) {
        return Err(Fault::reject("probabilities that do not add up to one"));
    }
    let mut u = unit(generator(machine)?) * total;
    for (at, p) in p.iter().enumerate() {
        u -= p;
        if u < 0.0 {
            return Ok(Value::Int(int_of(at) + 1));
        }
    }
    Ok(Value::Int(int_of(p.len())))
}

fn each(machine: &mut Machine, values: &[Value], draw: Draw, int: bool) -> Result<Value, Fault> {
    let (rows, n) = broadcast(values)?;
    let scalar = values.iter().all(|value| matches!(value, Value::Int(_) | Value::Real(_)));
    let rows: Vec<Vec<f64>> =
        rows.into_iter().map(|row| row.into_iter().map(|x| machine.trace.value(x)).collect()).collect();
    let rng = generator(machine)?;
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        let mut x = [0.0; 8];
        for (x, row) in x.iter_mut().zip(&rows) {
            *x = row[if row.len() == 1 { 0 } else { i }];
        }
        if x.iter().any(|x| x.is_nan()) {
            return Err(Fault::reject("a parameter that is NaN"));
        }
        all.push(draw(rng, &x)?);
    }
    Ok(match (int, scalar) {
        (true, true) => Value::Int(all[0] as i64),
        (true, false) => Value::ints(vec![n], all.into_iter().map(|x| x as i64).collect()),
        (false, true) => Value::constant(all[0]),
        (false, false) => Value::array(all.into_iter().map(Num::C).collect()),
    })
}

fn multi_normal(machine: &mut Machine, values: &[Value], factor: bool) -> Result<Value, Fault> {
    let mean = numbers(machine, &values[0]);
    let n = mean.len();
    if !matches!(values[1].shape().elem, Elem::Matrix(r, c) if r == n && c == n) {
        return Err(Fault::new(format!("a matrix of {n} × {n} is wanted")));
    }
    let l = if factor { values[1].nums() } else { cholesky(&mut machine.trace, &values[1].nums(), n) };
    let l: Vec<f64> = l.into_iter().map(|x| machine.trace.value(x)).collect();
    if l.iter().any(|x| x.is_nan()) {
        return Err(Fault::reject("a covariance that is not positive definite"));
    }
    let rng = generator(machine)?;
    let z = (0..n).map(|_| standard(rng)).collect::<Result<Vec<_>, _>>()?;
    let draw = (0..n).map(|i| mean[i] + (0..=i).map(|j| l[i + j * n] * z[j]).sum::<f64>());
    Ok(Value::vector(draw.map(Num::C).collect()))
}
