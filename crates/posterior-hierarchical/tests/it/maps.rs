//! Maps: Markov random fields of R's mgcv by REML.

use posterior_hierarchical::{
    FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperEstimate, PlaceEffect as _,
};

/// Residential burglaries and vehicle thefts per thousand households in 49 districts of Columbus, Ohio, 1980
/// (L. Anselin, Spatial Econometrics, 1988; `columb` of R's mgcv), and which districts touch each other.
const CRIME: [f64; 49] = [
    15.725_98, 18.801_754, 30.626_781, 32.387_76, 50.731_51, 26.066_658, 0.178_269, 38.425_858, 30.515_917,
    34.000_835, 62.275_448, 56.705_669, 46.716_129, 57.066_132, 48.585_487, 54.838_711, 36.868_774,
    43.962_486, 54.521_965, 0.223_797, 40.074_074, 33.705_048, 20.048_504, 38.297_871, 61.299_175,
    40.969_742, 52.794_43, 56.919_785, 60.750_446, 68.892_044, 17.677_214, 19.145_592, 41.968_163,
    23.974_028, 39.175_053, 14.305_556, 42.445_076, 53.710_938, 19.100_863, 16.241_299, 18.905_146,
    16.491_89, 36.663_612, 25.962_263, 29.028_488, 16.530_533, 27.822_861, 26.645_266, 22.541_491,
];
const NEIGHBOURS: [&[usize]; 49] = [
    &[1, 2],
    &[0, 2, 3],
    &[0, 1, 3, 4],
    &[1, 2, 4, 7],
    &[2, 3, 5, 7, 8, 10, 14, 15],
    &[4, 8],
    &[7, 11, 12, 13],
    &[3, 4, 6, 10, 11, 12],
    &[4, 5, 9, 14, 19, 21, 24, 25],
    &[8, 16, 19, 21],
    &[4, 7, 11, 14, 15],
    &[6, 7, 10, 12, 13, 15],
    &[6, 7, 11, 13],
    &[6, 11, 12, 15, 17, 18],
    &[4, 8, 10, 15, 24, 25],
    &[4, 10, 11, 13, 14, 17, 23, 24],
    &[9, 19, 22],
    &[13, 15, 18, 23],
    &[13, 17, 23],
    &[8, 9, 16, 21, 22, 26, 31, 32, 34, 39],
    &[23, 29, 33],
    &[8, 9, 19, 25, 26, 27],
    &[16, 19, 31],
    &[15, 17, 18, 20, 24, 28, 29],
    &[8, 14, 15, 23, 25, 27, 28, 29],
    &[8, 14, 21, 24, 27, 28],
    &[19, 21, 27, 32],
    &[21, 24, 25, 26, 28, 32, 34, 36, 37],
    &[23, 24, 25, 27, 29, 36, 37],
    &[20, 23, 24, 28, 36],
    &[33, 35, 38],
    &[19, 22, 39, 40],
    &[19, 26, 27, 34],
    &[20, 30, 35, 41],
    &[19, 27, 32, 37, 39, 42, 43],
    &[30, 33, 38, 41, 45],
    &[27, 28, 29, 37, 42, 44],
    &[27, 28, 34, 36, 42, 43],
    &[30, 35, 45],
    &[19, 31, 34, 40, 46],
    &[31, 39, 46],
    &[33, 35],
    &[34, 36, 37, 43, 44, 47],
    &[34, 37, 42, 47, 48],
    &[36, 42, 47, 48],
    &[35, 38],
    &[39, 40],
    &[42, 43, 44, 48],
    &[43, 44, 47],
];

/// `gam(crime ~ s(district, bs = "mrf", xt = list(polys = columb.polys), k = 49), method = "REML")` of mgcv
/// 1.8-41.
#[test]
fn maps_are_those_of_mgcv() {
    let neighbours: Vec<Vec<usize>> = NEIGHBOURS.iter().map(|own| own.to_vec()).collect();
    let map = FieldEffect::besag("district", &neighbours).unwrap();
    let districts: Vec<usize> = (0..49).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(15.0).unwrap(), &CRIME)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(map.at(&districts).unwrap().starting_at("sd(district)", 10.0).unwrap())
        .unwrap();
    let estimate = HyperEstimate::RestrictedLikelihood;
    let fit = model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap();
    let sd = fit.mode()[0].1;
    assert!((sd * sd / 82.566_296_522_7 - 1.0).abs() < 1e-6, "{}", sd * sd);
    let predictors = fit.predictors();
    let parameters: f64 = predictors.iter().map(|own| (own.sd() / sd).powi(2)).sum();
    assert!((parameters - 26.945_521_832_2).abs() < 1e-5, "{parameters}");
    for (row, fitted) in [(0, 18.817_531_241), (19, 21.951_234_715_3), (48, 25.479_224_386)] {
        assert!((predictors[row].mean() - fitted).abs() < 1e-5, "{} {fitted}", predictors[row].mean());
    }
}
