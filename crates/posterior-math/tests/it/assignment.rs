//! Assignments of least cost, against all permutations.

use posterior_math::linalg::DMatrix;
use posterior_math::optimize::minimum_cost_assignment;
use proptest::prelude::*;

/// The least cost of choosing a column of its own for each row from `row` on, by trying everything.
fn by_trying(costs: &DMatrix<f64>, row: usize, taken: &mut [bool]) -> f64 {
    if row == costs.nrows() {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for column in 0..costs.ncols() {
        if !taken[column] {
            taken[column] = true;
            least = least.min(costs[(row, column)] + by_trying(costs, row + 1, taken));
            taken[column] = false;
        }
    }
    least
}

/// What must hold of the answer, which is that of all permutations; `unit` is the size of a cost.
fn check(costs: &DMatrix<f64>, unit: f64) {
    let least = by_trying(costs, 0, &mut vec![false; costs.ncols()]);
    let Some(found) = minimum_cost_assignment(costs).unwrap() else {
        assert_eq!(least, f64::INFINITY);
        return;
    };
    let tolerance = 1e-12 * unit;
    assert!((found.cost - least).abs() <= tolerance, "{} is not {least}", found.cost);
    let mut taken = vec![false; costs.ncols()];
    for (row, &column) in found.columns.iter().enumerate() {
        assert!(!std::mem::replace(&mut taken[column], true), "column {column} twice");
        let bound = found.row_potentials[row] + found.column_potentials[column];
        assert!((bound - costs[(row, column)]).abs() <= tolerance, "a pair is not tight");
    }
    for ((row, column), potential) in (0..costs.nrows())
        .flat_map(|row| (0..costs.ncols()).map(move |column| (row, column)))
        .map(|(row, column)| ((row, column), found.row_potentials[row] + found.column_potentials[column]))
    {
        assert!(potential <= costs[(row, column)] + tolerance, "the potentials prove nothing");
    }
    assert!(found.column_potentials.iter().zip(&taken).all(|(&v, &taken)| v <= 0.0 && (taken || v == 0.0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn as_all_permutations(
        (rows, more) in (0..=6_usize, 0..=1_usize),
        cells in prop::collection::vec(-1.0..1.0_f64, 49),
        scale in prop::sample::select(vec![1e-200, 1.0, 1e150, 1e300]),
    ) {
        let columns = rows + more;
        check(&DMatrix::from_iterator(rows, columns, cells.iter().map(|cell| cell * scale).take(rows * columns)), scale);
    }

    /// Few values, so that many assignments are best; and pairs that are forbidden.
    #[test]
    fn with_ties_and_forbidden_pairs(rows in 1..=5_usize, more in 0..=2_usize, cells in prop::collection::vec(0..5_u8, 49)) {
        let columns = rows + more;
        let cost = |cell: &u8| if *cell == 4 { f64::INFINITY } else { f64::from(*cell) };
        check(&DMatrix::from_iterator(rows, columns, cells.iter().map(cost).take(rows * columns)), 1.0);
    }
}

#[test]
fn a_large_one_is_proved_by_its_potentials() {
    // Product costs i * j: the least pairs the largest rows with the smallest columns, Σ i (n - 1 - i).
    let n = 200;
    let costs = DMatrix::from_fn(n, n, |i, j| (i * j) as f64);
    let found = minimum_cost_assignment(&costs).unwrap().unwrap();
    assert_eq!(found.cost, (0..n).map(|i| i * (n - 1 - i)).sum::<usize>() as f64);
    assert!(found.columns.iter().enumerate().all(|(i, &j)| j == n - 1 - i));
}

#[test]
fn edges_and_misuse() {
    let empty = minimum_cost_assignment(&DMatrix::zeros(0, 3)).unwrap().unwrap();
    assert_eq!((empty.columns.len(), empty.cost, empty.column_potentials), (0, 0.0, vec![0.0; 3]));
    let forbidden = DMatrix::from_row_slice(2, 2, &[1.0, f64::INFINITY, 2.0, f64::INFINITY]);
    assert_eq!(minimum_cost_assignment(&forbidden).unwrap(), None);
    let refused = minimum_cost_assignment(&DMatrix::zeros(3, 2)).unwrap_err();
    assert_eq!((refused.parameter(), refused.value()), ("rows", 3.0));
    for bad in [f64::NAN, f64::NEG_INFINITY] {
        let refused = minimum_cost_assignment(&DMatrix::from_row_slice(1, 2, &[0.0, bad])).unwrap_err();
        assert_eq!((refused.parameter(), refused.index()), ("cost", Some(1)));
    }
}
