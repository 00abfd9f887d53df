//! Formulas in Wilkinson and Rogers' notation, as R reads them: `y ~ a*b + log(x) + poly(x, 3) - 1`.
//!
//! A [`ModelFormula`] is parsed from a text and [learns](ModelFormula::learn) levels, knots and orthogonal
//! polynomials from a table's columns once. The [`FormulaMap`] that it returns keeps them, so that new rows
//! get the same terms; it is saved with the model. Columns of the design have the names and the order that
//! R's `model.matrix` gives them.
//!
//! ```
//! use posterior_regression::formula::{ModelFormula, FormulaData};
//!
//! let formula: ModelFormula = "yield ~ site * log(rain)".parse()?;
//! let data = FormulaData::new(4)
//!     .with_labels("site", &["hill", "lake", "hill", "lake"])?
//!     .with_numbers("rain", vec![1.0, 1.0, 2.0, 4.0])?;
//! let map = formula.learn(&data)?;
//! assert_eq!(map.columns(), ["(Intercept)", "sitelake", "log(rain)", "sitelake:log(rain)"]);
//! assert_eq!(map.design(&data)?.row(3)[3], 4_f64.ln());
//!
//! let error = "yield ~ site + lg(rain)".parse::<ModelFormula>().unwrap_err();
//! assert_eq!(error.to_string(), "column 16: there is no function \"lg\"; did you mean \"log\"?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | written | means |
//! |---|---|
//! | `a + b`, `a - b` | both terms; the terms of `a` without those of `b` |
//! | `a:b` | their products: for labels, one column for each pair of levels but what others say already |
//! | `a*b` | `a + b + a:b` |
//! | `(a + b)^2` | all terms of `a + b`, and their products of two |
//! | `a/b`, `b %in% a` | `a + a:b`; `a:b` |
//! | `0 +`, `- 1` | no intercept |
//! | `.` | all columns that are not in the outcome |
//! | `log(x)`, `I(x^2)`, `x > 3` | arithmetic with the functions of R, a number or TRUE in each row |
//! | `poly(x, 3)`, `poly(x, 3, raw = TRUE)` | polynomials, orthogonal on the rows or not |
//! | `bs(x, df = 6)`, `ns(x, df = 4)` | cubic B-splines and natural splines with knots at quantiles, as R's `splines` |
//! | `s(x)`, `s(x, k = 8)` | a natural spline by its values at k knots (10 by default), for priors that shrink it |
//! | `chebyshev(x, 5)`, `fourier(x, 3, period = 12)` | Chebyshev's polynomials; waves, by default of the range |
//! | `step(x, 4)`, `relu(x, 8)`, `sigmoid(x, 8)`, `rbf(x, 10)`, `haar(x, 3)` | steps, rectified lines, sigmoids, bells and wavelets, as those of [`FeaturePlan`](crate::features::FeaturePlan) |
//! | `scale(x)` | less its mean, in standard deviations |
//! | `factor(x)`, `relevel(g, ref = "b")` | numbers as labels; another first level |
//! | `C(g, sum)` | coded by `treatment` (with `base = 2`), `SAS`, `sum`, `helmert` or `poly` |
//! | `offset(log(n))` | added to the predictor with coefficient 1 |
//! | `(1 + x \| g)`, `(1 + x \|\| g)` | an intercept and a slope for each group, correlated or not |
//! | `(1 \| a:b)`, `(1 \| a/b)` | groups that are pairs of labels; `(1 \| a) + (1 \| a:b)` |
//! | `rw1(t)`, `rw2(t)`, `ar1(t)`, `seasonal(t, period = 12)` | random walks, an autoregression and a season over equal steps |
//! | `smooth(x)`, `smooth(x, k = 20)`, `te(x, z)` | a curve and a surface that are as smooth as the data say |
//! | `measured(x, error)`, `measured(x, sd = 0.3)` | a column that was measured with errors |
//! | `car(area)`, `bym2(area)`, `matern(lon, lat)` | fields on a map and in space |
//! | `` `a column` `` | a name with spaces or signs |
//!
//! Groups, walks, curves and fields are [effects](ModelFormula::effects), which `posterior-hierarchical`
//! fits.
//!
//! # Coding of labels
//! Labels have treatment contrasts: a column for each level but the first. In an interaction they have a
//! column for every level if no term before has what is left of it without them, by R's rule: `a` has so in
//! `a + a:x`, and not in `x + a:x`. The first factor of a formula without an intercept has all levels, too.
//!
//! Other than in R: the outcome on the right side, a missing value, a logarithm of 0, and `x^2` outside of
//! `I()` (which R reads as `x`) are errors; each names its place in the formula.
//!
//! # References
//! G. N. Wilkinson, C. E. Rogers, Symbolic description of factorial models for analysis of variance, Applied
//! Statistics 22, 1973; J. M. Chambers, T. J. Hastie, Statistical Models in S, 1992, chapter 2.

mod arguments;
mod contrasts;
mod curve;
mod data;
mod effects;
mod evaluate;
mod expression;
mod map;
mod parse;
mod terms;
mod variable;
mod written;

pub use data::FormulaData;
pub use effects::{EffectKind, EffectTerm};
pub use map::FormulaMap;
pub use written::ModelFormula;
