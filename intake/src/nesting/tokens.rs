//! The tokens of a text, as far as nesting depends on them.

/// A token's kind, named for what it does to nesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a number or a string.
    Name,
    /// A regular expression.
    Regex,
    /// A word that starts a statement: `const`, `return`, …
    Statement,
    /// `function`, `class`: a value goes on after it.
    Function,
    /// A word that is a name or `async`, `type`, …
    Soft,
    /// A name or an operator: `as`, `of`, `is`, …
    SoftInfix,
    /// `if`, `for`, `while`, `with`.
    Head,
    /// `do`.
    Do,
    /// `else`.
    Else,
    /// `typeof`, `await`, `new`, … and in types `keyof`, `infer`, …
    Prefix,
    /// `extends`.
    Extends,
    /// An operator between two values.
    Infix,
    /// `!` and `~`.
    Bang,
    /// `+` and `-`.
    Sign,
    /// `++` and `--`.
    Step,
    /// `=`, `=>`, `**` and the like: their right side nests.
    Rightward,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `.` and `?.`
    Dot,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `(`
    Parenthesis,
    /// `[` or `{`.
    Open,
    /// A template's text up to `${`.
    OpenTemplate,
    /// A template without, or after its last, `${`.
    Template,
    /// `)` or `]`.
    Close,
    /// `}`
    CloseBrace,
}

/// Whether a `/` starts a regular expression. Without a parse it can't always
/// be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regex {
    Yes,
    No,
    /// After a `}` and after a word that may be a name.
    Perhaps,
}

/// Reads a text token by token. What can't be a token is passed over: the
/// parser will say so.
#[derive(Clone)]
pub(super) struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
    start: usize,
    /// A `}` was read that goes on with a template.
    resume: bool,
    after_dot: bool,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, start: 0, resume: false, after_dot: false }
    }

    /// The offset of the last token.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The offset behind the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at.saturating_add(ahead)).copied().unwrap_or(0)
    }

    fn pass(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    fn pass_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| wanted(*byte)) {
            self.pass(1);
        }
    }

    /// Whether the next token is a `/` that, read as a regular expression,
    /// would hide something that counts.
    pub(super) fn is_at_a_fork(&mut self) -> bool {
        if self.resume {
            return false;
        }
        self.skip_trivia();
        if self.peek(0) != b'/' {
            return false;
        }
        let mut ahead = self.clone();
        ahead.regex();
        let inside = self.bytes.get(self.at.saturating_add(1)..ahead.at).unwrap_or(&[]);
        // Without a second slash it is no regular expression.
        let end = inside.iter().rposition(|byte| *byte == b'/');
        let inside = end.and_then(|end| inside.get(..end)).unwrap_or(&[]);
        inside.iter().any(|byte| b"\"'`()[]{}/".contains(byte))
    }

    /// The next token. `regex`: whether a `/` here starts a regular
    /// expression. `in_template`: whether a `}` goes on with a template.
    pub(super) fn next(&mut self, regex: bool, in_template: bool) -> Option<Token> {
        self.start = self.at;
        if std::mem::take(&mut self.resume) {
            return Some(self.template());
        }
        self.skip_trivia();
        self.start = self.at;
        let byte = *self.bytes.get(self.at)?;
        let token = match byte {
            b'}' if in_template => {
                self.pass(1);
                self.resume = true;
                Token::Close
            }
            b'`' => {
                self.pass(1);
                self.template()
            }
            b'"' | b'\'' => self.string(byte),
            b'/' if regex => self.regex(),
            b'0'..=b'9' => self.number(),
            _ if is_name(byte) => self.word(),
            _ => self.punctuation(byte),
        };
        self.after_dot = token == Token::Dot;
        Some(token)
    }

    fn skip_trivia(&mut self) {
        if self.at == 0 && self.bytes.starts_with(b"#!") {
            self.rest_of_line();
        }
        loop {
            self.pass_while(|byte| byte.is_ascii_whitespace() || byte == 0x0B);
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/') => self.rest_of_line(),
                (b'/', b'*') => self.block_comment(),
                _ => return,
            }
        }
    }

    fn rest_of_line(&mut self) {
        while self.at < self.bytes.len() && !self.is_at_line_end() {
            self.pass(1);
        }
    }

    /// LF, CR, or U+2028 and U+2029 in UTF-8.
    fn is_at_line_end(&self) -> bool {
        matches!(
            (self.peek(0), self.peek(1), self.peek(2)),
            (b'\n' | b'\r', ..) | (0xE2, 0x80, 0xA8 | 0xA9)
        )
    }

    fn block_comment(&mut self) {
        self.pass(2);
        while self.at < self.bytes.len() && (self.peek(0), self.peek(1)) != (b'*', b'/') {
            self.pass(1);
        }
        self.pass(2);
    }

    fn template(&mut self) -> Token {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'\\', _) => self.pass(2),
                (b'`', _) => {
                    self.pass(1);
                    return Token::Template;
                }
                (b'$', b'{') => {
                    self.pass(2);
                    return Token::OpenTemplate;
                }
                _ => self.pass(1),
            }
        }
        Token::Template
    }

    fn string(&mut self, quote: u8) -> Token {
        self.pass(1);
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (b'\\', b'\r', b'\n') => self.pass(3),
                (b'\\', ..) => self.pass(2),
                (b'\n' | b'\r', ..) => break,
                (byte, ..) => {
                    self.pass(1);
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        Token::Name
    }

    fn regex(&mut self) -> Token {
        self.pass(1);
        let mut in_class = false;
        while self.at < self.bytes.len() && !self.is_at_line_end() {
            match self.peek(0) {
                b'\\' => self.pass(1),
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.pass(1);
                    self.pass_while(is_name);
                    return Token::Regex;
                }
                _ => {}
            }
            self.pass(1);
        }
        Token::Regex
    }

    fn number(&mut self) -> Token {
        self.pass_while(|byte| is_name(byte) || byte.is_ascii_digit() || byte == b'.');
        Token::Name
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        self.pass_while(|byte| is_name(byte) || byte.is_ascii_digit());
        let word = self.bytes.get(start..self.at).unwrap_or(&[]);
        if self.after_dot { Token::Name } else { word_token(word) }
    }

    fn punctuation(&mut self, byte: u8) -> Token {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let long = PUNCTUATION.iter().find(|(text, _)| rest.starts_with(text));
        let (length, token) = match long {
            // `a?.5:b` is a question.
            Some((b"?.", _)) if self.peek(2).is_ascii_digit() => (1, Token::Question),
            Some((text, token)) => (text.len(), *token),
            None => (1, single(byte)),
        };
        self.pass(length);
        token
    }
}

