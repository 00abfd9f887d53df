//! What the spelling of a word tells.

/// The shape of a word: capitals as `X`, other letters as `x`, digits as `d`, all else as it is; of a run of
/// equal signs two are kept.
///
/// `McDonald's` is `XxXxx'x`, `1990s` is `ddx`, `U.S.` is `X.X.`.
pub fn word_shape(word: &str) -> String {
    let mut shape = String::with_capacity(word.len());
    let (mut last, mut run) = ('\0', 0);
    for sign in word.chars() {
        let class = if sign.is_uppercase() {
            'X'
        } else if sign.is_alphabetic() {
            'x'
        } else if sign.is_numeric() {
            'd'
        } else {
            sign
        };
        run = if class == last { run + 1 } else { 1 };
        last = class;
        if run <= 2 {
            shape.push(class);
        }
    }
    shape
}

/// Attributes of words for tagging: the word, its lower case, shape, prefixes and suffixes, what signs it
/// holds, and its neighbours.
///
/// ```
/// use posterior_text::templates::TaggingFeatures;
///
/// let features = TaggingFeatures { affixes: 2, window: 1, ..TaggingFeatures::default() };
/// let attributes = features.attributes(&["Strong", "winds"], 1);
/// assert!(attributes.iter().any(|name| name == "s2=ds"));
/// assert!(attributes.iter().any(|name| name == "w[-1]=strong"));
/// assert!(attributes.iter().any(|name| name == "w[1]=_B+1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaggingFeatures {
    /// The longest prefix and suffix, in letters; default 4.
    pub affixes: usize,
    /// The number of words to each side that are looked at, as many as the sentence has at most; default 2.
    pub window: usize,
}

impl Default for TaggingFeatures {
    fn default() -> Self {
        Self { affixes: 4, window: 2 }
    }
}

impl TaggingFeatures {
    /// The attributes of a word of a sentence.
    ///
    /// # Panics
    /// If there is no such word.
    #[track_caller]
    pub fn attributes(&self, words: &[&str], token: usize) -> Vec<String> {
        let word = words[token];
        let lower = word.to_lowercase();
        let mut names = Vec::new();
        let mut tell = |key: &str, value: &str| names.push(format!("{key}={value}"));
        tell("word", word);
        tell("w[0]", &lower);
        tell("shape", &word_shape(word));
        self.affixes(&lower, &mut tell);
        signs(word, token, &mut tell);
        self.neighbours(words, token, &mut tell);
        names
    }

    fn affixes(&self, lower: &str, tell: &mut impl FnMut(&str, &str)) {
        let starts: Vec<usize> = lower.char_indices().map(|(at, _)| at).chain([lower.len()]).collect();
        let letters = starts.len() - 1;
        for length in 1..=self.affixes.min(letters) {
            tell(&format!("p{length}"), &lower[..starts[length]]);
            tell(&format!("s{length}"), &lower[starts[letters - length]..]);
        }
    }

    fn neighbours(&self, words: &[&str], token: usize, tell: &mut impl FnMut(&str, &str)) {
        let before = |distance: usize| match token.checked_sub(distance) {
            Some(at) => words[at].to_lowercase(),
            None => format!("_B-{}", distance - token),
        };
        let after = |distance: usize| match words.get(token + distance) {
            Some(word) => word.to_lowercase(),
            None => format!("_B+{}", token + distance + 1 - words.len()),
        };
        for distance in 1..=self.window.min(words.len()) {
            tell(&format!("w[-{distance}]"), &before(distance));
            tell(&format!("w[{distance}]"), &after(distance));
        }
        if self.window > 0 {
            let [last, own, next] = [before(1), before(0), after(1)];
            tell("w[-1]|w[0]", &format!("{last}|{own}"));
            tell("w[0]|w[1]", &format!("{own}|{next}"));
            tell("s3[-1]", suffix(&last, 3));
            tell("s3[1]", suffix(&next, 3));
        }
    }
}

/// The last letters.
fn suffix(word: &str, letters: usize) -> &str {
    let start = word.char_indices().rev().take(letters).last().map_or(word.len(), |(at, _)| at);
    &word[start..]
}

/// What signs a word holds, and whether a capital has a reason other than the start of the sentence.
fn signs(word: &str, token: usize, tell: &mut impl FnMut(&str, &str)) {
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    let facts = [
        ("capital", capital && token > 0),
        ("first", token == 0),
        ("capitals", word.chars().count() > 1 && word.chars().all(char::is_uppercase)),
        ("digit", word.chars().any(char::is_numeric)),
        ("number", word.chars().all(|sign| sign.is_numeric() || matches!(sign, '.' | ',' | '/' | ':'))),
        ("hyphen", word.contains('-')),
        ("letterless", !word.chars().any(char::is_alphanumeric)),
    ];
    for (fact, _) in facts.iter().filter(|(_, holds)| *holds) {
        tell("has", fact);
    }
}
