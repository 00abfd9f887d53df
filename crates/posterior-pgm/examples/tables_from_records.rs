//! A Bayesian network from data: conditional tables with a prior, saved as BIF, read back.
//!
//! `cargo run -p posterior-pgm --example tables_from_records`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_pgm::graph::Dag;
use posterior_pgm::{CptPrior, FamilyCounts, GraphicalModel, NetworkFile, Records, Variables, bif};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variables = Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])])?;
    let dag = Dag::named(["rain", "grass"], [("rain", "grass")])?;
    let mut records = Records::new(variables);
    for (rain, grass, times) in [(0, 0, 14), (0, 1, 2), (1, 1, 5)] {
        for _ in 0..times {
            records.push(&[Some(rain), Some(grass)])?;
        }
    }
    let network = FamilyCounts::of(&records, &dag)?.posterior(&CptPrior::Symmetric(1.0))?.mean()?;
    for table in network.factors() {
        println!("{:.3?}", table.values());
    }

    let text = bif::write(&NetworkFile::new(network.clone()))?;
    let read = bif::read(text.as_bytes())?.network;
    assert_eq!(read, network);
    println!("{text}");
    Ok(())
}
