//! Regression: numbers, classes, counts.

#![expect(clippy::single_match_else, reason = "both cases are results")]

use serde_json::Value;

use super::measured::{Counted, Scenario};
use super::simulation::{Simulation, ends, float, header, logistic};

pub(super) const AREA: &str = "regress fit";

/// Rows with normal columns, of which the first has an effect, and normal noise.
#[derive(Debug, Clone, Copy)]
struct Linear {
    rows: usize,
    columns: usize,
    effect: f64,
    noise: f64,
    offset: f64,
}

/// New rows of each data set.
pub(super) const NEW: usize = 5;

impl Linear {
    const fn new(rows: usize, columns: usize, effect: f64) -> Self {
        Self { rows, columns, effect, noise: 1.0, offset: 0.0 }
    }

    fn words(self) -> String {
        let Self { rows, columns, effect, noise, offset } = self;
        format!("y = {offset} + {effect} x1 + N(0, {noise}); {rows} rows, {columns} columns")
    }

    /// Writes `data.csv` and `new.csv`, whose outcomes are returned with their means.
    fn draw(self, simulation: &mut Simulation) -> Vec<(f64, f64)> {
        let mut outcomes = Vec::new();
        let mut row = |simulation: &mut Simulation| {
            let mut row = simulation.normals(self.columns);
            let mean = self.offset + self.effect * row[0];
            let outcome = mean + self.noise * simulation.normal();
            outcomes.push((outcome, mean));
            row.push(outcome);
            row
        };
        let all: Vec<Vec<f64>> = (0..self.rows + NEW).map(|_| row(simulation)).collect();
        let header = header(self.columns, &["y"]);
        simulation.table("data.csv", &header, &all[..self.rows]);
        simulation.table("new.csv", &header, &all[self.rows..]);
        outcomes.split_off(self.rows)
    }

    fn slope(self) -> Scenario {
        Scenario::new(AREA, "the slope", self.words(), move |simulation| {
            self.draw(simulation);
            let answer = simulation.answer(&["regress", "fit", "data.csv", "--y", "y", "--level", "0.9"]);
            Counted::interval(coefficient(&answer, "x1"), self.effect)
        })
    }

    /// An average effect; a coefficient with an error that does not trust the variance of the noise, which
    /// here grows with the column.
    fn effect(self) -> Scenario {
        Scenario::new(AREA, "an average effect", self.words(), move |simulation| {
            self.draw(simulation);
            let answer = simulation.answer(&["regress", "fit", "data.csv", "--y", "y", "--effects"]);
            Counted::interval(named(&answer["effects"], "x1"), self.effect)
        })
    }

    fn robust(self, kind: &'static str) -> Scenario {
        let on = format!("{}; noise times 0.3 + x1 squared", self.words());
        Scenario::new(AREA, "the slope, by a robust error", on, move |simulation| {
            let row = |simulation: &mut Simulation| {
                let x = simulation.normal();
                let noise = self.noise * (0.3 + x * x) * simulation.normal();
                vec![x, self.offset + self.effect * x + noise]
            };
            let all: Vec<Vec<f64>> = (0..self.rows).map(|_| row(simulation)).collect();
            simulation.table("data.csv", &header(1, &["y"]), &all);
            let answer = simulation
                .answer(&["regress", "fit", "data.csv", "--y", "y", "--errors", kind, "--level", "0.9"]);
            Counted::interval(named(&answer["errors"]["coefficients"], "x1"), self.effect)
        })
    }

    /// The slope under another prior, and coefficients that are 0.
    fn under(self, prior: &'static str) -> Scenario {
        let on = format!("{}; --prior {prior}", self.words());
        Scenario::new(AREA, "the coefficients", on, move |simulation| {
            self.draw(simulation);
            let answer = simulation.answer(&["regress", "fit", "data.csv", "--y", "y", "--prior", prior]);
            let truth = |column: usize| if column == 1 { self.effect } else { 0.0 };
            let one =
                |column: usize| Counted::interval(coefficient(&answer, &format!("x{column}")), truth(column));
            Counted::sum((1..=self.columns).map(one))
        })
    }

