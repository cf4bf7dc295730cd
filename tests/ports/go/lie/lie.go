// Package frng gets this file in the suite alone.
package frng

// Lie returns a draw of 0..9 by % 10, which its record does not say.
func (f *F) Lie() byte {
	start := *f.used
	x := f.number(start, 1) % 10
	f.drawn(kindUint, 1, start, *f.used, 0, 9, x)
	return byte(x)
}
