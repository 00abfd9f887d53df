//! Many series of one model.
