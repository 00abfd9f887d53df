//! Grids against dense matrices.
