//! The fixed point of one document: q(z) and q(theta) given q(phi).
//!
//! ```text
//! p_w     = sum_k exp(E ln theta_k) exp(E ln phi_kw)
//! gamma_k = alpha_k + exp(E ln theta_k) sum_w (n_w / p_w) exp(E ln phi_kw)
//! ```
//!
//! q(z) of a word is never stored: it follows from `theta = exp(E ln theta)`, from the weights of the word
//! and from the ratio `n_w / p_w`. Weights are divided by the largest of their document or word. What
//! underflows then is lost unless `p_w` itself is tiny: such a word is done with logarithms.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::elementwise;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::ln_pochhammer;
use pulp::{Arch, Simd, WithSimd};

use super::topic_posterior::TopicPosterior;
use crate::corpus::Document;
use crate::lanes::{Lane, ZERO, lane_sum, width};
use crate::lda::digamma::{digamma, ln, sum_ln_gamma};

/// Words that are worked on together.
const TILE: usize = 4;

/// Sums of weights below this may have lost what matters to underflow.
const FAINT: f64 = 1e-250;

/// Concentrations from which on differences of ln Γ are taken one by one, for their digits.
const LARGE: f64 = 100.0;

/// The prior of proportions as the fixed point reads it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lda) struct Proportions {
    alpha: Vec<f64>,
    /// Padded with ones.
    lanes: Vec<Lane>,
    total: f64,
    sum_ln_gamma: f64,
    large: bool,
}

impl Proportions {
    pub(in crate::lda) fn new(alpha: &[f64]) -> Self {
        let mut lanes = vec![[1.0; 8]; width(alpha.len())];
        lanes.as_flattened_mut()[..alpha.len()].copy_from_slice(alpha);
        Self {
            alpha: alpha.to_vec(),
            lanes,
            total: alpha.iter().sum(),
            sum_ln_gamma: sum_ln_gamma(alpha),
            large: alpha.iter().any(|&a| a > LARGE),
        }
    }

    pub(in crate::lda) fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// What a document of so many tokens begins with: all topics have the same proportion.
    pub(in crate::lda) fn start(&self, tokens: f64, gamma: &mut [Lane]) {
        gamma.copy_from_slice(&self.lanes);
        for g in &mut gamma.as_flattened_mut()[..self.alpha.len()] {
            *g += tokens / self.alpha.len() as f64;
        }
    }
}

/// A word of a document whose weights had to be found with logarithms: what it adds to the expected counts of
/// its topics.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lda) struct FaintWord {
    pub(in crate::lda) word: u32,
    pub(in crate::lda) counts: Vec<Lane>,
}

/// A document's part of the approximate posterior.
#[derive(Debug)]
pub(in crate::lda) struct DocumentPosterior<'a> {
    /// Parameters of q(theta). The padding is one.
    pub(in crate::lda) gamma: &'a mut [Lane],
    /// `exp(E ln theta)` up to a factor, from which the last q(z) follows. The padding is zero.
    pub(in crate::lda) theta: &'a mut [Lane],
    /// `n_w / p_w` by distinct word, 0 for faint words.
    pub(in crate::lda) ratios: &'a mut [f64],
}

/// Room to work in, and what is known after the last step.
#[derive(Debug, Default)]
pub(in crate::lda) struct Workspace {
    ln_theta: Vec<Lane>,
    ln_largest: f64,
    sums: Vec<Lane>,
    /// Expected topic counts.
    counts: Vec<Lane>,
    logs: Vec<f64>,
    faint: Vec<FaintWord>,
    faint_ln: f64,
}

impl Workspace {
    pub(in crate::lda) fn new(topics: usize) -> Self {
        let zeros = vec![ZERO; width(topics)];
        Self { ln_theta: zeros.clone(), sums: zeros.clone(), counts: zeros, ..Self::default() }
    }

    /// One step of the fixed point: q(z), then q(theta). Returns the mean change of gamma.
    pub(in crate::lda) fn step(
        &mut self,
        document: Document<'_>,
        prior: &Proportions,
        topics: &TopicPosterior,
        posterior: &mut DocumentPosterior<'_>,
    ) -> f64 {
        let k = topics.topics();
        self.ln_theta.copy_from_slice(posterior.gamma);
        digamma(self.ln_theta.as_flattened_mut());
        self.ln_theta.as_flattened_mut()[k..].fill(f64::NEG_INFINITY);
        let largest = |largest: f64, &ln: &f64| if ln > largest { ln } else { largest };
        self.ln_largest = self.ln_theta.as_flattened().iter().fold(f64::NEG_INFINITY, largest);
        for (theta, ln) in posterior.theta.iter_mut().zip(&self.ln_theta) {
            *theta = ln.map(|ln| ln - self.ln_largest);
        }
        elementwise::exp(posterior.theta.as_flattened_mut());
        self.sums.fill(ZERO);
        let any_faint = Arch::new().dispatch(Pass {
            document,
            weights: topics.weights(),
            theta: posterior.theta,
            ratios: posterior.ratios,
            sums: &mut self.sums,
        });
        for ((counts, sums), theta) in self.counts.iter_mut().zip(&self.sums).zip(&*posterior.theta) {
            for i in 0..counts.len() {
                counts[i] = sums[i] * theta[i];
            }
        }
        self.faint.clear();
        self.faint_ln = 0.0;
        if any_faint {
            self.add_faint(document, topics, posterior.ratios);
        }
        let mut change = ZERO;
        for ((gamma, counts), alpha) in posterior.gamma.iter_mut().zip(&self.counts).zip(&prior.lanes) {
            for i in 0..gamma.len() {
                let next = alpha[i] + counts[i];
                change[i] += (next - gamma[i]).abs();
                gamma[i] = next;
            }
        }
        lane_sum(&change) / k as f64
    }

