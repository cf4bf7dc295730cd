# What goes from a text when no single line, token or byte can go.
$ cat >judge <<'END'
> #!/bin/sh
> # judge NAME CONDITION ARGUMENT...: what is left while a condition of Python on text and lines holds
> name=$1; printf '#!/bin/sh\nexec python3 -IS - "$1" <<"E"\nimport sys, re, json\ntext = open(sys.argv[1]).read()
> lines = text.splitlines()\nsys.exit(not (%s))\nE\n' "$2" >interesting; chmod +x interesting; shift 2
> frng-reduce --quiet --jobs 1 --predicate ./interesting $name "$@" >out 2>&1 || cat out; cat $name.reduced; echo .
> END
> chmod +x judge
$ printf 'CREATE TABLE t (a, b, c);\nINSERT INTO t VALUES (1, 2, 3);\n' >table.sql
> ./judge table.sql 'text.count(",") % 2 == 0 and "TABLE t (" in text and "3)" in text.split(";")[1] and
>   text.split(";")[0].count(",") == text.split(";")[1].count(",")'
| TABLE t (;3).
# The lines around a block go, and leave what is in it, indented less.
$ printf 'if true; then\n    for x in 1 2; do\n        exit 3\n    done\nfi\n' >run.sh
> ./judge run.sh '"exit 3" in text and (lambda w: w.count("do") == w.count("done") and
>   w.count("then") == w.count("fi"))(text.split())'
| exit 3.
# A name gets shorter everywhere at once.
$ printf '<catalogue><entry>x</entry></catalogue>' >a.xml
> ./judge a.xml 're.fullmatch(r"<(\w+)><(\w+)>.?</\2></\1>", text)'
| <c><e></e></c>.
# Tokens go together that do not go alone.
$ printf '%s' 'w(){}d(){}r(){}h(){}s(){}' >a.c; ./judge a.c 're.fullmatch(r"([a-z]\(\)\{\})*", text) and "r(" in text'
| r(){}.
# Most of a long text or line goes in few calls, and tags that never close do not keep it large.
$ python3 -c 'for n in range(80): print(f"int f{n}(int x) {{\n    x += {n};\n    return g(x, {n});\n}}")' >long.c
> ./judge long.c 'text.count("{") == text.count("}") and "x += 57;" in text and "return g(x, 31);" in text and
>   "f57(" in text and "f31(" in text' --calls 100
| int f31()return g(x, 31);f57()x += 57;.
$ python3 -c 'print("<a>" * 24000 + "NEEDLE")' >open.xml; ./judge open.xml '"NEEDLE" in text' --calls 500
| NEEDLE.
$ python3 -c 'print("<a " * 30000)' >unended.xml
> ./judge unended.xml 'text.count("<a ") > 27000' --calls 40 | wc -c
| 88198
$ python3 -c 'print(" ".join("amber basin " * 1000 + f"={n}=" for n in range(20)))' >long.txt
> ./judge long.txt 'all(f"={n}=" in text for n in range(20))' --calls 200 | wc -c
| 29986
