//! A question to a Bayesian network: what it will cost, the answer, the most probable states.
//!
//! `cargo run -p posterior-inference --example wet_grass`

use posterior_inference::pgm::{BayesianNetwork, Evidence, Table, Variables};
use posterior_inference::{Engine, JunctionTree, MapEngine, Targets};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variables =
        Variables::new([("rain", ["no", "yes"]), ("sprinkler", ["off", "on"]), ("grass", ["dry", "wet"])])?;
    let [rain, sprinkler, grass] = ["rain", "sprinkler", "grass"].map(|name| variables.require(name));
    let (rain, sprinkler, grass) = (rain?, sprinkler?, grass?);
    let network = BayesianNetwork::new(
        variables,
        vec![
            Table::new(vec![rain], vec![2], vec![0.8, 0.2])?,
            Table::new(vec![rain, sprinkler], vec![2, 2], vec![0.6, 0.4, 0.99, 0.01])?,
            Table::new(
                vec![rain, sprinkler, grass],
                vec![2, 2, 2],
                vec![1.0, 0.0, 0.1, 0.9, 0.2, 0.8, 0.01, 0.99],
            )?,
        ],
    )?;

    let (engine, wet) = (JunctionTree::default(), Evidence::of([(grass, 1)]));
    println!("{:?}", engine.cost(&engine.plan(&network, &Targets::All)?));
    let beliefs = engine.query(&network, &Targets::All, &wet)?;
    for (name, variable) in [("rain", rain), ("sprinkler", sprinkler)] {
        println!("{name}: {:.4?}", beliefs.marginal(variable));
    }
    println!("ln p(wet grass) = {:.6}", beliefs.ln_z().value());
    println!("most probable states: {:?}", engine.most_probable(&network, &wet)?.states);
    Ok(())
}
