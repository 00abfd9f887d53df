//! A small medical network by names (Lauritzen and Spiegelhalter 1988): a patient who is short of breath.
//!
//! `cargo run -p posterior-inference --example chest_clinic`

use posterior_inference::pgm::{BayesianNetwork, Error, Evidence, GraphicalModel, NetworkBuilder, Variables};
use posterior_inference::{Engine, JunctionTree, Targets};

fn clinic() -> Result<BayesianNetwork, Error> {
    let names = ["asia", "tuberculosis", "smoker", "cancer", "bronchitis", "either", "x-ray", "dyspnoea"];
    NetworkBuilder::new(Variables::new(names.map(|name| (name, ["no", "yes"])))?)
        .p("asia", [0.99, 0.01])?
        .p("tuberculosis | asia = no", [0.99, 0.01])?
        .p("tuberculosis | asia = yes", [0.95, 0.05])?
        .p("smoker", [0.5, 0.5])?
        .p("cancer | smoker = no", [0.99, 0.01])?
        .p("cancer | smoker = yes", [0.9, 0.1])?
        .p("bronchitis | smoker = no", [0.7, 0.3])?
        .p("bronchitis | smoker = yes", [0.4, 0.6])?
        .p("either | tuberculosis = no, cancer = no", [1.0, 0.0])?
        .p("either | tuberculosis = no, cancer = yes", [0.0, 1.0])?
        .p("either | tuberculosis = yes, cancer = no", [0.0, 1.0])?
        .p("either | tuberculosis = yes, cancer = yes", [0.0, 1.0])?
        .p("x-ray | either = no", [0.95, 0.05])?
        .p("x-ray | either = yes", [0.02, 0.98])?
        .p("dyspnoea | either = no, bronchitis = no", [0.9, 0.1])?
        .p("dyspnoea | either = no, bronchitis = yes", [0.2, 0.8])?
        .p("dyspnoea | either = yes, bronchitis = no", [0.3, 0.7])?
        .p("dyspnoea | either = yes, bronchitis = yes", [0.1, 0.9])?
        .build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = clinic()?;
    let engine = JunctionTree::default();
    let plan = engine.plan(&network, &Targets::All)?;
    let findings = [("dyspnoea", "yes"), ("asia", "yes"), ("x-ray", "no")];
    for count in 0..=findings.len() {
        let evidence = Evidence::named(network.variables(), findings[..count].iter().copied())?;
        let beliefs = engine.infer(&network, &plan, &evidence)?;
        println!("{:?}", &findings[..count]);
        for disease in ["tuberculosis", "cancer", "bronchitis"] {
            println!("  {disease}: {:.4}", beliefs.probability(disease, "yes")?);
        }
    }
    Ok(())
}