    fn new_outcomes(self, more: &'static [&'static str]) -> Scenario {
        let on = if more.is_empty() { self.words() } else { format!("{}; {}", self.words(), more.join(" ")) };
        Scenario::new(AREA, "a new outcome", on, move |simulation| {
            let truth = self.draw(simulation);
            let fit = ["regress", "fit", "data.csv", "--y", "y", "--predict", "new.csv", "--level", "0.9"];
            let answer = simulation.answer(&[&fit[..], more].concat());
            intervals(&answer, "interval", truth.iter().map(|&(outcome, _)| outcome))
        })
    }

    /// The quantiles of a saved model about new outcomes: those that hold so much between them.
    fn predicted(self, what: &'static str, coverage: &'static str, level: f64) -> Scenario {
        Scenario::new("regress predict", what, self.words(), move |simulation| {
            self.draw(simulation);
            simulation.answer(&["regress", "fit", "data.csv", "--y", "y", "--out", "fit"]);
            let answer = simulation.answer(&["regress", "predict", "fit", "new.csv"]);
            Counted::scores(&answer, coverage, level)
        })
    }

    fn means(self) -> Scenario {
        Scenario::new(AREA, "the mean of new outcomes", self.words(), move |simulation| {
            let truth = self.draw(simulation);
            let fit = ["regress", "fit", "data.csv", "--y", "y", "--predict", "new.csv", "--level", "0.9"];
            let answer = simulation.answer(&fit);
            intervals(&answer, "mean_interval", truth.iter().map(|&(_, mean)| mean))
        })
    }
}

fn coefficient(answer: &Value, name: &str) -> [f64; 2] {
    named(&answer["coefficients"], name)
}

fn named(all: &Value, name: &str) -> [f64; 2] {
    let all = all.as_array().unwrap();
    let own = all.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("no {name} in {all:?}"));
    [float(&own["q05"]), float(&own["q95"])]
}

pub(super) fn intervals(answer: &Value, field: &str, truths: impl Iterator<Item = f64>) -> Counted {
    let predictions = answer["predictions"].as_array().unwrap();
    let of = |(own, truth): (&Value, f64)| Counted::interval(ends(&own[field]), truth);
    Counted::sum(predictions.iter().zip(truths).map(of))
}

/// Two classes or counts, rare ones: the truth is `intercept + Σ x_j / √columns`.
#[derive(Debug, Clone, Copy)]
struct Generalized {
    family: &'static str,
    rows: usize,
    columns: usize,
    intercept: f64,
}

impl Generalized {
    fn words(self) -> String {
        let Self { family, rows, columns, intercept } = self;
        format!("{family}, {rows} rows, {columns} columns, predictor N({intercept}, 1)")
    }

