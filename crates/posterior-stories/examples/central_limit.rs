//! The story `central_limit`: `cargo run --release -p posterior-stories --example central_limit [-- --out
//! DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("central_limit")
}
