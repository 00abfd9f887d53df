//! Clusters and classifiers.

use super::measured::{Counted, Scenario};
use super::simulation::Simulation;

/// Two groups of the plane, `apart` standard deviations from each other along the first axis.
fn draw(simulation: &mut Simulation, rows: usize, apart: f64) -> Vec<(usize, Vec<f64>)> {
    let mut row = || {
        let group = usize::from(simulation.happens(0.5));
        (group, vec![apart * group as f64 + simulation.normal(), simulation.normal()])
    };
    (0..rows).map(|_| row()).collect()
}

/// The stated probabilities of memberships. Groups that are nearer are often found as one, and then a cluster
/// is neither of them.
fn clusters(method: &'static str, rows: usize, apart: f64) -> Scenario {
    let on = format!("{method}, two normal groups {apart} sd apart, {rows} rows");
    Scenario::new("cluster fit", "membership in a cluster", on, move |simulation| {
        let all = draw(simulation, rows, apart);
        let values: Vec<Vec<f64>> = all.iter().map(|(_, row)| row.clone()).collect();
        simulation.table("data.csv", &["a".to_owned(), "b".to_owned()], &values);
        simulation.answer(&["cluster", "fit", "data.csv", "--method", method, "--k", "2", "--out", "out"]);
        let groups = simulation.column("out/assignments.csv", "group");
        let stated = simulation.column("out/assignments.csv", "probability");
        let agree = |swap: usize| {
            all.iter().zip(&groups).filter(|(own, found)| (own.0 ^ swap) as f64 == **found).count()
        };
        let swap = usize::from(agree(1) > agree(0));
        Counted::sum(
            all.iter().zip(&groups).zip(&stated).map(|((own, &group), &probability)| {
                Counted::event(probability, (own.0 ^ swap) as f64 == group)
            }),
        )
    })
}

/// The probabilities of classes of new rows by naive Bayes, whose assumption holds.
fn classes(rows: usize, apart: f64) -> Scenario {
    let on = format!("gaussian-nb, two normal classes {apart} sd apart, {rows} rows");
    Scenario::new("classify predict", "the most probable class", on, move |simulation| {
        let write = |simulation: &mut Simulation, name: &str, rows: usize| {
            let all = draw(simulation, rows, apart);
            let lines: Vec<String> =
                all.iter().map(|(group, row)| format!("{},{},c{group}", row[0], row[1])).collect();
            simulation.place.write(name, format!("a,b,label\n{}\n", lines.join("\n")));
            all
        };
        write(simulation, "data.csv", rows);
        let new = write(simulation, "new.csv", 20);
        let fit =
            ["classify", "fit", "data.csv", "--label", "label", "--method", "gaussian-nb", "--out", "model"];
        simulation.answer(&fit);
        let answer = simulation.answer(&["classify", "predict", "model", "new.csv"]);
        let predictions = answer["predictions"].as_array().unwrap();
        Counted::sum(predictions.iter().zip(&new).map(|(own, (group, _))| {
            Counted::event(own["probability"].as_f64().unwrap(), own["class"] == format!("c{group}"))
        }))
    })
}

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        clusters("gmm", 300, 4.0).parameters_known(),
        clusters("gmm", 50, 4.0).parameters_known(),
        clusters("vb-gmm", 300, 4.0).parameters_known(),
        clusters("gibbs-gmm", 300, 4.0).slow(),
        classes(30, 1.5),
        classes(300, 1.5),
    ]
}
