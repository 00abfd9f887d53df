//! Does the chain forget its start?

use super::TransitionMatrix;

/// Why a chain does not forget its start.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotErgodic {
    /// The chain has pieces that it cannot leave.
    #[error("the chain is reducible: no way leads from state {from} to state {to}")]
    Reducible {
        /// A state of a closed class.
        from: usize,
        /// A state that is never reached from it.
        to: usize,
    },
    /// The chain goes in circles.
    #[error("the chain is periodic: it returns to a state only after multiples of {period} steps")]
    Periodic {
        /// The greatest common divisor of the lengths of all ways back.
        period: usize,
    },
    /// The chain has pieces that it leaves with probabilities below the range of f64.
    #[error("the chain is nearly reducible, beyond the range of f64: probabilities underflow")]
    Underflow,
    /// After 2⁶³ steps the chain still remembers its start.
    #[error("after 2^63 steps the distributions are still {distance} from the stationary one")]
    Slow {
        /// The largest total variation distance.
        distance: f64,
    },
}

impl TransitionMatrix {
    /// That each state reaches each other one.
    ///
    /// # Errors
    /// [`NotErgodic::Reducible`], with two states.
    pub fn check_irreducible(&self) -> Result<(), NotErgodic> {
        let classes = self.classes();
        if classes.len() == 1 {
            return Ok(());
        }
        // Some class of a finite chain is closed; no way leads from it to the first state of another one.
        let (home, closed) =
            classes.iter().enumerate().find(|(_, class)| class.closed).unwrap_or((0, &classes[0]));
        let other = &classes[usize::from(home == 0)];
        Err(NotErgodic::Reducible { from: closed.states[0], to: other.states[0] })
    }

    /// The greatest common divisor of the lengths of all ways from a state back to itself, of an irreducible
    /// chain.
    ///
    /// # Errors
    /// A reducible chain: its [`classes`](Self::classes) have each their own.
    pub fn period(&self) -> Result<usize, NotErgodic> {
        self.check_irreducible()?;
        Ok(self.classes()[0].period.unwrap_or(1))
    }

    /// That the chain forgets its start: irreducible, and of period one. Its distribution then tends to the
    /// stationary one from any start.
    ///
    /// # Errors
    /// [`NotErgodic`], with the reason.
    pub fn check_ergodic(&self) -> Result<(), NotErgodic> {
        match self.period()? {
            1 => Ok(()),
            period => Err(NotErgodic::Periodic { period }),
        }
    }
}
