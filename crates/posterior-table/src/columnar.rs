//! Files that are stored by columns, with the type of each: Parquet and Arrow IPC (Feather, version 2).

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema, TimeUnit};
use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use crate::binary::Binary;
use crate::error::Error;

/// Rows that are read at a time.
const ROWS: usize = 1 << 16;

/// The advice where a column has no place in a table.
const LEAVE_OUT: &str = "name the columns to take and leave it out, or write it as numbers, texts or dates";

/// A file of which the names and types of the columns are known, and nothing else.
#[derive(Debug)]
pub(crate) struct ColumnarFile {
    bytes: Bytes,
    format: Binary,
    schema: Arc<Schema>,
}

impl ColumnarFile {
    /// Of the bytes of a file that begins as this format does.
    pub(crate) fn open(source: &str, format: Binary, bytes: Vec<u8>) -> Result<Self, Error> {
        let bytes = Bytes::from(bytes);
        let schema = match format {
            Binary::Parquet => ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::default())
                .map(|own| Arc::clone(own.schema()))
                .map_err(|error| damaged(source, format, &error)),
            Binary::Arrow => FileReader::try_new(Cursor::new(bytes.clone()), None)
                .map(|own| own.schema())
                .map_err(|error| damaged(source, format, &error)),
            Binary::ArrowStream => StreamReader::try_new(Cursor::new(bytes.clone()), None)
                .map(|own| own.schema())
                .map_err(|error| damaged(source, format, &error)),
        };
        Ok(Self { schema: schema?, bytes, format })
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|own| own.name().trim().to_owned()).collect()
    }

    /// Gives the cells of some columns, in rising order of their places, a part of the rows at a time; a cell
    /// that is missing is empty.
    pub(crate) fn read(
        self,
        source: &str,
        places: &[usize],
        mut take: impl FnMut(Vec<Vec<String>>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for &place in places {
            let field = self.schema.field(place);
            check(source, field.name(), field.data_type())?;
        }
        let Self { bytes, format, .. } = self;
        let failed = |error: ArrowError| damaged(source, format, &error);
        let mut part = |batch: Result<RecordBatch, ArrowError>| {
            let batch = batch.map_err(failed)?;
            take(batch.columns().iter().map(|own| cells(own.as_ref())).collect())
        };
        match format {
            Binary::Parquet => {
                let wrong = |error: parquet::errors::ParquetError| damaged(source, format, &error);
                let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(wrong)?;
                let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
                let builder = builder.with_batch_size(ROWS);
                builder.with_projection(mask).build().map_err(wrong)?.try_for_each(&mut part)
            }
            Binary::Arrow => {
                let reader = FileReader::try_new(Cursor::new(bytes), Some(places.to_vec()));
                reader.map_err(failed)?.try_for_each(&mut part)
            }
            Binary::ArrowStream => {
                let reader = StreamReader::try_new(Cursor::new(bytes), Some(places.to_vec()));
                reader.map_err(failed)?.try_for_each(&mut part)
            }
        }
    }
}

fn damaged(source: &str, format: Binary, error: &dyn std::fmt::Display) -> Error {
    Error::new(format!("{source}: {} that cannot be read: {error}", format.words()))
}

/// Refuses types whose values are no cells.
fn check(source: &str, name: &str, kind: &DataType) -> Result<(), Error> {
    match kind {
        DataType::Null
        | DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => Ok(()),
        kind if kind.is_integer() || kind.is_floating() => Ok(()),
        DataType::Dictionary(_, values) => check(source, name, values),
        kind => {
            let what = match kind {
                kind if kind.is_nested() => "lists or records",
                _ => "other values than numbers, texts, truth values and dates",
            };
            let message = format!("{source}: column {name} holds {what} ({kind})");
            Err(Error::new(message).with_hint(LEAVE_OUT))
        }
    }
}