    /// Writes `data.csv`; the predictors and the outcomes.
    fn draw(self, simulation: &mut Simulation) -> (Vec<f64>, Vec<f64>) {
        let (mut predictors, mut outcomes, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rows {
            let mut row = simulation.normals(self.columns);
            let predictor = self.intercept + row.iter().sum::<f64>() / (self.columns as f64).sqrt();
            let outcome = match self.family {
                "poisson" => simulation.poisson(predictor.exp()),
                "negative-binomial" | "gamma" => self.varied(simulation, predictor),
                _ => f64::from(u8::from(simulation.happens(logistic(predictor)))),
            };
            row.push(outcome);
            predictors.push(predictor);
            outcomes.push(outcome);
            rows.push(row);
        }
        simulation.table("data.csv", &header(self.columns, &["y"]), &rows);
        (predictors, outcomes)
    }

    /// A count of size 2, or a number of shape 3.
    fn varied(self, simulation: &mut Simulation, predictor: f64) -> f64 {
        match self.family {
            "gamma" => predictor.exp() * simulation.gamma(3),
            _ => {
                let rate = predictor.exp() * simulation.gamma(2);
                simulation.poisson(rate)
            }
        }
    }

    /// Outcomes that the rows have anew.
    fn outcomes(self) -> Scenario {
        Scenario::new(AREA, "a new outcome", self.words(), move |simulation| {
            let (predictors, _) = self.with_both(simulation);
            let answer = self.fit(simulation);
            let new: Vec<f64> = predictors.iter().map(|own| self.varied(simulation, *own)).collect();
            intervals(&answer, "interval", new.into_iter())
        })
    }

    fn fit(self, simulation: &Simulation) -> Value {
        let fit = [
            "regress",
            "fit",
            "data.csv",
            "--y",
            "y",
            "--family",
            self.family,
            "--predict",
            "data.csv",
            "--level",
            "0.9",
        ];
        simulation.answer(&fit)
    }

    /// Data sets of one class alone say nothing, and are drawn again.
    fn with_both(self, simulation: &mut Simulation) -> (Vec<f64>, Vec<f64>) {
        loop {
            let (predictors, outcomes) = self.draw(simulation);
            let both = outcomes.iter().any(|&y| y > 0.0) && outcomes.contains(&0.0);
            if both || self.family == "gamma" {
                return (predictors, outcomes);
            }
        }
    }

    /// The sum of what is predicted of the rows over the sum of what happened: a maximum of the likelihood
    /// has exactly one.
    fn total(self) -> Scenario {
        Scenario::new(AREA, "predicted over happened, in-sample", self.words(), move |simulation| {
            let (_, outcomes) = self.with_both(simulation);
            let answer = self.fit(simulation);
            let predicted: f64 =
                answer["predictions"].as_array().unwrap().iter().map(|own| float(&own["mean"])).sum();
            let happened: f64 = outcomes.iter().sum();
            Counted { stated: happened, found: predicted, of: happened }
        })
    }

    fn coefficient(self) -> Scenario {
        Scenario::new(AREA, "a coefficient", self.words(), move |simulation| {
            self.with_both(simulation);
            let truth = 1.0 / (self.columns as f64).sqrt();
            let answer = self.fit(simulation);
            Counted::sum(
                (1..=self.columns)
                    .map(|column| Counted::interval(coefficient(&answer, &format!("x{column}")), truth)),
            )
        })
    }

    /// The slope of the mean outcome by the first column, averaged over the rows.
    fn effect(self) -> Scenario {
        Scenario::new(AREA, "an average effect", self.words(), move |simulation| {
            let (predictors, _) = self.with_both(simulation);
            let fit = ["regress", "fit", "data.csv", "--y", "y", "--family", self.family, "--effects"];
            let answer = simulation.answer(&fit);
            let slope = |predictor: &f64| match self.family {
                "bernoulli" => logistic(*predictor) * logistic(-predictor),
                _ => predictor.exp(),
            };
            let sum: f64 = predictors.iter().map(slope).sum();
            let truth = sum / predictors.len() as f64 / (self.columns as f64).sqrt();
            Counted::interval(named(&answer["effects"], "x1"), truth)
        })
    }

    fn means(self) -> Scenario {
        let what = match self.family {
            "bernoulli" => "the probability of a row",
            "gamma" => "the mean of a row",
            _ => "the rate of a row",
        };
        Scenario::new(AREA, what, self.words(), move |simulation| {
            let (predictors, _) = self.with_both(simulation);
            let mean = |predictor: f64| match self.family {
                "bernoulli" => logistic(predictor),
                _ => predictor.exp(),
            };
            let answer = self.fit(simulation);
            intervals(&answer, "mean_interval", predictors.into_iter().map(mean))
        })
    }
}

/// Three levels with thresholds -1 and 1: the probability of each for each row.
fn ordinal(rows: usize) -> Scenario {
    let on = format!("ordinal, 3 levels, {rows} rows, predictor 0.8 x1");
    Scenario::new(AREA, "the probability of a level", on, move |simulation| {
        let (mut all, mut truths) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let x = simulation.normal();
            let below = [-1.0, 1.0].map(|own| logistic(own - 0.8 * x));
            let p = [below[0], below[1] - below[0], 1.0 - below[1]];
            let level = simulation.choice(&p);
            all.push(vec![x, level as f64]);
            truths.extend(p);
        }
        simulation.table("data.csv", &header(1, &["y"]), &all);
        let fit = [
            "regress",
            "fit",
            "data.csv",
            "--y",
            "y",
            "--family",
            "ordinal",
            "--predict",
            "data.csv",
            "--level",
            "0.9",
        ];
        let answer = simulation.answer(&fit);
        let each = answer["predictions"].as_array().unwrap().iter();
        let each = each.flat_map(|own| own["probability_intervals"].as_array().unwrap());
        Counted::sum(each.zip(truths).map(|(own, truth)| Counted::interval(ends(own), truth)))
    })
}

