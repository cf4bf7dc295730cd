module frng

go 1.19
