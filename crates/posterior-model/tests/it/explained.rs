//! Claims about conditional distributions against the density itself: along lines in the coordinates of a
//! claim it is a parabola, or a combination of the sufficient statistics of its family.

use std::collections::BTreeMap;

use posterior_dist::target::Target as _;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_model::{StanModel, StanPosterior};
use posterior_stan::{ConditionalKind, ExplainedParameter, Program, ProgramExplanation};
use posterior_testkit::reference;

use crate::densities::{read_data, text_folder, unit};

/// Points on a line at which densities are compared with the parabola through the first three.
const STEPS: usize = 7;

/// A number in (-1, 1) of a stream.
fn signed(state: &mut u64) -> f64 {
    2.0 * unit(state) - 1.0
}

/// Values at points on a line.
type Along<'a> = &'a dyn Fn(f64) -> f64;

/// How far values at equal steps are from a parabola, relative to their size.
fn departure(of: Along<'_>) -> f64 {
    let all: Vec<f64> = (0..STEPS).map(|i| of(i as f64 - 3.0)).collect();
    let size = all.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let third = |four: &[f64]| four[3] - 3.0 * four[2] + 3.0 * four[1] - four[0];
    all.windows(4).map(|four| third(four).abs() / size).fold(0.0, f64::max)
}

/// Whether values are a linear combination of functions of places, as far as rounding allows: the largest
/// residual of least squares, relative to the values.
fn residual(places: &[f64], of: Along<'_>, statistics: &[fn(f64) -> f64]) -> f64 {
    let rows = places.len();
    let design = DMatrix::from_fn(rows, statistics.len() + 1, |i, j| match j {
        0 => 1.0,
        _ => statistics[j - 1](places[i]),
    });
    let values = DVector::from_fn(rows, |i, _| of(places[i]));
    let found = design.clone().svd(true, true).solve(&values, 1e-13).unwrap();
    (&design * found - &values).amax() / values.amax().max(1.0)
}

/// The ranges of each parameter among unconstrained coordinates, and among constrained values.
fn ranges(posterior: &StanPosterior) -> BTreeMap<String, [std::ops::Range<usize>; 2]> {
    let mut at = [0, 0];
    let all = posterior.parameters().into_iter().map(|own| {
        let next = [at[0] + own.free, at[1] + own.sizes.iter().product::<usize>()];
        let ranges = [at[0]..next[0], at[1]..next[1]];
        at = next;
        (own.name, ranges)
    });
    all.collect()
}

/// The density of the constrained parameters, in place of that of the coordinates.
fn plain(posterior: &StanPosterior, x: &[f64]) -> f64 {
    posterior.ln_density_of(x, false, None).unwrap_or(f64::NAN)
}

/// The density of parameters by their constrained values.
fn at_values(posterior: &StanPosterior, values: &[f64]) -> f64 {
    posterior.unconstrain(values).map_or(f64::NAN, |x| plain(posterior, &x))
}

/// Checks that a set of parameters is Gaussian together: two lines through each of two points.
fn is_gaussian(what: &str, posterior: &StanPosterior, set: &[&str], within: bool) {
    let all = ranges(posterior);
    let (mut state, mut lines) = (7, 0);
    for scale in [0.3, 0.1, 0.3, 0.1] {
        let x: Vec<f64> = (0..posterior.dim()).map(|_| scale * signed(&mut state)).collect();
        let side = usize::from(within);
        let mut direction =
            vec![0.0; if within { posterior.names(false, false).unwrap().len() } else { x.len() }];
        for name in set {
            all[*name][side].clone().for_each(|i| direction[i] = signed(&mut state));
        }
        // Within constraints the steps are small: the line must not leave them.
        let values = posterior.values(&x, false, None).unwrap();
        let of = |step: f64| {
            let start = if within { &values } else { &x };
            let length = if within { 1e-3 } else { 0.1 };
            let moved: Vec<f64> = start.iter().zip(&direction).map(|(x, d)| x + length * step * d).collect();
            if within { at_values(posterior, &moved) } else { plain(posterior, &moved) }
        };
        if !of(0.0).is_finite() {
            continue;
        }
        let off = departure(&of);
        assert!(off < 1e-9, "{what}: {set:?} is no Gaussian: {off:e} off");
        lines += 1;
    }
    assert!(lines > 0, "{what}: no point of {set:?} has a density");
}

