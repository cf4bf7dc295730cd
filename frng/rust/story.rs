//! What a failing run drew, by names: `xs = [(0, 0), (-1, 1)]`. Draws without a note have the names of
//! their kinds. Those after a step are its arguments: `push(x = 3)`.

use std::fmt::Debug;

#[derive(Default)]
pub struct Story {
    pub lines: Vec<String>,
    op: Option<Op>,      // the step in progress
    name: String,        // of the note before these draws; "" without one
    values: Vec<String>, // since then, each of a draw or of a list that has ended
    open: Vec<List>,     // lists in progress
}

struct Op {
    name: String,
    arguments: Vec<String>,
    row: usize, // its line
}

#[derive(Default)]
struct List {
    elements: Vec<String>,
    parts: Vec<String>, // draws of the element in progress
}

const KINDS: [&str; 16] = [
    "bytes", "bool", "uint", "int", "index", "weighted", "f64", "chance", "list", "string",
    "mixed", "mixed", "real", "real", "subset", "date",
];

impl Story {
    /// Take the value of a record. Those of a list, a string and a date are told by themselves.
    pub fn draw(&mut self, kind: u8, value: u64) {
        let text = match kind {
            8 | 9 => return,
            1 | 7 => (value == 1).to_string(),
            3 | 11 => (value as i64).to_string(),
            6 => ((value >> 11) as f64 / (1_u64 << 53) as f64).to_string(),
            12 | 13 => format!("{:?}", f64::from_bits(value)),
            _ => value.to_string(),
        };
        self.add(KINDS[usize::from(kind & 15)], &text);
    }

    pub fn add(&mut self, kind: &str, value: &str) {
        if let Some(list) = self.open.last_mut() {
            return list.parts.push(value.to_string());
        }
        self.values.push(value.to_string());
        if self.name.is_empty() {
            self.name = kind.to_string();
            self.flush();
        }
    }

    /// Replace the value told last.
    pub fn retell(&mut self, value: &dyn Debug) {
        let text = format!("{value:?}");
        let last = match self.open.last_mut() {
            Some(list) => list.parts.last_mut(),
            None => self.values.last_mut(),
        };
        if let Some(last) = last {
            *last = text;
            return;
        }
        let shown = self.op.as_mut().map_or(&mut self.lines, |op| &mut op.arguments);
        if let Some(line) = shown.last_mut() {
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

    /// Take the question if a list has one more element, after `count` of them.
    pub fn more(&mut self, count: usize, is_more: bool) {
        match self.open.last_mut() {
            Some(list) if count > 0 => list.elements.push(tuple(&std::mem::take(&mut list.parts))),
            _ => self.open.push(List::default()),
        }
        if !is_more {
            self.end("");
        }
    }

    /// Close the innermost list.
    fn end(&mut self, rest: &str) {
        let list = self.open.pop().unwrap_or_default();
        self.add("list", &format!("[{}{rest}]", list.elements.join(", ")));
    }

    /// End the draws of a name. A list in progress has "..." for its end.
    pub fn flush(&mut self) {
        while let Some(list) = self.open.last_mut() {
            if !list.parts.is_empty() {
                list.elements.push(tuple(&std::mem::take(&mut list.parts)));
            }
            self.end(" ...");
        }
        if !self.values.is_empty() {
            let shown = self.op.as_mut().map_or(&mut self.lines, |op| &mut op.arguments);
            shown.push(format!("{} = {}", self.name, tuple(&self.values)));
            self.show();
        }
        self.name.clear();
        self.values.clear();
    }

    pub fn note(&mut self, name: &str) {
        self.flush();
        self.name = name.to_string();
    }

    pub fn step(&mut self, name: &str) {
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

fn tuple(values: &[String]) -> String {
    match values {
        [one] => one.clone(),
        _ => format!("({})", values.join(", ")),
    }
}
