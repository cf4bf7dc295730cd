module frng.example/frng.git/frng/go

go 1.19
