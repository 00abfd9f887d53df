//! Stochastic differential equations as state-space models: exact at any times.
