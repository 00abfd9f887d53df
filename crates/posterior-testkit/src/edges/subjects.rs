//! The distributions that are searched, with random parameters.

use std::fmt::Write as _;

use posterior_dist::text::{AnyUnivariate, Argument, Call, DynUnivariate, Entry, Form, UNIVARIATE, Value};
use posterior_dist::{
    Affine, Binomial, Categorical, Geometric, Mixture, NegativeBinomial, PointMass, Poisson, PoissonBinomial,
    Transformed, Truncated, Univariate, ZeroInflated,
};
use posterior_math::bijection::{Exp, Softplus};

use super::numbers::Numbers;
use super::plain::Plain;
use super::rounding::{RELATIVE, Rounding};
use super::trial::{LEFT_OUT, Timed, Trial};
use super::univariate::{Facts, examine};

/// A kind of distribution, and the trial of one of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) run: fn(&mut Trial),
}

/// A relative error of probabilities from which on there is nothing to check.
const NO_DIGITS: f64 = 1e-4;

/// Attempts at parameters that the constructor accepts.
const ATTEMPTS: usize = 50;

/// Every kind of distribution of numbers.
pub(super) fn of_numbers() -> impl Iterator<Item = Subject> {
    let of_text = UNIVARIATE.iter().map(|entry| Subject { name: entry.name, run: from_table });
    let others: [Subject; 4] = [
        Subject { name: "affine", run: affine },
        Subject { name: "point_mass", run: point_mass },
        Subject { name: "transformed", run: transformed },
        Subject { name: "zero_inflated", run: zero_inflated },
    ];
    of_text.chain(others)
}

/// What `attempt` makes, tried some times.
pub(super) fn accepted<T>(numbers: &mut Numbers, attempt: impl Fn(&mut Numbers) -> Option<T>) -> Option<T> {
    (0..ATTEMPTS).find_map(|_| attempt(numbers))
}

/// A distribution with a text.
fn from_table(trial: &mut Trial) {
    let Some(entry) = UNIVARIATE.iter().find(|entry| entry.name == trial.name) else { return };
    let Some(distribution) = accepted(&mut trial.numbers, |numbers| any_univariate(entry, numbers)) else {
        return;
    };
    trial.text = short(&distribution);
    let read = [distribution.to_string().parse::<AnyUnivariate>(), trial.text.parse::<AnyUnivariate>()];
    let same = read.iter().all(|read| read.as_ref().is_ok_and(|read| *read == distribution));
    trial.expect("text", same, || format!("its text is read as {read:?}"));
    let facts = facts(&distribution);
    if facts.relative < NO_DIGITS {
        look(&*distribution, &facts, trial);
    } else {
        left_out(trial);
    }
}

/// Counts a distribution that is made and not looked at; [`LIMITS`](super::LIMITS) says why.
fn left_out(trial: &mut Trial) {
    trial.expect(LEFT_OUT, false, String::new);
}

/// The checks, each call timed if the trial asks for it.
fn look(distribution: &dyn DynUnivariate, facts: &Facts, trial: &mut Trial) {
    if trial.clock {
        let timed = Timed::new(distribution);
        examine(&timed, facts, trial);
        for slow in timed.slow() {
            trial.expect("no call over a millisecond", false, || slow);
        }
    } else {
        examine(distribution, facts, trial);
    }
}

/// A distribution of this kind; `None` if the numbers are refused.
fn any_univariate(entry: &Entry<AnyUnivariate>, numbers: &mut Numbers) -> Option<AnyUnivariate> {
    match entry.name {
        "categorical" => Some(AnyUnivariate::from(categorical(numbers)?)),
        "poisson_binomial" => {
            let trials = 1 + numbers.below(6);
            let probabilities: Vec<f64> = (0..trials).map(|_| numbers.probability()).collect();
            PoissonBinomial::new(&probabilities).ok().map(AnyUnivariate::from)
        }
        "truncated" => truncated(numbers).map(AnyUnivariate::from),
        "mixture" => mixture(numbers).map(AnyUnivariate::from),
        _ => simple(entry, numbers),
    }
}

