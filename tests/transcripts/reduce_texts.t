# What goes from a text when no single line, token or byte can go.
$ cat >judge <<'END'
> #!/bin/sh
> # judge NAME CONDITION ARGUMENT...: what is left while a condition of Python on text and lines holds
> name=$1; printf '#!/bin/sh\nexec python3 -IS - "$1" <<"E"\nimport sys, re, json\ntext = open(sys.argv[1]).read()
> lines = text.splitlines()\nsys.exit(not (%s))\nE\n' "$2" >interesting; chmod +x interesting; shift 2
> frng-reduce --quiet --jobs 1 --predicate ./interesting $name "$@" >out 2>&1 || cat out; cat $name.reduced; echo .
> END
> chmod +x judge
# A column goes from all rows at once, also from a table of SQL.
$ printf 'id,name,total\n7,ann,12\n8,bob,95\n' >table.csv
> ./judge table.csv 'len({l.count(",") for l in lines}) == 1 and len(lines) == 3 and "total" in lines[0].split(",")'
| total
|
|
| .
# An inner object takes the place of those around it.
$ echo '{"a": {"b": [{"c": {"d": 1}}]}}' >a.json; ./judge a.json 'json.loads(text) and "d" in text'
| {"d":1}.
$ python3 -c 'n = [f"e{n % 97}" for n in range(5000)]
> print("".join(f"<{a}>" for a in n) + "x" + "".join(f"</{a}>" for a in reversed(n)) + "y")' >deep.xml
> ./judge deep.xml '"x" in text and "y" in text and
>   (lambda m: m.count("<e") == m.count("</e"))(re.findall("</?e", text))' --calls 100
| xy.
$ python3 -c 'print("[({" * 9000 + "x" + "})]" * 9000 + "y")' >deep.json
> ./judge deep.json '"x" in text and "y" in text and
>   all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))' --calls 100
| xy.
