//! Varints and texts in bytes.

/// Appends a number, 7 bits a byte, the lowest first.
pub(in crate::corpus) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a text after its length.
pub(in crate::corpus) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// The numbers and texts of a slice, one after the other. `None` where it ends early or holds something else.
#[derive(Debug)]
pub(super) struct Parser<'a>(pub(super) &'a [u8]);

impl<'a> Parser<'a> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for place in 0..10 {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if place == 9 && bits > 1 {
                return None;
            }
            number |= bits << (7 * place);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.size()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_come_back() {
        let numbers = [0, 1, 127, 128, 16383, 16384, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put(&mut bytes, number);
        }
        let mut parser = Parser(&bytes);
        assert!(numbers.iter().all(|&number| parser.number() == Some(number)));
        assert!(parser.is_empty() && parser.number().is_none());
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        assert_eq!(Parser(&[0x80]).number(), None);
        assert_eq!(Parser(&[0xff; 11]).number(), None);
        // 2^64.
        assert_eq!(Parser(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]).number(), None);
        assert_eq!(Parser(&[5, b'a']).text(), None);
        assert_eq!(Parser(&[1, 0xff]).text(), None);
    }
}
