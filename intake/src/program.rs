//! A program that can run: the text of its module and the way back from a
//! place in that module to the text the model sent.

use serde::{Deserialize, Serialize};

/// A place in a text: both counts start at 1, columns are UTF-16 units, as in
/// a JavaScript stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// What the guest isolate imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Program {
    /// An ES module whose default export is an async function of no
    /// parameters: one line of its own, then the program's lines, then `};`.
    pub module: String,
    /// From a place in `module` back to the text the model sent.
    pub map: PositionMap,
}

/// How places in the module map back: lines never move against each other,
/// so an offset and the list of inserted columns say everything.
///
/// A program that was taken out of something escaped (a JSON string, literal
/// `\n`) has no lines in the text as it was sent. Its positions count in the
/// program as it was meant, after unescaping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionMap {
    /// How many lines of what was sent come before the program.
    pub line: u32,
    /// How many columns of its first line come before the program.
    pub column: u32,
    /// How many lines the program has.
    pub lines: u32,
    /// Inserted text, in order: module line, module column (both from 1),
    /// UTF-16 units inserted there.
    pub inserted: Vec<(u32, u32, u32)>,
}

/// Lines of the module before the program's first.
const LINES_BEFORE: u32 = 1;

impl PositionMap {
    /// The place in what the model sent for a place in the module; `None` for
    /// the lines that are not the program's.
    ///
    /// ```
    /// # #[cfg(feature = "reader")] {
    /// use mycelium_intake::{Position, read};
    ///
    /// let program = read("Here:\n```js\nx()\n```").expect("a program");
    /// assert_eq!(program.module, "export default async () => {\nreturn x()\n};\n");
    /// let x = Position { line: 2, column: 8 };
    /// assert_eq!(program.map.sent(x), Some(Position { line: 3, column: 1 }));
    /// # }
    /// ```
    #[must_use]
    pub fn sent(&self, module: Position) -> Option<Position> {
        let line =
            module.line.checked_sub(LINES_BEFORE).filter(|line| (1..=self.lines).contains(line))?;
        let column = self.without_inserted(module);
        let first = if line == 1 { self.column } else { 0 };
        Some(Position {
            line: line.saturating_add(self.line),
            column: column.saturating_add(first),
        })
    }

    fn without_inserted(&self, module: Position) -> u32 {
        let mut passed = 0u32;
        for &(_, column, units) in self.inserted.iter().filter(|(line, ..)| *line == module.line) {
            if module.column < column {
                break;
            }
            // A place inside inserted text is the place it was inserted at.
            passed = passed.saturating_add(units.min(module.column.saturating_sub(column)));
        }
        module.column.saturating_sub(passed).max(1)
    }
}
