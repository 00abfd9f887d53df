//! Graphs, networks and fields.

use posterior::graph::{Dag, Names, VarId};
use posterior::inference::{Engine, JunctionTree, MapEngine, Targets};
use posterior::math::linalg::DMatrix;
use posterior::pgm::{
    BayesianNetwork, Evidence, FamilyCounts, GraphicalModel, LogLinear, MarkovRandomField, Records,
    SumProduct, Table, Variables,
};

use crate::{close, differs};

fn v(index: usize) -> VarId {
    VarId::new(index)
}

fn binary(scope: &[usize], values: &[f64]) -> Table {
    let scope: Vec<VarId> = scope.iter().map(|&index| v(index)).collect();
    Table::new(scope.clone(), vec![2; scope.len()], values.to_vec()).unwrap()
}

fn arrows(count: usize, arrows: &[(usize, usize)]) -> Result<Dag, posterior::graph::Error> {
    Dag::new(Names::numbered(count), arrows.iter().map(|&(from, to)| (v(from), v(to))))
}

fn ln_z(model: &impl GraphicalModel) -> f64 {
    JunctionTree::default().query(model, &Targets::All, &Evidence::none()).unwrap().ln_z().value()
}

/// Two variables cannot be parents of each other.
#[test]
fn erratum_04() {
    assert!(arrows(4, &[(0, 3), (1, 3), (2, 3), (1, 2), (3, 2)]).is_err());
    assert!(arrows(4, &[(0, 3), (1, 3), (2, 3), (1, 2)]).is_ok());
}

/// A chain says that its ends are independent given the middle, and dependent else, but for some tables.
#[test]
fn erratum_40() {
    let chain = arrows(3, &[(0, 1), (1, 2)]).unwrap();
    let separated = |given: &[VarId]| chain.d_connected_to(&[v(0)], given).unwrap().contains(&v(2));
    assert!(!separated(&[v(1)]) && separated(&[]));
    let first = binary(&[0], &[0.3, 0.7]);
    let with = |middle: &[f64; 4]| {
        let tables = [&first, &binary(&[0, 1], middle), &binary(&[1, 2], &[0.9, 0.1, 0.2, 0.8])];
        Table::product_marginal::<SumProduct>(&tables, &[v(0), v(1), v(2)]).unwrap()
    };
    let ends = |joint: &Table| joint.conditional_mutual_information(&[v(0)], &[v(2)], &[]).unwrap();
    let generic = with(&[0.8, 0.2, 0.4, 0.6]);
    assert!(ends(&generic) > 0.01);
    close(generic.conditional_mutual_information(&[v(0)], &[v(2)], &[v(1)]).unwrap(), 0.0, 14);
    close(ends(&with(&[0.6, 0.4, 0.6, 0.4])), 0.0, 14);
}

/// Without p > 0 independence on a graph does not give factors: eight of the states of a ring of four.
#[test]
fn erratum_41() {
    let states = ["0000", "1000", "1100", "1110", "0001", "0011", "0111", "1111"];
    let mut values = vec![0.0; 16];
    for state in states {
        values[usize::from_str_radix(state, 2).unwrap()] = 0.125;
    }
    let joint = binary(&[0, 1, 2, 3], &values);
    let given =
        |a: usize, b: usize, c: &[VarId]| joint.conditional_mutual_information(&[v(a)], &[v(b)], c).unwrap();
    close(given(0, 2, &[v(1), v(3)]), 0.0, 14);
    close(given(1, 3, &[v(0), v(2)]), 0.0, 14);
    // Factors of the edges would be positive wherever the edges' marginals are, which is everywhere; but some
    // states have probability zero.
    for (a, b) in [(0, 1), (1, 2), (2, 3), (0, 3)] {
        let edge = joint.marginal::<SumProduct>(&[v(a), v(b)]).unwrap();
        assert!(edge.values().iter().all(|&p| p > 0.0));
    }
    assert!(joint.values().contains(&0.0));
}

