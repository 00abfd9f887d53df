//! Hidden states that last: explicit durations.
