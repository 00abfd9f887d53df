//! Gaussian processes, time series, hidden Markov models.

#![expect(clippy::format_push_string, reason = "a text of a few lines")]

use posterior::math::linalg::{Cholesky, DMatrix, DVector};
use serde_json::Value;

use super::measured::{Counted, Scenario};
use super::simulation::{Simulation, ends, float, header, logistic};

const GP: &str = "gp fit";
const SERIES: &str = "series smooth";
const HMM: &str = "hmm fit";

/// New places of each data set.
const NEW: usize = 10;

/// A function of unit variance and length at uniform places from 0 to 10, times `scale` and around `offset`.
#[derive(Debug, Clone, Copy)]
struct Function {
    rows: usize,
    offset: f64,
    scale: f64,
}

impl Function {
    fn words(self) -> String {
        let Self { rows, offset, scale } = self;
        format!("{rows} rows, {offset} + {scale} (f(x) + N(0, .3)), f of kernel rbf(1)")
    }

    /// Places, and a root of the covariance of a function of unit variance there.
    fn places(self, simulation: &mut Simulation) -> (Vec<f64>, DMatrix<f64>) {
        let count = self.rows + NEW;
        let places: Vec<f64> = (0..count).map(|_| 10.0 * simulation.uniform()).collect();
        let gram = DMatrix::from_fn(count, count, |i, j| {
            let nugget = if i == j { 1e-8 } else { 0.0 };
            (-0.5 * (places[i] - places[j]).powi(2)).exp() + nugget
        });
        (places, Cholesky::new(&gram).unwrap().into_factor())
    }

    /// Places and values.
    fn draw(self, simulation: &mut Simulation) -> (Vec<f64>, Vec<f64>) {
        let (places, root) = self.places(simulation);
        let values = root * DVector::from_vec(simulation.normals(places.len()));
        (places, values.iter().map(|value| self.offset + self.scale * value).collect())
    }

    /// The answer on the first rows, and the functions and the outcomes at the others.
    fn numbers(self, simulation: &mut Simulation, more: &[&str]) -> (Value, Vec<f64>, Vec<f64>) {
        let (places, values) = self.draw(simulation);
        let noisy: Vec<f64> = values.iter().map(|f| f + 0.3 * self.scale * simulation.normal()).collect();
        let rows: Vec<Vec<f64>> = places.iter().zip(&noisy).map(|(&x, &y)| vec![x, y]).collect();
        simulation.table("data.csv", &header(1, &["y"]), &rows[..self.rows]);
        simulation.table("new.csv", &header(1, &["y"]), &rows[self.rows..]);
        let fit =
            ["gp", "fit", "data.csv", "--x", "x1", "--y", "y", "--predict", "new.csv", "--level", "0.9"];
        let answer = simulation.answer(&[&fit[..], more].concat());
        (answer, values[self.rows..].to_vec(), noisy[self.rows..].to_vec())
    }

    fn functions(self, more: &'static [&'static str]) -> Scenario {
        let on = format!("{}; {}", self.words(), more.join(" "));
        Scenario::new(GP, "the function", on, move |simulation| {
            let (answer, functions, _) = self.numbers(simulation, more);
            intervals(&answer, "function_interval", &functions)
        })
    }

    fn outcomes(self, more: &'static [&'static str]) -> Scenario {
        let on = format!("{}; {}", self.words(), more.join(" "));
        Scenario::new(GP, "a new outcome", on, move |simulation| {
            let (answer, _, outcomes) = self.numbers(simulation, more);
            intervals(&answer, "interval", &outcomes)
        })
    }

    /// Two classes or counts, rare ones.
    fn rare(self, likelihood: &'static str, kernel: &'static str) -> Scenario {
        let Self { rows, offset, scale } = self;
        let on = format!("{likelihood}, {rows} rows, f = {offset} + {scale} g(x), kernel {kernel}");
        Scenario::new(GP, "predicted and happened at new places", on, move |simulation| {
            let (rows, events) = loop {
                let (places, values) = self.draw(simulation);
                let outcome = |f: &f64| match likelihood {
                    "poisson" => simulation.poisson(f.exp()),
                    _ => f64::from(u8::from(simulation.happens(logistic(*f)))),
                };
                let events: Vec<f64> = values.iter().map(outcome).collect();
                let rows: Vec<Vec<f64>> = places.iter().zip(&events).map(|(&x, &y)| vec![x, y]).collect();
                if events[..self.rows].iter().any(|&y| y > 0.0) && events[..self.rows].contains(&0.0) {
                    break (rows, events);
                }
            };
            simulation.table("data.csv", &header(1, &["y"]), &rows[..self.rows]);
            simulation.table("new.csv", &header(1, &["y"]), &rows[self.rows..]);
            let fit =
                ["gp", "fit", "data.csv", "--x", "x1", "--y", "y", "--predict", "new.csv", "--level", "0.9"];
            let answer = simulation.answer(
                &[&fit[..], &["--kernel", kernel, "--likelihood", likelihood, "--mean", "constant"]].concat(),
            );
            let predictions = answer["predictions"].as_array().unwrap();
            Counted::sum(predictions.iter().zip(&events[self.rows..]).map(|(own, &happened)| {
                let stated = match likelihood {
                    "poisson" => float(&own["response"]),
                    _ => float(&own["probability"]),
                };
                Counted { stated, found: happened, of: 1.0 }
            }))
        })
    }
}

