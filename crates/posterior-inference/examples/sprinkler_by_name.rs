//! A network by names: rows of its tables, a question and its answer.
//!
//! `cargo run -p posterior-inference --example sprinkler_by_name`

use posterior_inference::pgm::{Evidence, GraphicalModel, NetworkBuilder, Variables};
use posterior_inference::{Auto, Engine, Targets};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variables =
        Variables::new(["cloudy", "sprinkler", "rain", "wet grass"].map(|name| (name, ["no", "yes"])))?;
    let network = NetworkBuilder::new(variables)
        .p("cloudy", [0.5, 0.5])?
        .p("sprinkler | cloudy = no", [0.5, 0.5])?
        .p("sprinkler | cloudy = yes", [0.9, 0.1])?
        .p("rain | cloudy = no", [0.8, 0.2])?
        .p("rain | cloudy = yes", [0.2, 0.8])?
        .p("wet grass | sprinkler = no, rain = no", [1.0, 0.0])?
        .p("wet grass | sprinkler = no, rain = yes", [0.1, 0.9])?
        .p("wet grass | sprinkler = yes, rain = no", [0.1, 0.9])?
        .p("wet grass | sprinkler = yes, rain = yes", [0.01, 0.99])?
        .build()?;

    let causes = Targets::named(network.variables(), ["sprinkler", "rain"])?;
    for seen in [&[("wet grass", "yes")][..], &[("wet grass", "yes"), ("cloudy", "yes")]] {
        let evidence = Evidence::named(network.variables(), seen.iter().copied())?;
        let beliefs = Auto::default().query(&network, &causes, &evidence)?;
        let [sprinkler, rain] =
            [beliefs.probability("sprinkler", "yes")?, beliefs.probability("rain", "yes")?];
        println!("{seen:?}: the sprinkler was on {sprinkler:.4}, it rained {rain:.4}");
    }
    Ok(())
}
