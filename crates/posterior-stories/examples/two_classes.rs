//! The story `two_classes`: `cargo run --release -p posterior-stories --example two_classes [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("two_classes")
}
