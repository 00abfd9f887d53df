//! Distributions made of distributions: truncated, shifted and scaled, mapped, mixed, side by side, added up.

mod affine;
pub mod convolution;
mod count_sum;
mod many_to_one;
mod mixed_moments;
mod mixture;
mod order_statistic;
mod point_mass;
mod product;
mod product_family;
mod sample_range;
mod sum;
mod transformed;
mod truncated;
mod with_atoms;

pub use affine::Affine;
pub use count_sum::CountSum;
pub use many_to_one::{Branch, ManyToOne};
pub use mixed_moments::MixedMoments;
pub use mixture::Mixture;
pub use order_statistic::OrderStatistic;
pub use point_mass::PointMass;
pub use product::{Iid, Product};
pub use product_family::ProductSummary;
pub(crate) use product_family::each;
pub use sample_range::SampleRange;
pub use sum::Sum;
pub use transformed::Transformed;
pub use truncated::Truncated;
pub use with_atoms::WithAtoms;
