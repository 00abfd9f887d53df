//! The story `chunking`: `cargo run --release -p posterior-stories --example chunking [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("chunking")
}
