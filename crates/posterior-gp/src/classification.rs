//! Classification, and every other likelihood that is not Gaussian: Laplace's method, expectation propagation.
