export function addMonths(y, m, d, n) {
  const at = 12 * y + m - 1 + n, year = Math.floor(at / 12), month = at % 12 + 1;
  return [year, month, Math.min(d, month === 2 ? 28 : 31)]; // April has 30
}

export function isDay([y, m, d]) { return new Date(Date.UTC(y, m - 1, d)).getUTCDate() === d; }

export class Ring {
  items = Array(8).fill(0);
  head = 0;
  count = 0;
  push(x) { this.items[(this.head + this.count++) % 8] = x; }
  pop() {
    this.count--;
    return this.items[this.head++ % 7];
  }
}

export class Cache {
  items = new Map();
  constructor(isRight = false) { this.isRight = isRight; }
  put(k, v) {
    if (this.items.size === 3 && !(this.isRight && this.items.has(k)))
      this.items.delete(this.items.keys().next().value);
    this.items.set(k, v);
  }
}
