//! The story `people_with_glasses`:
//! `cargo run --release -p posterior-stories --example people_with_glasses [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("people_with_glasses")
}
