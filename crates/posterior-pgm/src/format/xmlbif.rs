//! XMLBIF 0.3, the interchange format of Bayesian networks as XML (Cozman 1998).
//!
//! ```text
//! <BIF VERSION="0.3"><NETWORK><NAME>weather</NAME>
//! <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>
//! <VARIABLE TYPE="nature"><NAME>grass</NAME><OUTCOME>dry</OUTCOME><OUTCOME>wet</OUTCOME></VARIABLE>
//! <DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>
//! <DEFINITION><FOR>grass</FOR><GIVEN>rain</GIVEN><TABLE>0.9 0.1 0.05 0.95</TABLE></DEFINITION>
//! </NETWORK></BIF>
//! ```
//!
//! - A table has **the child fastest, then the last parent** (BIF has the child slowest).
//! - Variables and definitions come in any order; tags in capitals or not. Blanks around a name are not part
//!   of it.
//! - Entities, comments, `CDATA` and any document type are read; entities that a document type defines are
//!   refused.
//! - The file is read in one pass, with no tree of its elements, whatever the size of its tables.

mod elements;
mod reader;
mod writer;

pub use reader::read;
pub use writer::write;
