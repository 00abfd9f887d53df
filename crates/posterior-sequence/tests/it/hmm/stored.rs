//! Models as data.

use posterior_dist::stream::stream;
use posterior_sequence::hmm::{HiddenMarkovModel, Topology};
use proptest::prelude::*;

use super::table::Table;

proptest! {
    #[test]
    fn a_model_is_read_back_bit_by_bit(seed in 0_u64..1000, states in 1_usize..6) {
        let model = Topology::ergodic(states).unwrap().random(Table(vec![vec![0.25, 0.75]; states]), &mut stream(seed, &[])).unwrap();
        let text = serde_json::to_string(&model).unwrap();
        let back: HiddenMarkovModel<Table> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(back, model);
    }
}

#[test]
fn what_is_read_is_checked() {
    let read = |text: &str| serde_json::from_str::<HiddenMarkovModel<Table>>(text).unwrap_err().to_string();
    let text = r#"{"initial":[0.5,0.6],"transition":[[1,0],[0,1]],"emissions":[[1.0],[1.0]]}"#;
    assert!(read(text).contains("initial probabilities"));
    let text = r#"{"initial":[0.5,0.5],"transition":[[1,0],[0]],"emissions":[[1.0],[1.0]]}"#;
    assert!(read(text).contains("columns of the transition matrix"));
}
