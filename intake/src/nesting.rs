//! How deep a program may nest, and a measure of it that needs no parse.
//!
//! The parser recurses, and it does so before anyone can count its nodes. So
//! a text is measured first, token by token and without recursion. The
//! measure is close to the tree's own depth but not exact (it can't know what
//! every `/` and `<` is), hence its two uses: far above the limit a text is
//! refused unparsed, and of a text that doesn't parse it says whether nesting
//! is the reason. The depth of a text that parses is counted on its tree.

use tokens::{Regex, Token, Tokens};

mod shape;
mod tokens;

pub(crate) use shape::{Shape, outside_strings};

/// Most nesting a program may have: a link of a chain weighs one, anything
/// else four. So 600 links or 150 brackets, far above what is written by hand
/// and far below where the parser or the guest's own overflows its stack.
pub(crate) const DEPTH_LIMIT: u32 = 600;

/// From here on a text is not even parsed: 500 brackets. The parser overflows
/// the megabyte of stack it has in wasm above 750 of the dearest kind.
pub(crate) const HOPELESS: u32 = 2000;

/// A link of a chain (`a.b.c`, `f()()`, `a + b + c`, `else if`).
pub(crate) const LINK: u32 = 1;

/// Everything else that nests.
pub(crate) const NESTED: u32 = 4;

/// How often the parser may have to read a token again, over all tokens. It
/// tries `(` and `<` as arrow heads and type lists first, and where those nest
/// all over a text it would take ten seconds; a real text of full length stays
/// under a tenth of this.
const WORK_LIMIT: u32 = 1_000_000;

/// What the measure found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting {
    /// The greatest depth.
    pub(crate) depth: u32,
    /// Where it first passed the limit.
    pub(crate) past_limit: Option<usize>,
}

/// How many readings of one text are followed. More of them is no program.
const READINGS: usize = 32;

/// Measures a text. Where a `/` may or may not start a regular expression and
/// it matters, both readings are followed, so that nothing hides in either.
pub(crate) fn measure(text: &str) -> Nesting {
    let mut found = Nesting::default();
    let mut readings = vec![(Scan::default(), Tokens::new(text))];
    for _ in 0..READINGS {
        let Some((scan, tokens)) = readings.pop() else {
            return found;
        };
        let one = follow(scan, tokens, &mut readings);
        found.depth = found.depth.max(one.depth);
        found.past_limit = [found.past_limit, one.past_limit].into_iter().flatten().min();
    }
    if readings.is_empty() { found } else { Nesting { depth: u32::MAX, ..found } }
}

fn follow<'t>(
    mut scan: Scan,
    mut tokens: Tokens<'t>,
    readings: &mut Vec<(Scan, Tokens<'t>)>,
) -> Nesting {
    let mut found = Nesting::default();
    let mut work = 0u32;
    loop {
        let mut regex = scan.regex();
        if regex == Regex::Perhaps {
            regex = Regex::No;
            if tokens.is_at_a_fork() && readings.len() < READINGS {
                let mut other = scan.clone();
                other.previous = Previous::Operator;
                other.soft = false;
                readings.push((other, tokens.clone()));
            }
        }
        let Some(token) = tokens.next(regex == Regex::Yes, scan.in_template()) else {
            return found;
        };
        scan.take(token);
        work = work.saturating_add(scan.level.tried).saturating_add(scan.level.angles);
        let depth = if work > WORK_LIMIT { u32::MAX } else { scan.depth() };
        if depth > DEPTH_LIMIT && found.past_limit.is_none() {
            found.past_limit = Some(tokens.start());
        }
        found.depth = found.depth.max(depth);
    }
}

/// What the previous token was, as far as the next one's meaning depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Previous {
    /// An operator or an opening: a value comes next.
    #[default]
    Operator,
    /// The end of a value.
    Value,
    /// `}`, of a block or of a value.
    Brace,
    /// The `)` of `if (…)` and the like: a statement comes next.
    Head,
    /// `.` or `?.`: a name comes next.
    Dot,
    /// `;`
    Semicolon,
}

