//! What a failing run drew, by names: `xs = [Span { from: 0, to: 3 }]`. Draws without a note have the
//! names of their kinds. Those after a step are its arguments: `push(x = 3)`. Where a list is made of
//! values that only the test knows, a line says so: `draws of xs = [(0, 3)]`; where nothing has a name
//! after the draw of a note, it may be part of that value or not: `draws from pair on = (0, 3)`.

use std::fmt::Debug;

#[derive(Default)]
pub struct Story {
    pub lines: Vec<String>,
    op: Option<Op>,                 // the step in progress
    name: String,                   // of the note before these draws; "" without one
    values: Vec<Part>, // since then, each of a draw or of a list or a value that has ended
    open: Vec<Scope>,  // lists and values in progress
    loose: Option<Asked>, // the draw told last, if it has no note, and nothing came since: it can choose a step
    chooser: Option<Option<Asked>>, // such a draw before the first step
}

/// What a draw asks for: its kind, and its bounds unless they follow what can be chosen.
type Asked = (u8, Option<(u64, u64)>);

struct Op {
    name: String,
    arguments: Vec<String>,
    row: usize, // its line
}

/// What a draw, or some, are told by.
struct Part {
    text: String,
    is_draws: bool, // of a value that they make in the test
}

/// A list that the test makes by `more`, or a value that a function makes.
#[derive(Default)]
struct Scope {
    is_value: bool,
    elements: Vec<Part>,
    parts: Vec<Part>, // of the element or the value in progress
}

const KINDS: [&str; 16] = [
    "bytes", "bool", "uint", "int", "index", "weighted", "f64", "chance", "list", "string",
    "mixed", "mixed", "real", "real", "subset", "date",
];

impl Story {
    /// Take the value of a record. Those of a list, a string and a date are told by themselves.
    pub fn draw(&mut self, kind: u8, value: u64, bounds: (u64, u64)) {
        let text = match kind {
            8 | 9 => return,
            1 | 7 => (value == 1).to_string(),
            3 | 11 => (value as i64).to_string(),
            6 => ((value >> 11) as f64 / (1_u64 << 53) as f64).to_string(),
            12 | 13 => format!("{:?}", f64::from_bits(value)),
            _ => value.to_string(),
        };
        let is_own = self.name.is_empty() || !self.values.is_empty(); // not that of a note
        let is_loose = is_own && self.open.is_empty();
        self.add(KINDS[usize::from(kind & 15)], text);
        let is_index = kind == 4 || kind == 5;
        self.loose = is_loose.then(|| (kind, Some(bounds).filter(|_| !is_index)));
    }

    pub fn add(&mut self, kind: &str, text: String) {
        self.add_part(kind, Part { text, is_draws: false });
    }

    fn add_part(&mut self, kind: &str, part: Part) {
        self.loose = None;
        if let Some(scope) = self.open.last_mut() {
            return scope.parts.push(part);
        }
        self.values.push(part);
        if self.name.is_empty() {
            self.name = kind.to_string();
            self.flush();
        }
    }

    /// Where lines are added: the arguments of the step in progress.
    fn shown(&mut self) -> &mut Vec<String> {
        self.op.as_mut().map_or(&mut self.lines, |op| &mut op.arguments)
    }

    /// Replace the value told last.
    pub fn retell(&mut self, value: &dyn Debug) {
        let text = format!("{value:?}");
        let parts = self.open.last_mut().map_or(&mut self.values, |scope| &mut scope.parts);
        if let Some(last) = parts.last_mut() {
            last.text = text;
            return;
        }
        if let Some(line) = self.shown().last_mut() {
            let name = line.split(" = ").next().unwrap_or_default();
            *line = format!("{name} = {text}");
        }
        self.show();
    }

    /// Write the line of the step in progress.
    fn show(&mut self) {
        if let Some(Op { name, arguments, row }) = &self.op {
            self.lines[*row] = format!("{name}({})", arguments.join(", "));
        }
    }

    /// Take the question if a list has one more element, after `count` of them. Where notes have ended
    /// the list, its elements are told by them.
    pub fn more(&mut self, count: usize, is_more: bool) {
        self.loose = None;
        match self.open.last_mut() {
            _ if count == 0 => self.open.push(Scope::default()),
            Some(scope) if !scope.is_value => scope.end(),
            _ => return,
        }
        if !is_more {
            self.end("");
        }
    }

    /// Begin a value that a function makes, whose draws have no names of their own.
    pub fn begin(&mut self) {
        self.open.push(Scope { is_value: true, ..Scope::default() });
    }

    /// The value has been made.
    pub fn made(&mut self, value: &dyn Debug) {
        while self.open.pop().map_or(false, |scope| !scope.is_value) {}
        self.add("value", format!("{value:?}"));
    }

    /// Close the innermost list, or value that has not been made.
    fn end(&mut self, rest: &str) {
        let scope = self.open.pop().unwrap_or_default();
        if scope.is_value {
            let parts = scope.parts.into_iter().map(|part| part.text);
            return parts.for_each(|text| self.add_part("value", Part { text, is_draws: true }));
        }
        let texts: Vec<&str> = scope.elements.iter().map(|part| part.text.as_str()).collect();
        let text = format!("[{}{rest}]", texts.join(", "));
        self.add_part("list", Part { text, is_draws: !texts.is_empty() });
    }

    /// End the draws of a name. A list in progress has "..." for its end, unless its elements have notes.
    pub fn flush(&mut self) {
        while let Some(scope) = self.open.last_mut() {
            if !scope.is_value && !scope.parts.is_empty() {
                scope.end();
            }
            if scope.is_value || !scope.elements.is_empty() {
                self.end(" ...");
            } else {
                self.open.pop();
            }
        }
        if !self.values.is_empty() {
            let (of, on) =
                if self.values.len() > 1 { ("draws from ", " on") } else { ("draws of ", "") };
            let Part { text, is_draws } = tuple(std::mem::take(&mut self.values));
            let name = if is_draws { [of, &self.name, on].concat() } else { self.name.clone() };
            self.shown().push(format!("{name} = {text}"));
            self.show();
        }
        self.name.clear();
        self.loose = None;
    }

    pub fn note(&mut self, name: &str) {
        if !self.open.iter().any(|scope| scope.is_value) {
            self.flush();
            self.name = name.to_string();
        }
    }

    /// Begin an operation. The draw before it chose it, if such a draw comes before the first one, too.
    pub fn step(&mut self, name: &str) {
        let chooser = *self.chooser.get_or_insert(self.loose);
        let is_index = matches!(self.loose, Some((_, None)));
        if self.loose.is_some() && (self.loose == chooser || chooser.is_none() && is_index) {
            if self.values.pop().is_none() {
                self.shown().pop();
                self.show();
            }
        }
        self.flush();
        self.op = Some(Op { name: name.to_string(), arguments: vec![], row: self.lines.len() });
        self.lines.push(String::new());
        self.show();
    }

    pub fn say(&mut self, line: &str) {
        self.flush();
        let indent = if self.op.is_some() { "  " } else { "" };
        self.lines.push(format!("{indent}{line}"));
    }
}

impl Scope {
    /// End the element in progress.
    fn end(&mut self) {
        self.elements.push(tuple(std::mem::take(&mut self.parts)));
    }
}

/// Several draws as one.
fn tuple(mut parts: Vec<Part>) -> Part {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    Part { text: format!("({})", texts.join(", ")), is_draws: texts.len() > 1 }
}
