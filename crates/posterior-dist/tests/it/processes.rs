//! Exchangeable processes, against enumeration.

use std::collections::BTreeMap;

use posterior_dist::{IndianBuffet, PitmanYor, stream::stream};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};

const RESTAURANTS: [(f64, f64); 6] =
    [(0.0, 1.0), (0.0, 0.01), (0.5, 1.0), (0.5, -0.3), (0.9, 0.0), (1e-9, 40.0)];

/// All seatings of n customers, with tables numbered as they are opened.
fn seatings(customers: usize) -> Vec<Vec<usize>> {
    (0..customers).fold(vec![Vec::new()], |seatings, _| {
        let extend = |seating: Vec<usize>| {
            let tables = seating.iter().max().map_or(0, |&last| last + 1);
            (0..=tables).map(move |table| [seating.clone(), vec![table]].concat())
        };
        seatings.into_iter().flat_map(extend).collect()
    })
}

fn sizes(seating: &[usize]) -> Vec<u64> {
    let mut sizes = vec![0; seating.iter().max().map_or(0, |&last| last + 1)];
    for &table in seating {
        sizes[table] += 1;
    }
    sizes
}

#[test]
fn partitions_have_the_probability_of_their_seating_in_any_order() {
    for (d, theta) in RESTAURANTS {
        let restaurant = PitmanYor::new(d, theta).expect("valid");
        let mut total = 0.0;
        let mut tables = vec![0.0; 8];
        for seating in seatings(7) {
            let ln_p = restaurant.ln_partition(&sizes(&seating));
            let mut chain = 0.0;
            for (index, &table) in seating.iter().enumerate() {
                chain += restaurant.next_seat(&sizes(&seating[..index]))[table].ln();
            }
            assert_within(chain, ln_p, 1e-12);
            total += ln_p.exp();
            tables[sizes(&seating).len()] += ln_p.exp();
        }
        assert_close(total, 1.0, 1e-12);
        assert_all_close(&restaurant.table_probabilities(7), &tables, 1e-11);
        let mean: f64 = tables.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
        assert_close(restaurant.expected_tables(7), mean, 1e-12);
    }
}

#[test]
fn worked_numbers() {
    let chinese = PitmanYor::chinese_restaurant(1.0).expect("positive");
    let stirling = [0.0, 24.0, 50.0, 35.0, 10.0, 1.0].map(|count| count / 120.0);
    assert_all_close(&chinese.table_probabilities(5), &stirling, 1e-15);
    assert_close(chinese.expected_tables(5), 137.0 / 60.0, 1e-15);
    assert_close(chinese.ln_partition(&[3, 2]), -60_f64.ln(), 1e-15);
    assert_close(PitmanYor::new(0.5, 1.0).expect("valid").expected_tables(5), 3.4140625, 1e-15);
    assert_close(IndianBuffet::new(2.0).expect("positive").expected_dishes(10), 5.857936507936508, 1e-15);
    assert_eq!(chinese.table_probabilities(0), [1.0]);
    assert_eq!((chinese.expected_tables(0), chinese.ln_partition(&[])), (0.0, 0.0));
    assert_eq!(chinese.ln_partition(&[2, 0]), f64::NEG_INFINITY);
    assert_eq!(chinese.next_seat(&[]), [1.0]);
}

/// Numbers: mpmath 1.3 with 400 digits.
#[test]
fn partitions_of_a_huge_concentration_keep_their_digits() {
    let ln_p = |discount, concentration, sizes: &[u64]| {
        PitmanYor::new(discount, concentration).expect("in range").ln_partition(sizes)
    };
    assert_close(ln_p(0.5, 7.0, &[3, 2, 1]), -8.3485378253860974, 1e-14);
    assert_close(ln_p(0.25, 1024.0, &[3, 2, 1]), -20.824053781943146, 1e-14);
    assert_close(ln_p(0.75, 2_f64.powi(70), &[3, 2, 1]), -148.11035308851409, 1e-14);
    // As good as certain: everybody sits alone.
    assert!((ln_p(0.0, 1e9, &[1; 4]) + 5.999999993e-9).abs() < 1e-13);
    for (discount, concentration) in [(0.75, 4.271976081668047e96), (0.5, 1e150)] {
        assert!(ln_p(discount, concentration, &[1; 5]).abs() < 1e-11);
    }
}

