//! Both routes give the same bits, and the sums are sums.

use proptest::prelude::*;

use super::*;

fn bits(x: Lanes) -> [u32; LANES] {
    x.map(f32::to_bits)
}

/// What a run of all operations gives.
fn everything<X: Vectors>(
    x: X,
    a: Lanes,
    b: Lanes,
    counts: [u32; LANES],
    target: f32,
) -> (Vec<[u32; LANES]>, u32, usize) {
    let (va, vb) = (x.load(&a), x.load(&b));
    let vectors = [x.add(va, vb), x.mul(va, vb), x.count(&counts), x.prefix_sums(va), x.splat(target)];
    (vectors.map(|v| bits(x.store(v))).to_vec(), x.last(vb).to_bits(), x.at_most(va, target))
}

proptest! {
    #[test]
    fn vectors_of_the_machine_agree_with_plain_arithmetic(
        a in prop::array::uniform8(1e-6_f32..1e6),
        b in prop::array::uniform8(1e-6_f32..1e6),
        counts in prop::array::uniform8(0_u32..1 << 31),
        target in 0.0_f32..1e6,
    ) {
        let plain = everything(Portable, a, b, counts, target);
        #[cfg(target_arch = "x86_64")]
        if let Some(machine) = pulp::x86::V3::try_new() {
            prop_assert_eq!(&everything(machine, a, b, counts, target), &plain);
        }
        let (vectors, ..) = plain;
        let mut sum = 0.0;
        for (lane, &a) in a.iter().enumerate() {
            sum += f64::from(a);
            prop_assert!((f64::from(f32::from_bits(vectors[3][lane])) / sum.max(1e-30) - 1.0).abs() < 1e-6);
        }
        prop_assert_eq!(everything(Portable, a, b, counts, target).2, a.iter().filter(|&&a| a <= target).count());
    }
}
