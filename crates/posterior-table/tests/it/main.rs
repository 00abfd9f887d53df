//! Files as people have them.

#[cfg(feature = "arrow")]
mod columnar;
mod columns;
mod files;