    #[cold]
    fn add_faint(&mut self, document: Document<'_>, topics: &TopicPosterior, ratios: &[f64]) {
        for ((&word, &count), _) in
            document.words.iter().zip(document.counts).zip(ratios).filter(|(_, ratio)| **ratio == 0.0)
        {
            let mut proportions = vec![ZERO; self.counts.len()];
            topics.expected_ln(word as usize, &mut proportions);
            let numbers = &mut proportions.as_flattened_mut()[..topics.topics()];
            for (proportion, ln) in numbers.iter_mut().zip(self.ln_theta.as_flattened()) {
                *proportion += ln;
            }
            let ln_p = ln_sum_exp(numbers);
            self.faint_ln += f64::from(count) * ln_p;
            for proportion in &mut *numbers {
                *proportion = f64::from(count) * (*proportion - ln_p).exp();
            }
            proportions.as_flattened_mut()[topics.topics()..].fill(0.0);
            for (counts, proportions) in
                self.counts.as_flattened_mut().iter_mut().zip(proportions.as_flattened())
            {
                *counts += proportions;
            }
            self.faint.push(FaintWord { word, counts: proportions });
        }
    }

    /// The faint words of the last step.
    pub(in crate::lda) fn take_faint(&mut self) -> Vec<FaintWord> {
        std::mem::take(&mut self.faint)
    }

    /// The document's terms of the bound after a step:
    /// `sum_w n_w ln p_w - sum_k n_k E ln theta_k + ln B(gamma) - ln B(alpha)`, where the expectations are
    /// those that the step began with. `ψ(sum gamma)` cancels in the first two terms and is in neither.
    pub(in crate::lda) fn bound(
        &mut self,
        document: Document<'_>,
        prior: &Proportions,
        topics: &TopicPosterior,
        posterior: &DocumentPosterior<'_>,
    ) -> f64 {
        if document.words.is_empty() {
            return 0.0;
        }
        let counts = &self.counts.as_flattened()[..topics.topics()];
        let tokens = document.tokens() as f64;
        self.logs.clear();
        let p = |(&count, &ratio): (&u32, &f64)| if ratio > 0.0 { f64::from(count) / ratio } else { 1.0 };
        self.logs.extend(document.counts.iter().zip(&*posterior.ratios).map(p));
        ln(&mut self.logs);
        let mut words = self.faint_ln;
        for (((&word, &count), ln_p), &ratio) in
            document.words.iter().zip(document.counts).zip(&self.logs).zip(&*posterior.ratios)
        {
            if ratio > 0.0 {
                words += f64::from(count) * (ln_p + self.ln_largest + topics.ln_largest()[word as usize]);
            }
        }
        let ln_theta = self.ln_theta.as_flattened();
        let used: f64 = counts.iter().zip(ln_theta).filter(|(n, _)| **n > 0.0).map(|(n, ln)| n * ln).sum();
        let evidence = if prior.large {
            prior.alpha.iter().zip(counts).map(|(&a, &n)| ln_pochhammer(a, n)).sum()
        } else {
            sum_ln_gamma(&posterior.gamma.as_flattened()[..counts.len()]) - prior.sum_ln_gamma
        };
        (words - used) + (evidence - ln_pochhammer(prior.total, tokens))
    }
}

/// Sums over the words of a document, given its weights of topics. Returns whether a word is faint.
struct Pass<'a> {
    document: Document<'a>,
    weights: &'a [Lane],
    theta: &'a [Lane],
    ratios: &'a mut [f64],
    sums: &'a mut [Lane],
}

impl WithSimd for Pass<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { document, weights, theta, ratios, sums } = self;
        let width = theta.len();
        let row = |word: u32| &weights[word as usize * width..][..width];
        let mut any_faint = false;
        let (words, last_words) = document.words.as_chunks::<TILE>();
        let (counts, last_counts) = document.counts.as_chunks::<TILE>();
        let (first_ratios, last_ratios) = ratios.as_chunks_mut::<TILE>();
        for ((words, counts), ratios) in words.iter().zip(counts).zip(first_ratios) {
            any_faint |= tile(words.map(row), counts, theta, ratios, sums);
        }
        for ((&word, &count), ratio) in last_words.iter().zip(last_counts).zip(last_ratios) {
            any_faint |= tile([row(word)], &[count], theta, std::array::from_mut(ratio), sums);
        }
        any_faint
    }
}

/// A few words. The order of all sums is that of one word after the other.
#[inline(always)]
fn tile<const N: usize>(
    rows: [&[Lane]; N],
    counts: &[u32; N],
    theta: &[Lane],
    ratios: &mut [f64; N],
    sums: &mut [Lane],
) -> bool {
    let width = theta.len();
    let (rows, sums) = (rows.map(|row| &row[..width]), &mut sums[..width]);
    let mut products = [ZERO; N];
    for j in 0..width {
        for (product, row) in products.iter_mut().zip(&rows) {
            for i in 0..product.len() {
                product[i] += theta[j][i] * row[j][i];
            }
        }
    }
    let mut any_faint = false;
    for i in 0..N {
        let p = lane_sum(&products[i]);
        let faint = !(p >= FAINT);
        any_faint |= faint;
        ratios[i] = if faint { 0.0 } else { f64::from(counts[i]) / p };
    }
    for j in 0..width {
        for (row, ratio) in rows.iter().zip(&*ratios) {
            for i in 0..row[j].len() {
                sums[j][i] += ratio * row[j][i];
            }
        }
    }
    any_faint
}
