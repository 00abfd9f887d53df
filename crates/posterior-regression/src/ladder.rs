//! One model by every inference: from the most probable coefficients to samples.
