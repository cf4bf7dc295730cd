#! needs gcc
# A start that passes when it is reduced does not end the others: inputs of more than 24 bytes fail twice. (suites: sanitized compiled)
$ mkdir counts; cat >later.c <<'END'
> #include <frng_main.h>
> static bool test(frng *f) {
>     uint64_t sum = 0, size = 0;
>     uint8_t byte;
>     while (frng_u8(f, &byte)) sum = sum * 31 + byte, size++;
>     if (size > 24) {
>         char name[64];
>         snprintf(name, sizeof name, "%s/%d-%llx", getenv("COUNTS"), (int)size, (unsigned long long)sum);
>         int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
>         if (write(fd, ".", 1) != 1 || lseek(fd, 0, SEEK_END) > 2) return true;
>     }
>     FRNG_ASSERT(size < 4, "long enough");
>     return true;
> }
> FRNG_MAIN(test)
> END
> gcc -O1 -o later later.c -I $SOURCE/frng
> COUNTS=$PWD/counts frng-search ./later --rng-seed 1 --jobs 1 --mode fork --reduce --json events 2>&1 | grep -E '^(reduced|size|  starts)'
| size=4 seed=16065523922850094438
| reduced: signal:SIGABRT at later.c:12, 4 -> 4 bytes
|   starts   2 of 3 failing inputs came to this one
| size=4 hex=00000000