fn simple(entry: &Entry<AnyUnivariate>, numbers: &mut Numbers) -> Option<AnyUnivariate> {
    let mut parameters: Vec<f64> =
        entry.parameters.iter().map(|parameter| number(entry.name, parameter, numbers)).collect();
    if matches!(entry.name, "uniform" | "triangular" | "discrete_uniform") {
        if numbers.below(3) == 0 {
            parameters[1] = numbers.near(parameters[0]);
        }
        if parameters.len() == 3 && numbers.below(3) == 0 {
            parameters[1] = parameters[2 * numbers.below(2)];
        }
        parameters.sort_by(f64::total_cmp);
    }
    if entry.name == "hypergeometric" {
        let most = parameters.iter().copied().fold(0.0, f64::max);
        parameters[0] = most;
        if numbers.below(3) == 0 {
            parameters[1] = (most * numbers.probability()).floor();
        }
    }
    // A scale that f64 has few digits of (FisherF, Numerics).
    if entry.name == "fisher_f" && !(parameters[1] / parameters[0]).is_normal() {
        return None;
    }
    entry.read(&call(entry.name, parameters)).ok()
}

/// A call with numbers.
fn call(name: &str, parameters: Vec<f64>) -> Call {
    let argument = |value: f64| Argument { name: None, column: 0, value: Value::from(value) };
    Call { name: name.to_owned(), column: 0, arguments: parameters.into_iter().map(argument).collect() }
}

/// Distributions that are searched at ordinary parameters: not yet at the ends of f64.
const ORDINARY: &[&str] = &[
    "asymmetric_laplace",
    "generalized_extreme_value",
    "generalized_gamma",
    "generalized_pareto",
    "half_student_t",
    "kumaraswamy",
    "logit_normal",
    "skellam",
    "skew_normal",
    "zeta",
    "zipf",
];

/// A number of ordinary size for the parameter of this name.
fn ordinary(distribution: &str, parameter: &str, numbers: &mut Numbers) -> f64 {
    let sign = if numbers.below(2) == 0 { -1.0 } else { 1.0 };
    match (distribution, parameter) {
        (_, "proportion") => 0.5 + 0.49 * sign * numbers.decades(1.0).min(1.0),
        (_, "location" | "mu") => sign * numbers.decades(2.0),
        ("skew_normal" | "generalized_extreme_value" | "generalized_pareto", "shape") => {
            0.3 * sign * numbers.decades(1.0)
        }
        (_, "elements") => numbers.decades(3.0).ceil(),
        ("zeta", _) => 1.0 + numbers.decades(1.0),
        _ => numbers.decades(1.0),
    }
}

/// A number for the parameter of this name.
fn number(distribution: &str, parameter: &str, numbers: &mut Numbers) -> f64 {
    if ORDINARY.contains(&distribution) {
        return ordinary(distribution, parameter, numbers);
    }
    match (distribution, parameter) {
        (_, "probability") => numbers.probability(),
        ("discrete_uniform" | "hypergeometric", _) | (_, "trials") => numbers.count(),
        ("normal", "mean") | (_, "mu" | "location" | "mean_direction" | "low" | "mode" | "high") => {
            numbers.real()
        }
        _ => numbers.positive(),
    }
}

/// A simple distribution with a density, of any kind.
fn continuous(numbers: &mut Numbers) -> Option<AnyUnivariate> {
    let entry = &UNIVARIATE[numbers.below(UNIVARIATE.len())];
    if matches!(entry.name, "categorical" | "poisson_binomial" | "truncated" | "mixture") {
        return None;
    }
    simple(entry, numbers).filter(|distribution| !distribution.is_discrete())
}

/// Weights, at least one of them positive.
pub(super) fn weights(numbers: &mut Numbers, most: usize) -> Vec<f64> {
    let many = numbers.below(200) == 0;
    let length = 1 + numbers.below(if many { 40 * most } else { most });
    (0..length)
        .map(|_| if numbers.below(2) == 0 { numbers.probability() } else { numbers.positive() })
        .collect()
}

