//! Distribution functions, their complements and logarithms.

use posterior_math::special as sp;

use super::{Group, broadcast};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::op::{Bin, Un};
use crate::trace::Trace;
use crate::value::{Num, Value};

type Tail = fn(&mut Trace, &[Num], bool) -> Result<Num, Fault>;

macro_rules! tails {
    ($($cdf:literal $lcdf:literal $lccdf:literal $tail:expr;)*) => {
        pub(crate) const GROUP: Group = &[$(
            ($cdf, |machine, values| each(machine, values, $tail, false, true)),
            ($lcdf, |machine, values| each(machine, values, $tail, false, false)),
            ($lccdf, |machine, values| each(machine, values, $tail, true, false)),
        )*];
    };
}

tails! {
    "normal_cdf" "normal_lcdf" "normal_lccdf" |t, x, up| {
        let z = standard(t, x[0], x[1], x[2]);
        Ok(t.un(if up { Un::LnPhiC } else { Un::LnPhi }, z))
    };
    "lognormal_cdf" "lognormal_lcdf" "lognormal_lccdf" |t, x, up| {
        let ln = t.un(Un::Log, x[0]);
        let z = standard(t, ln, x[1], x[2]);
        Ok(t.un(if up { Un::LnPhiC } else { Un::LnPhi }, z))
    };
    "logistic_cdf" "logistic_lcdf" "logistic_lccdf" |t, x, up| {
        let z = standard(t, x[0], x[1], x[2]);
        Ok(t.un(if up { Un::Log1mInvLogit } else { Un::LogInvLogit }, z))
    };
    "exponential_cdf" "exponential_lcdf" "exponential_lccdf" |t, x, up| {
        let product = t.mul(x[0], x[1]);
        let ln_upper = t.un(Un::Minus, product);
        Ok(complement(t, ln_upper, up))
    };
    "weibull_cdf" "weibull_lcdf" "weibull_lccdf" |t, x, up| {
        let ratio = t.div(x[0], x[2]);
        let power = t.bin(Bin::Pow, ratio, x[1]);
        let ln_upper = t.un(Un::Minus, power);
        Ok(complement(t, ln_upper, up))
    };
    "pareto_cdf" "pareto_lcdf" "pareto_lccdf" |t, x, up| {
        let ratio = t.div(x[1], x[0]);
        let ln = t.un(Un::Log, ratio);
        let ln_upper = t.mul(x[2], ln);
        Ok(complement(t, ln_upper, up))
    };
    "rayleigh_cdf" "rayleigh_lcdf" "rayleigh_lccdf" |t, x, up| {
        let z = t.div(x[0], x[1]);
        let square = t.un(Un::Square, z);
        let ln_upper = t.mul(Num::C(-0.5), square);
        Ok(complement(t, ln_upper, up))
    };
    "gumbel_cdf" "gumbel_lcdf" "gumbel_lccdf" |t, x, up| {
        let z = standard(t, x[0], x[1], x[2]);
        let down = t.un(Un::Minus, z);
        let e = t.un(Un::Exp, down);
        let ln_lower = t.un(Un::Minus, e);
        Ok(complement(t, ln_lower, !up))
    };
    "frechet_cdf" "frechet_lcdf" "frechet_lccdf" |t, x, up| {
        let ratio = t.div(x[2], x[0]);
        let power = t.bin(Bin::Pow, ratio, x[1]);
        let ln_lower = t.un(Un::Minus, power);
        Ok(complement(t, ln_lower, !up))
    };
    "uniform_cdf" "uniform_lcdf" "uniform_lccdf" |t, x, up| {
        let (y, low, high) = (t.decide(x[0]), t.decide(x[1]), t.decide(x[2]));
        if y <= low || y >= high {
            let below = y <= low;
            return Ok(Num::C(if below == up { 0.0 } else { f64::NEG_INFINITY }));
        }
        let width = t.sub(x[2], x[1]);
        let part = if up { t.sub(x[2], x[0]) } else { t.sub(x[0], x[1]) };
        let share = t.div(part, width);
        Ok(t.un(Un::Log, share))
    };
    "cauchy_cdf" "cauchy_lcdf" "cauchy_lccdf" |t, x, up| {
        let mut z = standard(t, x[0], x[1], x[2]);
        if up {
            z = t.un(Un::Minus, z);
        }
        let angle = t.un(Un::Atan, z);
        let scaled = t.mul(angle, Num::C(std::f64::consts::FRAC_1_PI));
        let share = t.add(scaled, Num::C(0.5));
        Ok(t.un(Un::Log, share))
    };
    "double_exponential_cdf" "double_exponential_lcdf" "double_exponential_lccdf" |t, x, up| {
        let z = standard(t, x[0], x[1], x[2]);
        let positive = t.decide(z) > 0.0;
        let size = t.un(Un::Abs, z);
        let down = t.un(Un::Minus, size);
        let ln_outer = t.sub(down, Num::C(std::f64::consts::LN_2));
        Ok(if positive == up { ln_outer } else { t.un(Un::Log1mExp, ln_outer) })
    };
    "student_t_cdf" "student_t_lcdf" "student_t_lccdf" |t, x, up| known(t, x, up, |x, up| {
        let (z, nu) = ((x[0] - x[2]) / x[3], x[1]);
        let outer = 0.5 * sp::beta_p(0.5 * nu, 0.5, nu / (nu + z * z));
        if (z > 0.0) == up { outer.ln() } else { (-outer).ln_1p() }
    });
    "gamma_cdf" "gamma_lcdf" "gamma_lccdf" |t, x, up| known(t, x, up, |x, up| {
        if up { sp::ln_gamma_q(x[1], x[0] * x[2]) } else { sp::ln_gamma_p(x[1], x[0] * x[2]) }
    });
    "inv_gamma_cdf" "inv_gamma_lcdf" "inv_gamma_lccdf" |t, x, up| known(t, x, up, |x, up| {
        if up { sp::ln_gamma_p(x[1], x[2] / x[0]) } else { sp::ln_gamma_q(x[1], x[2] / x[0]) }
    });
    "chi_square_cdf" "chi_square_lcdf" "chi_square_lccdf" |t, x, up| known(t, x, up, |x, up| {
        if up { sp::ln_gamma_q(0.5 * x[1], 0.5 * x[0]) } else { sp::ln_gamma_p(0.5 * x[1], 0.5 * x[0]) }
    });
    "beta_cdf" "beta_lcdf" "beta_lccdf" |t, x, up| known(t, x, up, |x, up| {
        if up { sp::ln_beta_q(x[1], x[2], x[0]) } else { sp::ln_beta_p(x[1], x[2], x[0]) }
    });
    "poisson_cdf" "poisson_lcdf" "poisson_lccdf" |t, x, up| known(t, x, up, |x, up| {
        match (x[0] < 0.0, up) {
            (true, true) => 0.0,
            (true, false) => f64::NEG_INFINITY,
            (false, true) => sp::ln_gamma_p(x[0] + 1.0, x[1]),
            (false, false) => sp::ln_gamma_q(x[0] + 1.0, x[1]),
        }
    });
    "binomial_cdf" "binomial_lcdf" "binomial_lccdf" |t, x, up| known(t, x, up, |x, up| {
        if x[0] < 0.0 { return if up { 0.0 } else { f64::NEG_INFINITY }; }
        if x[0] >= x[1] { return if up { f64::NEG_INFINITY } else { 0.0 }; }
        if up { sp::ln_beta_p(x[0] + 1.0, x[1] - x[0], x[2]) } else { sp::ln_beta_q(x[0] + 1.0, x[1] - x[0], x[2]) }
    });
    "neg_binomial_2_cdf" "neg_binomial_2_lcdf" "neg_binomial_2_lccdf" |t, x, up| known(t, x, up, |x, up| {
        let p = x[2] / (x[1] + x[2]);
        if x[0] < 0.0 { return if up { 0.0 } else { f64::NEG_INFINITY }; }
        if up { sp::ln_beta_q(x[2], x[0] + 1.0, p) } else { sp::ln_beta_p(x[2], x[0] + 1.0, p) }
    });
    "bernoulli_cdf" "bernoulli_lcdf" "bernoulli_lccdf" |t, x, up| {
        let y = t.decide(x[0]);
        Ok(match (y < 0.0, y >= 1.0, up) {
            (true, _, true) | (_, true, false) => Num::C(0.0),
            (true, _, false) | (_, true, true) => Num::C(f64::NEG_INFINITY),
            (_, _, true) => t.un(Un::Log, x[1]),
            _ => t.un(Un::Log1m, x[1]),
        })
    };
}

