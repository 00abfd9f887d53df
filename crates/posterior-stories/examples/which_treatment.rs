//! The story `which_treatment`:
//! `cargo run --release -p posterior-stories --example which_treatment [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("which_treatment")
}
