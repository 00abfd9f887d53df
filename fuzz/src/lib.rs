//! What several targets share: numbers and shapes from the bytes of the fuzzer, and the distributions that
//! every value keeps.

mod input;
pub mod line;
pub mod networks;
mod round_trips;

pub use input::Input;
pub use round_trips::{read_json, rereads};
