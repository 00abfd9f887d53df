//! Extended and unscented filters against the linear one, and against truth.
