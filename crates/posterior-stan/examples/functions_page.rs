//! Prints the page of the functions of Stan's library: `docs/stan-functions.md`.
//!
//! `cargo run -p posterior-stan --example functions_page > docs/stan-functions.md`

fn main() {
    print!("{}", posterior_stan::functions_page());
}
