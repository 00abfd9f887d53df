//! Series of components.
