//! Hyperparameters by the evidence: precisions of weights and of noise, relevance.
