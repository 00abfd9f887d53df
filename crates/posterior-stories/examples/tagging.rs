//! The story `tagging`: `cargo run --release -p posterior-stories --example tagging [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("tagging")
}
