//! Stochastic differential equations against closed forms and laws of semigroups.