pub(super) fn categorical(numbers: &mut Numbers) -> Option<Categorical> {
    let weights = weights(numbers, 6);
    if numbers.below(4) == 0 {
        let ln_weights: Vec<f64> = weights.iter().map(|_| numbers.real()).collect();
        return Categorical::from_ln_weights(&ln_weights).ok();
    }
    Categorical::from_weights(&weights).ok()
}

fn truncated(numbers: &mut Numbers) -> Option<Truncated<AnyUnivariate>> {
    let distribution = continuous(numbers)?;
    let end = |numbers: &mut Numbers| match numbers.below(5) {
        0 => f64::INFINITY,
        1 => -f64::INFINITY,
        2 => distribution.quantile(numbers.probability()),
        3 => distribution.upper_quantile(numbers.probability()),
        _ => numbers.real(),
    };
    let (a, b) = (end(numbers), end(numbers));
    let distribution = Truncated::new(distribution, a.min(b), a.max(b)).ok()?;
    // Inside of the support of X, where its density changes by more than a half from an end to the next
    // number (Truncated, Numerics).
    let inner = &**distribution.distribution();
    let support = inner.ends();
    let steep = |end: f64, next: f64| {
        support.0 < end && end < support.1 && (inner.ln_pdf(end) - inner.ln_pdf(next)).abs() > 0.5
    };
    let [low, high] = [distribution.low(), distribution.high()];
    let pole = high.next_down();
    let unresolved = steep(low, low.next_up())
        || steep(high, high.next_down())
        || inner.ln_pdf(pole) - inner.ln_pdf(pole.next_down()) > 0.5;
    let beyond = inner.cdf(f64::MAX) - inner.cdf(-f64::MAX) < 1e-3;
    (!unresolved && !beyond).then_some(distribution)
}

fn mixture(numbers: &mut Numbers) -> Option<Mixture<AnyUnivariate>> {
    let weights = weights(numbers, 3);
    if weights.len() > 3 {
        return None;
    }
    let components = weights.iter().map(|_| continuous(numbers)).collect::<Option<Vec<_>>>()?;
    Mixture::from_weights(&weights, components).ok()
}

/// What is known of a distribution with a text.
fn facts(distribution: &AnyUnivariate) -> Facts {
    let call = distribution.call();
    let mut landmarks = Vec::new();
    collect(&call, &mut landmarks);
    let mut parts = Vec::new();
    call.arguments.iter().for_each(|argument| calls(&argument.value, &mut parts));
    let circle = call.name == "von_mises" || parts.iter().any(|part| part.name == "von_mises");
    let joined = call.name != "mixture";
    let ends = |part: &&Call| AnyUnivariate::try_from(*part).map(|distribution| distribution.ends());
    let poles = if joined {
        Vec::new()
    } else {
        parts.iter().filter_map(|part| ends(part).ok()).flat_map(<[f64; 2]>::from).collect()
    };
    let deepest = if call.name == "truncated" { -1e12 } else { Facts::default().deepest };
    Facts { rounding: rounding(&call), landmarks, circle, joined, poles, relative: relative(&call), deepest }
}

/// The relative error that a probability may have: far out, the logarithm of a truncated distribution's mass
/// has few digits (Truncated, Numerics).
fn relative(call: &Call) -> f64 {
    let [inner, low, high] = &call.arguments[..] else { return RELATIVE };
    let (Form::Distribution(inner), Form::Number(low), Form::Number(high)) =
        (&inner.value.form, &low.value.form, &high.value.form)
    else {
        return RELATIVE;
    };
    let mass = AnyUnivariate::try_from(inner)
        .ok()
        .and_then(|distribution| Truncated::new(distribution, *low, *high).ok());
    // Parts are differences of tails or integrals, of which each has points with a rounding of its own.
    mass.map_or(RELATIVE, |distribution| {
        let narrow = distribution.low().abs().max(distribution.high().abs())
            / (distribution.high() - distribution.low());
        let few = if narrow.is_finite() { 4.0 * f64::EPSILON * narrow } else { 0.0 };
        100.0 * RELATIVE + 1e-15 * distribution.ln_mass().abs() + few
    })
}

