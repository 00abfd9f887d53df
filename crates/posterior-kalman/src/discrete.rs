//! States of which there are finitely many: the recursions of filter and smoother with sums for integrals.
//!
//! ```
//! use posterior_kalman::Matrices;
//! use posterior_kalman::discrete::DiscreteChain;
//! use posterior_math::linalg::DMatrix;
//!
//! // Rain (state 0) or sun (state 1), and somebody who comes with an umbrella, without, and with it.
//! let moves = DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.3, 0.7]);
//! let chain = DiscreteChain::new(&[0.5, 0.5], &Matrices::constant(&moves))?;
//! let umbrella = |there: bool| if there { [0.9, 0.2] } else { [0.1, 0.8] }.map(f64::ln);
//! let seen = [true, false, true].map(umbrella).concat();
//! let filtered = chain.filter(&DMatrix::from_row_slice(3, 2, &seen))?;
//! assert!((filtered.probabilities(0)[0] - 9.0 / 11.0).abs() < 1e-15);
//! let smoothed = filtered.smooth(&chain)?;
//! assert!(smoothed.probabilities(1)[0] > filtered.probabilities(1)[0]);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```

mod best_path;
mod chain;
mod filter;
mod smoother;

pub use best_path::BestPath;
pub use chain::DiscreteChain;
pub use filter::FilteredStates;
pub use smoother::SmoothedStates;
