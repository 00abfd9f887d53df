//! The planner on classic models: chains of a program, and of what is left when what is normal, or nearly so,
//! is integrated out, agree; and so do evidences.

use posterior_dist::Normal;
use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, Target};
use posterior_model::{StanData, StanModel, StanPosterior};
use posterior_sampling::bridge::{BridgeOptions, bridge_sampling};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::importance::NormalizedTarget;
use posterior_sampling::marginal::{IntegratedTarget, Integration};
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::tempering::SequentialMonteCarlo;
use posterior_sampling::{Run, Start};
use posterior_testkit::shared;
use rand::Rng;
use rand::distr::Distribution as _;
use serde_json::{Value, json};

use super::sampling::summary;

/// Weights of 30 rats in five weeks: A. E. Gelfand, A. F. M. Smith, J. Am. Stat. Assoc. 85 (1990).
const RATS: [[u16; 5]; 30] = [
    [151, 199, 246, 283, 320],
    [145, 199, 249, 293, 354],
    [147, 214, 263, 312, 328],
    [155, 200, 237, 272, 297],
    [135, 188, 230, 280, 323],
    [159, 210, 252, 298, 331],
    [141, 189, 231, 275, 305],
    [159, 201, 248, 297, 338],
    [177, 236, 285, 350, 376],
    [134, 182, 220, 260, 296],
    [160, 208, 261, 313, 352],
    [143, 188, 220, 273, 314],
    [154, 200, 244, 289, 325],
    [171, 221, 270, 326, 358],
    [163, 216, 242, 281, 312],
    [160, 207, 248, 288, 324],
    [142, 187, 234, 280, 316],
    [156, 203, 243, 283, 317],
    [157, 212, 259, 307, 336],
    [152, 203, 246, 286, 321],
    [154, 205, 253, 298, 334],
    [139, 190, 225, 267, 302],
    [146, 191, 229, 272, 302],
    [157, 211, 250, 285, 323],
    [132, 185, 237, 286, 331],
    [160, 207, 257, 303, 345],
    [169, 216, 261, 295, 333],
    [157, 205, 248, 289, 316],
    [137, 180, 219, 258, 291],
    [153, 200, 244, 286, 324],
];

const RATS_PROGRAM: &str = "
data { int N; int T; row_vector[T] x; matrix[N, T] y; }
parameters {
  vector[N] a;
  vector[N] b;
  real mean_a;
  real mean_b;
  real<lower=0> sd_a;
  real<lower=0> sd_b;
  real<lower=0> s;
}
model {
  mean_a ~ normal(250, 100);
  mean_b ~ normal(0, 20);
  sd_a ~ normal(0, 20);
  sd_b ~ normal(0, 5);
  s ~ normal(0, 20);
  a ~ normal(mean_a, sd_a);
  b ~ normal(mean_b, sd_b);
  for (n in 1:N) y[n] ~ normal(a[n] + b[n] * x, s);
}";

/// Lengths of 27 dugongs by age: D. A. Ratkowsky, Nonlinear Regression Modeling (1983).
const DUGONGS: [(f64, f64); 27] = [
    (1.0, 1.80),
    (1.5, 1.85),
    (1.5, 1.87),
    (1.5, 1.77),
    (2.5, 2.02),
    (4.0, 2.27),
    (5.0, 2.15),
    (5.0, 2.26),
    (7.0, 2.47),
    (8.0, 2.19),
    (8.5, 2.26),
    (9.0, 2.40),
    (9.5, 2.39),
    (9.5, 2.41),
    (10.0, 2.50),
    (12.0, 2.32),
    (12.0, 2.32),
    (13.0, 2.43),
    (13.0, 2.47),
    (14.5, 2.56),
    (15.5, 2.65),
    (15.5, 2.47),
    (16.5, 2.64),
    (17.0, 2.56),
    (22.5, 2.70),
    (29.0, 2.72),
    (31.5, 2.57),
];

