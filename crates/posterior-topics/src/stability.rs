//! Which topic of one fit is which topic of another, and how much of them is the same.
//!
//! Topics have no order: two fits agree if there is a pairing in which partners are alike. [`match_topics`]
//! finds the best pairing by the Hungarian method, [`consensus`] pairs the topics of several fits, as of
//! several seeds, and says which of them come back every time; [`agreement`] compares the most probable words
//! of partners.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_topics::Topics;
//! use posterior_topics::stability::{Distance, match_topics};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let of = |rows: &[f64]| {
//!     Topics::new(words.clone(), DMatrix::from_row_slice(2, 3, rows), vec![0.5, 0.5], vec![0.3, 0.4, 0.3])
//! };
//! let (first, second) = (of(&[0.6, 0.4, 0.0, 0.0, 0.4, 0.6])?, of(&[0.0, 0.5, 0.5, 0.6, 0.4, 0.0])?);
//! let matching = match_topics(&first, &second, Distance::TotalVariation)?;
//! assert_eq!(matching.partners, [Some(1), Some(0)]);
//! assert!((matching.distances[1] - 0.1).abs() < 1e-12);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

mod agreement;
mod consensus;
mod distance;
mod matching;

pub use agreement::{Agreement, agreement};
pub use consensus::{Consensus, consensus};
pub use distance::Distance;
pub(crate) use distance::distances;
pub use matching::{Matching, match_topics};
