//! The story `sampler_gallery`:
//! `cargo run --release -p posterior-stories --example sampler_gallery [-- --out DIR]`

fn main() -> posterior_stories::Outcome<()> {
    posterior_stories::run("sampler_gallery")
}
