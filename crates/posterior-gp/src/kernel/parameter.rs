//! Parameters of kernels, and the scales on which fits move them.

/// A parameter of a kernel that a fit may move.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KernelParameter {
    /// What it is called: `rbf.length_scale`.
    pub name: String,
    /// Its value, in the kernel's own units.
    pub value: f64,
    /// Where it may move.
    pub scale: FreeScale,
}

/// The scale on which a parameter may be any real number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FreeScale {
    /// Positive numbers, by their logarithm.
    Ln,
    /// All real numbers, as they are.
    Identity,
}

impl FreeScale {
    /// The value of the parameter at a place of the free scale.
    pub fn value(self, free: f64) -> f64 {
        match self {
            Self::Ln => free.exp(),
            Self::Identity => free,
        }
    }

    /// The derivative of the value by the free parameter.
    pub fn slope(self, free: f64) -> f64 {
        match self {
            Self::Ln => free.exp(),
            Self::Identity => 1.0,
        }
    }

    /// The derivative of the logarithm of the slope.
    pub(crate) const fn ln_slope_derivative(self) -> f64 {
        match self {
            Self::Ln => 1.0,
            Self::Identity => 0.0,
        }
    }

    /// The place of a value.
    pub fn free(self, value: f64) -> f64 {
        match self {
            Self::Ln => value.ln(),
            Self::Identity => value,
        }
    }
}

impl KernelParameter {
    /// A positive parameter.
    pub fn positive(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value, scale: FreeScale::Ln }
    }

    /// A parameter that may be any real number.
    pub fn real(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value, scale: FreeScale::Identity }
    }

    /// The value on the free scale.
    pub fn free(&self) -> f64 {
        self.scale.free(self.value)
    }
}
