//! Laplace and expectation propagation: reference table, exact small cases, laws.
