//! Have the chains converged, and how many digits do their draws have?
