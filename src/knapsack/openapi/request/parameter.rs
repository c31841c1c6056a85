//! One parameter, in the style that its document says.
//!
//! OpenAPI's styles are those of RFC 6570; where its editions disagree that holds.

use serde_json::Value;

use super::{
    Unsayable,
    value::{Texts, texts},
};
use crate::forage::openapi::{Parameter, Style, header, path::encode};

/// The texts of a parameter's value.
fn of(parameter: &Parameter, value: &Value) -> Result<Texts, Unsayable> {
    if parameter.style == Style::Json {
        return Ok(Texts::One(value.to_string()));
    }
    texts(value).map_err(|rule| Unsayable::new(&parameter.input, rule))
}

/// What stands in a path's segment for a parameter.
pub(super) fn path(parameter: &Parameter, value: &Value) -> Result<String, Unsayable> {
    let texts = of(parameter, value)?;
    let name = encode(&parameter.name);
    let explode = parameter.explode;
    Ok(match (parameter.style, &texts) {
        (Style::Label, Texts::One(text)) => format!(".{}", encode(text)),
        (Style::Label, _) if explode => format!(".{}", joined(&texts, ".", "=")),
        (Style::Label, _) => format!(".{}", joined(&texts, ",", ",")),
        (Style::Matrix, Texts::One(text)) if text.is_empty() => format!(";{name}"),
        (Style::Matrix, Texts::One(text)) => format!(";{name}={}", encode(text)),
        (Style::Matrix, Texts::List(items)) if explode => {
            items.iter().map(|item| format!(";{name}={}", encode(item))).collect()
        }
        (Style::Matrix, Texts::Map(_)) if explode => format!(";{}", joined(&texts, ";", "=")),
        (Style::Matrix, _) => format!(";{name}={}", joined(&texts, ",", ",")),
        _ => joined(&texts, ",", if explode { "=" } else { "," }),
    })
}

/// The names and values that a query has for a parameter. The values are
/// percent-encoded, the names aren't.
pub(super) fn query(
    parameter: &Parameter,
    value: &Value,
) -> Result<Vec<(String, String)>, Unsayable> {
    let texts = of(parameter, value)?;
    pairs(&parameter.name, parameter.style, parameter.explode, &texts)
        .map_err(|rule| Unsayable::new(&parameter.input, rule))
}

/// The names and values that a query or a form has for `texts`.
pub(super) fn pairs(
    name: &str,
    style: Style,
    explode: bool,
    texts: &Texts,
) -> Result<Vec<(String, String)>, &'static str> {
    let one = |value: String| Ok(vec![(name.to_owned(), value)]);
    match (style, texts) {
        (Style::DeepObject, Texts::Map(entries)) => Ok(entries
            .iter()
            .map(|(key, value)| (format!("{name}[{key}]"), encode(value)))
            .collect()),
        (Style::DeepObject, _) => Err("the style says maps only: give a map"),
        (_, Texts::One(text)) => one(encode(text)),
        (_, Texts::List(items)) if explode => {
            Ok(items.iter().map(|item| (name.to_owned(), encode(item))).collect())
        }
        (_, Texts::Map(entries)) if explode => {
            Ok(entries.iter().map(|(key, value)| (key.clone(), encode(value))).collect())
        }
        (Style::SpaceDelimited, _) => one(joined(texts, "%20", "%20")),
        (Style::PipeDelimited, _) => one(joined(texts, "%7C", "%7C")),
        _ => one(joined(texts, ",", ",")),
    }
}

/// Texts with signs between, each percent-encoded.
fn joined(texts: &Texts, between: &str, within: &str) -> String {
    match texts {
        Texts::One(text) => encode(text),
        Texts::List(items) => {
            items.iter().map(|item| encode(item)).collect::<Vec<_>>().join(between)
        }
        Texts::Map(entries) => entries
            .iter()
            .map(|(key, value)| format!("{}{within}{}", encode(key), encode(value)))
            .collect::<Vec<_>>()
            .join(between),
    }
}

