//! The best path in blocks is the best path.

use posterior_math::linalg::DMatrix;

use super::super::{Edges, Transitions};
use super::*;

#[test]
fn messages_made_twice_give_the_same_path() {
    let number = |i: usize, seed: usize| ((i * 2_654_435_761 + seed * 40_503) % 10_007) as f64 / 1_000.0;
    for states in [1, 3, 5, 33] {
        let ln = DMatrix::from_fn(states, states, |i, j| number(i * states + j, 1));
        let transitions = Transitions::from_ln(&ln).expect("finite scores");
        let initial = vec![0.0; states];
        let nodes: Vec<f64> = (0..700 * states).map(|i| number(i, 2)).collect();
        let each: Vec<f64> = (0..699 * states * states).map(|i| number(i, 3)).collect();
        for edges in [Edges::Same(&transitions), Edges::Each(&each)] {
            let chain = LinearChain::new(&initial, edges, &nodes).expect("sizes agree");
            let whole = best_path(&chain, 700);
            for kept in [1, 26, 699] {
                assert_eq!(best_path(&chain, kept), whole);
            }
        }
    }
}
