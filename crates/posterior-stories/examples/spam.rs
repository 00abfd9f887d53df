//! The story `spam`: `cargo run --release -p posterior-stories --example spam [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("spam")
}
