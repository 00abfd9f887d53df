//! The story `voting_among_friends`:
//! `cargo run --release -p posterior-stories --example voting_among_friends [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("voting_among_friends")
}
