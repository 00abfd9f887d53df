//! Parquet and Arrow files, as the crates that read them write them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int64Array, LargeStringArray, ListArray, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use posterior_table::{ColumnKind, DataFrame, TableFile, TableReadOptions};

/// 17,897 days after 1970 is the first of January 2019; a day has 86,400 million microseconds.
const DAY: i64 = 86_400_000_000;
const FIRST: i32 = 17_897;

fn batch() -> RecordBatch {
    let first = i64::from(FIRST);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("count", Arc::new(Int64Array::from(vec![Some(3), None, Some(9_007_199_254_740_993)]))),
        ("x", Arc::new(Float64Array::from(vec![Some(0.1), Some(f64::NAN), None]))),
        ("short", Arc::new(Float32Array::from(vec![0.1, 0.25, 1e10]))),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("word", Arc::new(StringArray::from(vec![Some("a,b"), None, Some("line\nend")]))),
        ("long", Arc::new(LargeStringArray::from(vec!["pike", "perch", "roach"]))),
        ("kind", Arc::new(DictionaryArray::<Int8Type>::from_iter([Some("red"), None, Some("blue")]))),
        ("day", Arc::new(Date32Array::from(vec![Some(FIRST), Some(FIRST + 31), None]))),
        ("time", Arc::new(TimestampMicrosecondArray::from(vec![first * DAY, first * DAY + DAY / 2, DAY]))),
        ("midnight", Arc::new(TimestampMicrosecondArray::from(vec![first * DAY, (first + 1) * DAY, DAY]))),
        ("price", Arc::new(Decimal128Array::from(vec![1250, -5, 0]).with_precision_and_scale(9, 2).unwrap())),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>([
                Some(vec![Some(1)]),
                None,
                Some(vec![]),
            ])),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, own)| (name, own, true)))
        .unwrap()
}

fn parquet(path: &Path, compression: Compression) {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let batch = batch();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let packed = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let mut all = Vec::new();
    for (place, compression) in packed.into_iter().enumerate() {
        all.push(folder.join(format!("{place}.parquet")));
        parquet(&all[place], compression);
    }
    let batch = batch();
    all.push(folder.join("table.feather"));
    let file = File::create(&all[4]).unwrap();
    let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    all.push(folder.join("stream.arrow"));
    let mut writer = StreamWriter::try_new(File::create(&all[5]).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    all
}

fn read(path: &Path, names: &[&str]) -> Result<DataFrame, posterior_table::Error> {
    TableFile::open(path, &TableReadOptions::default())?.read(names, |_| 0)
}

#[test]
fn columns_become_cells() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(folder.path()) {
        let opened = TableFile::open(&path, &TableReadOptions::default()).unwrap();
        let names: Vec<&str> = opened.header().iter().map(String::as_str).collect();
        assert_eq!(names.len(), 12, "{path:?}");
        let table = read(&path, &names[..11]).unwrap();
        assert_eq!(table.len(), 6, "{path:?}");
        let cells = |name: &str| table.cells(name).unwrap().take(3).collect::<Vec<_>>();
        for (name, expected) in [
            ("count", ["3", "", "9007199254740993"]),
            ("x", ["0.1", "", ""]),
            ("short", ["0.1", "0.25", "10000000000"]),
            ("yes", ["true", "false", ""]),
            ("word", ["a,b", "", "line\nend"]),
            ("long", ["pike", "perch", "roach"]),
            ("kind", ["red", "", "blue"]),
            ("day", ["2019-01-01", "2019-02-01", ""]),
            ("time", ["2019-01-01T00:00:00", "2019-01-01T12:00:00", "1970-01-02T00:00:00"]),
            ("midnight", ["2019-01-01", "2019-01-02", "1970-01-02"]),
            ("price", ["12.50", "-0.05", "0.00"]),
        ] {
            assert_eq!(cells(name), expected, "{path:?} {name}");
        }
        assert_eq!(table.kind("time").unwrap(), ColumnKind::Date);
        assert_eq!(table.kind("day").unwrap(), ColumnKind::Date);
        assert!(table.numbers("x").unwrap()[1].is_nan() && table.line(5) == 7);
        // In the order of the file, whatever the order of the names.
        let two = read(&path, &["kind", "x"]).unwrap();
        assert_eq!(
            (two.cells("kind").unwrap().next(), two.cells("x").unwrap().next()),
            (Some("red"), Some("0.1"))
        );
    }
}

#[test]
fn what_has_no_place_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(folder.path()) {
        let error = read(&path, &["x", "list"]).unwrap_err();
        assert!(error.message().contains("column list holds lists or records"), "{error}");
        assert!(error.hint().unwrap().contains("leave it out"));
        assert!(read(&path, &["y"]).unwrap_err().message().contains("\"y\""));
        let options = TableReadOptions { delimiter: Some(b';'), ..TableReadOptions::default() };
        assert!(TableFile::open(&path, &options).unwrap_err().message().contains("no separators"));
        // Cut off anywhere, or with other bytes, it is an error and no panic.
        let bytes = std::fs::read(&path).unwrap();
        for end in (6..bytes.len()).step_by(97) {
            std::fs::write(folder.path().join("cut"), &bytes[..end]).unwrap();
            let _ = read(&folder.path().join("cut"), &["x"]);
        }
    }
}