/// Places of one element of a family's values, and its sufficient statistics.
type Statistics = (&'static [f64], &'static [fn(f64) -> f64]);

fn statistics(family: &str) -> Option<Statistics> {
    const POSITIVE: &[f64] = &[0.3, 0.5, 0.8, 1.1, 1.7, 2.2, 3.5];
    const PROPORTIONS: &[f64] = &[0.05, 0.1, 0.3, 0.45, 0.6, 0.8, 0.95];
    match family {
        "gamma" => Some((POSITIVE, &[f64::ln, |x| x])),
        "inv_gamma" => Some((POSITIVE, &[f64::ln, f64::recip])),
        "beta" => Some((PROPORTIONS, &[f64::ln, |x| (-x).ln_1p()])),
        // A part of a simplex that is moved to the next, of what they have together.
        "dirichlet" => Some((PROPORTIONS, &[f64::ln, |x| (-x).ln_1p()])),
        _ => None,
    }
}

fn is_conjugate(what: &str, posterior: &StanPosterior, own: &ExplainedParameter, family: &str) {
    let Some((places, statistics)) = statistics(family) else { return };
    let range = ranges(posterior)[&own.name][1].clone();
    let mut state = 11;
    let x: Vec<f64> = (0..posterior.dim()).map(|_| 0.3 * signed(&mut state)).collect();
    let values = posterior.values(&x, false, None).unwrap();
    let of = |place: f64| {
        let mut values = values.clone();
        let first = range.start;
        if family == "dirichlet" {
            let stride = simplex_stride(posterior, own);
            let both = values[first] + values[first + stride];
            (values[first], values[first + stride]) = (place * both, (1.0 - place) * both);
        } else {
            values[first] = place;
        }
        at_values(posterior, &values)
    };
    let off = residual(places, &of, statistics);
    assert!(off < 1e-10, "{what}: {} is no {family}: {off:e} off", own.name);
}

/// Between two parts of a simplex in the order of the names: arrays have their first axis fastest.
fn simplex_stride(posterior: &StanPosterior, own: &ExplainedParameter) -> usize {
    let sizes = posterior.parameters().into_iter().find(|one| one.name == own.name).unwrap().sizes;
    sizes[..sizes.len() - 1].iter().product()
}

/// Checks every claim of a program; how many there are: of Gaussians, within constraints, and conjugate.
fn check(what: &str, posterior: &StanPosterior, explained: &ProgramExplanation) -> [usize; 3] {
    let mut count = [0; 3];
    for own in &explained.parameters {
        match &own.conditional {
            ConditionalKind::Gaussian { within } => {
                is_gaussian(what, posterior, &[&own.name], *within);
                count[usize::from(*within)] += 1;
            }
            ConditionalKind::Conjugate { family, .. } => {
                is_conjugate(what, posterior, own, family);
                count[2] += 1;
            }
            ConditionalKind::Unknown { .. } => {}
        }
    }
    for set in &explained.joint {
        is_gaussian(what, posterior, &set.iter().map(String::as_str).collect::<Vec<_>>(), false);
    }
    count
}

#[test]
fn all_claims_about_the_data_base_are_true() {
    let Some(folder) = text_folder("explained") else { return };
    let table = reference::load("stan/densities");
    let mut total = [0; 3];
    for (name, record) in table.as_object().unwrap() {
        let text = folder.with_file_name("programs").join(format!("{name}.stan"));
        let typed = Program::parse(&std::fs::read_to_string(text).unwrap()).unwrap().check().unwrap();
        let data = read_data(&folder, record["data"].as_str().unwrap());
        let posterior = StanModel::new(&typed).with_data(&data).unwrap();
        let count = check(name, &posterior, &typed.explain());
        println!("{name}: {count:?}");
        total.iter_mut().zip(count).for_each(|(all, own)| *all += own);
    }
    println!("claims: {total:?}");
    assert_eq!(total, [67, 3, 6]);
}