const DUGONGS_PROGRAM: &str = "
data { int N; vector[N] age; vector[N] y; }
parameters { real alpha; real beta; real<lower=0.5, upper=1> lambda; real<lower=0> s; }
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 10);
  s ~ normal(0, 1);
  for (n in 1:N) y[n] ~ normal(alpha - beta * lambda ^ age[n], s);
}";

const LEVEL_PROGRAM: &str = "
data { int T; vector[T] y; }
parameters { vector[T] level; real<lower=0> step; real<lower=0> s; }
model {
  step ~ normal(0, 0.1);
  s ~ normal(0, 0.2);
  level[1] ~ normal(7, 1);
  for (t in 2:T) level[t] ~ normal(level[t - 1], step);
  y ~ normal(level, s);
}";

/// A function of a Gaussian process at places, seen with noise.
const PROCESS_PROGRAM: &str = "
data { int N; array[N] real x; vector[N] y; }
parameters { vector[N] f; real<lower=0> range; real<lower=0> sd_f; real<lower=0> s; }
model {
  matrix[N, N] K = add_diag(gp_exp_quad_cov(x, sd_f, range), 1e-2);
  range ~ inv_gamma(5, 5);
  sd_f ~ normal(0, 1);
  s ~ normal(0, 1);
  f ~ multi_normal(rep_vector(0, N), K);
  y ~ normal(f, s);
}";

/// Yields of five samples of six batches of dyestuff: O. L. Davies, P. L. Goldsmith, Statistical Methods in
/// Research and Production (1972).
const BATCHES: [[u16; 5]; 6] = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
];

/// With LIKELIHOOD in the place of what is said of y.
const BATCHES_PROGRAM: &str = "
data { int J; int N; matrix[J, N] y; }
parameters { vector[J] m; real mu; real<lower=0> sd_m; real<lower=0> s; }
model {
  mu ~ normal(0, 2);
  sd_m ~ normal(0, 1);
  s ~ normal(0, 1);
  m ~ normal(mu, sd_m);
  LIKELIHOOD
}";
const OF_BATCHES: &str = "for (j in 1:J) y[j] ~ normal(m[j], s);";

/// Failures of ten pumps in so many thousand hours: D. P. Gaver, I. G. O'Muircheartaigh, Technometrics 29
/// (1987).
const PUMPS: [(u8, f64); 10] = [
    (5, 94.3),
    (1, 15.7),
    (5, 62.9),
    (14, 126.0),
    (3, 5.24),
    (19, 31.4),
    (1, 1.05),
    (1, 1.05),
    (4, 2.1),
    (22, 10.5),
];

const PUMPS_PROGRAM: &str = "
data { int N; array[N] int y; vector[N] t; }
parameters { vector[N] eta; real mu; real<lower=0> sd_eta; }
model {
  mu ~ normal(0, 2);
  sd_eta ~ normal(0, 2);
  eta ~ normal(mu, sd_eta);
  y ~ poisson_log(log(t) + eta);
}";

/// Cases in the 16 areas of a map that neighbours share a part of.
const MAP_PROGRAM: &str = "
data { int N; array[N] int y; matrix[N, N] W; }
transformed data { matrix[N, N] D = diag_matrix(W * rep_vector(1, N)); }
parameters { vector[N] phi; real mu; real<lower=0> tau; real<lower=0, upper=0.99> rho; }
model {
  mu ~ normal(2, 1);
  tau ~ gamma(4, 1);
  phi ~ multi_normal_prec(rep_vector(0, N), tau * (D - rho * W));
  y ~ poisson_log(mu + phi);
}";

fn posterior(program: &str, data: &Value) -> StanPosterior {
    StanModel::parse(program).unwrap().with_data(&data.to_string()).unwrap()
}