#[test]
fn the_number_of_tables_grows_as_a_logarithm_or_a_power() {
    // E K_n - θ ln n tends to -θ ψ(θ); with a discount, E K_n / nᵈ tends to Γ(θ + 1) / (d Γ(θ + d)).
    let chinese = PitmanYor::chinese_restaurant(2.0).expect("positive");
    let limit = -2.0 * posterior_math::special::digamma(2.0);
    assert_within(chinese.expected_tables(1 << 50) - 2.0 * (50.0 * 2_f64.ln()), limit, 1e-10);
    let restaurant = PitmanYor::new(0.5, 1.0).expect("valid");
    let limit = 2.0 / posterior_math::special::gamma(1.5);
    assert_close(restaurant.expected_tables(1 << 50) / 2_f64.powi(25), limit, 1e-7);
    // So many tables that nearly every customer has one of their own, with a discount too small to see.
    let crowded = PitmanYor::new(5e-324, 1e300).expect("valid").expected_tables(1000);
    assert_close(crowded, 1000.0, 1e-12);
    // Between the two: a discount too small to see is none.
    let almost = PitmanYor::new(1e-15, 2.0).expect("valid").expected_tables(1000);
    assert_close(almost, chinese.expected_tables(1000), 1e-12);
}

#[test]
fn seatings_are_drawn_with_their_probabilities() {
    for (index, (d, theta)) in [(0.0, 1.3), (0.4, -0.2), (0.7, 2.0)].into_iter().enumerate() {
        let restaurant = PitmanYor::new(d, theta).expect("valid");
        let mut counts: BTreeMap<Vec<usize>, u64> =
            seatings(5).into_iter().map(|seating| (seating, 0)).collect();
        let mut rng = stream(3, &[index as u64]);
        for _ in 0..100_000 {
            *counts.get_mut(&restaurant.sample_seating(5, &mut rng)).expect("a seating") += 1;
        }
        let expected: Vec<f64> =
            counts.keys().map(|seating| 1e5 * restaurant.ln_partition(&sizes(seating)).exp()).collect();
        let observed: Vec<u64> = counts.into_values().collect();
        assert!(chi_square_p_value(&observed, &expected) > LEVEL);
    }
}

#[test]
fn sticks_have_their_means_and_lose_nothing() {
    for (d, theta) in RESTAURANTS {
        let restaurant = PitmanYor::new(d, theta).expect("valid");
        let mut rng = stream(5, &[]);
        let mut first = 0.0;
        for _ in 0..4000 {
            let sticks = restaurant.break_stick(30, &mut rng).expect("in range");
            let sum: f64 = sticks.ln_weights().iter().map(|ln_w| ln_w.exp()).sum();
            assert_close(sum + sticks.ln_remainder().exp(), 1.0, 1e-12);
            assert!(sticks.ln_remainder() <= 0.0 && sticks.ln_remainder() > f64::NEG_INFINITY);
            first += sticks.ln_weights()[0].exp() / 4000.0;
        }
        // Five standard errors: a false alarm in two million seeds.
        let mean = (1.0 - d) / (1.0 + theta);
        let deviation = (mean * (1.0 - mean) / (theta + 2.0 - d).max(1.0) / 4000.0).sqrt();
        assert_within(first, mean, 5.0 * deviation + 1e-12);
    }
}

/// How many dishes only the first of two customers took, only the second, and both.
fn histories(dishes: &[Vec<usize>]) -> [usize; 3] {
    let both = dishes[0].iter().filter(|dish| dishes[1].contains(dish)).count();
    [dishes[0].len() - both, dishes[1].len() - both, both]
}

