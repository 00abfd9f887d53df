//! Real posteriors, against the draws of Stan.
