//! The formats of the inference competitions.

use std::fs;

use posterior_pgm::uai::{self, Answer};
use posterior_pgm::{Error, Evidence, GraphicalModel, Model, VarId, Variables};
use posterior_testkit::shared::shared_file;

use super::{BAYES, MARKOV};

#[test]
fn the_last_variable_of_a_table_is_the_fastest() {
    let file = uai::read(MARKOV.as_bytes()).unwrap();
    assert!(matches!(file.model, Model::Markov(_)));
    let table = &file.model.factors()[1];
    assert_eq!(table.cards(), [2, 2, 3]);
    assert_eq!(table.at(&[0, 0, 2]), 3.75);
    assert_eq!(table.at(&[0, 1, 2]), 10.0);
    assert_eq!(table.at(&[1, 0, 0]), 1.875);
}

#[test]
fn a_bayesian_network_has_the_child_last() {
    let Model::Bayesian(network) = uai::read(BAYES.as_bytes()).unwrap().model else { panic!("a field") };
    let [a, b, c] = [0, 1, 2].map(VarId::new);
    assert_eq!(network.cpt(c).scope(), [b, a, c]);
    assert_eq!(network.cpt(c).at(&[0, 1, 2]), 0.8);
    assert_eq!(network.cpt(b).at(&[1, 0]), 0.4);
    assert_eq!(network.cpt(a).values(), [0.5, 0.5]);
}

