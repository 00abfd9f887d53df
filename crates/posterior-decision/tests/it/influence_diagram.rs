//! What is promised of influence diagram.
