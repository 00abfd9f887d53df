//! Enumeration against the reference table.

use posterior_inference::Enumeration;

use crate::corpus::{best_states_agree, joints_agree, marginals_agree};

#[test]
fn it_meets_the_reference() {
    marginals_agree(&Enumeration::default(), 1e-13);
    joints_agree(&Enumeration::default(), 1e-13);
    best_states_agree(&Enumeration::default(), 1e-13);
}