/// p = exp(Σ w φ - ln Z): a plus before ln Z is not normalised.
#[test]
fn erratum_42() {
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let feature = binary(&[0, 1], &[1.0, 0.0, 0.0, 1.0]);
    let model = LogLinear::new(variables, vec![feature], vec![0.7]).unwrap();
    let (field, constant) = model.field().unwrap();
    let ln_z = ln_z(&field) + constant;
    let sum = |sign: f64| {
        let states = [[0, 0], [0, 1], [1, 0], [1, 1]];
        states.iter().map(|state| (model.score(state) + sign * ln_z).exp()).sum::<f64>()
    };
    close(ln_z, (2.0 * 0.7_f64.exp() + 2.0).ln(), 14);
    close(sum(-1.0), 1.0, 14);
    differs(sum(1.0), 1.0);
}

/// Messages along a chain: the forward ones come from forward ones, with the factor transposed.
#[test]
fn erratum_43() {
    let psi = [[1.0, 3.0, 0.5, 2.0], [0.2, 1.0, 4.0, 1.0]];
    let variables = Variables::numbered(&[2, 2, 2]).unwrap();
    let factors = vec![binary(&[0, 1], &psi[0]), binary(&[1, 2], &psi[1])];
    let model = MarkovRandomField::new(variables, factors).unwrap();
    let beliefs = JunctionTree::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    let matrix = |psi: &[f64; 4]| DMatrix::from_row_slice(2, 2, psi);
    let ones = DMatrix::from_element(2, 1, 1.0);
    let normal = |m: DMatrix<f64>| &m / m.sum();
    let forward = normal(matrix(&psi[1]).transpose() * (matrix(&psi[0]).transpose() * &ones));
    let backward = normal(matrix(&psi[0]) * (matrix(&psi[1]) * &ones));
    for state in 0..2 {
        close(forward[state], beliefs.marginal(v(2)).unwrap()[state], 14);
        close(backward[state], beliefs.marginal(v(0)).unwrap()[state], 14);
    }
    let printed = normal(matrix(&psi[1]).transpose() * (matrix(&psi[0]) * &ones));
    differs(printed[0], beliefs.marginal(v(2)).unwrap()[0]);
}

/// The best states of single variables need not be a best state: pointers back are followed from the end.
#[test]
fn erratum_44() {
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let model = MarkovRandomField::new(variables, vec![binary(&[0, 1], &[0.1, 0.4, 0.4, 0.1])]).unwrap();
    let best = JunctionTree::default().most_probable(&model, &Evidence::none()).unwrap();
    close(model.ln_score(&best.states), 0.4_f64.ln(), 14);
    // Both states of both variables have the same max-marginal: choosing each alone may give this.
    assert!(model.ln_score(&[0, 0]) < model.ln_score(&best.states) - 1.0);
}

/// Factors multiply: the best state has the largest sum of logarithms, not of factors.
#[test]
fn erratum_58() {
    let variables = Variables::numbered(&[2]).unwrap();
    let factors = vec![binary(&[0], &[5.0, 2.0]), binary(&[0], &[0.1, 2.0])];
    let model = MarkovRandomField::new(variables, factors).unwrap();
    let best = JunctionTree::default().most_probable(&model, &Evidence::none()).unwrap();
    assert_eq!(best.states, [1]);
    let sum = |state: usize| model.factors().iter().map(|factor| factor.at(&[state])).sum::<f64>();
    assert!(sum(0) > sum(1));
}

