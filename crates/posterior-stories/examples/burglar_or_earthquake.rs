//! The story `burglar_or_earthquake`:
//! `cargo run --release -p posterior-stories --example burglar_or_earthquake [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("burglar_or_earthquake")
}
