//! NumPy's array files, as far as the command line writes them: matrices of f64, row by row.

/// A matrix from a `.npy` file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Array {
    shape: [usize; 2],
    values: Vec<f64>,
}

impl Array {
    /// Reads a file of format version 1.0.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(b"\x93NUMPY\x01\x00").ok_or("no NumPy array of format 1.0")?;
        let (length, rest) = rest.split_first_chunk().ok_or("the header is cut off")?;
        let length = usize::from(u16::from_le_bytes(*length));
        let (header, data) = rest.split_at_checked(length).ok_or("the header is cut off")?;
        let header = std::str::from_utf8(header).map_err(|_| "the header is no text")?;
        let shape =
            shape(header).ok_or_else(|| format!("the header is {header:?}, expected rows and columns"))?;
        if !header.contains("'<f8'") || !header.contains("'fortran_order': False") {
            return Err(format!("the header is {header:?}, expected little-endian f64 row by row"));
        }
        let (chunks, rest) = data.as_chunks();
        if !rest.is_empty() || shape[0].checked_mul(shape[1]) != Some(chunks.len()) {
            return Err(format!("{} bytes of data for the shape {shape:?}", data.len()));
        }
        Ok(Self { shape, values: chunks.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect() })
    }

    /// Checks the shape, and that every row is a distribution.
    pub(super) fn check_distributions(&self, shape: [usize; 2]) -> Result<(), String> {
        if self.shape != shape || shape[1] == 0 {
            return Err(format!("the shape is {:?}, expected {shape:?} and no empty row", self.shape));
        }
        for (i, row) in self.values.chunks_exact(shape[1]).enumerate() {
            let sum: f64 = row.iter().sum();
            let is_distribution = row.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() < 1e-9;
            if !is_distribution {
                return Err(format!("row {i} sums to {sum} and is no distribution"));
            }
        }
        Ok(())
    }
}

/// The numbers in `'shape': (3, 4)`.
fn shape(header: &str) -> Option<[usize; 2]> {
    let (_, after) = header.split_once("'shape': (")?;
    let (inside, _) = after.split_once(')')?;
    let (rows, columns) = inside.split_once(',')?;
    Some([rows.trim().parse().ok()?, columns.trim().parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(dtype: &str, shape: &str, values: &[f64]) -> Vec<u8> {
        let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = u16::try_from(header.len()).expect("the header is short");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }

    #[test]
    fn rows_of_probabilities_pass() {
        let array = Array::parse(&file("<f8", "(2, 2)", &[0.25, 0.75, 1.0, 0.0]));
        let array = array.expect("the file is well formed");
        assert_eq!(array.check_distributions([2, 2]), Ok(()));
        assert!(array.check_distributions([1, 4]).is_err());
    }

    #[test]
    fn other_rows_are_refused() {
        for values in [[0.5, 0.6], [1.5, -0.5], [f64::NAN, 1.0]] {
            let array = Array::parse(&file("<f8", "(1, 2)", &values)).expect("the file is well formed");
            assert!(array.check_distributions([1, 2]).is_err(), "{values:?}");
        }
    }

    #[test]
    fn malformed_files_are_refused() {
        let good = file("<f8", "(1, 2)", &[0.5, 0.5]);
        assert!(Array::parse(&good[..good.len() - 1]).is_err());
        assert!(Array::parse(&good[..12]).is_err());
        assert!(Array::parse(&good[1..]).is_err());
        assert!(Array::parse(&file("<f4", "(1, 2)", &[0.5, 0.5])).is_err());
        assert!(Array::parse(&file("<f8", "(2,)", &[0.5, 0.5])).is_err());
        assert!(Array::parse(&file("<f8", "(1, 3)", &[0.5, 0.5])).is_err());
    }
}