#[test]
fn dishes_are_drawn_with_their_probabilities() {
    let buffet = IndianBuffet::new(1.2).expect("positive");
    let mut counts: BTreeMap<[usize; 3], (u64, f64)> = BTreeMap::new();
    for (a, b, c) in (0..7).flat_map(|a| (0..7).flat_map(move |b| (0..7).map(move |c| (a, b, c)))) {
        let first = (0..a).chain(20..20 + c).collect();
        let second = (10..10 + b).chain(20..20 + c).collect();
        counts.insert([a, b, c], (0, 1e5 * buffet.ln_probability(&[first, second]).exp()));
    }
    let total: f64 = counts.values().map(|(_, mean)| mean).sum();
    assert_close(total, 1e5, 1e-4);
    let mut rng = stream(8, &[]);
    let mut beyond = 0;
    for _ in 0..100_000 {
        match counts.get_mut(&histories(&buffet.sample(2, &mut rng))) {
            Some((count, _)) => *count += 1,
            None => beyond += 1,
        }
    }
    let (mut observed, mut expected): (Vec<u64>, Vec<f64>) = counts.into_values().unzip();
    observed.push(beyond);
    expected.push(1e5 - total);
    assert!(chi_square_p_value(&observed, &expected) > LEVEL);
}

#[test]
fn the_order_of_the_customers_and_the_names_of_the_dishes_are_irrelevant() {
    let buffet = IndianBuffet::new(0.7).expect("positive");
    let dishes = [vec![0, 1, 2], vec![1], vec![], vec![2, 5, 1]];
    let value = buffet.ln_probability(&dishes);
    let renamed = [vec![9, 7, 3], vec![7], vec![], vec![3, 4, 7]];
    assert_close(buffet.ln_probability(&renamed), value, 1e-14);
    let [a, b, c, d] = dishes;
    assert_close(buffet.ln_probability(&[d, c, b, a]), value, 1e-14);
    assert_eq!(buffet.ln_probability(&[vec![1, 1]]), f64::NEG_INFINITY);
    // One customer: Poisson(α) dishes.
    let poisson = -0.7 + 2.0 * 0.7_f64.ln() - 2_f64.ln();
    assert_close(buffet.ln_probability(&[vec![4, 6]]), poisson, 1e-14);
}

#[test]
fn parameters_outside_of_their_range_are_refused() {
    for (d, theta) in
        [(1.0, 1.0), (-0.1, 1.0), (0.5, -0.5), (0.0, 0.0), (f64::NAN, 1.0), (0.1, f64::INFINITY)]
    {
        assert!(PitmanYor::new(d, theta).is_err(), "{d} {theta}");
    }
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e16] {
        assert!(IndianBuffet::new(mass).is_err());
    }
}

/// Customers of one dish that are seated, and moved, one by one: tables are as many as the process has.
/// False alarm: four in a million seeds.
#[test]
fn seats_are_those_of_the_process() {
    let (mut rng, mut movers) = (stream(11, &[]), stream(12, &[]));
    for (d, theta) in [(0.0, 1.0), (0.5, 1.0), (0.9, 0.0)] {
        let restaurant = PitmanYor::new(d, theta).expect("valid");
        let mut seen = vec![0_u64; 6];
        for _ in 0..20_000 {
            let mut tables = Vec::new();
            let mut seat = |tables: &mut Vec<u32>| {
                let number = tables.len() as u32;
                let kept = restaurant.kept(tables.iter().sum(), number);
                let opened = restaurant.seat(tables, kept, restaurant.new_table(number), &mut rng);
                assert_eq!(opened, tables.len() as u32 > number);
            };
            (0..5).for_each(|_| seat(&mut tables));
            let before = tables.len();
            let gone = PitmanYor::unseat(&mut tables, 5, &mut movers);
            assert_eq!((tables.iter().sum::<u32>(), tables.len()), (4, before - usize::from(gone)));
            seat(&mut tables);
            seen[tables.len()] += 1;
        }
        let expected: Vec<f64> = restaurant.table_probabilities(5).iter().map(|p| p * 20_000.0).collect();
        assert!(chi_square_p_value(&seen[1..], &expected[1..]) > LEVEL, "{d} {theta}: {seen:?}");
    }
}
