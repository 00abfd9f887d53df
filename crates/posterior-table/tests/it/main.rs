//! Files as people have them.

mod columns;
mod files;