/// The text of a distribution, numbers with an exponent where they would be long.
fn short(distribution: &AnyUnivariate) -> String {
    let mut text = String::new();
    write_call(&distribution.call(), &mut text);
    text
}

fn write_call(call: &Call, text: &mut String) {
    text.push_str(&call.name);
    text.push('(');
    for (index, argument) in call.arguments.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        write_value(&argument.value, text);
    }
    text.push(')');
}

fn write_value(value: &Value, text: &mut String) {
    match &value.form {
        Form::Number(number) if *number == 0.0 || (1e-5..1e9).contains(&number.abs()) => {
            text.push_str(&number.to_string());
        }
        Form::Number(number) => {
            // Writing to a string cannot fail.
            let _ = write!(text, "{number:e}");
        }
        Form::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_value(item, text);
            }
            text.push(']');
        }
        Form::Distribution(call) => write_call(call, text),
        Form::Sum(_) | Form::Product(_) => text.push_str(&value.to_string()),
    }
}

/// All numbers of a call.
fn collect(call: &Call, into: &mut Vec<f64>) {
    for argument in &call.arguments {
        collect_value(&argument.value, into);
    }
}

fn collect_value(value: &Value, into: &mut Vec<f64>) {
    match &value.form {
        Form::Number(number) => into.push(*number),
        Form::List(items) => items.iter().for_each(|item| collect_value(item, into)),
        Form::Distribution(call) => collect(call, into),
        Form::Sum(_) | Form::Product(_) => {}
    }
}

/// What points of this distribution are rounded with: those with a location add it.
fn rounding(call: &Call) -> Rounding {
    let number = |index: usize| match call.arguments[index].value.form {
        Form::Number(number) => number.abs(),
        _ => 0.0,
    };
    match call.name.as_str() {
        "normal" | "cauchy" | "gumbel" | "laplace" | "logistic" | "von_mises" | "asymmetric_laplace"
        | "skew_normal" => Rounding::Added(number(0)),
        // The end of the support is a sum.
        "generalized_extreme_value" | "generalized_pareto" => {
            let end = number(1) / number(2);
            Rounding::Added(if end.is_finite() { number(0).max(end) } else { number(0) })
        }
        "student_t" => Rounding::Added(number(1)),
        "uniform" => Rounding::Added(number(0).min(number(1))),
        "triangular" => Rounding::Added(number(0).min(number(2))),
        "lognormal" | "logit_normal" => Rounding::Exponent(number(0)),
        "truncated" | "mixture" => {
            let mut inner = Vec::new();
            call.arguments.iter().for_each(|argument| calls(&argument.value, &mut inner));
            inner.into_iter().map(rounding).fold(Rounding::Relative, wider)
        }
        _ => Rounding::Relative,
    }
}

fn calls<'a>(value: &'a Value, into: &mut Vec<&'a Call>) {
    match &value.form {
        Form::List(items) => items.iter().for_each(|item| calls(item, into)),
        Form::Distribution(call) => into.push(call),
        _ => {}
    }
}

/// The rounding of points that may be of either.
fn wider(a: Rounding, b: Rounding) -> Rounding {
    match (a, b) {
        (Rounding::Added(a), Rounding::Added(b)) => Rounding::Added(a.max(b)),
        (Rounding::Exponent(a), Rounding::Exponent(b)) => Rounding::Exponent(a.max(b)),
        (Rounding::Relative, other) | (other, Rounding::Relative) => other,
        (Rounding::Added(a) | Rounding::Exponent(a), Rounding::Added(b) | Rounding::Exponent(b)) => {
            Rounding::Either(a.max(b))
        }
        (Rounding::Either(a), Rounding::Added(b) | Rounding::Exponent(b) | Rounding::Either(b))
        | (Rounding::Added(b) | Rounding::Exponent(b), Rounding::Either(a)) => Rounding::Either(a.max(b)),
    }
}

