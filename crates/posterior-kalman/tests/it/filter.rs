//! The filter against worked numbers, the dense oracle and its own other form.
