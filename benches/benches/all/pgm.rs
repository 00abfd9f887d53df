//! Reading and writing the files of networks: the repository's, where the shared folder has them.

use std::fs;
use std::hint::black_box;
use std::io::Read;

use criterion::{Criterion, Throughput};
use posterior::pgm::{bif, read_model, uai, xmlbif};
use posterior_testkit::shared::shared_file;

/// The bytes of a file, unpacked; none if it is missing.
fn bytes(path: &str) -> Option<Vec<u8>> {
    let packed = fs::read(shared_file("bench", path)?).ok()?;
    if !packed.starts_with(&[0x1f, 0x8b]) {
        return Some(packed);
    }
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

pub(super) fn networks(criterion: &mut Criterion) {
    let names =
        ["alarm.bif", "hepar2.bif", "pathfinder.bif", "munin.bif", "diabetes.bif.gz", "mildew.bif.gz"];
    for name in names {
        let Some(text) = bytes(&format!("data/bn/{name}")) else { continue };
        let file = bif::read(&text).expect("a network of the repository");
        let xml = xmlbif::write(&file).expect("a network of the repository");
        let numbers = uai::write(&file.network);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("read BIF", |bencher| bencher.iter(|| bif::read(black_box(&text))));
        group.bench_function("read XMLBIF", |bencher| {
            bencher.iter(|| xmlbif::read(black_box(xml.as_bytes())));
        });
        group.bench_function("read UAI", |bencher| bencher.iter(|| uai::read(black_box(numbers.as_bytes()))));
        group.bench_function("write BIF", |bencher| bencher.iter(|| bif::write(black_box(&file))));
        group.finish();
    }
}

pub(super) fn fields(criterion: &mut Criterion) {
    for name in ["Pedigree_11", "ObjectDetection_11"] {
        let Some(text) = bytes(&format!("data/mrf/uai/{name}.uai")) else { continue };
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("read UAI", |bencher| bencher.iter(|| read_model(black_box(&text))));
        group.finish();
    }
}