/// shift + scale X.
fn affine(trial: &mut Trial) {
    let made = accepted(&mut trial.numbers, |numbers| {
        let (distribution, shift, scale) = (continuous(numbers)?, numbers.real(), numbers.real());
        Affine::new(distribution.clone(), shift, scale)
            .ok()
            .map(|affine| (distribution, shift, scale, affine))
    });
    let Some((distribution, shift, scale, affine)) = made else { return };
    // Points whose place in X is beyond f64 while X has probability there, or among the numbers with few
    // digits (Affine, Numerics).
    let inner_distribution = &*distribution;
    let beyond = inner_distribution.sf(f64::MAX).max(inner_distribution.cdf(-f64::MAX));
    let least = f64::MIN_POSITIVE / f64::EPSILON;
    let subnormal = inner_distribution.cdf(least) - inner_distribution.cdf(-least);
    trial.text = format!("affine({}, {shift:e}, {scale:e})", short(&distribution));
    if scale.abs() <= 1.0 && beyond > 0.0 || scale.abs() > 1.0 && subnormal > 0.0 {
        return left_out(trial);
    }
    let inner = match rounding(&distribution.call()) {
        Rounding::Relative => 0.0,
        Rounding::Added(location) => location * scale.abs(),
        // The logarithm's rounding is not that of a sum: such a distribution is looked at by itself.
        Rounding::Exponent(_) | Rounding::Either(_) => return,
    };
    let circle = distribution.name() == "von_mises";
    let rounding = Rounding::Added(shift.abs().max(inner).min(f64::MAX));
    look(&Plain(affine), &Facts { rounding, landmarks: vec![shift], circle, ..Facts::default() }, trial);
}

/// eˣ and ln(1 + eˣ) of X.
fn transformed(trial: &mut Trial) {
    let Some(distribution) = accepted(&mut trial.numbers, continuous) else { return };
    let location = match rounding(&distribution.call()) {
        Rounding::Relative => 0.0,
        Rounding::Added(location) => location,
        Rounding::Exponent(_) | Rounding::Either(_) => return,
    };
    let (rounding, circle) = (Rounding::Exponent(location), distribution.name() == "von_mises");
    let facts = Facts { rounding, landmarks: vec![1.0, 0.0], circle, ..Facts::default() };
    if trial.numbers.below(2) == 0 {
        trial.text = format!("transformed({}, exp)", short(&distribution));
        look(&Plain(Transformed::new(distribution, Exp)), &facts, trial);
    } else {
        trial.text = format!("transformed({}, softplus)", short(&distribution));
        look(&Plain(Transformed::new(distribution, Softplus)), &facts, trial);
    }
}

fn point_mass(trial: &mut Trial) {
    let Some(distribution) = accepted(&mut trial.numbers, |numbers| PointMass::new(numbers.real()).ok())
    else {
        return;
    };
    trial.text = format!("{distribution:?}");
    let point = distribution.quantile(0.5);
    let facts = Facts { landmarks: vec![point], ..Facts::default() };
    look(&Plain(distribution), &facts, trial);
}

/// A count, or zero.
fn zero_inflated(trial: &mut Trial) {
    let excess = trial.numbers.probability();
    let facts = Facts { landmarks: vec![0.0, 1.0], ..Facts::default() };
    macro_rules! of {
        ($make:expr) => {{
            let made = accepted(&mut trial.numbers, |numbers| {
                let counts = $make(numbers).ok()?;
                Some((format!("{counts:?}"), ZeroInflated::new(excess, counts).ok()?))
            });
            let Some((counts, distribution)) = made else { return };
            trial.text = format!("zero_inflated({excess:e}, {counts})");
            look(&Plain(distribution), &facts, trial);
        }};
    }
    match trial.numbers.below(4) {
        0 => of!(|numbers: &mut Numbers| Poisson::new(numbers.positive())),
        1 => of!(|numbers: &mut Numbers| Geometric::new(numbers.probability())),
        2 => of!(|numbers: &mut Numbers| NegativeBinomial::new(numbers.positive(), numbers.probability())),
        _ => of!(|numbers: &mut Numbers| Binomial::new(numbers.count() as u64, numbers.probability())),
    }
}
