//! Which arm to play next: a history of plays, saved and resumed, and advice with its reasons.
//!
//! `cargo run -p posterior-decision --features serde --example next_arm`

use posterior_decision::bandit::{BayesUcb, History, Thompson, advise};
use posterior_decision::dist::stream::stream;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Three headlines, and whether a reader followed them.
    let mut history = History::new(3)?;
    for (arm, reward) in [(0, 1.0), (1, 0.0), (2, 0.0), (0, 0.0), (1, 1.0), (0, 1.0), (2, 0.0), (1, 1.0)] {
        history.push(arm, reward)?;
    }
    let saved = serde_json::to_string(&history)?;
    let mut history: History = serde_json::from_str(&saved)?;
    history.push(1, 0.0)?;

    for arm in advise(&BayesUcb::default(), &history, &mut stream(0, &[]))?.reasons {
        println!("arm {}, played {} times: upper quantile {:.3}", arm.arm, arm.plays, arm.index);
    }
    let next = advise(&Thompson::default(), &history, &mut stream(0, &[]))?.choice;
    println!("Thompson sampling plays arm {next}");
    Ok(())
}
