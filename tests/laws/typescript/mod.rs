//! What the TypeScript projection promises over the corpora. The types are made and written
//! here; `tests/typescript` asks the compiler about them.

mod bounds;
mod corpora;
mod generated;
pub(crate) mod values;
