//! Bandits, conjugate pairs, chains of draws.

use posterior::dist::{Beta, Gamma};
use rand::distr::Distribution as _;

use super::measured::{Counted, Scenario};
use super::simulation::{ends, float};

/// Three arms whose means are uniform from 0 to 1, with ten rewards each: the stated probability that the
/// leader is the best.
fn best_arm(rewards: &'static str, sd: f64) -> Scenario {
    let on = match rewards {
        "coins" => "three coins, 10 plays each".to_owned(),
        _ => format!("three arms with rewards of sd {sd} around means from .3 to .7, 10 plays each"),
    };
    Scenario::new("bandit advise", "the leader is the best arm", on, move |simulation| {
        let means: Vec<f64> = (0..3)
            .map(|_| if rewards == "coins" { simulation.uniform() } else { 0.3 + 0.4 * simulation.uniform() })
            .collect();
        let mut lines = vec!["arm,reward".to_owned()];
        for _ in 0..10 {
            for (arm, &mean) in means.iter().enumerate() {
                let reward = match rewards {
                    "coins" => f64::from(u8::from(simulation.happens(mean))),
                    _ => (mean + sd * simulation.normal()).clamp(0.0, 1.0),
                };
                lines.push(format!("a{arm},{reward}"));
            }
        }
        simulation.place.write("plays.csv", lines.join("\n"));
        let answer = simulation.answer(&["bandit", "advise", "plays.csv", "--policy", "thompson"]);
        let best = (0..3).max_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap();
        Counted::sum(
            answer["arms"]
                .as_array()
                .unwrap()
                .iter()
                .map(|own| Counted::event(float(&own["probability_best"]), own["arm"] == format!("a{best}")))
                .filter(|own| own.stated > 0.34),
        )
    })
}

/// Conjugate updates: the central interval of the posterior, the parameter drawn from the prior.
fn conjugate(distribution: &'static str) -> Scenario {
    Scenario::new(
        "dist show",
        "the parameter, given observations",
        format!("{distribution}, 5 observations"),
        move |simulation| {
            let mut rng = posterior::dist::stream::stream((1e15 * simulation.uniform()) as u64, &[]);
            let (parameter, observed): (f64, Vec<f64>) = if distribution == "beta(2, 3)" {
                let p = Beta::new(2.0, 3.0).unwrap().sample(&mut rng);
                (p, (0..5).map(|_| f64::from(u8::from(simulation.happens(p)))).collect())
            } else {
                let rate = Gamma::shape_rate(3.0, 0.5).unwrap().sample(&mut rng);
                (rate, (0..5).map(|_| simulation.poisson(rate)).collect())
            };
            let observed: Vec<String> = observed.iter().map(f64::to_string).collect();
            let likelihood: &[&str] =
                if distribution.starts_with("gamma") { &["--likelihood", "poisson"] } else { &[] };
            let show = ["dist", "show", distribution, "--observe", &observed.join(",")];
            let answer = simulation.answer(&[&show[..], likelihood].concat());
            Counted::interval(ends(&answer["posterior"]["central_90"]), parameter)
        },
    )
}

/// The Monte Carlo standard error of the mean of chains that are far from independent.
fn chains(correlation: f64) -> Scenario {
    let on = format!("4 stationary chains of 1,000 draws with autocorrelation {correlation}");
    Scenario::new("mcmc diagnose", "the mean, within 1.645 standard errors", on, move |simulation| {
        let mut lines = vec!["chain,x".to_owned()];
        for chain in 0..4 {
            let mut x = simulation.normal();
            for _ in 0..1000 {
                lines.push(format!("{chain},{x}"));
                x = correlation * x + (1.0 - correlation * correlation).sqrt() * simulation.normal();
            }
        }
        simulation.place.write("draws.csv", lines.join("\n"));
        let answer = simulation.answer(&["mcmc", "diagnose", "draws.csv"]);
        let own = &answer["parameters"][0];
        let reach = 1.644_853_626_951_472_2 * float(&own["mcse"]);
        Counted::interval([float(&own["mean"]) - reach, float(&own["mean"]) + reach], 0.0)
    })
}

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        best_arm("coins", 0.0),
        best_arm("numbers", 0.05),
        best_arm("numbers", 0.2),
        conjugate("beta(2, 3)"),
        conjugate("gamma(3, 0.5)"),
        chains(0.9),
        chains(0.0),
    ]
}
