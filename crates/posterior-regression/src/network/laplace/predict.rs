//! Predictions: of the network at the mode, of the network linearised there, and of drawn networks.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector, transpose_multiply};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::NetworkLaplace;
use crate::Error;
use crate::linear::data::finite;
use crate::network::forward::Trace;
use crate::network::forward::blocks;
use crate::network::{Head, NetworkOutputs};

impl NetworkLaplace {
    /// E[y | w*, x] for each row of `x`: the prediction of the trained network, which knows of no uncertainty
    /// of its parameters.
    ///
    /// # Errors
    /// Another number of columns than the network has inputs, or numbers that are not finite.
    pub fn plug_in_response(&self, x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        Ok(self.head.response(&self.network.outputs_at(&self.mode, x)?))
    }

    /// The distribution of the outputs at each row of `x`, for the network linearised about the mode: N(f(x;
    /// w*), J Λ⁻¹ Jᵀ).
    ///
    /// # Errors
    /// As for [`plug_in_response`](Self::plug_in_response).
    pub fn latent(&self, x: &DMatrix<f64>) -> Result<NetworkOutputs, Error> {
        self.network.check_inputs(x)?;
        let outputs = self.network.outputs();
        let mut mean = DMatrix::zeros(x.nrows(), outputs);
        let mut covariances = DMatrix::zeros(outputs * outputs, x.nrows());
        let classes = if self.head == Head::Categorical { outputs } else { 0 };
        let mut contrasts = DMatrix::zeros(classes * classes, x.nrows());
        self.for_each_block(x, |start, trace, white| {
            let rows = trace.outputs.nrows();
            mean.rows_mut(start, rows).copy_from(&trace.outputs);
            for i in 0..rows {
                for (a, first) in white.iter().enumerate() {
                    for (b, second) in white.iter().enumerate() {
                        covariances[(a * outputs + b, start + i)] = first.column(i).dot(&second.column(i));
                    }
                }
            }
            // Less their mean before they are squared: what is common may be larger by far than what is left.
            let middle = white[..classes]
                .iter()
                .fold(DMatrix::zeros(self.precision.size(), rows), |sum, own| sum + own)
                / classes.max(1) as f64;
            let white: Vec<DMatrix<f64>> = white[..classes].iter().map(|own| own - &middle).collect();
            for i in 0..rows {
                for (a, first) in white.iter().enumerate() {
                    for (b, second) in white.iter().enumerate() {
                        contrasts[(a * classes + b, start + i)] = first.column(i).dot(&second.column(i));
                    }
                }
            }
        });
        Ok(NetworkOutputs::new(
            mean,
            covariances,
            contrasts,
            self.head,
            self.hyperparameters.noise_variance(),
        ))
    }

    /// The covariances of the linearised outputs at the rows of two matrices: of output a at row i and output
    /// b at row j in row a n + i and column b m + j, n and m the numbers of rows.
    ///
    /// # Errors
    /// As for [`plug_in_response`](Self::plug_in_response).
    pub fn covariance(&self, x: &DMatrix<f64>, other: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        Ok(transpose_multiply(&self.white(x)?, &self.white(other)?))
    }

    /// The standard deviations of linear combinations of the uncertain parameters, one for each column of
    /// `combinations`: such as contrasts between the weights of classes, which observations determine where
    /// each weight by itself has the variance of the prior.
    ///
    /// # Errors
    /// Another number of rows than there are uncertain parameters, or numbers that are not finite.
    pub fn deviations_of(&self, combinations: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        let (expected, found) = (self.precision.size(), combinations.nrows());
        check::dimension("parameters of a combination", expected, found)?;
        finite("combination", expected, combinations.as_slice())?;
        let mut columns = combinations.clone();
        self.precision.whiten(&mut columns);
        Ok(DVector::from_iterator(columns.ncols(), columns.column_iter().map(|column| column.norm())))
    }

    /// Columns whose inner products are covariances of outputs: one for each output and row.
    fn white(&self, x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        self.network.check_inputs(x)?;
        let rows = x.nrows();
        let mut all = DMatrix::zeros(self.precision.size(), rows * self.network.outputs());
        self.for_each_block(x, |start, _, white| {
            for (output, white) in white.iter().enumerate() {
                all.columns_mut(output * rows + start, white.ncols()).copy_from(white);
            }
        });
        Ok(all)
    }

    /// For each block of rows, where it starts, its trace, and the whitened Jacobian of each output.
    fn for_each_block(&self, x: &DMatrix<f64>, mut visit: impl FnMut(usize, &Trace<'_>, &[DMatrix<f64>])) {
        let (matrices, range) = (self.network.matrices(&self.mode), self.uncertain());
        for (start, block) in blocks(x) {
            let trace = Trace::new(&self.network, &matrices, &block);
            let white = |output| {
                let mut columns = trace.jacobian(trace.only(output), &range).transpose();
                self.precision.whiten(&mut columns);
                columns
            };
            let white: Vec<_> = (0..self.network.outputs()).map(white).collect();
            visit(start, &trace, &white);
        }
    }

    /// Parameters from the approximate posterior.
    pub fn draw_weights<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let noise = DVector::from_fn(self.precision.size(), |_, _| rng.sample(StandardNormal));
        let deviation = self.precision.color(noise);
        let mut w = self.mode.clone();
        for (w, deviation) in w[self.uncertain()].iter_mut().zip(deviation.iter()) {
            *w += deviation;
        }
        w
    }

    /// E[y | x] for each row of `x` as the mean over drawn networks, which are not linearised:
    /// [`HessianKind::GaussNewton`] is the curvature of the linearised network, and its draws may predict
    /// worse than [`latent`](Self::latent) does.
    ///
    /// [`HessianKind::GaussNewton`]: crate::network::HessianKind::GaussNewton
    ///
    /// # Errors
    /// No draws; otherwise as for [`plug_in_response`](Self::plug_in_response).
    pub fn response_of_networks<R: Rng + ?Sized>(
        &self,
        x: &DMatrix<f64>,
        draws: usize,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        if draws == 0 {
            return Err(ParamError::new("Laplace", "draws", 0.0, "at least one").into());
        }
        let mut sum = DMatrix::zeros(x.nrows(), self.network.outputs());
        for _ in 0..draws {
            sum += self.head.response(&self.network.outputs_at(&self.draw_weights(rng), x)?);
        }
        Ok(sum / draws as f64)
    }
}
