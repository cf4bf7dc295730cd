# What goes from a text when no single line, token or byte can go. (suites: long)
$ cat >judge <<'END'
> #!/bin/sh
> # judge NAME CONDITION ARGUMENT...: what is left while a condition of Perl, which starts soonest, holds
> name=$1; printf '#!%s -0777n\nexit !(%s);\n' "$(command -v perl)" "$2" >interesting; chmod +x interesting; shift 2
> frng-reduce --quiet --jobs 1 --predicate ./interesting $name "$@" >out 2>&1 || cat out; cat $name.reduced; echo .
> END
> chmod +x judge
$ printf 'CREATE TABLE t (a, b, c);\nINSERT INTO t VALUES (1, 2, 3);\n' >table.sql
> ./judge table.sql 'tr/,// % 2 == 0 && /TABLE t \(/ && /^[^;]*;[^;]*3\)/ && do { my ($a, $b) = split /;/; $a =~ tr/,// == $b =~ tr/,// }'
| TABLE t (;3).
# The lines around a block go, and leave what is in it, indented less.
$ printf 'if true; then\n    for x in 1 2; do\n        exit 3\n    done\nfi\n' >run.sh
> ./judge run.sh '/exit 3/ && do { my %w = map { $_, 0 } qw(do done then fi); $w{$_}++ for split; $w{do} == $w{done} && $w{then} == $w{fi} }'
| exit 3.
# A name gets shorter everywhere at once.
$ printf '<catalogue><entry>x</entry></catalogue>' >a.xml
> ./judge a.xml 'm{\A<(\w+)><(\w+)>.?</\2></\1>\z}'
| <c><e></e></c>.
# Tokens go together that do not go alone.
$ printf '%s' 'w(){}d(){}r(){}h(){}s(){}' >a.c; ./judge a.c '/\A([a-z]\(\)\{\})*\z/ && /r\(/'
| r(){}.
# Most of a long text or line goes in few calls, and tags that never close do not keep it large.
$ python3 -c 'for n in range(80): print(f"int f{n}(int x) {{\n    x += {n};\n    return g(x, {n});\n}}")' >long.c
> ./judge long.c 'tr/{// == tr/}// && /x \+= 57;/ && /return g\(x, 31\);/ && /f57\(/ && /f31\(/' --calls 100
| int f31()return g(x, 31);f57()x += 57;.
$ python3 -c 'print("<a>" * 24000 + "NEEDLE")' >open.xml; ./judge open.xml /NEEDLE/ --calls 500
| NEEDLE.
$ python3 -c 'print("<a " * 30000)' >unended.xml
> ./judge unended.xml 's/<a //g > 27000' --calls 40 | wc -c
| 87003
$ python3 -c 'print(" ".join("amber basin " * 1000 + f"={n}=" for n in range(20)))' >long.txt
> ./judge long.txt 'do { my $text = $_; 20 == grep { $text =~ /=$_=/ } 0 .. 19 }' --calls 200 | wc -c
| 29986
