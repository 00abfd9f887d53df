//! Tempering: the path from prior to posterior, and what is made of it.

mod path;
