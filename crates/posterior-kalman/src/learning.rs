//! Models from data: by the gradient of the likelihood, and by EM.