/// The cells of a column of a type that was checked.
fn cells(array: &dyn Array) -> Vec<String> {
    match array.data_type() {
        DataType::Boolean => {
            let own = array.as_boolean();
            each(array, |row| own.value(row).to_string())
        }
        DataType::Utf8 => {
            let own = array.as_string::<i32>();
            each(array, |row| own.value(row).trim().to_owned())
        }
        DataType::LargeUtf8 => {
            let own = array.as_string::<i64>();
            each(array, |row| own.value(row).trim().to_owned())
        }
        DataType::Utf8View => {
            let own = array.as_string_view();
            each(array, |row| own.value(row).trim().to_owned())
        }
        DataType::Int8 => numbers::<Int8Type>(array, |own| own.to_string()),
        DataType::Int16 => numbers::<Int16Type>(array, |own| own.to_string()),
        DataType::Int32 => numbers::<Int32Type>(array, |own| own.to_string()),
        DataType::Int64 => numbers::<Int64Type>(array, |own| own.to_string()),
        DataType::UInt8 => numbers::<UInt8Type>(array, |own| own.to_string()),
        DataType::UInt16 => numbers::<UInt16Type>(array, |own| own.to_string()),
        DataType::UInt32 => numbers::<UInt32Type>(array, |own| own.to_string()),
        DataType::UInt64 => numbers::<UInt64Type>(array, |own| own.to_string()),
        DataType::Float16 => numbers::<Float16Type>(array, |own| float(f64::from(own), own.to_string())),
        DataType::Float32 => numbers::<Float32Type>(array, |own| float(f64::from(own), own.to_string())),
        DataType::Float64 => numbers::<Float64Type>(array, |own| float(own, own.to_string())),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(array),
        DataType::Date32 => {
            moments::<Date32Type>(array, |days| Timestamp::from_second(86_400 * i64::from(days)))
        }
        DataType::Date64 => moments::<Date64Type>(array, Timestamp::from_millisecond),
        DataType::Timestamp(TimeUnit::Second, _) => {
            moments::<TimestampSecondType>(array, Timestamp::from_second)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            moments::<TimestampMillisecondType>(array, Timestamp::from_millisecond)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            moments::<TimestampMicrosecondType>(array, Timestamp::from_microsecond)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            moments::<TimestampNanosecondType>(array, |own| Timestamp::from_nanosecond(i128::from(own)))
        }
        DataType::Dictionary(..) => {
            let own = array.as_any_dictionary();
            let values = cells(own.values().as_ref());
            // Without values every key is missing.
            let keys = if values.is_empty() { Vec::new() } else { own.normalized_keys() };
            each(array, |row| values[keys[row]].clone())
        }
        _ => vec![String::new(); array.len()],
    }
}

/// A cell for each row, empty where the value is missing.
fn each(array: &dyn Array, text: impl Fn(usize) -> String) -> Vec<String> {
    let nulls = array.logical_nulls();
    let missing = |row: usize| nulls.as_ref().is_some_and(|own| own.is_null(row));
    (0..array.len()).map(|row| if missing(row) { String::new() } else { text(row) }).collect()
}

fn numbers<T: ArrowPrimitiveType>(array: &dyn Array, text: impl Fn(T::Native) -> String) -> Vec<String> {
    let own = array.as_primitive::<T>();
    each(array, |row| text(own.value(row)))
}

/// NaN is how many programs write a number that is missing.
fn float(value: f64, text: String) -> String {
    if value.is_nan() { String::new() } else { text }
}

fn decimals<T: arrow_array::types::DecimalType>(array: &dyn Array) -> Vec<String> {
    let own = array.as_primitive::<T>();
    each(array, |row| own.value_as_string(row))
}

/// Dates, with times of a day if one is not midnight; those of a time zone are in universal time.
fn moments<T: ArrowPrimitiveType>(
    array: &dyn Array,
    of: impl Fn(T::Native) -> Result<Timestamp, jiff::Error>,
) -> Vec<String> {
    let own = array.as_primitive::<T>();
    // What is beyond the year 9999 is missing.
    let all: Vec<Option<DateTime>> =
        own.iter().map(|own| Some(TimeZone::UTC.to_datetime(of(own?).ok()?))).collect();
    let days = all.iter().flatten().all(|own| own.time() == Time::midnight());
    let zone = if matches!(array.data_type(), DataType::Timestamp(_, Some(_))) { "Z" } else { "" };
    let text = |own: Option<DateTime>| match own {
        None => String::new(),
        Some(own) if days => own.date().to_string(),
        Some(own) => format!("{own}{zone}"),
    };
    all.into_iter().map(text).collect()
}
