//! What the processes of one chain say to each other.

use crate::Error;

/// Where a process stands in the ring of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 0.
    pub rank: usize,
    /// How many there are.
    pub ranks: usize,
}

/// The operations by which the processes of a chain work together. All call the same ones in the same order.
///
/// [`OneProcess`] is that of a chain that is alone; another one may send by whatever carries bytes. None of
/// them adds floating-point numbers: counts are integers, whose sum knows no order, and all else is brought
/// together in the order of the ranks, so that a result has the same bits on any number of processes.
pub trait Collectives {
    /// Where this process stands.
    fn place(&self) -> Place;

    /// Sends bytes to the process before this one, and returns those that the process after it has sent; the
    /// first comes after the last.
    ///
    /// # Errors
    /// The bytes cannot be sent or received.
    fn shift(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error>;

    /// Replaces each number by its sum over all processes.
    ///
    /// # Errors
    /// The numbers cannot be sent or received.
    fn add(&mut self, counts: &mut [u64]) -> Result<(), Error>;

    /// At the first process the bytes of all, in their order; nothing at the others.
    ///
    /// # Errors
    /// The bytes cannot be sent or received.
    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error>;

    /// At all processes the bytes that the first one has; what the others have is dropped.
    ///
    /// # Errors
    /// The bytes cannot be sent or received.
    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error>;
}

/// A process that is alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OneProcess;

impl Collectives for OneProcess {
    fn place(&self) -> Place {
        Place { rank: 0, ranks: 1 }
    }

    fn shift(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        Ok(bytes)
    }

    fn add(&mut self, _: &mut [u64]) -> Result<(), Error> {
        Ok(())
    }

    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        Ok(vec![bytes])
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        Ok(bytes)
    }
}

/// Bytes that one process gave to the operations, and how often.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Calls of [`shift`](Collectives::shift).
    pub shifts: u64,
    /// Bytes that were shifted.
    pub shifted: u64,
    /// Calls of [`add`](Collectives::add).
    pub sums: u64,
    /// Bytes of the counts that were added up.
    pub added: u64,
    /// Calls of [`gather`](Collectives::gather) and [`broadcast`](Collectives::broadcast).
    pub gathers: u64,
    /// Bytes that were gathered or broadcast.
    pub gathered: u64,
}

/// Operations whose traffic is counted.
#[derive(Debug)]
pub struct CountedCollectives<C> {
    collectives: C,
    traffic: Traffic,
}

impl<C: Collectives> CountedCollectives<C> {
    /// Counts from zero.
    pub fn new(collectives: C) -> Self {
        Self { collectives, traffic: Traffic::default() }
    }

    /// The operations themselves.
    pub fn inner(&self) -> &C {
        &self.collectives
    }

    /// What this process has given so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }
}

impl<C: Collectives> Collectives for CountedCollectives<C> {
    fn place(&self) -> Place {
        self.collectives.place()
    }

    fn shift(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.traffic.shifts += 1;
        self.traffic.shifted += bytes.len() as u64;
        self.collectives.shift(bytes)
    }

    fn add(&mut self, counts: &mut [u64]) -> Result<(), Error> {
        self.traffic.sums += 1;
        self.traffic.added += size_of_val(counts) as u64;
        self.collectives.add(counts)
    }

    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        self.traffic.gathers += 1;
        self.traffic.gathered += bytes.len() as u64;
        self.collectives.gather(bytes)
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.traffic.gathers += 1;
        self.traffic.gathered += bytes.len() as u64;
        self.collectives.broadcast(bytes)
    }
}
