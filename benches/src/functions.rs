//! Every special function beside the same function of other crates, as functions of a list of numbers.

use ::statrs::distribution::ContinuousCDF as _;
use ::statrs::function as statrs;
use posterior::math::log_space::{
    ln_1m_exp, ln_1p_exp, ln_diff_exp, ln_logistic, ln_sum_exp, logistic, logit,
};
use posterior::math::special as ours;
use special::{Beta as _, Error as _, Gamma as _};

/// A function of the numbers of one row of a table.
pub type Function = fn(&[f64]) -> f64;

/// A special function: its table, ours, and those of other crates that have it.
#[derive(Debug)]
pub struct Special {
    /// The name of the table in `posterior-testkit/tables/special`.
    pub table: &'static str,
    /// The function of this workspace.
    pub ours: Function,
    /// The other crates that have it.
    pub peers: &'static [(&'static str, Function)],
}

const fn alone(table: &'static str, ours: Function) -> Special {
    Special { table, ours, peers: &[] }
}

/// All special functions that have a table.
pub const SPECIAL: &[Special] = &[
    Special {
        table: "ln_gamma",
        ours: |v| ours::ln_gamma(v[0]),
        peers: &[
            ("statrs", |v| statrs::gamma::ln_gamma(v[0])),
            ("special", |v| special::Gamma::ln_gamma(v[0]).0),
            ("puruspe", |v| puruspe::ln_gamma(v[0])),
        ],
    },
    Special {
        table: "gamma",
        ours: |v| ours::gamma(v[0]),
        peers: &[
            ("statrs", |v| statrs::gamma::gamma(v[0])),
            ("special", |v| special::Gamma::gamma(v[0])),
            ("puruspe", |v| puruspe::gamma(v[0])),
        ],
    },
    Special {
        table: "digamma",
        ours: |v| ours::digamma(v[0]),
        peers: &[("statrs", |v| statrs::gamma::digamma(v[0])), ("special", |v| v[0].digamma())],
    },
    Special { table: "trigamma", ours: |v| ours::trigamma(v[0]), peers: &[("special", |v| v[0].trigamma())] },
    alone("polygamma2", |v| ours::polygamma(2, v[0])),
    Special {
        table: "ln_beta",
        ours: |v| ours::ln_beta(v[0], v[1]),
        peers: &[("statrs", |v| statrs::beta::ln_beta(v[0], v[1])), ("special", |v| v[0].ln_beta(v[1]))],
    },
    Special {
        table: "ln_factorial",
        ours: |v| ours::ln_factorial(v[0] as u64),
        peers: &[("statrs", |v| statrs::factorial::ln_factorial(v[0] as u64))],
    },
    Special {
        table: "ln_binomial",
        ours: |v| ours::ln_binomial(v[0] as u64, v[1] as u64),
        peers: &[("statrs", |v| statrs::factorial::ln_binomial(v[0] as u64, v[1] as u64))],
    },
    alone("ln_multinomial", |v| ours::ln_multinomial(&v.iter().map(|&k| k as u64).collect::<Vec<_>>())),
    alone("mv_ln_gamma", |v| ours::multivariate_ln_gamma(v[0] as usize, v[1])),
    alone("ln_rising_factorial", |v| ours::ln_rising_factorial(v[0], v[1] as u64)),
    alone("ln_pochhammer", |v| ours::ln_pochhammer(v[0], v[1])),
    alone("digamma_difference", |v| ours::digamma_difference(v[0], v[1])),
    alone("trigamma_difference", |v| ours::trigamma_difference(v[0], v[1])),
    alone("inverse_digamma", |v| ours::inverse_digamma(v[0])),
    alone("stirling_remainder", |v| ours::stirling_remainder(v[0])),
    alone("poisson_deviance", |v| ours::poisson_deviance(v[0], v[1])),
    Special {
        table: "gamma_p",
        ours: |v| ours::gamma_p(v[0], v[1]),
        peers: &[
            ("statrs", |v| statrs::gamma::gamma_lr(v[0], v[1])),
            ("special", |v| v[1].inc_gamma(v[0])),
            ("puruspe", |v| puruspe::gammp(v[0], v[1])),
        ],
    },
    Special {
        table: "gamma_q",
        ours: |v| ours::gamma_q(v[0], v[1]),
        peers: &[
            ("statrs", |v| statrs::gamma::gamma_ur(v[0], v[1])),
            ("puruspe", |v| puruspe::gammq(v[0], v[1])),
        ],
    },
    Special {
        table: "gamma_p_inv",
        ours: |v| ours::inverse_gamma_p(v[0], v[1]),
        peers: &[("puruspe", |v| puruspe::invgammp(v[1], v[0]))],
    },
    alone("gamma_q_inv", |v| ours::inverse_gamma_q(v[0], v[1])),
    Special {
        table: "beta_reg",
        ours: |v| ours::beta_p(v[0], v[1], v[2]),
        peers: &[
            ("statrs", |v| statrs::beta::beta_reg(v[0], v[1], v[2])),
            ("special", |v| v[2].inc_beta(v[0], v[1], v[0].ln_beta(v[1]))),
            ("puruspe", |v| puruspe::betai(v[0], v[1], v[2])),
        ],
    },
    alone("beta_reg_complement", |v| ours::beta_q(v[0], v[1], v[2])),
    Special {
        table: "beta_reg_inv",
        ours: |v| ours::inverse_beta_p(v[0], v[1], v[2]).0,
        peers: &[
            ("statrs", |v| statrs::beta::inv_beta_reg(v[0], v[1], v[2])),
            ("special", |v| v[2].inv_inc_beta(v[0], v[1], v[0].ln_beta(v[1]))),
            ("puruspe", |v| puruspe::invbetai(v[2], v[0], v[1])),
        ],
    },
    Special {
        table: "erf",
        ours: |v| ours::erf(v[0]),
        peers: &[
            ("statrs", |v| statrs::erf::erf(v[0])),
            ("special", |v| v[0].error()),
            ("puruspe", |v| puruspe::erf(v[0])),
        ],
    },
    Special {
        table: "erfc",
        ours: |v| ours::erfc(v[0]),
        peers: &[
            ("statrs", |v| statrs::erf::erfc(v[0])),
            ("special", |v| v[0].compl_error()),
            ("puruspe", |v| puruspe::erfc(v[0])),
        ],
    },
    Special { table: "erfcx", ours: |v| ours::erfcx(v[0]), peers: &[("puruspe", |v| puruspe::erfcx(v[0]))] },
    Special {
        table: "erfinv",
        ours: |v| ours::erf_inv(v[0]),
        peers: &[
            ("statrs", |v| statrs::erf::erf_inv(v[0])),
            ("special", |v| v[0].inv_error()),
            ("puruspe", |v| puruspe::inverf(v[0])),
        ],
    },
    Special {
        table: "erfcinv",
        ours: |v| ours::erfc_inv(v[0]),
        peers: &[("statrs", |v| statrs::erf::erfc_inv(v[0])), ("puruspe", |v| puruspe::inverfc(v[0]))],
    },
    alone("norm_cdf", |v| ours::normal_cdf(v[0])),
    alone("norm_log_cdf", |v| ours::ln_normal_cdf(v[0])),
    Special {
        table: "norm_quantile",
        ours: |v| ours::normal_quantile(v[0]),
        peers: &[("statrs", |v| ::statrs::distribution::Normal::standard().inverse_cdf(v[0]))],
    },
    alone("norm_inv_mills", |v| ours::inverse_mills(v[0])),
    alone("bessel_k", |v| ours::bessel_k(v[0], v[1])),
    alone("ln_bessel_k", |v| ours::ln_bessel_k(v[0], v[1])),
    alone("ln_bessel_i0", |v| ours::ln_bessel_i0(v[0])),
    alone("ln_bessel_i1", |v| ours::ln_bessel_i1(v[0])),
    alone("bessel_i1_over_i0", |v| ours::bessel_i1_over_i0(v[0])),
    alone("owens_t", |v| ours::owens_t(v[0], v[1])),
    alone("log1mexp", |v| ln_1m_exp(v[0])),
    alone("log1pexp", |v| ln_1p_exp(v[0])),
    alone("log_logistic", |v| ln_logistic(v[0])),
    alone("logdiffexp", |v| ln_diff_exp(v[0], v[1])),
    Special {
        table: "logistic",
        ours: |v| logistic(v[0]),
        peers: &[("statrs", |v| statrs::logistic::logistic(v[0]))],
    },
    Special {
        table: "logit",
        ours: |v| logit(v[0]),
        peers: &[("statrs", |v| statrs::logistic::logit(v[0]))],
    },
    alone("logsumexp", ln_sum_exp),
];
