//! What is seen of the function, if it is not the function and Gaussian noise.
