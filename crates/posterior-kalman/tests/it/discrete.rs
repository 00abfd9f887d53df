//! Finitely many states against enumeration.
