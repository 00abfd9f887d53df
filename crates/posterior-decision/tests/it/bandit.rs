//! What is promised of bandit.