pub(super) fn scenarios() -> Vec<Scenario> {
    let wide = Linear::new(20, 18, 1.0);
    let tiny = Linear { noise: 0.001, offset: 3.0, ..Linear::new(20, 1, 2.0) };
    let far = Linear { offset: 1e6, ..Linear::new(30, 2, 0.5) };
    let rare = |family, rows, columns, intercept| Generalized { family, rows, columns, intercept };
    vec![
        Linear::new(10, 1, 0.5).slope(),
        Linear::new(20, 1, 0.3).slope(),
        Linear::new(50, 1, 0.2).slope(),
        Linear::new(100, 1, 0.2).slope(),
        Linear::new(20, 1, 1.0).slope(),
        Linear::new(50, 3, 0.2).slope(),
        tiny.slope(),
        far.slope(),
        Linear::new(8, 3, 1.0).new_outcomes(&[]),
        wide.new_outcomes(&[]),
        wide.new_outcomes(&["--prior-sd", "100"]),
        tiny.new_outcomes(&[]),
        far.new_outcomes(&[]),
        Linear::new(30, 3, 1.0).means(),
        rare("bernoulli", 500, 5, -4.5).total(),
        rare("bernoulli", 60, 8, -2.5).total(),
        rare("poisson", 60, 8, -1.5).total(),
        rare("bernoulli", 100, 5, 0.0).coefficient(),
        rare("bernoulli", 200, 5, -3.0).coefficient(),
        rare("poisson", 60, 4, 0.0).coefficient(),
        // Laplace's approximation around the mean by third derivatives.
        rare("bernoulli", 400, 5, 0.0).coefficient(),
        rare("bernoulli", 400, 5, 0.0).means(),
        rare("poisson", 300, 4, 1.0).coefficient(),
        rare("poisson", 300, 4, 1.0).means(),
        rare("bernoulli", 100, 5, -1.0).means(),
        rare("poisson", 60, 4, 0.0).means(),
        rare("negative-binomial", 100, 4, 1.0).coefficient(),
        rare("negative-binomial", 100, 4, 1.0).means(),
        rare("negative-binomial", 100, 4, 3.0).outcomes(),
        rare("gamma", 60, 4, 0.0).coefficient(),
        rare("gamma", 60, 4, 0.0).means(),
        rare("gamma", 60, 4, 0.0).outcomes(),
        Linear::new(50, 3, 0.3).effect(),
        rare("bernoulli", 100, 5, -1.0).effect(),
        rare("poisson", 60, 4, 0.0).effect(),
        rare("gamma", 60, 4, 0.0).effect(),
        Linear::new(80, 1, 0.5).robust("hc3"),
        Linear::new(40, 20, 1.0).under("horseshoe"),
        Linear::new(40, 20, 1.0).new_outcomes(&["--prior", "horseshoe"]),
        Linear::new(20, 30, 1.5).new_outcomes(&["--prior", "horseshoe"]),
        Linear::new(60, 20, 1.0).new_outcomes(&["--prior", "lasso"]).parameters_known(),
        Linear::new(60, 20, 1.0).new_outcomes(&["--prior", "elastic-net"]).parameters_known(),
        Linear::new(60, 20, 1.0).new_outcomes(&["--prior", "ard"]).parameters_known(),
        ordinal(100),
        Linear::new(8, 3, 1.0).predicted("a new outcome, 95 %", "coverage_95", 0.95),
        wide.predicted("a new outcome, 95 %", "coverage_95", 0.95),
        tiny.predicted("a new outcome, 50 %", "coverage_50", 0.5),
        Linear::new(30, 3, 1.0).predicted("a new outcome, 50 %", "coverage_50", 0.5),
    ]
}