/// What is pending inside one pair of brackets.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Depth of everything outside.
    base: u32,
    /// Whether these are the parentheses of a statement's head.
    head: bool,
    /// Whether these are the braces of a template.
    template: bool,
    /// How often the parser may read what is in here.
    tried: u32,
    /// What stays open to its right: `=>`, `=`, `?`, `if (…)`, a label.
    right: u32,
    /// `<` without its `>`: a list of types goes on over commas.
    angles: u32,
    /// `?` whose `:` is to come.
    questions: u32,
    /// Prefix operators before the next value.
    prefixes: u32,
    /// Links of a member chain.
    members: u32,
    /// Operands of an operator chain.
    terms: u32,
    /// `else` after `else`.
    elses: u32,
}

impl Level {
    fn depth(&self) -> u32 {
        let nested = self
            .right
            .saturating_add(self.prefixes)
            .saturating_add(self.angles)
            .saturating_mul(NESTED);
        let chain = self.members.max(self.terms).saturating_add(self.elses).saturating_mul(LINK);
        self.base.saturating_add(nested).saturating_add(chain)
    }

    /// The next element of a list, or the next statement of an `if` chain.
    fn next_part(&mut self) {
        *self = Self {
            base: self.base,
            head: self.head,
            template: self.template,
            tried: self.tried,
            elses: self.elses,
            ..Self::default()
        };
    }

    fn next_operand(&mut self) {
        self.prefixes = 0;
        self.members = 0;
    }
}

#[derive(Clone, Debug, Default)]
struct Scan {
    outer: Vec<Level>,
    level: Level,
    previous: Previous,
    /// `if`, `for`, `while`, `with`: their parentheses come next.
    head_next: bool,
    /// The last token was a word that may be a name.
    soft: bool,
}

impl Scan {
    fn depth(&self) -> u32 {
        self.level.depth()
    }

    fn regex(&self) -> Regex {
        match self.previous {
            Previous::Brace => Regex::Perhaps,
            _ if self.soft => Regex::Perhaps,
            Previous::Value => Regex::No,
            _ => Regex::Yes,
        }
    }

    /// Whether a brace here would start a block, or stand where one could.
    fn may_start_statement(&self) -> bool {
        !matches!(self.previous, Previous::Dot | Previous::Head)
    }

    /// Whether a `}` goes on with a template.
    fn in_template(&self) -> bool {
        self.level.template
    }

    fn take(&mut self, token: Token) {
        if !matches!(token, Token::Else) && self.previous == Previous::Semicolon {
            self.level.elses = 0;
        }
        self.soft = matches!(token, Token::Soft | Token::SoftInfix);
        match token {
            Token::Name => self.name(),
            Token::Regex => self.value(),
            Token::Statement | Token::Function | Token::Soft => self.start(Previous::Operator),
            Token::Head => self.head(),
            Token::Do => self.nested_statement(),
            Token::Else => self.otherwise(),
            Token::Prefix => self.prefix_word(),
            Token::Extends => self.rightward(),
            Token::Infix | Token::SoftInfix => self.infix(),
            Token::Bang => self.bang(),
            Token::Sign => self.sign(),
            Token::Step => {}
            Token::Rightward => self.rightward(),
            Token::Question => self.question(),
            Token::Colon => self.colon(),
            Token::Less => self.less(),
            Token::Greater => self.greater(),
            Token::Dot => self.dot(),
            Token::Comma => self.comma(),
            Token::Semicolon => self.separate(Previous::Semicolon),
            Token::Parenthesis => self.parenthesis(),
            Token::Open => self.open(false),
            Token::OpenTemplate => self.open(true),
            Token::Template => self.template(),
            Token::Close => self.close(Previous::Value),
            Token::CloseBrace => self.close(Previous::Brace),
        }
    }

