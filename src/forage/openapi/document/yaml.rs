//! YAML 1.2, as far as JSON can say the same.
//!
//! Read event by event: an alias, a key that occurs twice, a tag of somebody's own and
//! every excess are met before anything is built of them.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, StrInput, Tag};
use serde_json::{Map, Value};

use super::{Refusal, bounds::Extent, scalar};
use crate::failure::bounded;

/// The most bytes of a key or a tag that a message shows.
const SHOWN_BYTES: usize = 64;

/// The document that is the YAML in `text`.
pub(super) fn read(text: &str) -> Result<Value, Refusal> {
    let mut events = Parser::new_from_str(text);
    let mut building = Building::default();
    while let Some(event) = events.next_event() {
        let (event, span) = event.map_err(|error| unreadable(&error))?;
        let place = span.start;
        match event {
            Event::DocumentStart(_) => building.start(&place)?,
            Event::Alias(_) => return Err(aliases(events, place)),
            Event::Scalar(text, style, _, tag) => {
                building.scalar(&text, style, tag.as_deref(), &place)?;
            }
            Event::SequenceStart(_, tag) => {
                core_tag(tag.as_deref(), "seq", &place)?;
                building.open(Frame::List(Vec::new()), &place)?;
            }
            Event::MappingStart(_, tag) => {
                core_tag(tag.as_deref(), "map", &place)?;
                building.open(Frame::Map(Map::new(), None), &place)?;
            }
            Event::SequenceEnd | Event::MappingEnd => building.close(&place)?,
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
        }
    }
    building.root.ok_or_else(|| Refusal::Syntax { problem: "it is empty".to_owned() })
}

/// What is open while events come.
#[derive(Default)]
struct Building {
    root: Option<Value>,
    documents: usize,
    open: Vec<Frame>,
    extent: Extent,
}

/// A list or map whose end hasn't come, and for a map the key whose value is next.
enum Frame {
    List(Vec<Value>),
    Map(Map<String, Value>, Option<String>),
}

impl Building {
    fn start(&mut self, place: &Marker) -> Result<(), Refusal> {
        self.documents = self.documents.saturating_add(1);
        if self.documents == 1 {
            return Ok(());
        }
        Err(wrong(place, "a second document begins: give one document"))
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        place: &Marker,
    ) -> Result<(), Refusal> {
        if let Some(Frame::Map(map, key @ None)) = self.open.last_mut() {
            if style == ScalarStyle::Plain && text == "<<" {
                return Err(wrong(place, "merge keys are not read: write out what is merged"));
            }
            if map.contains_key(text) {
                let problem = format!("the key {:?} occurs twice", bounded(text, SHOWN_BYTES));
                return Err(wrong(place, &problem));
            }
            *key = Some(text.to_owned());
            return Ok(());
        }
        self.count()?;
        let plain = match tag {
            None => style == ScalarStyle::Plain,
            Some(tag) => scalar_tag(tag, place)?,
        };
        let value = if plain { scalar::value(text) } else { Ok(Value::from(text)) };
        self.put(value.map_err(|problem| wrong(place, problem))?, place)
    }

    fn open(&mut self, frame: Frame, place: &Marker) -> Result<(), Refusal> {
        if let Some(Frame::Map(_, None)) = self.open.last() {
            return Err(wrong(place, "a key is a list or a map: keys are texts"));
        }
        self.count()?;
        self.open.push(frame);
        Ok(())
    }

    /// Counts a node before it is built.
    fn count(&mut self) -> Result<(), Refusal> {
        self.extent.at(self.open.len().saturating_add(1));
        self.extent.admit()
    }

    fn close(&mut self, place: &Marker) -> Result<(), Refusal> {
        match self.open.pop() {
            Some(Frame::List(items)) => self.put(Value::Array(items), place),
            Some(Frame::Map(map, _)) => self.put(Value::Object(map), place),
            None => Err(wrong(place, "something ends that has not begun")),
        }
    }

    fn put(&mut self, value: Value, place: &Marker) -> Result<(), Refusal> {
        match self.open.last_mut() {
            Some(Frame::List(items)) => items.push(value),
            Some(Frame::Map(map, key)) => {
                let Some(key) = key.take() else {
                    return Err(wrong(place, "a value has no key"));
                };
                map.insert(key, value);
            }
            None => self.root = Some(value),
        }
        Ok(())
    }
}

/// Counts the aliases from the first, as far as the text can be read.
fn aliases(events: Parser<'_, StrInput<'_>>, first: Marker) -> Refusal {
    let rest = events.map_while(Result::ok);
    let further = rest.filter(|(event, _)| matches!(event, Event::Alias(_))).count();
    let column = first.col().saturating_add(1);
    Refusal::Alias { line: first.line(), column, count: further.saturating_add(1) }
}

/// Whether a scalar with this tag says a value as a plain one does.
fn scalar_tag(tag: &Tag, place: &Marker) -> Result<bool, Refusal> {
    if !tag.is_yaml_core_schema() {
        return if tag.handle == "!" && tag.suffix.is_empty() {
            Ok(false)
        } else {
            Err(foreign(tag, place))
        };
    }
    match tag.suffix.as_str() {
        "str" => Ok(false),
        "null" | "bool" | "int" | "float" => Ok(true),
        _ => Err(foreign(tag, place)),
    }
}

fn core_tag(tag: Option<&Tag>, kind: &str, place: &Marker) -> Result<(), Refusal> {
    match tag {
        None => Ok(()),
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == kind => Ok(()),
        Some(tag) => Err(foreign(tag, place)),
    }
}

fn foreign(tag: &Tag, place: &Marker) -> Refusal {
    let shown = bounded(&format!("{}{}", tag.handle, tag.suffix), SHOWN_BYTES);
    wrong(place, &format!("the tag {shown:?} is not read: leave it out"))
}

fn wrong(place: &Marker, problem: &str) -> Refusal {
    let column = place.col().saturating_add(1);
    Refusal::Syntax { problem: format!("{problem} (line {}, column {column})", place.line()) }
}

fn unreadable(error: &ScanError) -> Refusal {
    wrong(error.marker(), error.info())
}
