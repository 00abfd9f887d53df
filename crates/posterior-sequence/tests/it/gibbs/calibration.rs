//! Simulation-based calibration: parameters and data from the prior, ranked among draws of the posterior.

use posterior_dist::{Conjugate, Dirichlet, Gamma, Poisson};
use posterior_sampling::calibration::{Calibration, SimulationModel};
use posterior_sampling::{Draws, Error};
use posterior_sequence::bayesian::{BayesianHmm, HmmParameters, Observed};
use posterior_sequence::gibbs::HmmGibbs;
use rand::{Rng, RngExt};
use rand_distr::Distribution;
use rand_pcg::Pcg64;

const POSITIONS: usize = 8;

/// Two states of counts, whose names mean nothing: what is ranked does not depend on them.
struct Model;

fn model(kappa: f64) -> BayesianHmm<Poisson, Gamma> {
    let prior = Gamma::shape_rate(2.0, 0.4).unwrap();
    BayesianHmm::symmetric(2, 0.8, prior, ()).unwrap().with_stickiness(kappa).unwrap()
}

/// Probability to stay, at most and at least; rates, the lower and the higher.
fn numbers(stay: [f64; 2], rates: [f64; 2]) -> Vec<f64> {
    vec![stay[0].min(stay[1]), stay[0].max(stay[1]), rates[0].min(rates[1]), rates[0].max(rates[1])]
}

impl SimulationModel for Model {
    type Data = Vec<Option<u64>>;

    fn names(&self) -> Vec<String> {
        ["initial", "stay[0]", "stay[1]", "rate[0]", "rate[1]"].map(str::to_owned).to_vec()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let distribution = Dirichlet::symmetric(2, 0.8)?;
        let row = Dirichlet::new(&[1.8, 0.8])?;
        let (first, second): (Vec<f64>, Vec<f64>) = (row.sample(rng), row.sample(rng));
        let rate = Gamma::shape_rate(2.0, 0.4)?;
        let initial: Vec<f64> = distribution.sample(rng);
        Ok(vec![initial[0], first[0], second[0], rate.sample(rng), rate.sample(rng)])
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<Self::Data, Error> {
        let mut state = usize::from(rng.random::<f64>() >= parameters[0]);
        let mut data = Vec::new();
        for _ in 0..POSITIONS {
            let seen = Poisson::new(parameters[3 + state].max(f64::MIN_POSITIVE))?.sample(rng);
            data.push((data.len() != 3).then_some(seen));
            if rng.random::<f64>() >= parameters[1 + state] {
                state = 1 - state;
            }
        }
        Ok(data)
    }

    fn quantity_names(&self) -> Vec<String> {
        ["least stay", "most stay", "lower rate", "higher rate", "ln likelihood"].map(str::to_owned).to_vec()
    }

    fn quantities(&self, parameters: &[f64], data: &Self::Data) -> Vec<f64> {
        let [initial, first, second, low, high] = parameters else { return Vec::new() };
        let mut all = numbers([*first, *second], [*low, *high]);
        let sequences = [data.clone()];
        let likelihood =
            likelihood(&[*initial, *first, *second, *low, *high], &Observed::with_gaps(&sequences));
        all.push(likelihood);
        all
    }
}

fn likelihood(parameters: &[f64; 5], data: &Observed<'_, u64>) -> f64 {
    let [initial, first, second, low, high] = *parameters;
    let rows = [[first, 1.0 - first], [1.0 - second, second]];
    let distributions = [low, high].map(|rate| Poisson::new(rate.max(f64::MIN_POSITIVE)).unwrap());
    let mut alpha = [initial, 1.0 - initial];
    for (t, point) in data.points(0).iter().enumerate() {
        if t > 0 {
            alpha = [0, 1].map(|j| alpha[0] * rows[0][j] + alpha[1] * rows[1][j]);
        }
        if let Some(point) = point {
            alpha =
                [0, 1].map(|k| alpha[k] * posterior_dist::Density::ln_pdf(&distributions[k], point).exp());
        }
    }
    (alpha[0] + alpha[1]).ln()
}

fn parameters(draw: &HmmParameters<Poisson>) -> Vec<f64> {
    let steps = draw.transitions();
    let rates = [0, 1].map(|k| posterior_dist::Moments::mean(&draw.emissions[k]).unwrap());
    vec![draw.initial()[0], steps[(0, 0)], steps[(1, 1)], rates[0], rates[1]]
}

fn draws(kappa: f64, data: &[Option<u64>], rng: &mut Pcg64) -> Result<Draws, Error> {
    let (sequences, model) = ([data.to_vec()], model(kappa));
    let data = Observed::with_gaps(&sequences);
    let sampler = HmmGibbs::new(&model, &data).unwrap();
    let mut state = sampler.begin(rng).unwrap();
    let mut rows = Vec::new();
    for _ in 0..20 {
        for _ in 0..25 {
            sampler.advance(&mut state, rng).unwrap();
        }
        rows.extend(parameters(state.parameters()));
    }
    // The first one is the warm-up.
    Draws::new(Model.names(), vec![rows.split_off(5)])
}

/// False alarms: one in a million seeds.
#[test]
fn the_sampler_is_calibrated() {
    let calibration = Calibration { simulations: 400, draws: 19, seed: 3, ..Calibration::default() };
    let report = calibration.run(&Model, |data, rng| draws(1.0, data, rng)).unwrap();
    assert!(report.passes(1e-6), "{report}");
    // A prior that is less sticky than what the data were drawn from is found out.
    let report = calibration.run(&Model, |data, rng| draws(0.0, data, rng)).unwrap();
    assert!(!report.passes(1e-6), "{report}");
}

#[test]
fn a_draw_of_the_prior_is_what_the_test_draws() {
    let mut rng = posterior_dist::stream::stream(1, &[]);
    let draws: Vec<f64> = (0..2000)
        .map(|_| Poisson::draw(&Gamma::shape_rate(2.0, 0.4).unwrap(), &(), &mut rng).unwrap())
        .map(|distribution| posterior_dist::Moments::mean(&distribution).unwrap())
        .collect();
    // The mean is 5, its standard error 3.54 / √2000 = 0.08.
    assert!((draws.iter().sum::<f64>() / 2000.0 - 5.0).abs() < 0.4);
}
