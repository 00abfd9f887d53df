//! The story `mauna_loa`: `cargo run --release -p posterior-stories --example mauna_loa [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("mauna_loa")
}
