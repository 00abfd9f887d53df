//! Fits that climb in steps: their progress, their interruption, and what they leave.

use std::ops::ControlFlow;
use std::time::Instant;

use indicatif::ProgressBar;
use posterior::math::iteration::{Report, Step, Stop};
use posterior::math::linalg::DMatrix;
use posterior::topics::lda::{Hyperparameters, Lda};
use posterior::topics::{SweepReport, TopicModel as _};

use super::{Outcome, range};
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::output::progress_bar;
use crate::report::Trace;
use crate::topics::fitted_model::FittedModel;
use crate::{interrupt, output};

/// A bar on stderr when that is a terminal, else nothing.
pub(in crate::topics) struct Progress {
    bar: ProgressBar,
    tokens: f64,
}

impl Progress {
    pub(in crate::topics) fn new(iterations: usize, tokens: u64, quiet: bool) -> Self {
        let bar = progress_bar(iterations, quiet);
        Self { bar, tokens: tokens as f64 }
    }

    /// Shows that so many sweeps or steps are done, and what they reached; NaN if unknown.
    pub(in crate::topics) fn show(&self, done: usize, objective: f64) {
        if !objective.is_nan() {
            self.bar.set_message(format!("{:.4} per word", objective / self.tokens));
        }
        self.bar.set_position(done as u64);
    }

    pub(in crate::topics) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Sees the steps of a fit.
pub(in crate::topics) struct Steps {
    progress: Progress,
    began: Instant,
    interrupted: Option<usize>,
}

impl Steps {
    /// For a fit of at most so many steps over so many tokens.
    pub(in crate::topics) fn new(args: &TopicsFit, steps: usize, tokens: u64) -> Self {
        interrupt::watch();
        let progress = Progress::new(steps, tokens, args.common.quiet);
        Self { progress, began: Instant::now(), interrupted: None }
    }

    /// Shows a step, and stops the fit when it was asked to stop.
    pub(in crate::topics) fn observe(&mut self, step: &Step) -> ControlFlow<()> {
        self.progress.show(step.iteration, step.objective);
        if interrupt::requested() {
            self.interrupted = Some(step.iteration);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The seconds that the fit took, unless it was interrupted.
    pub(in crate::topics) fn finish(self) -> Result<f64, Failure> {
        self.progress.clear();
        match self.interrupted {
            None => Ok(self.began.elapsed().as_secs_f64()),
            Some(step) => Err(Failure::Interrupted(format!("after {step} steps; nothing was saved"))),
        }
    }
}

/// Whether the concentrations are fitted.
pub(super) fn learning(args: &TopicsFit) -> Hyperparameters {
    if args.optimize_hyper { Hyperparameters::Optimized } else { Hyperparameters::Fixed }
}

/// The rows of settings that every inference of latent Dirichlet allocation begins with.
pub(super) fn lda_settings(model: &Lda, learned: bool, inference: &str) -> Vec<(&'static str, String)> {
    vec![
        ("model", "latent Dirichlet allocation".to_owned()),
        ("inference", inference.to_owned()),
        ("topics", model.topics().len().to_string()),
        ("alpha", range(model.alpha(), learned)),
        ("beta", range(&[model.beta()], learned)),
    ]
}

/// How many steps there were, and why no more, for a row of settings.
pub(super) fn output(report: &Report) -> String {
    let steps = output::grouped(report.iterations() as u64);
    match report.stop {
        Stop::Converged => format!("{steps}, converged"),
        _ => format!("{steps}, not converged"),
    }
}

impl Outcome {
    /// What a chain leaves, of a model without a concentration of the words.
    pub(super) fn of_chain<S>(
        report: &SweepReport<S>,
        model: FittedModel,
        doc_topic: DMatrix<f64>,
        settings: Vec<(&'static str, String)>,
    ) -> Self {
        let tokens = report.tokens_in_sweep as f64;
        let points = report.trace.iter().map(|point| (point.iteration as f64, point.ln_joint / tokens));
        Self {
            model,
            doc_topic,
            trace: Trace {
                name: "Joint log-likelihood of words and topics per word, by sweep".to_owned(),
                text: "It climbs while the chain finds its topics, then varies around a level.",
                fact: "ln p per word",
                points: points.collect(),
            },
            settings,
            iterations: report.iterations,
            tokens_per_second: report.tokens_drawn as f64 / report.sampling.as_secs_f64(),
            beta: None,
            kernel: None,
        }
    }
}

/// The course of such a fit.
pub(super) struct Course<'a> {
    pub(super) report: &'a Report,
    pub(super) tokens: u64,
    pub(super) seconds: f64,
    /// What climbs, such as `Log-likelihood`.
    pub(super) what: &'static str,
}

impl Course<'_> {
    /// What the fit leaves.
    pub(super) fn outcome(
        &self,
        model: FittedModel,
        doc_topic: DMatrix<f64>,
        settings: Vec<(&'static str, String)>,
    ) -> Outcome {
        let points = self.report.trace.iter().enumerate();
        let steps = self.report.iterations();
        Outcome {
            model,
            doc_topic,
            trace: Trace {
                name: format!("{} per word, by step", self.what),
                text: "It climbs until the steps no longer matter.",
                fact: "objective per word",
                points: points.map(|(step, value)| (step as f64, value / self.tokens as f64)).collect(),
            },
            settings,
            iterations: steps,
            tokens_per_second: steps as f64 * self.tokens as f64 / self.seconds,
            beta: None,
            kernel: None,
        }
    }
}
