//! Twenty-six letters of our own drawing, five pixels wide and seven high.

pub(super) const ROWS: usize = 7;
pub(super) const COLUMNS: usize = 5;
pub(super) const PIXELS: usize = ROWS * COLUMNS;
pub(super) const LETTERS: usize = 26;

/// Which pixels are ink, row by row.
pub(super) type Ink = [bool; PIXELS];

/// The alphabet in four lines of letters; `#` is ink.
const DRAWN: &str = "\
..... #.... ..... ....# ..... ...## .....
..... #.... ..... ....# ..... ..#.. .####
.#### ###.. ..### .#### .###. ..#.. #...#
#...# #..#. .#... #...# #...# .###. .####
#...# #...# #.... #...# ####. ..#.. ....#
#..## #...# .#... #..## #.... ..#.. #...#
.##.# ####. ..### .##.# .#### .#... .###.
#.... ..#.. ...#. #.... .##.. ..... .....
#.... ..... ..... #.... .#.#. ..... .....
#.##. ..#.. ...#. #...# .##.. ####. ####.
##..# ..#.. ...#. #.##. .#... #.#.# #...#
#...# ..#.. ...#. ##... .#... #.#.# #...#
#...# ..#.. ...#. #.#.. .#..# #.#.# #...#
#...# ...#. .##.. #..## ..##. #.#.# #...#
..... ..... ..... ..... ..... ..#..
..... ####. .#### ..... ..... ..#..
.###. #...# #...# #.##. ..### .####
#...# #...# #..## ##... .#... ..#..
#...# ####. .##.# #.... ..##. ..#..
#...# #.... ....# #.... ....# ..#..
.###. #.... ....# #.... ####. ...##
..... ..... ..... ..... ..... .....
..... ..... ..... ..... ..... .....
#...# #...# #.#.# #...# #...# #####
#...# #...# #.#.# .#.#. #...# ...#.
#...# .#.#. #.#.# ..#.. .#### ..#..
#..## .#.#. #.#.# .#.#. ....# .#...
.##.# ..#.. .#.#. #...# .###. #####
";

/// The letters from a to z.
pub(super) fn glyphs() -> Vec<Ink> {
    let lines: Vec<Vec<&[u8]>> =
        DRAWN.lines().map(|line| line.split(' ').map(str::as_bytes).collect()).collect();
    let mut glyphs = Vec::with_capacity(LETTERS);
    for rows in lines.chunks_exact(ROWS) {
        let glyph = |letter: usize| -> Ink {
            std::array::from_fn(|pixel| rows[pixel / COLUMNS][letter][pixel % COLUMNS] == b'#')
        };
        glyphs.extend((0..rows[0].len()).map(glyph));
    }
    glyphs
}

/// The name of a letter.
pub(super) fn name(letter: usize) -> char {
    char::from(b'a' + letter as u8)
}

/// A word by its letters.
pub(super) fn spelt(letters: &[usize]) -> String {
    letters.iter().map(|&letter| name(letter)).collect()
}
