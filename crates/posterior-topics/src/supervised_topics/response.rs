//! Coefficients and noise given the topics: the conjugate half of the chain.

use posterior_dist::{InverseGamma, Normal, Truncated};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns, multiply, transpose_multiply};
use posterior_math::special::ln_normal_cdf;
use posterior_math::{ParamError, check};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::options::{NAME, ResponseFamily, SupervisedTopicsOptions};
use crate::Error;
use crate::token_topics::{Tilt, TokenTopics};

/// Responses with what is drawn for them.
#[derive(Debug, Clone)]
pub(super) struct Response {
    family: ResponseFamily,
    /// Documents that have words and a response.
    known: Vec<usize>,
    /// Their responses.
    observed: Vec<f64>,
    /// The same, or for a yes or no the latent number whose sign it is.
    latent: Vec<f64>,
    center: f64,
    variance: f64,
    noise: [f64; 2],
    pub(super) coefficients: Vec<f64>,
    pub(super) noise_sd: f64,
}

impl Response {
    /// Coefficients at their center. NaN is a response that is not known.
    pub(super) fn new(
        responses: &[f64],
        lengths: impl Iterator<Item = u64>,
        options: &SupervisedTopicsOptions,
    ) -> Result<Self, Error> {
        let binary = options.family == ResponseFamily::Binary;
        for (d, &response) in responses.iter().enumerate().filter(|(_, response)| !response.is_nan()) {
            if binary {
                let fits = response == 0.0 || response == 1.0;
                check::require(fits, NAME, "responses", response, "0, 1 or NaN")
                    .map_err(|error| error.at(d))?;
            } else {
                check::finite(NAME, "responses", response).map_err(|error| error.at(d))?;
            }
        }
        let known: Vec<usize> = (0..)
            .zip(lengths)
            .filter(|&(d, n)| n > 0 && !f64::is_nan(responses[d]))
            .map(|(d, _)| d)
            .collect();
        let observed: Vec<f64> = known.iter().map(|&d| responses[d]).collect();
        if observed.is_empty() {
            return Err(Error::TooFew { what: NAME, needed: "a document with words and a response" });
        }
        let (center, scale) = if binary { (0.0, 1.0) } else { units(&observed, options)? };
        let noise = options.prior.noise;
        let latent = if binary { observed.iter().map(|y| y - 0.5).collect() } else { observed.clone() };
        Ok(Self {
            family: options.family,
            known,
            observed,
            latent,
            center,
            variance: options.prior.variance * scale * scale,
            noise: [noise[0], noise[1] * scale * scale],
            coefficients: vec![center; options.topics],
            noise_sd: scale,
        })
    }

    /// The place of each document among those with a response.
    pub(super) fn places(&self, documents: usize) -> Vec<Option<usize>> {
        let mut places = vec![None; documents];
        for (i, &d) in self.known.iter().enumerate() {
            places[d] = Some(i);
        }
        places
    }

    /// What the response says of the topics of a document.
    pub(super) fn tilt(&self, place: usize, counts: &[u32]) -> ResponseTilt {
        let length: f64 = counts.iter().copied().map(f64::from).sum();
        let steps: Vec<f64> = self.coefficients.iter().map(|eta| eta / length).collect();
        let mean = steps.iter().zip(counts).map(|(step, &n)| step * f64::from(n)).sum();
        let precision = (self.noise_sd * self.noise_sd).recip();
        ResponseTilt { steps, mean, response: self.latent[place], precision, ln: Vec::new() }
    }

