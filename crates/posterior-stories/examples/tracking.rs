//! The story `tracking`: `cargo run --release -p posterior-stories --example tracking [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("tracking")
}
