//! Polynomials of one number: powers, Chebyshev's, and those that are orthogonal on points.

use posterior_math::check::{self, ParamError};

use super::haar::interval;

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Polynomial {
    Powers {
        degree: usize,
    },
    Chebyshev {
        degree: usize,
        low: f64,
        high: f64,
    },
    /// √b₍ₖ₊₁₎ p₍ₖ₊₁₎ = (t - aₖ) pₖ - √bₖ p₍ₖ₋₁₎ with t = (x - centre)/scale.
    Orthogonal {
        centre: f64,
        scale: f64,
        diagonal: Vec<f64>,
        off_diagonal: Vec<f64>,
    },
}

fn checked_degree(name: &'static str, degree: usize) -> Result<usize, ParamError> {
    check::require((1..=1000).contains(&degree), name, "degree", degree as f64, "from 1 to 1000")?;
    Ok(degree)
}

impl Polynomial {
    pub(super) fn powers(degree: usize) -> Result<Self, ParamError> {
        Ok(Self::Powers { degree: checked_degree("Basis::powers", degree)? })
    }

    pub(super) fn chebyshev(degree: usize, low: f64, high: f64) -> Result<Self, ParamError> {
        let (low, high) = interval("Basis::chebyshev", low, high)?;
        Ok(Self::Chebyshev { degree: checked_degree("Basis::chebyshev", degree)?, low, high })
    }

    /// The recurrence of the points, by Stieltjes' procedure: each step is orthogonalised against all before,
    /// which keeps the digits where the three terms alone would lose them.
    pub(super) fn orthogonal(degree: usize, points: &[f64]) -> Result<Self, ParamError> {
        let name = "Basis::orthogonal";
        let degree = checked_degree(name, degree)?;
        for (index, &point) in points.iter().enumerate() {
            check::finite(name, "points", point).map_err(|error| error.at(index))?;
        }
        let mut sorted = points.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup_by(|a, b| a == b);
        let enough = sorted.len() > degree;
        check::require(enough, name, "degree", degree as f64, "below the number of different points")?;
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        let (centre, scale) = (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low);
        let t: Vec<f64> = points.iter().map(|x| (x - centre) / scale).collect();
        let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / t.len() as f64;
        let mut basis = vec![vec![1.0; t.len()]];
        let (mut diagonal, mut off_diagonal) = (Vec::new(), Vec::new());
        for k in 0..degree {
            let last = &basis[k];
            let mut next: Vec<f64> = last.iter().zip(&t).map(|(p, t)| p * t).collect();
            let a = mean(&next, last);
            for _ in 0..2 {
                for p in &basis {
                    let proportion = mean(&next, p);
                    next.iter_mut().zip(p).for_each(|(next, p)| *next -= proportion * p);
                }
            }
            let b = mean(&next, &next).sqrt();
            check::require(
                b > f64::EPSILON,
                name,
                "degree",
                degree as f64,
                "lower: points too close to tell apart",
            )?;
            for next in &mut next {
                *next /= b;
            }
            basis.push(next);
            diagonal.push(a);
            off_diagonal.push(b);
        }
        Ok(Self::Orthogonal { centre, scale, diagonal, off_diagonal })
    }

    pub(super) const fn width(&self) -> usize {
        match self {
            Self::Powers { degree } | Self::Chebyshev { degree, .. } => *degree,
            Self::Orthogonal { diagonal, .. } => diagonal.len(),
        }
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        (1..=self.width())
            .map(|k| match self {
                Self::Powers { .. } if k == 1 => input.to_owned(),
                Self::Powers { .. } => format!("{input}^{k}"),
                Self::Chebyshev { .. } => format!("T{k}({input})"),
                Self::Orthogonal { .. } => format!("P{k}({input})"),
            })
            .collect()
    }

    pub(super) fn fill(&self, x: &[f64], columns: &mut [f64]) {
        let rows = x.len();
        for (row, &x) in x.iter().enumerate() {
            let (mut before, mut last) = (0.0, 1.0);
            for k in 0..self.width() {
                let next = match self {
                    Self::Powers { .. } => last * x,
                    Self::Chebyshev { low, high, .. } => {
                        let t = ((x - low) - (high - x)) / (high - low);
                        if k == 0 { t } else { 2.0 * t * last - before }
                    }
                    Self::Orthogonal { centre, scale, diagonal, off_diagonal } => {
                        let t = (x - centre) / scale;
                        let earlier = if k == 0 { 0.0 } else { off_diagonal[k - 1] * before };
                        ((t - diagonal[k]) * last - earlier) / off_diagonal[k]
                    }
                };
                columns[k * rows + row] = next;
                (before, last) = (last, next);
            }
        }
    }
}

#[cfg(feature = "serde")]
impl Polynomial {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        let name = "Basis::orthogonal";
        match &self {
            Self::Powers { degree } => Self::powers(*degree),
            Self::Chebyshev { degree, low, high } => Self::chebyshev(*degree, *low, *high),
            Self::Orthogonal { centre, scale, diagonal, off_diagonal } => {
                let degree = checked_degree(name, diagonal.len())?;
                let same = off_diagonal.len() == degree;
                check::require(same, name, "degree", off_diagonal.len() as f64, "that of the diagonal")?;
                check::finite(name, "centre", *centre)?;
                check::positive(name, "scale", *scale)?;
                for (k, (&a, &b)) in diagonal.iter().zip(off_diagonal).enumerate() {
                    check::finite(name, "diagonal", a).map_err(|error| error.at(k))?;
                    check::positive(name, "off_diagonal", b).map_err(|error| error.at(k))?;
                }
                Ok(self)
            }
        }
    }
}