    /// Two values side by side: a statement ended between them.
    fn start(&mut self, next: Previous) {
        if matches!(self.previous, Previous::Value | Previous::Brace | Previous::Semicolon) {
            self.level.next_part();
            self.level.elses = 0;
        }
        self.previous = next;
    }

    fn value(&mut self) {
        self.start(Previous::Value);
    }

    fn name(&mut self) {
        if self.previous == Previous::Dot {
            self.previous = Previous::Value;
        } else {
            self.value();
        }
    }

    fn head(&mut self) {
        self.nested_statement();
        self.head_next = true;
    }

    fn nested_statement(&mut self) {
        self.start(Previous::Operator);
        self.level.right = self.level.right.saturating_add(1);
    }

    fn otherwise(&mut self) {
        self.level.next_part();
        self.level.elses = self.level.elses.saturating_add(1);
        self.previous = Previous::Operator;
    }

    fn prefix_word(&mut self) {
        self.start(Previous::Operator);
        self.level.prefixes = self.level.prefixes.saturating_add(1);
    }

    fn bang(&mut self) {
        if self.previous != Previous::Value {
            self.level.prefixes = self.level.prefixes.saturating_add(1);
            self.previous = Previous::Operator;
        }
    }

    fn sign(&mut self) {
        if matches!(self.previous, Previous::Value | Previous::Brace) {
            self.infix();
        } else {
            self.level.prefixes = self.level.prefixes.saturating_add(1);
        }
    }

    fn infix(&mut self) {
        self.level.next_operand();
        self.level.terms = self.level.terms.saturating_add(1);
        self.previous = Previous::Operator;
    }

    fn rightward(&mut self) {
        self.level.next_operand();
        self.level.terms = 0;
        self.level.right = self.level.right.saturating_add(1);
        self.previous = Previous::Operator;
    }

    fn question(&mut self) {
        self.rightward();
        self.level.questions = self.level.questions.saturating_add(1);
    }

    fn colon(&mut self) {
        if let Some(left) = self.level.questions.checked_sub(1) {
            self.level.questions = left;
            self.level.next_operand();
            self.level.terms = 0;
            self.previous = Previous::Operator;
        } else {
            self.rightward();
        }
    }

    fn less(&mut self) {
        self.infix();
        self.level.angles = self.level.angles.saturating_add(1);
    }

    fn greater(&mut self) {
        self.infix();
        self.level.angles = self.level.angles.saturating_sub(1);
    }

    fn dot(&mut self) {
        self.level.members = self.level.members.saturating_add(1);
        self.previous = Previous::Dot;
    }

    fn comma(&mut self) {
        let angles = self.level.angles;
        self.separate(Previous::Operator);
        self.level.angles = angles;
    }

    fn separate(&mut self, previous: Previous) {
        self.level.next_part();
        self.previous = previous;
    }

    /// One that is not a call's or a head's may be an arrow's: the parser
    /// tries, and reads what is inside again.
    fn parenthesis(&mut self) {
        let tried = u32::from(self.previous != Previous::Value && !self.head_next);
        self.open(false);
        self.level.tried = self.level.tried.saturating_add(tried);
    }

    fn open(&mut self, template: bool) {
        if self.previous == Previous::Value && !self.head_next {
            self.level.members = self.level.members.saturating_add(1);
        }
        let base = self.level.depth().saturating_add(NESTED);
        let inner = Level {
            base,
            head: self.head_next,
            template,
            tried: self.level.tried.saturating_add(self.level.angles),
            ..Level::default()
        };
        self.outer.push(std::mem::replace(&mut self.level, inner));
        self.head_next = false;
        self.previous = Previous::Operator;
    }

    fn template(&mut self) {
        if self.previous == Previous::Value {
            self.level.members = self.level.members.saturating_add(1);
        } else {
            self.value();
        }
        self.previous = Previous::Value;
    }

    fn close(&mut self, previous: Previous) {
        let inner = self.level;
        self.level = self.outer.pop().unwrap_or_default();
        self.previous = if inner.head { Previous::Head } else { previous };
    }
}
