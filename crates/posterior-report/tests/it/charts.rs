//! Every chart is XML with a title and finite coordinates, from no data to the worst.

use posterior_report::{
    BandPoint, Ellipse, Field, FieldDot, Interval, Picture, ReliabilityPoint, Ribbon, Side, autocorrelation,
    bars, correlogram, density, ecdf_difference, field, histogram, intervals, pairs as every_pair, path,
    rank_histogram, reliability, ribbons, scatter, shrinkage, small_histogram, trace,
};
use quick_xml::Reader;
use quick_xml::events::Event;

/// The name of what is drawn, with all that markup could trip over.
const NAME: &str = "θ[1] <b>&\"x\"</b>";

#[track_caller]
fn is_sound(picture: &Picture) {
    for text in [picture.svg().to_owned(), picture.standalone()] {
        let mut reader = Reader::from_str(&text);
        reader.config_mut().check_end_names = true;
        let (mut titles, mut depth) = (0, 0_i32);
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{error}: {text}")) {
                Event::Start(element) => {
                    depth += 1;
                    titles += i32::from(element.name().as_ref() == "title");
                }
                Event::End(_) => depth -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!((titles, depth), (1, 0), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf\"") && !text.contains("<b>"), "{text}");
    }
}

#[test]
fn charts_of_anything_are_sound() {
    let ramps: [Vec<f64>; 2] =
        [(0..50).map(f64::from).collect(), (0..50).map(|i| f64::from(i * i % 17)).collect()];
    let cases: [Vec<Vec<f64>>; 9] = [
        vec![],
        vec![vec![]],
        vec![vec![3.0]],
        vec![vec![0.0; 10]; 2],
        vec![vec![f64::NAN, f64::INFINITY, 1.0, 2.0, f64::NEG_INFINITY]],
        vec![vec![f64::NAN; 3]],
        vec![vec![f64::MAX, f64::MIN, 0.0]],
        vec![vec![5e-324, 0.0], vec![-5e-324, 1e-300]],
        ramps.to_vec(),
    ];
    for chains in &cases {
        let pairs: Vec<Vec<(f64, f64)>> =
            chains.iter().map(|chain| chain.iter().map(|&x| (x, -x)).collect()).collect();
        let first = chains.first().cloned().unwrap_or_default();
        let points = pairs.first().cloned().unwrap_or_default();
        let band = [BandPoint { x: 0.0, low: -0.1, high: 0.1 }, BandPoint { x: 1.0, low: -0.1, high: 0.1 }];
        let plane = Field { x: first.clone(), y: first.clone(), values: chains.concat(), ends: (-1.0, 1.0) };
        let ribbon = Ribbon { name: NAME.to_owned(), line: points.clone(), bands: vec![band.to_vec()] };
        let dots: Vec<FieldDot> =
            points.iter().map(|&at| FieldDot { at, radius: 2.0, side: Side::Low }).collect();
        let names = vec![NAME.to_owned(); chains.len()];
        let groups: Vec<usize> = (0..first.len()).map(|i| i % 3).collect();
        let around =
            Ellipse { group: 1, centre: first.clone(), covariance: vec![first.clone(); first.len()] };
        let output: Vec<Interval> = first
            .iter()
            .map(|&x| Interval { name: NAME.to_owned(), low: -x, middle: x, high: 2.0 * x })
            .collect();
        let proportions: Vec<ReliabilityPoint> = first
            .iter()
            .map(|&x| ReliabilityPoint { predicted: x, observed: x, band: (x, 1.0), count: 1 })
            .collect();
        for picture in [
            scatter(NAME, (NAME, NAME), &points, &groups, std::slice::from_ref(&around)),
            every_pair(NAME, &names, chains, &groups, &[around]),
            intervals(NAME, &output),
            shrinkage(NAME, &output, &first),
            bars(NAME, NAME, &first, &first, NAME),
            reliability(NAME, &proportions),
            field(NAME, (NAME, NAME), &plane, &dots),
            trace(NAME, chains),
            rank_histogram(NAME, chains, (1.0, 3.0)),
            autocorrelation(NAME, chains, 0.1),
            correlogram(NAME, &first, 0.1),
            ribbons((NAME, NAME), &[ribbon], &points, first.last().copied()),
            density(NAME, &pairs),
            ecdf_difference(NAME, &pairs, &band),
            ecdf_difference(NAME, &pairs, &[]),
            histogram(NAME, &first, &first, &pairs),
            small_histogram(NAME, &first, &first, &pairs),
            path(NAME, ("a<b", "b&c"), &points, &points),
        ] {
            is_sound(&picture);
        }
    }
}

/// The numbers in the data of the first line.
fn line(picture: &Picture) -> Vec<(f64, f64)> {
    let from = picture.svg().split("class=\"line\"").nth(1).unwrap().split(" d=\"").nth(1).unwrap();
    let data = from.split('"').next().unwrap();
    let point = |text: &str| {
        let (x, y) = text.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    data.split(['M', 'L']).filter(|text| !text.is_empty()).map(point).collect()
}

#[test]
fn lines_go_where_the_numbers_are() {
    let points = line(&trace("x", &[[0.0, 1.0, 0.5]]));
    // Upwards is less: the largest draw is at the top of the frame, the smallest at its foot.
    assert_eq!(points.len(), 3);
    assert!(points[0].1 > points[2].1 && points[2].1 > points[1].1);
    assert!((points[2].1 - f64::midpoint(points[0].1, points[1].1)).abs() < 0.11);
    assert!(points[0].0 < points[1].0 && points[1].0 < points[2].0);
    let steps = line(&rank_histogram("x", &[[4.0, 2.0]], (1.0, 5.0)));
    assert_eq!(steps.len(), 4);
    assert!(steps[0].1 == steps[1].1 && steps[2].1 == steps[3].1 && steps[0].1 < steps[2].1);
    assert_eq!(steps[1].0, steps[2].0);
    // The level stands where both bins would hold as many, wherever the band is cut off.
    let picture = rank_histogram("x", &[[4.0, 2.0]], (0.0, 9.0));
    let level = picture.svg().split("class=\"base\"").nth(1).unwrap().split("y1=\"").nth(1).unwrap();
    let level: f64 = level.split('"').next().unwrap().parse().unwrap();
    let steps = line(&picture);
    assert!((level - f64::midpoint(steps[0].1, steps[2].1)).abs() < 0.11, "{level}");
}

#[test]
fn a_gap_breaks_the_line() {
    let picture = trace("x", &[[0.0, 1.0, f64::NAN, 0.5, 0.2]]);
    let data = picture.svg().split("class=\"line\"").nth(1).unwrap();
    assert_eq!(data.split('"').nth(3).unwrap().matches('M').count(), 2, "{data}");
}