/// Bytes of names; anything that is not ASCII counts as one.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'#' | b'\\') || byte >= 0x80
}

fn word_token(word: &[u8]) -> Token {
    match word {
        b"if" | b"for" | b"while" | b"with" => Token::Head,
        b"do" => Token::Do,
        b"else" => Token::Else,
        b"function" | b"class" => Token::Function,
        b"async" | b"let" => Token::Soft,
        b"extends" => Token::Extends,
        b"in" | b"instanceof" => Token::Infix,
        b"of" | b"as" | b"satisfies" | b"is" => Token::SoftInfix,
        b"typeof" | b"void" | b"delete" | b"await" | b"yield" | b"new" | b"keyof" | b"infer"
        | b"unique" | b"readonly" => Token::Prefix,
        b"const" | b"var" | b"return" | b"throw" | b"case" | b"default" | b"export" | b"import"
        | b"try" | b"switch" | b"break" | b"continue" => Token::Statement,
        _ => Token::Name,
    }
}

/// Longest first.
const PUNCTUATION: [(&[u8], Token); 32] = [
    (b">>>=", Token::Rightward),
    (b"...", Token::Infix),
    (b"===", Token::Infix),
    (b"!==", Token::Infix),
    (b"**=", Token::Rightward),
    (b"<<=", Token::Rightward),
    (b">>=", Token::Rightward),
    (b"&&=", Token::Rightward),
    (b"||=", Token::Rightward),
    (b"??=", Token::Rightward),
    (b"=>", Token::Rightward),
    (b"==", Token::Infix),
    (b"!=", Token::Infix),
    (b"<=", Token::Infix),
    (b">=", Token::Infix),
    (b"&&", Token::Infix),
    (b"||", Token::Infix),
    (b"??", Token::Infix),
    (b"?.", Token::Dot),
    (b"++", Token::Step),
    (b"--", Token::Step),
    (b"**", Token::Rightward),
    (b"<<", Token::Infix),
    (b"+=", Token::Rightward),
    (b"-=", Token::Rightward),
    (b"*=", Token::Rightward),
    (b"/=", Token::Rightward),
    (b"%=", Token::Rightward),
    (b"&=", Token::Rightward),
    (b"|=", Token::Rightward),
    (b"^=", Token::Rightward),
    (b"@", Token::Infix),
];

fn single(byte: u8) -> Token {
    match byte {
        b'(' => Token::Parenthesis,
        b'[' | b'{' => Token::Open,
        b')' | b']' => Token::Close,
        b'}' => Token::CloseBrace,
        b';' => Token::Semicolon,
        b',' => Token::Comma,
        b'.' => Token::Dot,
        b'?' => Token::Question,
        b':' => Token::Colon,
        b'=' => Token::Rightward,
        b'!' | b'~' => Token::Bang,
        b'+' | b'-' => Token::Sign,
        b'<' => Token::Less,
        b'>' => Token::Greater,
        _ => Token::Infix,
    }
}
