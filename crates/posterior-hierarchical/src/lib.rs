//! Latent Gaussian models: mixed effects, smooths, space and time, by nested Laplace approximation.
//!
//! Responses depend on a linear predictor η = X β + Σₖ Aₖ uₖ, where the uₖ are Gaussian fields whose
//! precision depends on a few hyperparameters. Given these, the latent values have one mode, found by
//! Newton's method on a sparse matrix; hyperparameters are maximised or integrated over, with exact
//! gradients.
//!
//! ```
//! use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalOptions, HierarchicalModel, PlaceEffect as _};
//!
//! // Cases in eight areas along a coast: cases ~ offset(ln expected) + 1 + (1 | area) + rw1(place)
//! let cases = [9.0, 39.0, 11.0, 9.0, 15.0, 8.0, 26.0, 7.0];
//! let expected = [1.4_f64, 8.7, 3.0, 2.5, 4.3, 2.4, 8.1, 2.3];
//! let ln_expected = expected.map(f64::ln);
//! let place = [0, 1, 2, 3, 4, 5, 6, 7];
//!
//! let model = HierarchicalModel::new(FamilyResponse::poisson(), &cases)?
//!     .offset(&ln_expected)?
//!     .intercept()?
//!     .effect(FieldEffect::groups("area", 8)?.at(&place)?)?
//!     .effect(FieldEffect::random_walk("coast", 8)?.at(&place)?)?;
//! let fit = model.fit(&HierarchicalOptions::default())?;
//!
//! let rate = fit.fixed("intercept")?;
//! assert!(rate.mean() > 1.1 && rate.mean() < 1.6);
//! let [low, high] = fit.hyperparameter("sd(area)")?.interval(0.9);
//! assert!(low > 0.0 && high < 1.0);
//! // The first area has more cases than its size suggests.
//! assert!(fit.predictors()[0].mean() > ln_expected[0] + rate.mean());
//! # Ok::<(), posterior_hierarchical::Error>(())
//! ```
//!
//! | for | take |
//! |---|---|
//! | a formula: `y ~ x + (1 + x \| school) + rw1(year)` | [`HierarchicalFormula`], [`FormulaSettings`], [`AreaMap`], [`FormulaEffect`] |
//! | responses, columns, effects | [`HierarchicalModel`] |
//! | groups, random walks, maps, any known field with one standard deviation | [`FieldEffect`] |
//! | intercepts and slopes by group, correlated | [`CorrelatedGroups`] |
//! | time with a correlation to be learned; maps with noise | [`Autoregression`], [`Bym2`] |
//! | space, on a grid or a mesh | [`MaternField`] |
//! | smooth curves of a number; smooth surfaces of two | [`SmoothCurve`], [`SmoothSurface`] |
//! | covariates with errors, or missing | [`HierarchicalModel::measured_column`], [`MeasuredCovariate`] |
//! | several kinds of responses in one model; effects that they share | [`HierarchicalModel::and`], [`HierarchicalModel::copy_of`] |
//! | multinomial responses; fixed effects of many groups | [`FreeValues`] |
//! | an effect of your own | [`LatentEffect`] |
//! | families of responses; one of your own | [`FamilyResponse`], [`Response`] |
//! | outliers | [`StudentResponse`] |
//! | times to an event, some of them censored | [`SurvivalResponse`] |
//! | counts with more zeros; proportions; positive numbers; levels in an order | [`ZeroInflatedResponse`], [`BetaResponse`], [`LogNormalResponse`], [`OrdinalResponse`] |
//! | priors of standard deviations, correlations, ranges | [`HyperparameterPrior`] |
//! | the whole posterior; empirical Bayes; REML and ML | [`HyperEstimate`], [`HyperPoints`], [`HierarchicalOptions`] |
//! | new rows, new groups, contrasts | [`HierarchicalFit::predict`], [`NewRows`] |
//! | curves, surfaces and fields to be drawn | [`HierarchicalFormula::grid`], [`EffectGrid`] |
//! | what groups would be without the others | [`HierarchicalFit::unpooled`] |
//! | a response that is not known yet | [`NewResponse`] |
//! | leave-one-out, WAIC, DIC, calibration | [`HierarchicalFit::criteria`] |
//! | whole groups left out | [`HierarchicalFit::leave_out`], [`HierarchicalFit::groups_by`] |
//! | how much of the variance each part has | [`HierarchicalFit::variances_of_parts`] |
//! | draws; how good the approximation is | [`HierarchicalFit::draws`], [`HierarchicalFit::check`] |
//! | a chain over the hyperparameters | [`EmbeddedLaplace`] |
//! | a chain over everything, to judge the fit | [`ExactPosterior`] |
//! | a program in Stan's language, with its data | [`StanProgram`], [`WrittenResponse`], [`WrittenEffect`] |
//! | distributions of what was fitted | [`HierarchicalFit`], [`LatentMarginal`], [`HyperMarginal`] |
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//!
//! # References
//! H. Rue, S. Martino, N. Chopin, Approximate Bayesian inference for latent Gaussian models by using
//! integrated nested Laplace approximations, J. R. Stat. Soc. B 71 (2009).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod assembly;
mod criteria;
mod design;
mod draws;
mod effect;
mod embedded;
mod engine;
mod error;
mod exact;
mod factor;
mod fit;
mod formula;
mod hyperparameter;
mod joint;
mod laplace;
mod lattice;
mod leave_out;
mod marginal;
mod mode;
mod model;
mod new_response;
mod options;
mod part;
mod parts;
mod predict;
mod prior;
mod program;
mod response;
mod rows;
mod search;
mod second_order;
mod unpooled;
mod written;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gaussian as gaussian, posterior_math as math,
    posterior_regression as regression, posterior_sampling as sampling,
};

pub use criteria::{LeftOut, PredictiveCriteria};
pub use draws::ApproximationCheck;
pub use effect::{
    Autoregression, Bym2, CorrelatedGroups, EffectPrecision, FieldEffect, FreeValues, LatentEffect,
    MaternField, MeasuredCovariate, PlaceEffect, PlacedEffect, SmoothCurve, SmoothSurface,
};
pub use embedded::EmbeddedLaplace;
pub use error::Error;
pub use exact::ExactPosterior;
pub use fit::HierarchicalFit;
pub use formula::{AreaMap, EffectGrid, FormulaEffect, FormulaSettings, HierarchicalFormula};
pub use hyperparameter::{HyperScale, Hyperparameter};
pub use leave_out::LeftOutGroup;
pub use marginal::{Component, HyperMarginal, LatentMarginal};
pub use model::HierarchicalModel;
pub use new_response::NewResponse;
pub use options::{HierarchicalOptions, HyperEstimate, HyperPoints, Skewness};
pub use predict::NewRows;
pub use prior::HyperparameterPrior;
pub use program::StanProgram;
pub use response::{
    Ascent, BetaResponse, FamilyResponse, LogNormalResponse, OrdinalResponse, Response, ResponseSupport,
    ResponseTerm, StudentResponse, SurvivalResponse, TermSlopes, ZeroInflatedResponse,
};
pub use written::{WrittenEffect, WrittenResponse};
