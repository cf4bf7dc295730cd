module suite

go 1.19

require frng v0.0.0

replace frng => ../../../frng/go
