//! Many series of one model against each of them alone.
