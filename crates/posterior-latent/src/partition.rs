//! Partitions of data: how alike two are, and one that stands for many.
