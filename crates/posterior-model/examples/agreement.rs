//! Compares log densities and gradients with recorded ones: `agreement PROGRAMS DATA RECORDS [NAME]`.

use std::time::Instant;

use posterior_dist::target::{GradTarget, Target};
use posterior_model::StanModel;

fn unif(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    (z >> 11) as f64 / 9007199254740992.0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut files: Vec<_> = std::fs::read_dir(&args[1]).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if args.len() > 4 && args[4] != name {
            continue;
        }
        let data = std::fs::read_to_string(format!("{}/{name}.json", args[2])).unwrap_or_default();
        let record = std::fs::read_to_string(format!("{}/{name}.json", args[3])).unwrap_or_default();
        let start = Instant::now();
        let model = match StanModel::parse(&std::fs::read_to_string(&file).unwrap()) {
            Ok(model) => model,
            Err(e) => {
                println!("{name}: PARSE {e}");
                continue;
            }
        };
        if data.is_empty() {
            println!("{name}: NODATA");
            continue;
        }
        let posterior = match model.with_data(&data) {
            Ok(p) => p,
            Err(e) => {
                println!("{name}: LOWER {}", e.to_string().replace('\n', " | "));
                continue;
            }
        };
        let dim = posterior.dim();
        let mut gradient = vec![0.0; dim];
        let mut x = vec![0.0; dim];
        let _ = posterior.ln_density_grad(&x, &mut gradient);
        let first = start.elapsed().as_secs_f64() * 1e3;
        let (mut n, clock) = (0, Instant::now());
        while clock.elapsed().as_secs_f64() < 0.1 {
            let _ = posterior.ln_density_grad(&x, &mut gradient);
            n += 1;
        }
        let rate = f64::from(n) / clock.elapsed().as_secs_f64();
        let info = format!("dim {dim} first {first:.1} ms, {rate:.0}/s {:?} static {}", posterior.graph_size(), posterior.is_static());
        let Ok(json) = serde_json::from_str::<serde_json::Value>(&record) else {
            println!("{name}: NORECORD {info}");
            continue;
        };
        let names = posterior.names(true, false);
        let same = names.as_ref().is_ok_and(|names| {
            let theirs: Vec<&str> = json["names"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
            theirs == names.iter().map(String::as_str).collect::<Vec<_>>()
        });
        let (mut worst, mut worst_g, mut worst_v, mut worst_j, mut worst_u) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut note = String::new();
        let points = json["points"].as_array().unwrap();
        for point in points {
            let seed = point["seed"].as_u64().unwrap();
            let mut state = seed;
            let scale = if seed <= 100 { 2.0 } else { 0.2 };
            x.iter_mut().for_each(|x| *x = scale * (2.0 * unif(&mut state) - 1.0));
            let value = match posterior.ln_density_grad(&x, &mut gradient) {
                Ok(v) => v,
                Err(e) => {
                    note = e.to_string().replace('\n', " ");
                    worst = f64::INFINITY;
                    continue;
                }
            };
            let lp = point["lp"].as_f64().unwrap();
            let err = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).abs() / b.abs().max(1.0) };
            worst = worst.max(err(value, lp));
            if let Ok(v) = posterior.ln_density_of(&x, false, None) {
                worst_j = worst_j.max(err(v, point["lp_no_jacobian"].as_f64().unwrap()));
            }
            let g = point["grad"].as_array().unwrap();
            let scale = g.iter().map(|g| g.as_f64().unwrap().abs()).fold(0.0, f64::max);
            for (i, (a, b)) in gradient.iter().zip(g).enumerate() {
                let b = b.as_f64().unwrap();
                let e = (a - b).abs() / b.abs().max(1e-3 * scale).max(1e-3);
                if !(e <= worst_g) {
                    worst_g = if e.is_nan() { f64::INFINITY } else { e };
                    note = format!("coordinate {i}: {a} for {b}");
                }
            }
            match posterior.values(&x, true, None) {
                Ok(v) => {
                    for (a, b) in v.iter().zip(point["values"].as_array().unwrap()) {
                        if let Some(b) = b.as_f64() {
                            worst_v = worst_v.max(err(*a, b));
                        }
                    }
                    let own = posterior.names(false, false).unwrap().len();
                    match posterior.unconstrain(&v[..own]) {
                        Ok(u) => u.iter().zip(&x).for_each(|(a, b)| worst_u = worst_u.max(err(*a, *b))),
                        Err(e) => note = format!("unconstrain {e}"),
                    }
                }
                Err(e) => note = e.to_string(),
            }
        }
        let ok = worst < 1e-9 && worst_g < 1e-9 && worst_v < 1e-9 && same && worst_j < 1e-9 && worst_u < 1e-6;
        println!(
            "{name}: {} value {worst:.1e} {worst_j:.1e} gradient {worst_g:.1e} values {worst_v:.1e} back {worst_u:.1e} names {same} {info} {}",
            if ok { "OK" } else { "BAD" },
            if ok { "" } else { &note }
        );
    }
}
