//! The story `letters`: `cargo run --release -p posterior-stories --example letters [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("letters")
}
