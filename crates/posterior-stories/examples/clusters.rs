//! The story `clusters`: `cargo run --release -p posterior-stories --example clusters [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("clusters")
}