fn dugongs() -> StanPosterior {
    let (age, y): (Vec<f64>, Vec<f64>) = DUGONGS.into_iter().unzip();
    posterior(DUGONGS_PROGRAM, &json!({"N": 27, "age": age, "y": y}))
}

fn rats() -> StanPosterior {
    posterior(RATS_PROGRAM, &json!({"N": 30, "T": 5, "x": [8, 15, 22, 29, 36], "y": RATS}))
}

fn batches(of_y: &str) -> StanPosterior {
    let program = BATCHES_PROGRAM.replace("LIKELIHOOD", of_y);
    let y = BATCHES.map(|batch| batch.map(|y| (f64::from(y) - 1500.0) / 50.0));
    posterior(&program, &json!({"J": 6, "N": 5, "y": y}))
}

fn process() -> StanPosterior {
    let x: Vec<f64> = (0..14).map(|i| 0.4 * f64::from(i)).collect();
    let y: Vec<f64> = x.iter().map(|x| (1.7 * x).sin() + 0.4 * (11.0 * x).cos()).collect();
    posterior(PROCESS_PROGRAM, &json!({"N": 14, "x": x, "y": y}))
}

fn pumps() -> StanPosterior {
    let (y, t): (Vec<u8>, Vec<f64>) = PUMPS.into_iter().unzip();
    posterior(PUMPS_PROGRAM, &json!({"N": 10, "y": y, "t": t}))
}

fn map() -> StanPosterior {
    let y = [3, 5, 9, 14, 4, 6, 8, 12, 2, 7, 11, 9, 5, 4, 10, 8];
    let is_beside = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4) == 1;
    let w: Vec<Vec<u8>> = (0..16).map(|a| (0..16).map(|b| u8::from(is_beside(a, b))).collect()).collect();
    posterior(MAP_PROGRAM, &json!({"N": 16, "y": y, "W": w}))
}

/// ln of the drivers who were killed or injured each month in Great Britain, 1969 to 1984.
fn drivers() -> Option<StanPosterior> {
    let file = shared::shared_file("planned", "data/timeseries/seatbelts.csv")?;
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let column =
        lines.next().unwrap().split(',').position(|name| name.trim_matches('"') == "drivers").unwrap();
    let y: Vec<f64> =
        lines.map(|line| line.split(',').nth(column).unwrap().parse::<f64>().unwrap().ln()).collect();
    Some(posterior(LEVEL_PROGRAM, &json!({"T": y.len(), "y": y})))
}

/// Chains of a program, and of what is left: means are nearer than 4.5 standard errors of both, and what may
/// be missed by Laplace's method in standard deviations.
fn check(name: &str, posterior: &StanPosterior, integration: Integration) {
    let parameters = match integration {
        Integration::Gaussian => posterior.gaussian_parameters(),
        Integration::Laplace => posterior.latent_parameters(),
    };
    let groups: Vec<Vec<usize>> = parameters.iter().map(|own| own.coordinates().collect()).collect();
    assert!(!groups.is_empty(), "{name}: nothing can be integrated out");
    let start = posterior.starts(&StanData::default(), 1, 0.5, 1).unwrap().swap_remove(0);
    let marginal = IntegratedTarget::new(posterior, &groups, integration, &start).unwrap();
    let missed = match integration {
        Integration::Gaussian => 0.0,
        Integration::Laplace => 0.02,
    };
    let (plain, other) = (summary(posterior, None), summary(posterior, Some(&marginal)));
    for (a, b) in plain.parameters.iter().zip(&other.parameters) {
        let (x, y, sd) = (a.mean.unwrap(), b.mean.unwrap(), a.sd.unwrap());
        let error = a.mcse.unwrap().hypot(b.mcse.unwrap());
        let bound = 4.5 * error + missed * sd;
        assert!((x - y).abs() < bound, "{name}: {}: {x} and {y}, errors {error}, sd {sd}", a.name);
    }
    let (dim, integrated) = (posterior.dim(), marginal.integrated().len());
    println!("{name}: {integrated} of {dim} coordinates integrated out");
}

