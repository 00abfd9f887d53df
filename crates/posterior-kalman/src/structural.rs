//! Series as sums of a level, a trend, seasons, cycles and regressions.
