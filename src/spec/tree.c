// tree.c: names and shape of the tree of small files.
#include "spec/tree.h"

#include <string.h>

enum { FILE_DIGITS = 8, DIRECTORY_DIGITS = 2 };

struct tree tree_of(uint64_t files, uint64_t file_bytes)
{
    bool flat = files <= TREE_FLAT_MOST;
    return (struct tree){
        .files = files, .file_bytes = file_bytes, .depth = flat ? 0 : 1, .fanout = flat ? 1 : TREE_FANOUT};
}

unsigned tree_directories(const struct tree *tree)
{
    return tree->depth == 0 ? 0 : tree->fanout;
}

// How many files a full directory holds.
static uint64_t full_directory(const struct tree *tree)
{
    if (tree->depth == 0)
        return tree->files;
    return tree->files / tree->fanout + (tree->files % tree->fanout != 0);
}

unsigned tree_directory_of(const struct tree *tree, uint64_t item)
{
    return tree->depth == 0 ? 0 : (unsigned)(item / full_directory(tree));
}

uint64_t tree_first_item(const struct tree *tree, unsigned directory)
{
    uint64_t first = directory * full_directory(tree);
    return first < tree->files ? first : tree->files;
}

uint64_t tree_items_in(const struct tree *tree, unsigned directory)
{
    return tree_first_item(tree, directory + 1) - tree_first_item(tree, directory);
}

// Writes a letter and so many digits, and ends the text; returns where it ends.
static char *put_name(char *out, char letter, unsigned digits, uint64_t number)
{
    *out++ = letter;
    for (unsigned i = digits; i > 0; i--) {
        out[i - 1] = (char)('0' + number % 10);
        number /= 10;
    }
    out[digits] = '\0';
    return out + digits;
}

void tree_file_name(uint64_t item, char out[TREE_NAME_SIZE])
{
    put_name(out, 'f', FILE_DIGITS, item);
}

void tree_directory_name(unsigned directory, char out[TREE_NAME_SIZE])
{
    put_name(out, 'd', DIRECTORY_DIGITS, directory);
}

// Reads a letter and exactly so many digits, whose number is below `end`.
static bool parse_name(const char *name, char letter, size_t digits, uint64_t end, uint64_t *number)
{
    if (name[0] != letter || strspn(name + 1, "0123456789") != digits || name[1 + digits] != '\0')
        return false;
    uint64_t value = 0;
    for (size_t i = 1; i <= digits; i++)
        value = value * 10 + (uint64_t)(name[i] - '0');
    if (value >= end)
        return false;
    *number = value;
    return true;
}

bool tree_parse_file_name(const char *name, uint64_t *item)
{
    return parse_name(name, 'f', FILE_DIGITS, TREE_FILES_MOST, item);
}

bool tree_parse_directory_name(const char *name, unsigned *directory)
{
    uint64_t number;
    if (!parse_name(name, 'd', DIRECTORY_DIGITS, TREE_FANOUT, &number))
        return false;
    *directory = (unsigned)number;
    return true;
}

void tree_path(const struct tree *tree, uint64_t item, char out[2 * TREE_NAME_SIZE])
{
    if (tree->depth > 0) {
        out = put_name(out, 'd', DIRECTORY_DIGITS, tree_directory_of(tree, item));
        *out++ = '/';
    }
    put_name(out, 'f', FILE_DIGITS, item);
}