/// Three classes by the softmax of functions with this variance: the most probable class at new places.
fn several_classes(rows: usize, scale: f64, kernel: &'static str) -> Scenario {
    let on = format!("three classes, {rows} rows, softmax of three functions {scale} g(x), kernel {kernel}");
    Scenario::new(GP, "the most probable class at new places", on, move |simulation| {
        let function = Function { rows, offset: 0.0, scale };
        let count = rows + NEW;
        let (places, labels) = loop {
            let (places, root) = function.places(simulation);
            let functions = [(); 3].map(|()| &root * DVector::from_vec(simulation.normals(count)) * scale);
            let label = |i: usize| {
                let weights = functions.each_ref().map(|own| own[i].exp());
                let total: f64 = weights.iter().sum();
                simulation.choice(&weights.map(|own| own / total)) as f64
            };
            let labels: Vec<f64> = (0..count).map(label).collect();
            if (0..3).all(|class| labels[..rows].contains(&f64::from(class))) {
                break (places, labels);
            }
        };
        let table: Vec<Vec<f64>> = places.iter().zip(&labels).map(|(&x, &y)| vec![x, y]).collect();
        simulation.table("data.csv", &header(1, &["y"]), &table[..rows]);
        simulation.table("new.csv", &header(1, &["y"]), &table[rows..]);
        let fit =
            ["gp", "fit", "data.csv", "--x", "x1", "--y", "y", "--predict", "new.csv", "--level", "0.9"];
        let answer =
            simulation.answer(&[&fit[..], &["--kernel", kernel, "--likelihood", "softmax"]].concat());
        let predictions = answer["predictions"].as_array().unwrap();
        Counted::sum(predictions.iter().zip(&labels[rows..]).map(|(own, &label)| {
            let p: Vec<f64> = own["probability"].as_array().unwrap().iter().map(float).collect();
            let best = (0..3).max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
            // Classes are named by their numbers, in order.
            Counted::event(p[best], best as f64 == label)
        }))
    })
}

fn intervals(answer: &Value, field: &str, truths: &[f64]) -> Counted {
    let predictions = answer["predictions"].as_array().unwrap();
    let of = |(own, &truth): (&Value, &f64)| Counted::interval(ends(&own[field]), truth);
    Counted::sum(predictions.iter().zip(truths).map(of))
}

/// A random walk with steps of unit variance seen through noise of variance 4, and its next five values.
fn walk(rows: usize, more: &'static [&'static str]) -> Scenario {
    const AHEAD: usize = 5;
    let on = format!("local level, {rows} times, 5 steps ahead; {}", more.join(" "));
    Scenario::new(SERIES, "a new value", on, move |simulation| {
        let (mut level, mut rows_of, mut values) = (100.0, Vec::new(), Vec::new());
        for time in 0..rows + AHEAD {
            level += simulation.normal();
            let value = level + 2.0 * simulation.normal();
            rows_of.push(vec![time as f64, value]);
            values.push(value);
        }
        simulation.table("data.csv", &["t".to_owned(), "y".to_owned()], &rows_of[..rows]);
        let answer = simulation.answer(
            &[&["series", "smooth", "data.csv", "--forecast", "5", "--level", "0.9"][..], more].concat(),
        );
        let forecasts = answer["forecast"].as_array().unwrap();
        Counted::sum(forecasts.iter().zip(&values[rows..]).map(|(own, &value)| {
            Counted::interval(["observation_q05", "observation_q95"].map(|name| float(&own[name])), value)
        }))
    })
}

/// A logarithm of a rate near 60 that wanders, its counts, and the next five of them: counts are large, so
/// that whole numbers do not make intervals wider.
fn counts(rows: usize, likelihood: &'static str, size: Option<u32>) -> Scenario {
    const AHEAD: usize = 5;
    let on = format!("ln of a rate near 60 with steps of 0.1, {rows} {likelihood} counts, 5 steps ahead");
    Scenario::new(SERIES, "a new count", on, move |simulation| {
        let (mut level, mut rows_of) = (60_f64.ln(), Vec::new());
        for time in 0..rows + AHEAD {
            level += 0.1 * simulation.normal();
            let more = size.map_or(1.0, |size| simulation.gamma(size));
            rows_of.push(vec![time as f64, simulation.poisson(level.exp() * more)]);
        }
        simulation.table("data.csv", &["t".to_owned(), "y".to_owned()], &rows_of[..rows]);
        let fit =
            ["series", "smooth", "data.csv", "--forecast", "5", "--level", "0.9", "--likelihood", likelihood];
        let answer = simulation.answer(&fit);
        let forecasts = answer["forecast"].as_array().unwrap();
        Counted::sum(forecasts.iter().zip(&rows_of[rows..]).map(|(own, row)| {
            Counted::interval(["observation_q05", "observation_q95"].map(|name| float(&own[name])), row[1])
        }))
    })
}