fn standard(t: &mut Trace, y: Num, mu: Num, s: Num) -> Num {
    let gap = t.sub(y, mu);
    t.div(gap, s)
}

/// From the logarithm of the upper tail: itself, or that of the lower.
fn complement(t: &mut Trace, ln: Num, itself: bool) -> Num {
    if itself { ln } else { t.un(Un::Log1mExp, ln) }
}

/// A tail without derivatives: of data only.
fn known(_: &mut Trace, x: &[Num], up: bool, of: impl Fn(&[f64], bool) -> f64) -> Result<Num, Fault> {
    let mut numbers = [0.0; 8];
    for (number, x) in numbers.iter_mut().zip(x) {
        match x {
            Num::C(x) => *number = *x,
            Num::N(_) => {
                return Err(Fault::new("this tail is executed for data only, not yet for parameters"));
            }
        }
    }
    Ok(Num::C(of(&numbers[..x.len()], up)))
}

fn each(
    machine: &mut Machine,
    values: &[Value],
    tail: Tail,
    upper: bool,
    plain: bool,
) -> Result<Value, Fault> {
    let (rows, n) = broadcast(values)?;
    let mut terms = Vec::with_capacity(n);
    for i in 0..n {
        let x: Vec<Num> = rows.iter().map(|row| row[if row.len() == 1 { 0 } else { i }]).collect();
        terms.push(tail(&mut machine.trace, &x, upper)?);
    }
    let sum = machine.trace.sum(&terms);
    Ok(Value::Real(if plain { machine.trace.un(Un::Exp, sum) } else { sum }))
}
