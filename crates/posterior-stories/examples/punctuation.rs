//! The story `punctuation`: `cargo run --release -p posterior-stories --example punctuation [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("punctuation")
}
