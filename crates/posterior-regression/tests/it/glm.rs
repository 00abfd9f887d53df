//! What is promised of glm.
