/* elf_file.h: reads programs and libraries, which are ELF files of either class.
 *
 * A file is untrusted: each number is read once, and bounds what is read. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/* The head of a file, and its descriptor, which is borrowed. */
typedef struct elf_file {
    int fd;
    bool is_64;
    Elf64_Ehdr head;
} elf_file;

/* Read the ELF header. Return false if the file has none, or one of the other byte order. */
bool elf_read_head(int fd, elf_file *f);

/* Read the head of a section, one of head.e_shnum. */
bool elf_read_section(const elf_file *f, uint64_t index, Elf64_Shdr *s);

/* Set the address at which an offset of the file is loaded, before any shift. */
bool elf_find_address(const elf_file *f, uint64_t offset, uint64_t *address);
