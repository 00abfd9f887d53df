//! Memory that serves again.

use std::sync::Mutex;

/// Fewer values come from memory that the program has.
const LARGE: usize = 1 << 16;
/// A factor and its selected inverse.
const MOST: usize = 2;

/// The memory of factors that were dropped, for the next ones of the same analysis. What the system has to
/// give anew, page by page, takes a seventh of the time of a fit with a field of 10⁵ nodes.
#[derive(Debug, Default)]
pub(super) struct Spare(Mutex<Vec<Vec<f64>>>);

impl Spare {
    /// As many zeros.
    pub(super) fn zeros(&self, count: usize) -> Vec<f64> {
        let kept = self.0.lock().ok().and_then(|mut kept| kept.pop());
        match kept {
            Some(mut values) if values.len() == count => {
                values.fill(0.0);
                values
            }
            _ => vec![0.0; count],
        }
    }

    /// Keeps the memory of values that nobody needs.
    pub(super) fn keep(&self, values: Vec<f64>) {
        if values.len() < LARGE {
            return;
        }
        if let Ok(mut kept) = self.0.lock()
            && kept.len() < MOST
        {
            kept.push(values);
        }
    }
}

/// A copy has no spare memory.
impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Spare memory is no difference.
impl PartialEq for Spare {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
