module suite

go 1.19

require frng.example/frng.git/frng/go v0.1.0

replace frng.example/frng.git/frng/go => ../../../frng/go
