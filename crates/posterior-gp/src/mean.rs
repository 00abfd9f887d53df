//! Means of prior processes.
