//! Independent, reproducible streams of random numbers, one per task.

use rand_pcg::Pcg64;

/// One constant per lane, the first digits of the square roots of 2, 3, 5 and 7: nothing up the sleeve.
const LANES: [u64; 4] =
    [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

/// The increment of SplitMix64, 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The generator of the task `path` under `seed`.
///
/// A path names a task: `[chain]`, `[sweep, shard]`, … Each pair of seed and path has its own stream, paths
/// of different length included, and the stream is all that a task draws from. Results therefore depend on
/// the seed and on how the work is cut into tasks, never on the number of threads or on the order in which
/// they ran.
///
/// Seed and path are mixed into all 256 bits of the generator, its state and its increment both: PCG streams
/// that differ in the increment alone are correlated. The first draws of each stream are pinned by a test; to
/// change them is a change of value for every user.
///
/// ```
/// use posterior_dist::stream::stream;
/// use rand::RngExt;
///
/// let draw = |seed, path: &[u64]| stream(seed, path).random::<u64>();
/// assert_eq!(draw(7, &[0, 1]), draw(7, &[0, 1]));
/// assert_ne!(draw(7, &[0, 1]), draw(7, &[1, 0]));
/// ```
pub fn stream(seed: u64, path: &[u64]) -> Pcg64 {
    let mut lanes = LANES.map(|constant| finalize(seed.wrapping_add(constant)));
    for &id in path.iter().chain([&(path.len() as u64)]) {
        for (lane, constant) in lanes.iter_mut().zip(LANES) {
            *lane = finalize(
                lane.wrapping_add(GOLDEN) ^ finalize(id.wrapping_add(constant).wrapping_mul(GOLDEN)),
            );
        }
    }
    let [a, b, c, d] = lanes.map(u128::from);
    Pcg64::new(a << 64 | b, c << 64 | d)
}

/// The finaliser of SplitMix64 (Stafford's variant 13): a bijection in which every input bit moves every
/// output bit.
const fn finalize(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
