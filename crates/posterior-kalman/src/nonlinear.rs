//! Extended and unscented filters and smoothers.
