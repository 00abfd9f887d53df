//! NumPy's array file, format 1.0: float64, C order.

use std::io::Write;

use posterior::math::linalg::DMatrix;

/// Writes what stands before the numbers of a matrix of this shape; the number of its bytes.
pub(crate) fn write_header(out: &mut impl Write, (rows, columns): (usize, usize)) -> std::io::Result<u64> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Magic, version and length take 10 bytes; the header ends in a new line at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', padded - 1 - header.len()));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(padded as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    Ok(10 + header.len() as u64)
}

/// Writes a matrix as a two-dimensional array.
pub(crate) fn write(out: &mut impl Write, matrix: &DMatrix<f64>) -> std::io::Result<()> {
    write_header(out, matrix.shape())?;
    for row in matrix.row_iter() {
        for value in row.iter() {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_is_aligned_and_rows_come_first() {
        let mut bytes = Vec::new();
        write(&mut bytes, &DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).unwrap();
        assert_eq!(bytes.len(), 128 + 6 * 8);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        assert_eq!(u16::from_le_bytes([bytes[8], bytes[9]]), 118);
        assert!(bytes[10..128].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"));
        assert_eq!(bytes[127], b'\n');
        let second = f64::from_le_bytes(bytes[136..144].try_into().unwrap());
        assert_eq!(second, 2.0);
    }
}
