//! The story `bayesian_optimization`:
//! `cargo run --release -p posterior-stories --example bayesian_optimization [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("bayesian_optimization")
}
