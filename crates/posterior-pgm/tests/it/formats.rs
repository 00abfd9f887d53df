//! Files of models.

#[cfg(feature = "xmlbif")]
mod bad_files;
mod bif;
mod net;
mod networks;
#[cfg(feature = "xmlbif")]
mod nonsense;
#[cfg(feature = "xmlbif")]
mod round_trips;
#[cfg(feature = "xmlbif")]
mod tabs;
mod uai;
#[cfg(feature = "xmlbif")]
mod xmlbif;

/// A small network with everything in it that a BIF file may have.
const BIF: &str = r#"// a comment
network "two words" { property author = me; }
variable A { /* one; { */ type discrete [ 2 ] { a0, "a 1" }; property "size; 10"; }
variable B/C(x) { type discrete[3]{ <5 5-9 >=10 } }
probability ( "D" | A, B/C(x) ) {
  (a0, <5) 0.1, 0.9;
  (a0, 5-9) 2e-1 .8;
  ("a 1", >=10) 1, 0,;
  default 0.5 0.5;
}
variable "D" { type discrete [ 2 ] { t, f }; }
probability ( A ) { table 0.25, 0.75; }
probability(B/C(x)|A){ (a0) 0.2 0.3 0.5; property seen; (a 1) 0 0 1; }
"#;

/// The same file in the form that the reader takes: names with blanks stand in quotes.
fn good_bif() -> String {
    BIF.replace("(a 1) 0 0 1", "(\"a 1\") 0 0 1")
}

#[cfg(feature = "xmlbif")]
/// The dog problem of the definition of XMLBIF, with entities and all kinds of text.
const XMLBIF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*> ]>
<BIF VERSION="0.3">
<network>
<NAME> dog &amp; <![CDATA[<family>]]> </NAME>
<PROPERTY/>
<VARIABLE TYPE="nature">
  <NAME>family-out</NAME> <!-- a comment -->
  <OUTCOME>true</OUTCOME> <OUTCOME>false</OUTCOME>
  <PROPERTY>position = (112, 69)</PROPERTY>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>dog-out</NAME><OUTCOME>&#116;rue</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<DEFINITION>
  <FOR>dog-out</FOR> <GIVEN>bowel-problem</GIVEN> <GIVEN>family-out</GIVEN>
  <TABLE>0.99 0.01 0.97 0.03 <!-- half --> 0.9 0.1 <![CDATA[0.3]]> 7e-1 </TABLE>
</DEFINITION>
<VARIABLE TYPE="nature"><NAME>bowel-problem</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<DEFINITION><FOR>bowel-problem</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>family-out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>
</network>
</BIF>
"#;

/// A Markov random field of three tables.
const MARKOV: &str = "MARKOV\n3\n2 2 3\n3\n2 0 1\n3 0 1 2\n1 2\n\n4\n 4.0 2.4\n 1.0 0.0\n\n12\n 2.25 3.25 3.75\n 0 0 10\n 1.875 4 3.333\n 2 2 3.4\n3 1 2e0 3\n";

/// A Bayesian network of three tables, the last in another order than the variables.
const BAYES: &str = "BAYES 3 2 2 3 3\n1 0 # X0\n3 1 0 2\n2 0 1\n2 0.5 0.5\n12 0.2 0.3 0.5 0.1 0.1 0.8\n 1 0 0 0 0 1\n4 0.9 0.1 0.4 0.6\n";

/// A small network with everything in it that a NET file may have.
const NET: &str = r#"% Hugin
net { name = "voting"; node_size = (80 40); }
node A { states = ("yes" "no; % really"); label = "A; or not"; position = (10 20); }
potential (C | A B) {
  data = (( (0.1 0.9) (0.8 0.2) (1 0) ) % the rows of yes; not of no
          ( (.4 6e-1) (0.5 0.5) (0 1) ));
  note = 1;
}
discrete node B { states = ("low" "mid" "high"); }
node C { states = (c0 c1); }
potential (A) { data = (0.25 0.75); }
potential (B | ) { }
"#;
