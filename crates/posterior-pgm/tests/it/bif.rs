//! BIF.

mod networks;
