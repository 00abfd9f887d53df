//! Classes: by a softmax regression and by small networks.

use super::measured::{Counted, Scenario};
use super::regress::{AREA, NEW, intervals};
use super::simulation::{Simulation, float, logistic};

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
        let fit = [
            "regress",
            "fit",
            "data.csv",
            "--y",
            "y",
            "--family",
            family,
            "--predict",
            "new.csv",
            "--level",
            "0.9",
        ];
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
        let fit = [
            "regress",
            "fit",
            "data.csv",
            "--y",
            "y",
            "--family",
            "mlp",
            "--predict",
            "data.csv",
            "--level",
            "0.9",
        ];
        let answer = simulation.answer(&fit);
        intervals(&answer, "mean_interval", truths.into_iter())
    })
}

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        softmax(60, 1.0, "softmax"),
        softmax(60, 2.0, "softmax"),
        softmax(60, 4.0, "softmax"),
        softmax(200, 4.0, "softmax"),
        softmax(60, 4.0, "mlp").slow(),
        network(60, Truth::Line),
        network(200, Truth::Line),
        network(60, Truth::Network).approximated(),
        network(200, Truth::Network).approximated(),
        network(60, Truth::Wave).approximated(),
        network(200, Truth::Wave).approximated(),
    ]
}
