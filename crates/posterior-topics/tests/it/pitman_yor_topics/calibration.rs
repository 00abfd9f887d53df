//! Parameters drawn from their priors, corpora drawn from the process: posteriors average to the priors.

use posterior_dist::choose;
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Gamma, PitmanYor, PitmanYorPrior, Univariate};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use posterior_topics::Corpus;
use posterior_topics::pitman_yor_topics::{Base, PitmanYorGibbs, PitmanYorTopicsOptions};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

const VOCABULARY: usize = 5;
const DOCUMENTS: usize = 4;
const LENGTH: usize = 10;
const CORPORA: u64 = 800;
const SWEEPS: usize = 60;

fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    choose(weights, rng.random::<f64>() * weights.iter().sum::<f64>()).unwrap()
}

/// Tables with what they serve and their customers.
#[derive(Default, Clone)]
struct Restaurant(Vec<(usize, u32)>);

impl Restaurant {
    /// Seats a customer, who gets what its table serves; a new table serves what `serve` draws.
    fn seat<R: Rng>(&mut self, level: PitmanYor, rng: &mut R, serve: impl FnOnce(&mut R) -> usize) -> usize {
        let mut weights: Vec<f64> = self.0.iter().map(|&(_, n)| f64::from(n) - level.discount()).collect();
        weights.push(level.concentration() + level.discount() * self.0.len() as f64);
        let table = pick(&weights, rng);
        if table == self.0.len() {
            let dish = serve(rng);
            self.0.push((dish, 0));
        }
        self.0[table].1 += 1;
        self.0[table].0
    }
}

fn simulate(level: PitmanYor, base_level: PitmanYor, alpha: f64, rng: &mut impl Rng) -> Corpus {
    let (mut topics, mut base) = (vec![Restaurant::default(); 2], Restaurant::default());
    let mut rows = Vec::new();
    for _ in 0..DOCUMENTS {
        let mut own = [alpha; 2];
        let mut row = Vec::new();
        for _ in 0..LENGTH {
            let k = pick(&own, rng);
            own[k] += 1.0;
            let word = topics[k]
                .seat(level, rng, |rng| base.seat(base_level, rng, |rng| rng.random_range(0..VOCABULARY)));
            row.push((word as u32, 1));
        }
        rows.push(row);
    }
    let words = (0..VOCABULARY).map(|w| w.to_string()).collect();
    Corpus::from_rows(words, (0..DOCUMENTS).map(|d| d.to_string()).collect(), rows).unwrap()
}

/// False alarm: four in a million seeds.
#[test]
fn parameters_learned_average_to_their_priors() {
    let prior = PitmanYorPrior { discount: [2.0, 3.0], concentration: [2.0, 1.0] };
    let discounts = Beta::new(2.0, 3.0).unwrap();
    let concentrations = Gamma::shape_rate(2.0, 1.0).unwrap();
    let mut drawn: [Vec<f64>; 4] = Default::default();
    for seed in 0..CORPORA {
        let mut rng = stream(seed, &[7]);
        let mut level =
            || PitmanYor::new(discounts.sample(&mut rng), concentrations.sample(&mut rng)).unwrap();
        let (level, base_level) = (level(), level());
        let corpus = simulate(level, base_level, 0.5, &mut rng);
        let options = PitmanYorTopicsOptions {
            topics: 2,
            alpha: 0.5.into(),
            base: Base::Shared,
            prior: Some(prior),
            seed,
            ..PitmanYorTopicsOptions::default()
        };
        let mut chain = PitmanYorGibbs::new(&corpus, &options).unwrap();
        (0..SWEEPS).for_each(|_| chain.sweep());
        let (level, base_level) = (chain.level(), chain.base_level().unwrap());
        let all = [level, base_level].map(|level| [level.discount(), level.concentration()]).concat();
        for (drawn, value) in drawn.iter_mut().zip(all) {
            drawn.push(value);
        }
    }
    for (i, drawn) in drawn.iter().enumerate() {
        let p = match i % 2 {
            0 => kolmogorov_smirnov_p_value(drawn, |x| discounts.cdf(x)),
            _ => kolmogorov_smirnov_p_value(drawn, |x| concentrations.cdf(x)),
        };
        println!("parameter {i}: p = {p}");
        assert!(p > LEVEL, "parameter {i}: p = {p}");
    }
}