    /// Draws latent numbers, the noise and the coefficients given the topics of all tokens.
    pub(super) fn draw<R: Rng + ?Sized>(&mut self, tokens: &TokenTopics, rng: &mut R) {
        let topics = self.coefficients.len();
        let design = DMatrix::from_fn(self.known.len(), topics, |i, k| {
            let d = self.known[i];
            f64::from(tokens.document_counts(d)[k]) / tokens.length(d) as f64
        });
        let means = multiply(&design, &DMatrix::from_column_slice(topics, 1, &self.coefficients));
        match self.family {
            ResponseFamily::Binary => {
                for ((latent, &y), &mean) in self.latent.iter_mut().zip(&self.observed).zip(means.iter()) {
                    *latent = signed(mean, y, rng);
                }
            }
            ResponseFamily::Gaussian => {
                let squares: f64 = self.latent.iter().zip(means.iter()).map(|(y, m)| (y - m).powi(2)).sum();
                let (shape, scale) =
                    (self.noise[0] + 0.5 * self.known.len() as f64, self.noise[1] + 0.5 * squares);
                let variance =
                    InverseGamma::new(shape, scale).expect("invariant: shape and scale are positive");
                self.noise_sd = (0.5 * variance.sample_ln(rng)).exp();
            }
        }
        let noise = (self.noise_sd * self.noise_sd).recip();
        let mut precision = gram_of_columns(&design) * noise;
        for k in 0..topics {
            precision[(k, k)] += self.variance.recip();
        }
        // What is beyond the center: its prior mean is zero.
        let beyond = DMatrix::from_fn(self.known.len(), 1, |i, _| self.latent[i] - self.center);
        let linear = transpose_multiply(&design, &beyond) * noise;
        let factor =
            Cholesky::decompose(precision).expect("invariant: a Gram matrix with more on its diagonal");
        let mut half = factor.half_solve_vector(&DVector::from_column_slice(linear.as_slice()));
        for number in half.iter_mut() {
            let normal: f64 = StandardNormal.sample(rng);
            *number += normal;
        }
        // L L' is the precision: L' x = L^-1 linear + a standard normal vector.
        let drawn = factor.half_solve_transpose_vector(&half);
        for (coefficient, x) in self.coefficients.iter_mut().zip(drawn.iter()) {
            *coefficient = self.center + x;
        }
    }

    /// ln p(y | Z, eta, sigma), latent numbers integrated out.
    pub(super) fn ln_likelihood(&self, tokens: &TokenTopics) -> f64 {
        let one = |(&d, &y): (&usize, &f64)| {
            let counts = tokens.document_counts(d).iter().zip(&self.coefficients);
            let mean = counts.map(|(&n, eta)| f64::from(n) * eta).sum::<f64>() / tokens.length(d) as f64;
            match self.family {
                ResponseFamily::Binary => ln_normal_cdf(if y == 1.0 { mean } else { -mean }),
                ResponseFamily::Gaussian => {
                    let z = (y - mean) / self.noise_sd;
                    -0.5 * (z * z + std::f64::consts::TAU.ln()) - self.noise_sd.ln()
                }
            }
        };
        self.known.iter().zip(&self.observed).map(one).sum()
    }
}

/// Center and unit of the prior of a number.
fn units(observed: &[f64], options: &SupervisedTopicsOptions) -> Result<(f64, f64), ParamError> {
    let count = observed.len() as f64;
    let mean = observed.iter().sum::<f64>() / count;
    let sd = (observed.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / count).sqrt();
    let scale = options.prior.scale.unwrap_or(sd);
    let varied = "positive and finite: responses that differ, or a scale of the prior";
    check::require(scale > 0.0 && scale.is_finite(), NAME, "standard deviation of responses", scale, varied)?;
    Ok((options.prior.center.unwrap_or(mean), scale))
}

/// A draw from N(mean, 1) that is positive for 1 and negative for 0.
fn signed<R: Rng + ?Sized>(mean: f64, response: f64, rng: &mut R) -> f64 {
    let sign = if response == 1.0 { 1.0 } else { -1.0 };
    let normal = Normal::mean_sd(sign * mean, 1.0).expect("invariant: coefficients are finite");
    let half = Truncated::new(normal, 0.0, f64::INFINITY).expect("invariant: a half-line has a probability");
    sign * half.sample(rng)
}

/// The normal density of a response, for all topics of a token.
#[derive(Debug)]
pub(super) struct ResponseTilt {
    /// By how much a token of a topic moves the expected response.
    steps: Vec<f64>,
    /// The expected response of the tokens that are there.
    mean: f64,
    response: f64,
    precision: f64,
    ln: Vec<f64>,
}

impl Tilt for ResponseTilt {
    fn take(&mut self, topic: usize) {
        self.mean -= self.steps[topic];
    }

    fn scale(&mut self, weights: &mut [f64]) {
        let left = self.response - self.mean;
        self.ln.clear();
        self.ln.extend(self.steps.iter().map(|step| -0.5 * self.precision * (left - step).powi(2)));
        let largest = self.ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (weight, ln) in weights.iter_mut().zip(&self.ln) {
            *weight *= (ln - largest).exp();
        }
    }

    fn put(&mut self, topic: usize) {
        self.mean += self.steps[topic];
    }
}
