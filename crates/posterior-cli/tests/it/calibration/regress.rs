//! Regression: numbers, classes, counts.

#![expect(clippy::single_match_else, reason = "both cases are results")]

use serde_json::Value;

use super::measured::{Counted, Scenario};
use super::simulation::{Simulation, ends, float, header, logistic};

const AREA: &str = "regress fit";

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
const NEW: usize = 5;

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
            let answer = simulation.answer(&["regress", "fit", "data.csv", "--y", "y"]);
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
            let answer = simulation.answer(&["regress", "fit", "data.csv", "--y", "y", "--errors", kind]);
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
            let fit = ["regress", "fit", "data.csv", "--y", "y", "--predict", "new.csv"];
            let answer = simulation.answer(&[&fit[..], more].concat());
            intervals(&answer, "interval_90", truth.iter().map(|&(outcome, _)| outcome))
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
            let fit = ["regress", "fit", "data.csv", "--y", "y", "--predict", "new.csv"];
            let answer = simulation.answer(&fit);
            intervals(&answer, "mean_interval_90", truth.iter().map(|&(_, mean)| mean))
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

fn intervals(answer: &Value, field: &str, truths: impl Iterator<Item = f64>) -> Counted {
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
            intervals(&answer, "interval_90", new.into_iter())
        })
    }

    fn fit(self, simulation: &Simulation) -> Value {
        let fit =
            ["regress", "fit", "data.csv", "--y", "y", "--family", self.family, "--predict", "data.csv"];
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
            intervals(&answer, "mean_interval_90", predictors.into_iter().map(mean))
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
        let fit = ["regress", "fit", "data.csv", "--y", "y", "--family", "ordinal", "--predict", "data.csv"];
        let answer = simulation.answer(&fit);
        let each = answer["predictions"].as_array().unwrap().iter();
        let each = each.flat_map(|own| own["probability_intervals_90"].as_array().unwrap());
        Counted::sum(each.zip(truths).map(|(own, truth)| Counted::interval(ends(own), truth)))
    })
}

/// Writes a table of two columns and a class: of numbers a network would make a curve.
fn labelled(simulation: &Simulation, name: &str, rows: &[Vec<f64>]) {
    let lines: Vec<String> = rows.iter().map(|row| format!("{},{},c{}", row[0], row[1], row[2])).collect();
    simulation.place.write(name, format!("x1,x2,y\n{}\n", lines.join("\n")));
}

/// Three classes by two columns: probabilities of new rows.
fn softmax(rows: usize, scale: f64, family: &'static str) -> Scenario {
    let on = format!("{family}, 3 classes, {rows} rows, 2 columns, logits of sd {scale}");
    Scenario::new(AREA, "the most probable class of a new row", on, move |simulation| {
        let draw = |simulation: &mut Simulation| [(); 3].map(|()| [simulation.normal(), simulation.normal()]);
        let mut weights = draw(simulation);
        let (mut all, mut classes) = (Vec::new(), Vec::<usize>::new());
        // Until every class is there.
        while all.len() < rows + 4 * NEW || !(0..3).all(|class| classes[..rows].contains(&class)) {
            if all.len() == rows + 4 * NEW {
                (all, classes, weights) = (Vec::new(), Vec::new(), draw(simulation));
            }
            let mut row = simulation.normals(2);
            let logits = weights.iter().map(|own| scale * (own[0] * row[0] + own[1] * row[1]) / 2_f64.sqrt());
            let exponentials: Vec<f64> = logits.map(f64::exp).collect();
            let sum: f64 = exponentials.iter().sum();
            let class = simulation.choice(&exponentials.iter().map(|own| own / sum).collect::<Vec<_>>());
            row.push(class as f64);
            all.push(row);
            classes.push(class);
        }
        labelled(simulation, "data.csv", &all[..rows]);
        labelled(simulation, "new.csv", &all[rows..]);
        let fit = ["regress", "fit", "data.csv", "--y", "y", "--family", family, "--predict", "new.csv"];
        let answer = simulation.answer(&fit);
        let predictions = answer["predictions"].as_array().unwrap();
        Counted::sum(predictions.iter().zip(&classes[rows..]).map(|(own, &class)| {
            let all: Vec<f64> = own["probabilities"].as_array().unwrap().iter().map(float).collect();
            let best = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])).unwrap();
            Counted::event(all[best], best == class)
        }))
    })
}

/// The predictor of two classes by a network.
#[derive(Debug, Clone, Copy)]
enum Truth {
    Line,
    /// It varies faster than the prior expects.
    Wave,
    /// From the prior, with weights of standard deviation 2.
    Network,
}

/// Two classes by a network.
fn network(rows: usize, truth: Truth) -> Scenario {
    let predictor = match truth {
        Truth::Line => "2 x1",
        Truth::Wave => "1.5 sin(2 x1)",
        Truth::Network => "a network of 20 units, weights N(0, 2)",
    };
    let on = format!("mlp, 2 classes, {rows} rows, 2 columns, predictor {predictor}");
    Scenario::new(AREA, "the probability of a row", on, move |simulation| {
        // Data sets of one class alone say nothing, and are drawn again.
        let (all, truths) = loop {
            let weights: Vec<f64> = simulation.normals(81).iter().map(|own| 2.0 * own).collect();
            let unit = |row: &[f64], w: &[f64]| w[3] * (w[0] * row[0] + w[1] * row[1] + w[2]).tanh();
            let (mut all, mut truths) = (Vec::new(), Vec::new());
            for _ in 0..rows {
                let mut row = simulation.normals(2);
                let p = logistic(match truth {
                    Truth::Line => 2.0 * row[0],
                    Truth::Wave => 1.5 * (2.0 * row[0]).sin(),
                    Truth::Network => {
                        weights[80] + weights[..80].chunks(4).map(|w| unit(&row, w)).sum::<f64>()
                    }
                });
                row.push(f64::from(u8::from(simulation.happens(p))));
                all.push(row);
                truths.push(p);
            }
            if all.iter().any(|row| row[2] != all[0][2]) {
                break (all, truths);
            }
        };
        labelled(simulation, "data.csv", &all);
        let fit = ["regress", "fit", "data.csv", "--y", "y", "--family", "mlp", "--predict", "data.csv"];
        let answer = simulation.answer(&fit);
        intervals(&answer, "mean_interval_90", truths.into_iter())
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
        softmax(60, 1.0, "softmax"),
        softmax(60, 2.0, "softmax"),
        softmax(60, 4.0, "softmax"),
        softmax(200, 4.0, "softmax"),
        softmax(60, 4.0, "mlp"),
        network(60, Truth::Line),
        network(200, Truth::Line),
        network(60, Truth::Network).approximated(),
        network(200, Truth::Network).approximated(),
        network(60, Truth::Wave).approximated(),
        network(200, Truth::Wave).approximated(),
        Linear::new(8, 3, 1.0).predicted("a new outcome, 95 %", "coverage_95", 0.95),
        wide.predicted("a new outcome, 95 %", "coverage_95", 0.95),
        tiny.predicted("a new outcome, 50 %", "coverage_50", 0.5),
        Linear::new(30, 3, 1.0).predicted("a new outcome, 50 %", "coverage_50", 0.5),
    ]
}