/// The same walk where ten values in the middle are missing: the level there.
fn gap(rows: usize) -> Scenario {
    const MISSING: usize = 10;
    let on = format!("local level, {rows} times around a gap of {MISSING}; --fit");
    Scenario::new(SERIES, "the level in the gap", on, move |simulation| {
        let (mut level, mut lines, mut levels) = (100.0, String::from("t,y\n"), Vec::new());
        let missing = rows / 2..rows / 2 + MISSING;
        for time in 0..rows + MISSING {
            level += simulation.normal();
            let value = level + 2.0 * simulation.normal();
            if missing.contains(&time) {
                levels.push(level);
                lines += &format!("{time},\n");
            } else {
                lines += &format!("{time},{value}\n");
            }
        }
        simulation.place.write("data.csv", lines);
        let answer = simulation.answer(&["series", "smooth", "data.csv", "--fit", "--level", "0.9"]);
        let smoothed = answer["smoothed"].as_array().unwrap();
        Counted::sum(smoothed[missing].iter().zip(&levels).map(|(own, &level)| {
            Counted::interval(["signal_q05", "signal_q95"].map(|name| float(&own[name])), level)
        }))
    })
}

/// Two states with normal emissions two standard deviations apart: the probability of the state at each time.
fn states(rows: usize) -> Scenario {
    let on = format!("two states that stay with .9, N(0, 1) and N(2, 1), {rows} times");
    let scenario = Scenario::new(HMM, "the most probable state", on, move |simulation| {
        let (mut state, mut truth, mut values) = (0, Vec::new(), Vec::new());
        for _ in 0..rows {
            if simulation.happens(0.1) {
                state = 1 - state;
            }
            truth.push(state);
            values.push(vec![2.0 * state as f64 + simulation.normal()]);
        }
        simulation.table("data.csv", &["y".to_owned()], &values);
        let fit = ["hmm", "fit", "data.csv", "--states", "2", "--emission", "gaussian", "--out", "out"];
        simulation.answer(&fit);
        let stated: Vec<[f64; 2]> = simulation
            .column("out/states.csv", "p_0")
            .into_iter()
            .zip(simulation.column("out/states.csv", "p_1"))
            .map(|(first, second)| [first, second])
            .collect();
        // States have no names: those that agree more often are the same.
        let agree = |swap: usize| {
            stated.iter().zip(&truth).filter(|(own, t)| usize::from(own[1] > own[0]) == (**t ^ swap)).count()
        };
        let swap = usize::from(agree(1) > agree(0));
        Counted::sum(stated.iter().zip(&truth).map(|(own, &t)| {
            let best = usize::from(own[1] > own[0]);
            Counted::event(own[best], best == t ^ swap)
        }))
    });
    scenario.parameters_known()
}

pub(super) fn scenarios() -> Vec<Scenario> {
    const KNOWN: &[&str] = &["--kernel", "1*rbf(1)", "--noise", "0.09"];
    const FITTED: &[&str] = &["--kernel", "rbf(1)", "--optimize"];
    const KEPT: &[&str] = &["--kernel", "rbf(1)", "--optimize", "--parameters", "known"];
    let plain = |rows| Function { rows, offset: 0.0, scale: 1.0 };
    let far = |rows, offset, scale| Function { rows, offset, scale };
    vec![
        plain(30).functions(KNOWN),
        plain(30).outcomes(KNOWN),
        plain(10).functions(FITTED),
        plain(10).outcomes(FITTED),
        plain(20).functions(FITTED),
        plain(20).functions(KEPT).parameters_known(),
        plain(60).functions(FITTED),
        plain(60).outcomes(FITTED),
        plain(150).functions(FITTED),
        far(60, 100.0, 1.0).functions(FITTED),
        far(60, 1e6, 1.0).functions(FITTED),
        far(60, 0.0, 1000.0).outcomes(FITTED),
        far(60, 100.0, 0.001).outcomes(FITTED),
        far(100, -3.0, 1.0).rare("bernoulli", "1*rbf(1)"),
        far(100, -1.5, 1.0).rare("poisson", "1*rbf(1)"),
        several_classes(60, 1.0, "1*rbf(1)"),
        several_classes(60, 2.0, "4*rbf(1)"),
        walk(40, &["--params", "level=1,noise=4"]),
        walk(15, &["--fit"]),
        walk(40, &["--fit"]),
        walk(150, &["--fit"]),
        // Two points a parameter.
        walk(400, &["--fit"]),
        walk(15, &["--parameters", "known"]).parameters_known(),
        counts(40, "poisson", None),
        counts(150, "poisson", None),
        counts(60, "negative-binomial", Some(8)),
        gap(15),
        gap(40),
        gap(150),
        gap(400),
        states(100),
        states(400),
    ]
}