#[test]
fn batches_without_what_is_normal_are_the_same() {
    check("batches", &batches(OF_BATCHES), Integration::Gaussian);
}

#[test]
fn dugongs_without_what_is_normal_are_the_same() {
    check("dugongs", &dugongs(), Integration::Gaussian);
}

#[test]
fn rats_without_what_is_normal_are_the_same() {
    check("rats", &rats(), Integration::Gaussian);
}

#[test]
#[ignore = "slow: 8 s"]
fn a_process_without_its_function_is_the_same() {
    check("process", &process(), Integration::Gaussian);
}

#[test]
fn pumps_by_laplaces_method_are_nearly_the_same() {
    check("pumps", &pumps(), Integration::Laplace);
}

#[test]
#[ignore = "slow: 25 s"]
fn a_map_by_laplaces_method_is_nearly_the_same() {
    check("map", &map(), Integration::Laplace);
}

#[test]
#[ignore = "slow: 10 s"]
fn a_level_in_time_is_integrated_out() {
    if let Some(drivers) = drivers() {
        check("drivers", &drivers, Integration::Gaussian);
    }
}

/// What [`BATCHES_PROGRAM`] says without data. Its two half-normal distributions have an integral of a half.
struct BatchesPrior(StanPosterior);

impl Target for BatchesPrior {
    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.0.ln_density(x)? + 4_f64.ln())
    }
}

impl NormalizedTarget for BatchesPrior {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        let mut normal = |mean: f64, sd: f64| Normal::mean_sd(mean, sd).unwrap().sample(rng);
        let (mu, sd_m, s) = (normal(0.0, 2.0), normal(0.0, 1.0).abs(), normal(0.0, 1.0).abs());
        x[..6].fill_with(|| normal(mu, sd_m));
        x[6..].copy_from_slice(&[mu, sd_m.ln(), s.ln()]);
    }
}

/// By a bridge over what is left, and by populations that go from the prior of the whole program to its
/// posterior.
#[test]
fn the_evidence_of_what_is_left_is_that_of_the_program() {
    let (whole, prior) = (batches(OF_BATCHES), BatchesPrior(batches("")));
    let groups: Vec<Vec<usize>> =
        whole.gaussian_parameters().iter().map(|own| own.coordinates().collect()).collect();
    let start = whole.starts(&StanData::default(), 1, 0.5, 1).unwrap().swap_remove(0);
    let marginal = IntegratedTarget::new(&whole, &groups, Integration::Gaussian, &start).unwrap();
    let run = Run { seed: 3, ..Run::default() };
    let sampled = run.sample(&marginal, &Nuts::default(), &Start::default()).unwrap();
    let bridge =
        bridge_sampling(&marginal, &sampled.draws, &BridgeOptions::default(), &mut stream(4, &[])).unwrap();

    let likelihood = FromFn::new(whole.dim(), |x: &[f64]| {
        whole.ln_density(x).unwrap_or(f64::NEG_INFINITY) - prior.0.ln_density(x).unwrap_or(f64::NAN)
    });
    let populations =
        SequentialMonteCarlo { particles: 1000, moves: 20, seed: 5, ..SequentialMonteCarlo::default() };
    let populations =
        populations.run(&prior, &likelihood, |stage| Ok(RandomWalk::new(stage.step_size())?)).unwrap();
    let other = populations.ln_evidence();
    // The program's evidence has the integral of its prior as a factor.
    let (difference, error) = (
        bridge.ln_evidence - (other.ln_value - 4_f64.ln()),
        bridge.standard_error.hypot(other.standard_error),
    );
    println!("{} and {}, error {error}", bridge.ln_evidence, other.ln_value);
    assert!(error < 0.15, "{error}");
    assert!(difference.abs() < 4.0 * error, "{} and {}, error {error}", bridge.ln_evidence, other.ln_value);
}