/// A header's value. Nothing is encoded there, so a sign that separates can't be said.
pub(super) fn header(parameter: &Parameter, value: &Value) -> Result<String, Unsayable> {
    let wrong = |rule| Unsayable::new(&parameter.input, rule);
    let apart = |text: &String, signs: &[char]| {
        if text.contains(signs) {
            return Err(wrong("a part has a sign that separates parts in a header: leave it out"));
        }
        Ok(text.clone())
    };
    let within = if parameter.explode { "=" } else { "," };
    let text = match of(parameter, value)? {
        Texts::One(text) => text,
        Texts::List(items) => {
            items.iter().map(|item| apart(item, &[','])).collect::<Result<Vec<_>, _>>()?.join(",")
        }
        Texts::Map(entries) => entries
            .iter()
            .map(|(key, value)| {
                let (key, value) = (apart(key, &[',', '='])?, apart(value, &[','])?);
                Ok(format!("{key}{within}{value}"))
            })
            .collect::<Result<Vec<_>, Unsayable>>()?
            .join(","),
    };
    if !header::is_value(&text) {
        return Err(wrong(
            "a header has visible ASCII only, no line end and no outer blank: encode the value",
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{header, path, query};
    use crate::forage::openapi::{Parameter, Place, Style};

    fn parameter(place: Place, style: Style, explode: bool) -> Parameter {
        let name = "color".to_owned();
        Parameter { input: name.clone(), name, place, style, explode, required: true }
    }

    fn in_path(style: Style, explode: bool, value: &Value) -> String {
        path(&parameter(Place::Path, style, explode), value).unwrap()
    }

    fn in_query(style: Style, explode: bool, value: &Value) -> String {
        let pairs = query(&parameter(Place::Query, style, explode), value).unwrap();
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn every_style_is_written_as_its_table_says() {
        let list = json!(["blue", "black", "brown"]);
        let map = json!({"B": 150, "G": 200, "R": 100});
        for (style, explode, value, expected) in [
            (Style::Simple, false, &json!("blue"), "blue"),
            (Style::Simple, false, &list, "blue,black,brown"),
            (Style::Simple, true, &list, "blue,black,brown"),
            (Style::Simple, false, &map, "B,150,G,200,R,100"),
            (Style::Simple, true, &map, "B=150,G=200,R=100"),
            (Style::Label, false, &json!("blue"), ".blue"),
            (Style::Label, false, &list, ".blue,black,brown"),
            (Style::Label, true, &list, ".blue.black.brown"),
            (Style::Label, false, &map, ".B,150,G,200,R,100"),
            (Style::Label, true, &map, ".B=150.G=200.R=100"),
            (Style::Matrix, false, &json!("blue"), ";color=blue"),
            (Style::Matrix, false, &json!(""), ";color"),
            (Style::Matrix, false, &list, ";color=blue,black,brown"),
            (Style::Matrix, true, &list, ";color=blue;color=black;color=brown"),
            (Style::Matrix, false, &map, ";color=B,150,G,200,R,100"),
            (Style::Matrix, true, &map, ";B=150;G=200;R=100"),
            (Style::Json, false, &json!([1]), "%5B1%5D"),
        ] {
            assert_eq!(in_path(style, explode, value), expected, "{style:?} {explode}");
        }
        for (style, explode, value, expected) in [
            (Style::Form, true, &json!("blue"), "color=blue"),
            (Style::Form, true, &json!(""), "color="),
            (Style::Form, true, &json!(true), "color=true"),
            (Style::Form, true, &json!(1.5), "color=1.5"),
            (Style::Form, true, &list, "color=blue&color=black&color=brown"),
            (Style::Form, false, &list, "color=blue,black,brown"),
            (Style::Form, true, &map, "B=150&G=200&R=100"),
            (Style::Form, false, &map, "color=B,150,G,200,R,100"),
            (Style::SpaceDelimited, false, &list, "color=blue%20black%20brown"),
            (Style::PipeDelimited, false, &list, "color=blue%7Cblack%7Cbrown"),
            (Style::DeepObject, true, &map, "color[B]=150&color[G]=200&color[R]=100"),
            (Style::Json, false, &json!({"a": [1]}), "color=%7B%22a%22%3A%5B1%5D%7D"),
        ] {
            assert_eq!(in_query(style, explode, value), expected, "{style:?} {explode}");
        }
    }

    #[test]
    fn a_separator_in_a_value_stays_in_the_value() {
        let list = json!(["a,b", "c&d=e", "f%20g|h"]);
        assert_eq!(in_query(Style::Form, false, &list), "color=a%2Cb,c%26d%3De,f%2520g%7Ch");
        assert_eq!(in_path(Style::Label, true, &json!(["a/b", "c;d"])), ".a%2Fb.c%3Bd");
        let parameter = parameter(Place::Header, Style::Simple, false);
        assert!(header(&parameter, &list).is_err());
        assert_eq!(header(&parameter, &json!(["a", 1])).as_deref(), Ok("a,1"));
    }

    #[test]
    fn a_value_that_no_style_says_is_refused_by_its_input() {
        for value in
            [json!([]), json!({}), json!([[1]]), json!({"a": {}}), json!([null]), json!(null)]
        {
            for style in [Style::Form, Style::DeepObject, Style::PipeDelimited] {
                let refused = query(&parameter(Place::Query, style, true), &value).unwrap_err();
                assert!(refused.to_string().starts_with("at /color: "), "{refused}");
            }
        }
        assert!(query(&parameter(Place::Query, Style::DeepObject, true), &json!("a")).is_err());
    }

    #[test]
    fn a_header_value_with_a_line_end_is_refused() {
        let parameter = parameter(Place::Header, Style::Simple, false);
        for value in ["a\r\nX: y", "a\nb", " a", "é", "a\0b"] {
            assert!(header(&parameter, &json!(value)).is_err(), "{value:?}");
        }
    }
}
