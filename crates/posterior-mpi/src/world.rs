//! The collectives of a ring over MPI.

use std::process;

use mpi::collective::{CommunicatorCollectives as _, Root as _, SystemOperation};
use mpi::environment::Universe;
use mpi::point_to_point::{self, Destination as _, Source as _};
use mpi::request::{self, WaitGuard};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::{Rank, Threading};
use posterior_topics::Error;
use posterior_topics::lda::gibbs::ring::{Collectives, Place};

/// Bytes of one message: MPI counts in 31 bits.
const MESSAGE: usize = 1 << 30;

/// All processes that `mpirun` has started.
pub(crate) struct World {
    communicator: SimpleCommunicator,
    /// MPI ends when this is dropped.
    _universe: Universe,
}

impl World {
    /// Joins the others; `None` where MPI cannot begin.
    pub(crate) fn join() -> Option<Self> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Self { communicator: universe.world(), _universe: universe })
    }

    /// Says why, and ends all processes.
    pub(crate) fn abort(&self, message: &str) -> ! {
        let Place { rank, ranks } = self.place();
        report(&format!("error: process {rank} of {ranks}: {message}"));
        self.communicator.abort(1)
    }

    fn neighbours(&self) -> (Rank, Rank) {
        let (rank, ranks) = (self.communicator.rank(), self.communicator.size());
        ((rank + ranks - 1) % ranks, (rank + 1) % ranks)
    }
}

/// From here on a panic of any thread ends all processes.
pub(crate) fn abort_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        // MPI may be called by the first thread alone: `mpirun` ends the others when one of them dies.
        process::abort();
    }));
}

/// A line for whoever looks at the run; that nobody can read it is no reason to stop.
pub(crate) fn report(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}

impl Collectives for World {
    fn place(&self) -> Place {
        let (rank, ranks) = (self.communicator.rank(), self.communicator.size());
        Place { rank: rank as usize, ranks: ranks as usize }
    }

    fn shift(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let (before, after) = self.neighbours();
        let (to, from) =
            (self.communicator.process_at_rank(before), self.communicator.process_at_rank(after));
        let mut length = 0_u64;
        point_to_point::send_receive_into(&(bytes.len() as u64), &to, &mut length, &from);
        let mut received = vec![0_u8; length as usize];
        request::scope(|scope| {
            let chunks = bytes.chunks(MESSAGE);
            let sent: Vec<_> =
                chunks.map(|chunk| WaitGuard::from(to.immediate_send(scope, chunk))).collect();
            for chunk in received.chunks_mut(MESSAGE) {
                from.receive_into(chunk);
            }
            drop(sent);
        });
        Ok(received)
    }

    fn add(&mut self, counts: &mut [u64]) -> Result<(), Error> {
        let mut sums = vec![0_u64; counts.len()];
        self.communicator.all_reduce_into(&*counts, &mut sums[..], SystemOperation::sum());
        counts.copy_from_slice(&sums);
        Ok(())
    }

    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        let Place { rank, ranks } = self.place();
        if rank > 0 {
            let first = self.communicator.process_at_rank(0);
            first.send(&(bytes.len() as u64));
            for chunk in bytes.chunks(MESSAGE) {
                first.send(chunk);
            }
            return Ok(Vec::new());
        }
        let mut all = vec![bytes];
        for other in 1..ranks {
            let other = self.communicator.process_at_rank(other as Rank);
            let (length, _) = other.receive::<u64>();
            let mut received = vec![0_u8; length as usize];
            for chunk in received.chunks_mut(MESSAGE) {
                other.receive_into(chunk);
            }
            all.push(received);
        }
        Ok(all)
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let first = self.communicator.process_at_rank(0);
        let mut length = bytes.len() as u64;
        first.broadcast_into(&mut length);
        let mut bytes = bytes;
        bytes.resize(length as usize, 0);
        for chunk in bytes.chunks_mut(MESSAGE) {
            first.broadcast_into(chunk);
        }
        Ok(bytes)
    }
}