/// Name, variables, tables, states, scope, seen, log₁₀ Z, log₁₀ of the most probable joint state.
fn instances(folder: &str) -> Vec<Vec<String>> {
    let Some(csv) = shared_file("uai", &format!("data/mrf/{folder}/instances.csv")) else {
        return Vec::new();
    };
    let csv = fs::read_to_string(csv).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn the_models_of_the_competition_have_their_sizes() {
    let all = instances("uai");
    for row in &all {
        let path = |end: &str| shared_file("uai", &format!("data/mrf/uai/{}.uai{end}", row[0]));
        let bytes = |end: &str| fs::read(path(end).unwrap()).unwrap();
        let model = uai::read(&bytes("")).unwrap().model;
        let variables = model.variables();
        let evidence = uai::read_evidence(&bytes(".evid"), variables).unwrap();
        let sizes = [
            variables.len(),
            model.factors().len(),
            *variables.cards().iter().max().unwrap(),
            model.factors().iter().map(|table| table.scope().len()).max().unwrap(),
            evidence[0].len(),
        ];
        assert_eq!(sizes.map(|size| size.to_string())[..], row[2..7], "{}", row[0]);
        assert_eq!(evidence.len(), 1);
        let log10_z: f64 = row[7].parse().unwrap();
        let Answer::Pr { log10_z: read } = uai::read_answer(&bytes(".PR")).unwrap() else { panic!("no PR") };
        assert!((read - log10_z).abs() < 1e-9 * log10_z.abs());
        let Answer::Mar(marginals) = uai::read_answer(&bytes(".MAR")).unwrap() else { panic!("no MAR") };
        let states: Vec<usize> = marginals.iter().map(Vec::len).collect();
        assert_eq!(states, variables.cards());
        assert!(marginals.iter().all(|marginal| (marginal.iter().sum::<f64>() - 1.0).abs() < 1e-8));
        // The most probable joint state has the value that the table says: tables and states are read in the
        // right order.
        let Answer::Mpe(states) = uai::read_answer(&bytes(".MPE")).unwrap() else { panic!("no MPE") };
        let Model::Markov(field) = &model else { panic!("a network") };
        let value = field.ln_score(&states) / std::f64::consts::LN_10;
        assert!(
            (value - row[8].parse::<f64>().unwrap()).abs() < 1e-8 * value.abs().max(1.0),
            "{}: {value}",
            row[0]
        );
        assert_eq!(uai::read(uai::write(&model).as_bytes()).unwrap().model, model);
    }
    assert!(all.is_empty() || all.len() == 18);
}

#[test]
fn the_wider_models_of_the_competition_are_read() {
    for row in instances("uai_wide") {
        let bytes = |end: &str| {
            fs::read(shared_file("uai", &format!("data/mrf/uai_wide/{}.uai{end}", row[0])).unwrap()).unwrap()
        };
        let model = uai::read(&bytes("")).unwrap().model;
        uai::read_evidence(&bytes(".evid"), model.variables()).unwrap();
        let Answer::Mar(marginals) = uai::read_answer(&bytes(".MAR")).unwrap() else { panic!("no MAR") };
        assert_eq!(marginals.iter().map(Vec::len).collect::<Vec<_>>(), model.variables().cards());
    }
}

#[test]
fn evidence_is_read_in_both_styles() {
    let variables = Variables::numbered(&[2; 5]).unwrap();
    let read = |text: &str| uai::read_evidence(text.as_bytes(), &variables).unwrap();
    let one =
        |states: &[(usize, usize)]| Evidence::of(states.iter().map(|&(v, state)| (VarId::new(v), state)));
    assert_eq!(read("0"), [one(&[])]);
    assert_eq!(read("2 3 1 0 0\n"), [one(&[(0, 0), (3, 1)])]);
    assert_eq!(read("1\n2 3 1 0 0\n"), [one(&[(0, 0), (3, 1)])]);
    assert_eq!(read("1\n0\n"), [one(&[])]);
    assert_eq!(read("3 1 4 0  0  2 0 1 1 0"), [one(&[(4, 0)]), one(&[]), one(&[(0, 1), (1, 0)])]);
    // Both styles fit: the ends of lines decide.
    assert_eq!(read("2 1 0 0 0"), [one(&[(1, 0), (0, 0)])]);
    assert_eq!(read("2\n1 0\n0 0"), [one(&[(1, 0), (0, 0)])]);
    assert_eq!(read("2\n1 0 0\n0"), [one(&[(0, 0)]), one(&[])]);
    assert_eq!(read("# seen\n2 # two samples\n1 0 0\n0\n"), [one(&[(0, 0)]), one(&[])]);
    let text = uai::write_evidence(&one(&[(0, 0), (3, 1)])).unwrap();
    assert_eq!(text, "2 0 0 3 1\n");
    let likely = Evidence::none().with_likelihood(VarId::new(0), vec![0.5, 1.0]);
    assert!(matches!(uai::write_evidence(&likely), Err(Error::Unwritable { .. })));
}

#[test]
fn queries_and_answers_are_read_as_they_are_written() {
    let variables = Variables::numbered(&[2; 5]).unwrap();
    let query = [4, 0, 2].map(VarId::new);
    assert_eq!(uai::write_query(&query), "3 4 0 2\n");
    assert_eq!(uai::read_query(b" 3\t4 0\n2", &variables).unwrap(), query);
    let answers = [
        Answer::Pr { log10_z: -12.5 },
        Answer::Pr { log10_z: f64::NEG_INFINITY },
        Answer::Mar(vec![vec![0.25, 0.75], vec![1e-300, 0.1, 0.3]]),
        Answer::Mpe(vec![0, 1, 0]),
        Answer::Mmap(vec![(VarId::new(4), 1), (VarId::new(0), 0)]),
    ];
    for answer in answers {
        assert_eq!(uai::read_answer(uai::write_answer(&answer).as_bytes()).unwrap(), answer);
    }
    let read = |text: &str| uai::read_answer(text.as_bytes()).unwrap();
    assert_eq!(read("PR\n1\n-0.5\n"), Answer::Pr { log10_z: -0.5 });
    assert_eq!(read("MAR 1 1 2 0.5 0.5"), Answer::Mar(vec![vec![0.5, 0.5]]));
    assert_eq!(read("MPE 1 0"), Answer::Mpe(vec![0]));
    assert_eq!(read("MAP\n1\n2 0 1"), Answer::Mpe(vec![0, 1]));
    assert_eq!(read("PR\n-BEGIN-\n-1\n-BEGIN-\n-2\n"), Answer::Pr { log10_z: -2.0 });
    assert_eq!(read("MMAP\n-1 garbage\n-BEGIN-\n1 3 1"), Answer::Mmap(vec![(VarId::new(3), 1)]));
    // ln 10 = 2.302585…
    assert!((read("PR 2").ln_z().unwrap() - 4.605_170_185_988_092).abs() < 1e-15);
    assert_eq!(Answer::of_ln_z(1000f64.ln()), Answer::Pr { log10_z: 1000f64.ln() / 10f64.ln() });
}