/// Programs with claims of all kinds, and data for them.
const PROGRAMS: &[(&str, &str, [usize; 3])] = &[
    (
        "data { int N; vector[N] x; vector[N] y; array[N] int g; }
         parameters { real m; real<lower=0> t; vector[3] e; real<lower=0> b; sum_to_zero_vector[3] z;
                      vector<offset=m, multiplier=t>[3] w; real<lower=0> p; }
         model {
           m ~ normal(0, 5); e ~ normal(m, t); w ~ normal(m, t); z ~ normal(0, 1); b ~ normal(0, 1);
           p ~ gamma(2, 3);
           for (i in 1:N) y[i] ~ normal(m + e[g[i]] + w[g[i]] * x[i] + z[g[i]] + b * x[i], inv_sqrt(p));
         }",
        r#"{"N": 4, "x": [1, -1, 0.5, 2], "y": [0.3, 1.2, -0.4, 2.2], "g": [1, 2, 3, 1]}"#,
        [4, 1, 1],
    ),
    (
        "data { int N; array[N] int n; array[N] int k; vector[N] y; }
         parameters { vector<lower=0, upper=1>[2] p; array[2] simplex[3] q; real<lower=0> r; real<lower=0> v; }
         model {
           p ~ beta(2, 3); n ~ binomial(9, p[1]); n ~ poisson(r * [1, 2, 3, 4]'); k ~ categorical(q[2]);
           q[1] ~ dirichlet([2, 1, 3]'); r ~ exponential(0.3); v ~ inv_gamma(2, 3); y ~ normal(1, sqrt(v));
           y ~ double_exponential(0, v);
         }",
        r#"{"N": 4, "n": [1, 4, 3, 2], "k": [1, 3, 3, 2], "y": [0.3, 1.2, -0.4, 2.2]}"#,
        [0, 0, 4],
    ),
    (
        "data { int N; vector[N] y; matrix[N, N] K; }
         parameters { vector[N] f; vector[N] h; real s; }
         model {
           f ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(K) * exp(s));
           h ~ multi_normal_prec(f, K);
           target += -0.5 * dot_self(h[2:N] - h[1:(N - 1)]) - 0.1 * quad_form(K, f) + log_sum_exp(-s, s);
           y ~ normal(square(s) * f + cumulative_sum(h), 1);
         }",
        r#"{"N": 3, "y": [0.3, 1.2, -0.4], "K": [[2, 0.5, 0], [0.5, 2, 0.1], [0, 0.1, 1]]}"#,
        [2, 0, 0],
    ),
];

#[test]
fn claims_about_small_programs_are_true() {
    for (at, (text, data, wanted)) in PROGRAMS.iter().enumerate() {
        let typed = Program::parse(text).unwrap().check().unwrap_or_else(|error| panic!("{error}"));
        let posterior = StanModel::new(&typed).with_data(data).unwrap_or_else(|error| panic!("{error}"));
        let explained = typed.explain();
        let count = check(&format!("program {at}"), &posterior, &explained);
        assert_eq!(count, *wanted, "program {at}: {explained:#?}");
    }
}

/// The checks themselves see what is wrong.
#[test]
fn what_is_not_so_is_seen() {
    let cubic = |x: f64| -0.5 * x * x + 1e-6 * x.powi(3);
    assert!(departure(&cubic) > 1e-7 && departure(&|x| 3.0 - x * x) < 1e-14);
    let (places, of_gamma) = statistics("gamma").unwrap();
    assert!(residual(places, &|x| x.ln() - 2.0 * x, of_gamma) < 1e-13);
    assert!(residual(places, &|x| x.ln() - 2.0 * x + 1e-6 / x, of_gamma) > 1e-8);
}

/// A conditional of a pair with its numbers: beta(2 + 10, 3 + 26) after 10 of 36.
#[test]
fn a_conjugate_conditional_has_the_exact_parameters() {
    let model = StanModel::parse(
        "data { int N; array[N] int n; } parameters { real<lower=0, upper=1> p; }
         model { p ~ beta(2, 3); n ~ binomial(9, p); }",
    );
    let posterior = model.unwrap().with_data(r#"{"N": 4, "n": [1, 4, 3, 2]}"#).unwrap();
    let at = |p: f64| at_values(&posterior, &[p]);
    let exact = |p: f64| 11.0 * p.ln() + 28.0 * (-p).ln_1p();
    for p in [0.1, 0.3, 0.7] {
        assert!((at(p) - at(0.5) - (exact(p) - exact(0.5))).abs() < 1e-11, "{p}");
    }
}
