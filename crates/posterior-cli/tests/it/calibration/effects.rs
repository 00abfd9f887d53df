//! Regressions whose formulas have effects: groups with a standard deviation of their own.

use serde_json::Value;

use super::measured::{Counted, Scenario};
use super::regress::{AREA, intervals};
use super::simulation::{Simulation, ends, float, logistic};

/// y of the family with predictor 0.5 + 0.7 x1 + a group's own intercept; new rows are of the groups of the
/// data, and one is of a group that nobody saw.
#[derive(Debug, Clone, Copy)]
struct Grouped {
    family: &'static str,
    groups: usize,
    each: usize,
    /// The mean of the exponential prior, from which the standard deviation is drawn.
    scale: f64,
}

/// What is true of a data set.
struct Truth {
    sd: f64,
    groups: Vec<f64>,
    /// Of new rows: their means and outcomes.
    means: Vec<f64>,
    outcomes: Vec<f64>,
}

const SLOPE: f64 = 0.7;

impl Grouped {
    fn words(self) -> String {
        let Self { family, groups, each, .. } = self;
        format!("{family}, {groups} groups of {each} rows, the sd of groups exponential with mean 1")
    }

    fn draw(self, simulation: &mut Simulation) -> Truth {
        let sd = -self.scale * (1.0 - simulation.uniform()).ln();
        let groups: Vec<f64> = simulation.normals(self.groups + 1).into_iter().map(|z| sd * z).collect();
        let (mut rows, mut new) = (Vec::new(), Vec::new());
        let (mut means, mut outcomes) = (Vec::new(), Vec::new());
        for row in 0..=self.groups * self.each + self.groups {
            let group = row % (self.groups + usize::from(row >= self.groups * self.each));
            let x = simulation.normal();
            let predictor = 0.5 + SLOPE * x + groups[group];
            let (mean, outcome) = self.outcome(simulation, predictor);
            let own = vec![x, group as f64, outcome];
            if row < self.groups * self.each {
                rows.push(own);
            } else {
                new.push(own);
                means.push(mean);
                outcomes.push(outcome);
            }
        }
        let header = ["x1", "g", "y"].map(str::to_owned);
        simulation.table("data.csv", &header, &rows);
        simulation.table("new.csv", &header, &new);
        Truth { sd, groups, means, outcomes }
    }

    fn outcome(self, simulation: &mut Simulation, predictor: f64) -> (f64, f64) {
        match self.family {
            "bernoulli" => {
                let p = logistic(predictor);
                (p, f64::from(u8::from(simulation.happens(p))))
            }
            "poisson" => (predictor.exp(), simulation.poisson(predictor.exp())),
            "negative-binomial" => {
                let rate = predictor.exp() * simulation.gamma(3);
                (predictor.exp(), simulation.poisson(rate))
            }
            "gamma" => (predictor.exp(), predictor.exp() * simulation.gamma(3)),
            "log-normal" => ((predictor + 0.125).exp(), (predictor + 0.5 * simulation.normal()).exp()),
            "exponential" => (predictor.exp(), predictor.exp() * simulation.gamma(1)),
            "zero-inflated-poisson" => {
                let (could, rate) = (simulation.happens(0.7), predictor.exp());
                (0.7 * rate, if could { simulation.poisson(rate) } else { 0.0 })
            }
            "student" => {
                // χ² with 6 degrees of freedom is a gamma variable of shape 3 and scale 2.
                let heavy = simulation.normal() / simulation.gamma(3).sqrt();
                (predictor, predictor + heavy)
            }
            _ => (predictor, predictor + simulation.normal()),
        }
    }

    fn fit(self, simulation: &Simulation) -> Value {
        let fit = ["regress", "fit", "data.csv", "--formula", "y ~ x1 + (1 | g)", "--family", self.family];
        simulation.answer(&[&fit[..], &["--predict", "new.csv", "--level", "0.9"]].concat())
    }

    fn scenario(
        self,
        what: &'static str,
        count: impl Fn(&Value, &Truth) -> Counted + Send + Sync + 'static,
    ) -> Scenario {
        Scenario::new(AREA, what, self.words(), move |simulation| {
            let truth = self.draw(simulation);
            count(&self.fit(simulation), &truth)
        })
    }

    fn coefficient(self) -> Scenario {
        self.scenario("a coefficient beside effects", |answer, _| {
            Counted::interval(tails(&answer["coefficients"], "x1"), SLOPE)
        })
    }

    fn deviation(self) -> Scenario {
        self.scenario("the standard deviation of groups", |answer, truth| {
            Counted::interval(tails(&answer["hierarchical"]["components"], "sd(g)"), truth.sd)
        })
    }

    fn values(self) -> Scenario {
        self.scenario("the values of groups", |answer, truth| {
            let values = &answer["hierarchical"]["values"][0]["values"];
            let one =
                |(group, value): (usize, &f64)| Counted::interval(tails(values, &group.to_string()), *value);
            Counted::sum(truth.groups.iter().enumerate().map(one))
        })
    }

    fn means(self) -> Scenario {
        self.scenario("the mean of a row of a group", |answer, truth| {
            intervals(answer, "mean_interval", truth.means.iter().copied())
        })
    }

    fn outcomes(self) -> Scenario {
        self.scenario("a new outcome of a group", |answer, truth| {
            let all = answer["predictions"].as_array().unwrap().iter().zip(&truth.outcomes);
            // Counts have no interval of exactly 90 %: what is outside has at most so much.
            Counted::sum(all.map(|(own, outcome)| Counted::interval(ends(&own["interval"]), *outcome)))
        })
    }
}

/// The ends of the interval of 90 % of what has this name.
fn tails(all: &Value, name: &str) -> [f64; 2] {
    let own = all.as_array().unwrap().iter().find(|own| own["name"] == name).unwrap();
    [float(&own["q05"]), float(&own["q95"])]
}

pub(super) fn scenarios() -> Vec<Scenario> {
    let grouped = |family, groups, each| Grouped { family, groups, each, scale: 1.0 };
    let (counts, classes) = (grouped("poisson", 12, 4), grouped("bernoulli", 15, 8));
    let numbers = grouped("gaussian", 10, 4);
    vec![
        numbers.coefficient(),
        numbers.deviation(),
        numbers.values(),
        numbers.means(),
        numbers.outcomes(),
        counts.coefficient(),
        counts.deviation(),
        counts.values(),
        counts.means(),
        classes.coefficient(),
        classes.deviation(),
        classes.values(),
        classes.means(),
        grouped("negative-binomial", 12, 8).means(),
        grouped("gamma", 10, 5).means(),
        grouped("gamma", 10, 5).outcomes(),
        grouped("log-normal", 10, 5).means(),
        grouped("log-normal", 10, 5).outcomes(),
        grouped("exponential", 10, 6).coefficient(),
        grouped("exponential", 10, 6).means(),
        grouped("exponential", 10, 6).outcomes(),
        grouped("zero-inflated-poisson", 12, 8).means(),
        grouped("student", 10, 6).coefficient().slow(),
        grouped("student", 10, 6).means().slow(),
        grouped("student", 10, 6).outcomes(),
    ]
}
