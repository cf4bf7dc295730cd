//! Texts that match a regular expression, by the grammar of DRAWS.md.

use super::{draws, Drawn, Frng};

/// A class of letters, or rows in parentheses, which come min..=max times.
#[derive(Default)]
struct Part {
    letters: Vec<char>,
    rows: Vec<Vec<Part>>,
    min: usize,
    max: usize,
    most: usize, // bytes of all that come
}

impl Frng {
    /// A text that matches all of a pattern: `f.regex("[a-z]+(-[0-9]{2})?")?`. Counts without an end stop
    /// 32 above their minimum.
    #[track_caller]
    pub fn regex(&mut self, pattern: &str) -> Drawn<String> {
        let mut rest = Rest(pattern.strip_prefix('^').unwrap_or(pattern));
        let (rows, _) = rest.choice().unwrap_or_default();
        let is_whole = !rows.is_empty() && ["", "$"].contains(&rest.0);
        assert!(is_whole, "no pattern of DRAWS.md, or texts of over 64 KiB: {pattern:?}");
        self.as_one("string", |f| {
            let mut text = String::new();
            f.matching(&rows, &mut text).map(|()| text)
        })
    }

    #[track_caller]
    fn matching(&mut self, rows: &[Vec<Part>], text: &mut String) -> Drawn {
        for part in &rows[self.pick_of_several(rows.len())?] {
            let (min, max, mut n) = (part.min, part.max, 0);
            if part.rows.is_empty() && min < max {
                let letters: String = part.letters.iter().collect();
                text.push_str(&self.string(&letters, min..=max)?);
                continue;
            }
            while if min < max { self.more(n, min..=max)? } else { n < max } {
                if part.rows.is_empty() {
                    text.push(part.letters[self.pick_of_several(part.letters.len())?]);
                } else {
                    self.matching(&part.rows, text)?;
                }
                n += 1;
            }
        }
        Ok(())
    }

    #[track_caller]
    fn pick_of_several(&mut self, count: usize) -> Drawn<usize> {
        if count > 1 {
            self.pick_index(count)
        } else {
            Ok(0)
        }
    }
}

/// What is left of a pattern. Its functions return `None` where it is none.
struct Rest<'a>(&'a str);

fn require(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// The letters that print and are not these.
fn others(letters: &[char]) -> Vec<char> {
    draws::UTF8[..95].chars().filter(|c| !letters.contains(c)).collect()
}

fn number(digits: &str) -> Option<usize> {
    require(digits.len() <= 4 && digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    digits.parse().ok()
}

impl Rest<'_> {
    /// Step over a text if it is the next one.
    fn take(&mut self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn is_at(&self, letters: &str) -> bool {
        self.0.starts_with(|c| letters.contains(c))
    }

    /// Rows with | between them, and the bytes of the longest.
    fn choice(&mut self) -> Option<(Vec<Vec<Part>>, usize)> {
        let (mut rows, mut longest) = (Vec::new(), 0);
        loop {
            let (mut row, mut size) = (Vec::new(), 0);
            while !["", "$"].contains(&self.0) && !self.is_at("|)") {
                row.push(self.part()?);
                size += row[row.len() - 1].most;
                require(size <= 1 << 16)?;
            }
            rows.push(row);
            longest = longest.max(size);
            if !self.take("|") {
                return Some((rows, longest));
            }
        }
    }

    fn part(&mut self) -> Option<Part> {
        let mut part = Part::default();
        let size = if self.take("(?:") || self.take("(") {
            let (rows, size) = self.choice()?;
            part.rows = rows;
            require(self.take(")"))?;
            size
        } else {
            part.letters = self.letters()?;
            part.letters.first()?.len_utf8()
        };
        (part.min, part.max) = self.count()?;
        require(part.min <= part.max && (size > 0 || part.max <= 1))?;
        part.most = size * part.max;
        Some(part)
    }

    fn count(&mut self) -> Option<(usize, usize)> {
        let bounds = if self.take("?") {
            (0, 1)
        } else if self.take("*") {
            (0, 32)
        } else if self.take("+") {
            (1, 33)
        } else if self.take("{") {
            let (count, rest) = self.0.split_once('}')?;
            let (min, max) = count.split_once(',').unwrap_or((count, count));
            self.0 = rest;
            (number(min)?, if max.is_empty() { number(min)? + 32 } else { number(max)? })
        } else {
            return Some((1, 1));
        };
        self.take("?");
        Some(bounds)
    }

    /// A letter, or a class of which one is drawn.
    fn letters(&mut self) -> Option<Vec<char>> {
        if self.take(".") {
            return Some(others(&[]));
        } else if !self.take("[") {
            require(!self.is_at("?*+{}]^$"))?;
            return self.letter();
        }
        let (is_negated, mut letters) = (self.take("^"), Vec::new());
        while letters.is_empty() || !self.take("]") {
            let mut some = self.letter()?;
            if !self.0.starts_with("-]") && self.take("-") {
                let end = self.letter()?;
                require(some.len() == 1 && end.len() == 1 && some[0] <= end[0])?;
                some = (some[0]..=end[0]).collect();
            }
            require(some.iter().all(char::is_ascii))?;
            some.retain(|letter| !letters.contains(letter));
            letters.append(&mut some);
        }
        let letters = if is_negated { others(&letters) } else { letters };
        require(!letters.is_empty())?;
        Some(letters)
    }

    /// A letter, or the several that one behind a \ means.
    fn letter(&mut self) -> Option<Vec<char>> {
        let is_escaped = self.take("\\");
        let letter = self.0.chars().next()?;
        self.0 = &self.0[letter.len_utf8()..];
        let named = match letter.to_ascii_lowercase() {
            'd' => "0123456789",
            'w' => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
            _ => " \t\n\x0b\x0c\r",
        };
        let named = named.chars().collect::<Vec<_>>();
        Some(match letter {
            _ if !is_escaped => vec![letter],
            'd' | 'w' | 's' => named,
            'D' | 'W' | 'S' => others(&named),
            'n' => vec!['\n'],
            'r' => vec!['\r'],
            't' => vec!['\t'],
            _ => {
                require(letter == ' ' || letter.is_ascii_punctuation())?;
                vec![letter]
            }
        })
    }
}
