//! The story `topics_of_history`:
//! `cargo run --release -p posterior-stories --example topics_of_history [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("topics_of_history")
}
