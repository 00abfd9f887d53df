//! The collectives of a ring over MPI.

use std::time::Duration;
use std::{process, thread};

use mpi::collective::{CommunicatorCollectives as _, Root as _, SystemOperation};
use mpi::environment::Universe;
use mpi::point_to_point::{Destination as _, Source as _};
use mpi::request::{self, Request, Scope};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::{Rank, Threading};
use posterior_topics::Error;
use posterior_topics::lda::gibbs::ring::{Collectives, Place};

/// Bytes of one message: MPI counts in 31 bits.
const MESSAGE: usize = 1 << 30;

/// All processes that `mpirun` has started.
pub(crate) struct World {
    communicator: SimpleCommunicator,
    /// How many of them share the memory of this one, which is among them.
    pub(crate) on_machine: usize,
    /// MPI ends when this is dropped.
    _universe: Universe,
}

impl World {
    /// Joins the others; `None` where MPI cannot begin.
    pub(crate) fn join() -> Option<Self> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let communicator = universe.world();
        let on_machine = communicator.split_shared(0).size() as usize;
        Some(Self { communicator, on_machine, _universe: universe })
    }

    /// Says why, and ends all processes.
    pub(crate) fn abort(&self, message: &str) -> ! {
        let Place { rank, ranks } = self.place();
        report(&format!("error: process {rank} of {ranks}: {message}"));
        self.communicator.abort(1)
    }

    /// Sends bytes after their length, and does something else meanwhile.
    fn sending<R>(&self, to: Rank, bytes: &[u8], meanwhile: impl FnOnce() -> R) -> R {
        let to = self.communicator.process_at_rank(to);
        let length = (bytes.len() as u64).to_le_bytes();
        request::scope(|scope| {
            let messages = std::iter::once(&length[..]).chain(bytes.chunks(MESSAGE));
            let sent: Vec<_> = messages.map(|message| to.immediate_send(scope, message)).collect();
            let result = meanwhile();
            sent.into_iter().for_each(wait);
            result
        })
    }

    /// What another process sends.
    fn receive(&self, from: Rank) -> Vec<u8> {
        let from = self.communicator.process_at_rank(from);
        let take = |bytes: &mut [u8]| request::scope(|scope| wait(from.immediate_receive_into(scope, bytes)));
        let mut length = [0; 8];
        take(&mut length);
        let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
        bytes.chunks_mut(MESSAGE).for_each(take);
        bytes
    }

    /// The bytes of the first process, of which there are as many as here.
    fn share(&self, bytes: &mut [u8]) {
        let first = self.communicator.process_at_rank(0);
        for message in bytes.chunks_mut(MESSAGE) {
            request::scope(|scope| wait(first.immediate_broadcast_into(scope, message)));
        }
    }
}

/// Waits for the end of an operation, asleep after a while: MPI's own waiting takes the time of a processor,
/// which others may need.
fn wait<'a, D: ?Sized, S: Scope<'a>>(mut request: Request<'a, D, S>) {
    let mut pause = Duration::ZERO;
    loop {
        match request.test() {
            Ok(_) => return,
            Err(pending) => request = pending,
        }
        if pause.is_zero() {
            thread::yield_now();
        } else {
            thread::sleep(pause);
        }
        pause = (2 * pause + Duration::from_micros(1)).min(Duration::from_micros(200));
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
        let (rank, ranks) = (self.communicator.rank(), self.communicator.size());
        let (before, after) = ((rank + ranks - 1) % ranks, (rank + 1) % ranks);
        Ok(self.sending(before, &bytes, || self.receive(after)))
    }

    fn add(&mut self, counts: &mut [u64]) -> Result<(), Error> {
        let own = counts.to_vec();
        request::scope(|scope| {
            let sum = SystemOperation::sum();
            wait(self.communicator.immediate_all_reduce_into(scope, &own[..], counts, sum));
        });
        Ok(())
    }

    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        if self.communicator.rank() > 0 {
            self.sending(0, &bytes, || ());
            return Ok(Vec::new());
        }
        let others = (1..self.communicator.size()).map(|other| self.receive(other));
        Ok(std::iter::once(bytes).chain(others).collect())
    }

    fn broadcast(&mut self, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let mut length = (bytes.len() as u64).to_le_bytes();
        self.share(&mut length);
        bytes.resize(u64::from_le_bytes(length) as usize, 0);
        self.share(&mut bytes);
        Ok(bytes)
    }
}
