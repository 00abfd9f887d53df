//! Calibrated samplers pass, broken ones fail.
