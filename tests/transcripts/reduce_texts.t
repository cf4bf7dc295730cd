#! needs perl
# What goes from a text when no single line, token or byte can go.
$ cat >judge <<'END'
> #!/bin/sh
> # judge NAME CONDITION ARGUMENT...: what is left while a condition of Perl on $text and @lines holds
> name=$1; printf '#!/usr/bin/perl\nlocal $/; open F, $ARGV[0]; my $text = <F>; my @lines = $text =~ /^.*$/mg;
> sub count { my ($of, $in) = (@_, $text); () = $in =~ /\\Q$of/g }\nexit !(%s)\n' "$2" >interesting; chmod +x interesting; shift 2
> frng-reduce --quiet --jobs 1 --predicate ./interesting $name "$@" >out 2>&1 || cat out; cat $name.reduced; echo .
> END
> chmod +x judge
# A column goes from all rows at once, also from a table of SQL.
$ printf 'id,name,total\n7,ann,12\n8,bob,95\n' >table.csv
> ./judge table.csv '@lines == 3 && 3 * count(",", $lines[0]) == count(",") &&
>   count(",", $lines[0]) == count(",", $lines[1]) && grep { $_ eq "total" } split ",", $lines[0]'
| total
|
| 5.
# So it does from a text in units of two or four bytes, which lost parts of signs.
$ for code in UTF-16LE UTF-16BE UTF-32LE UTF-32BE; do
>   printf 'id,name,total,note\n7,ann,12,to\n8,bob,95,go\n9,eve,31,do\n' | iconv -f UTF-8 -t $code >$code.csv
>   case $code in *16LE) of=v2 ;; *16BE) of=n2 ;; *32LE) of=V4 ;; *) of=N4 ;; esac
>   ./judge $code.csv 'length($text) % '${of#?}' == 0 && ($text = pack("U*", unpack("'${of%?}'*", $text))) !~ /[^\n -~]/ &&
>     $text =~ /^([^\n]*,)?total(,[^\n]*)?\n/ &&
>     (() = $text =~ /^[^,\n]*(,[^,\n]*){3}$/mg) == (() = $text =~ /\n/g) && $text =~ /95/' --calls 150 >/dev/null
>   iconv -f $code -t UTF-8 $code.csv.reduced | tr '\n' ' '; echo
> done
| ,,total, 95
| ,,total, 95
| ,,total, 95
| ,,total, 95
# Where no function goes, the bodies do: 48 KB stayed.
$ python3 -c 'print("".join(f"int f{n}(int a)\n{{\n    int b = a * {n};\n    return b % {n + 3};\n}}\n\n"
>   for n in range(800)))' >a.c; ./judge a.c '800 == (() = $text =~ /int f\d+\(int a\)\s*\{[^{}]*\}/g) &&
>   $text =~ /b % 503;/' --calls 150 | perl -0ne 'print length() < 24000 ? "short\n" : length'
| short
# Definitions of LLVM become declarations, whoever calls them, by halves of rows of them: 18 KB stayed.
$ python3 -c 'print("".join(f"define internal i32 @f{n}(i32 %x) #0 {{\n" + "  %y = call i32 @f{}(i32 %x)\n".format(n * 7 % 90) * 5 + ("  sdiv\n" if n == 50 else "") +
>   "  ret i32 %y\n}\n\n" for n in range(90)))' >a.ll; ./judge a.ll '90 == (() = $text =~ /^(define|define internal|declare) i32 .f\d+\(/mg) &&
>   $text =~ /sdiv/ && $text !~ /^declare.*\{/m && count("define") == (() = $text =~ /^define[^{}]*\{\n[^{}]*  ret i32 %y\n\}/mg)' --calls 30 |
>   perl -0ne 'print length() > 99 && length() < 4000 ? "short\n" : length'
| short
# What nobody uses goes at once, between what has to stay: all 74,439 bytes stayed.
$ python3 -c 'print("".join(f"declare i32 @f{n}(i32)\n" + f"use @f{n}\n" * (n % 9 == 0) for n in range(3000)))' >b.ll
> ./judge b.ll 'do { my %d = map { $_ => 1 } $text =~ /declare i32 (.f\d+)/g;
>   334 == (() = $text =~ /^use/mg) && !grep { !$d{$_} } $text =~ /use (.f\d+)/g }' --calls 20 | perl -0ne 'print length() < 30000 ? "short\n" : length'
| short
# An inner object takes the place of those around it.
$ echo '{"a": {"b": [{"c": {"d": 1}}]}}' >a.json; ./judge a.json '$text =~ /"d"/ &&
>   $text =~ /^\s*(\d+|\{\s*"\w"\s*:\s*(?1)\s*\}|\[\s*((?1)(\s*,\s*(?1))*)?\s*\])\s*$/'
| {"d":1}.
$ python3 -c 'n = [f"e{n % 97}" for n in range(5000)]
> print("".join(f"<{a}>" for a in n) + "x" + "".join(f"</{a}>" for a in reversed(n)) + "y")' >deep.xml
> ./judge deep.xml '$text =~ /x/ && $text =~ /y/ && count("<e") == count("</e")' --calls 100
| xy.
$ python3 -c 'print("[({" * 9000 + "x" + "})]" * 9000 + "y")' >deep.json
> ./judge deep.json '$text =~ /x/ && $text =~ /y/ &&
>   count("(") == count(")") && count("[") == count("]") && count("{") == count("}")' --calls 100
| xy.
