//! The story `handwriting`: `cargo run --release -p posterior-stories --example handwriting [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("handwriting")
}
