//! What is promised of principal components.
