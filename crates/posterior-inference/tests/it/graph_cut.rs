//! Minimum cuts against enumeration, exact minima of images, and each other.

mod binary;
mod engine;
mod flow;
mod image;
mod labels;
mod misuse;
mod portable_gray_map;
