//! One observation at a time, without memory from the heap.
