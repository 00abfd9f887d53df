//! Expected loss: which action is best, and what more knowledge would be worth.