/// Maximum likelihood sums over the states of a variable and of its parents, and is undefined for parents'
/// states that were never seen; the same for coins: λ counts draws of red, θ tosses of red coins.
#[test]
fn erratum_59() {
    let dag = arrows(2, &[(0, 1)]).unwrap();
    let variables = Variables::numbered(&[3, 2]).unwrap();
    let records = Records::complete(variables, [[0, 1], [0, 0], [0, 1], [1, 1]].iter().map(|r| &r[..]));
    let counts = FamilyCounts::of(&records.unwrap(), &dag).unwrap();
    let (fitted, unseen) = counts.maximum_likelihood().unwrap();
    close(fitted.cpt(v(1)).at(&[0, 1]), 2.0 / 3.0, 15);
    close(
        counts.ln_likelihood(&fitted).unwrap(),
        3.0 * 0.75_f64.ln() + 0.25_f64.ln() + 2.0 * (2.0 / 3.0_f64).ln() + (1.0 / 3.0_f64).ln(),
        13,
    );
    assert_eq!((unseen.len(), unseen[0].row), (1, 2));
}

/// Naive Bayes of N classes and V words, present or not: N-1 and N V free numbers.
#[test]
fn erratum_60() {
    let (classes, words) = (3, 4);
    let variables = Variables::numbered(&[3, 2, 2, 2, 2]).unwrap();
    let mut tables = vec![Table::new(vec![v(0)], vec![3], vec![1.0 / 3.0; 3]).unwrap()];
    for word in 1..=words {
        tables.push(Table::new(vec![v(0), v(word)], vec![3, 2], vec![0.5; 6]).unwrap());
    }
    let network = BayesianNetwork::new(variables, tables).unwrap();
    assert_eq!(network.parameter_count(), (classes - 1) + classes * words);
    assert_ne!(network.parameter_count(), 2 * words);
}

/// A complete graph claims no independence.
#[test]
fn erratum_61() {
    assert!(arrows(3, &[(0, 1), (0, 2), (1, 2)]).unwrap().independencies().unwrap().is_empty());
    assert!(!arrows(3, &[(0, 2), (1, 2)]).unwrap().independencies().unwrap().is_empty());
}

/// The normaliser of a posterior is P(D) = Σ P(D|H) P(H), the sum over all hypotheses.
#[test]
fn erratum_76() {
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let tables = vec![binary(&[0], &[0.2, 0.8]), binary(&[0, 1], &[0.9, 0.1, 0.4, 0.6])];
    let network = BayesianNetwork::new(variables, tables).unwrap();
    let seen = Evidence::none().with(v(1), 1);
    let beliefs = JunctionTree::default().query(&network, &Targets::All, &seen).unwrap();
    close(beliefs.ln_z().value().exp(), 0.2 * 0.1 + 0.8 * 0.6, 14);
    close(beliefs.marginal(v(0)).unwrap()[0], 0.02 / 0.5, 14);
}

/// Coins drawn and tossed: the share of red counts draws, the heads of red count tosses of red.
#[test]
fn erratum_86() {
    let dag = arrows(2, &[(0, 1)]).unwrap();
    let variables = Variables::numbered(&[2, 2]).unwrap();
    // Two draws of three tosses each: red with two heads, blue with one.
    let tosses = [[0, 1], [0, 1], [0, 0], [1, 0], [1, 0], [1, 1]];
    let records = Records::complete(variables, tosses.iter().map(|r| &r[..])).unwrap();
    let fitted = FamilyCounts::of(&records, &dag).unwrap().maximum_likelihood().unwrap().0;
    close(fitted.cpt(v(1)).at(&[0, 1]), 2.0 / 3.0, 15);
    // By draws in place of tosses the proportion of heads would be two.
    differs(2.0 / 1.0, fitted.cpt(v(1)).at(&[0, 1]));
}

/// A joint table of D, I, G and S has |D||I||G||S| - 1 free numbers.
#[test]
fn erratum_90() {
    let cards = [2, 2, 3, 2];
    let variables = Variables::numbered(&cards).unwrap();
    let tables = (0..4).map(|last| {
        let scope: Vec<VarId> = (0..=last).map(v).collect();
        let cells = cards[..=last].iter().product();
        Table::new(scope, cards[..=last].to_vec(), vec![1.0 / cards[last] as f64; cells]).unwrap()
    });
    let network = BayesianNetwork::new(variables, tables.collect()).unwrap();
    assert_eq!(network.parameter_count(), 2 * 2 * 3 * 2 - 1);
}
