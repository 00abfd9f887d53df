//! Files that are no text, by the bytes that they begin with.

/// A format of tables that are stored by columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Parquet,
    /// Arrow IPC with a footer: Feather, version 2.
    Arrow,
    /// Arrow IPC as a stream.
    ArrowStream,
}

impl Binary {
    /// The bytes that tell them.
    pub(crate) const LENGTH: u64 = 6;

    /// Of a file that begins so; none of text.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        match start {
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            b"ARROW1" => Some(Self::Arrow),
            [0xff, 0xff, 0xff, 0xff, ..] => Some(Self::ArrowStream),
            _ => None,
        }
    }

    /// As it stands in a message.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Parquet => "a Parquet file",
            Self::Arrow | Self::ArrowStream => "an Arrow file",
        }
    }
}
