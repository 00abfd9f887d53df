//! Does the chain forget its start?

use super::{NotErgodic, TransitionMatrix};

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
