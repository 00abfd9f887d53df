//! Which changes are tried.

/// So many names at random, by a seed, in the order of the list; all if there are not more.
pub(super) fn chosen(names: &[String], count: usize, seed: u64) -> Vec<String> {
    let mut places: Vec<usize> = (0..names.len()).collect();
    let (mut state, count) = (seed, count.min(places.len()));
    for taken in 0..count {
        let left = (places.len() - taken) as u64;
        // The high half of the product: a number below `left`.
        let drawn = (u128::from(split_mix(&mut state)) * u128::from(left)) >> 64;
        let place = taken + usize::try_from(drawn).unwrap_or(0);
        places.swap(taken, place);
    }
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().map(|place| names[place].clone()).collect()
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A regular expression that matches this text only.
pub(super) fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(2 * text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_seed_is_a_sample() {
        let all = names(50);
        let first = chosen(&all, 10, 1);
        assert_eq!(first, chosen(&all, 10, 1));
        assert_ne!(first, chosen(&all, 10, 2));
        assert!(first.len() == 10 && first.iter().all(|name| all.contains(name)));
        let mut once = first.clone();
        once.dedup();
        assert_eq!(once, first);
        assert_eq!(chosen(&all, 80, 1), all);
        // The first three numbers of SplitMix64 from 1234567, of its authors' program.
        let state = &mut 1_234_567;
        let drawn = [split_mix(state), split_mix(state), split_mix(state)];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    /// Each of ten names is in a sample of three with the probability 0.3: 1200 of 4000 times, give or take
    /// 29.
    #[test]
    fn no_name_is_preferred() {
        let all = names(10);
        let mut counts = [0; 10];
        for seed in 0..4000 {
            for name in chosen(&all, 3, seed) {
                counts[name.parse::<usize>().unwrap()] += 1;
            }
        }
        assert!(counts.iter().all(|count| (1055..1345).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_name_is_no_pattern() {
        let name = "src/a.rs:3:5: replace <impl A for B>::f -> (u8, f64) with a+b*c";
        assert_eq!(literal(name), r"src/a\.rs:3:5: replace <impl A for B>::f \-> \(u8, f64\) with a\+b\*c");
    }
}
