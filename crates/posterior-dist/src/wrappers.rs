//! Distributions made of distributions: truncated, shifted and scaled, mapped, mixed, side by side, added up.

mod affine;
pub mod convolution;
mod mixed_moments;
mod mixture;
mod point_mass;
mod product;
mod product_family;
mod transformed;
mod truncated;

pub use affine::Affine;
pub use mixed_moments::MixedMoments;
pub use mixture::Mixture;
pub use point_mass::PointMass;
pub use product::{Iid, Product};
pub use product_family::ProductSummary;
pub(crate) use product_family::each;
pub use transformed::Transformed;
pub use truncated::Truncated;
