// tree.c: names, sizes and shape of the tree of small files.
#include "spec/tree.h"

#include <string.h>

enum { FILE_DIGITS = 8, DIRECTORY_DIGITS = 2, MANY_DIRECTORY_DIGITS = 3, FEW_DIRECTORIES = 100 };
enum { DISK_BLOCK = 4096 };

struct tree tree_of(uint64_t files, uint64_t file_bytes)
{
    bool flat = files <= TREE_FLAT_MOST;
    return (struct tree){
        .files = files, .file_bytes = file_bytes, .depth = flat ? 0 : 1, .fanout = flat ? 1 : TREE_FANOUT};
}

bool tree_same(const struct tree *a, const struct tree *b)
{
    if (a->files != b->files || a->file_bytes != b->file_bytes || a->depth != b->depth ||
        a->fanout != b->fanout || a->size_count != b->size_count)
        return false;
    for (unsigned i = 0; i < a->size_count; i++)
        if (a->sizes[i].share != b->sizes[i].share || a->sizes[i].bytes != b->sizes[i].bytes)
            return false;
    return true;
}

// ---- Sizes ----

// The thousandth that a file falls in. Each comes once in any thousand files that follow each other; the step
// has no divisor in common with 1000, so that neighbours are far apart.
static unsigned share_of(uint64_t item)
{
    enum { STEP = 619 };
    return (unsigned)(item % TREE_SHARES * STEP % TREE_SHARES);
}

static uint64_t size_at(const struct tree *tree, unsigned share)
{
    unsigned end = 0;
    for (unsigned i = 0; i < tree->size_count; i++) {
        end += tree->sizes[i].share;
        if (share < end)
            return tree->sizes[i].bytes;
    }
    return tree->file_bytes;
}

uint64_t tree_file_bytes(const struct tree *tree, uint64_t item)
{
    return tree->size_count == 0 ? tree->file_bytes : size_at(tree, share_of(item));
}

static uint64_t as_it_is(uint64_t bytes)
{
    return bytes;
}

static uint64_t in_blocks(uint64_t bytes)
{
    uint64_t blocks = (bytes + DISK_BLOCK - 1) / DISK_BLOCK;
    return (blocks ? blocks : 1) * DISK_BLOCK;
}

static uint64_t sum_of_files(const struct tree *tree, uint64_t (*taken)(uint64_t))
{
    if (tree->size_count == 0)
        return tree->files * taken(tree->file_bytes);
    uint64_t sum = 0;
    for (unsigned i = 0; i < TREE_SHARES; i++) { // the files whose number ends in these three digits
        uint64_t files = tree->files / TREE_SHARES + (i < tree->files % TREE_SHARES);
        sum += files * taken(tree_file_bytes(tree, i));
    }
    return sum;
}

uint64_t tree_bytes(const struct tree *tree)
{
    return sum_of_files(tree, as_it_is);
}

uint64_t tree_bytes_on_disk(const struct tree *tree)
{
    return sum_of_files(tree, in_blocks);
}

uint64_t tree_largest_file(const struct tree *tree)
{
    uint64_t largest = tree->file_bytes;
    for (unsigned i = 0; i < tree->size_count; i++)
        if (tree->sizes[i].bytes > largest)
            largest = tree->sizes[i].bytes;
    return largest;
}

// ---- Directories ----

unsigned tree_directories_at(const struct tree *tree, unsigned level)
{
    unsigned directories = 1;
    for (unsigned i = 0; i < level; i++)
        directories *= tree->fanout;
    return directories;
}

unsigned tree_directories(const struct tree *tree)
{
    unsigned sum = 0;
    for (unsigned level = 1; level <= tree->depth; level++)
        sum += tree_directories_at(tree, level);
    return sum;
}

unsigned tree_leaves(const struct tree *tree)
{
    return tree_directories_at(tree, tree->depth);
}

// How many files a full leaf holds.
static uint64_t full_leaf(const struct tree *tree)
{
    unsigned leaves = tree_leaves(tree);
    return tree->files / leaves + (tree->files % leaves != 0);
}

unsigned tree_leaf_of(const struct tree *tree, uint64_t item)
{
    return tree->depth == 0 ? 0 : (unsigned)(item / full_leaf(tree));
}

uint64_t tree_first_item(const struct tree *tree, unsigned leaf)
{
    uint64_t first = leaf * full_leaf(tree);
    return first < tree->files ? first : tree->files;
}

uint64_t tree_items_in(const struct tree *tree, unsigned leaf)
{
    return tree_first_item(tree, leaf + 1) - tree_first_item(tree, leaf);
}

uint64_t tree_first_below(const struct tree *tree, unsigned level, unsigned number)
{
    return tree_first_item(tree, number * tree_directories_at(tree, tree->depth - level));
}

// ---- Names ----

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

static char *put_file(char *out, uint64_t item, bool renamed)
{
    return put_name(out, renamed ? 'r' : 'f', FILE_DIGITS, item);
}

static char *put_directory(const struct tree *tree, char *out, unsigned number)
{
    return put_name(out, 'd', tree->fanout > FEW_DIRECTORIES ? MANY_DIRECTORY_DIGITS : DIRECTORY_DIGITS,
                    number % tree->fanout);
}

// Of the directories above a file or a directory, the outermost first, each with a slash.
static char *put_directories(const struct tree *tree, char *out, unsigned level, unsigned number)
{
    for (unsigned i = 1; i <= level; i++) {
        out = put_directory(tree, out, number / tree_directories_at(tree, level - i));
        *out++ = '/';
    }
    *out = '\0';
    return out;
}

void tree_file_name(uint64_t item, bool renamed, char out[TREE_NAME_SIZE])
{
    put_file(out, item, renamed);
}

void tree_directory_name(const struct tree *tree, unsigned number, char out[TREE_NAME_SIZE])
{
    put_directory(tree, out, number);
}

void tree_path(const struct tree *tree, uint64_t item, bool renamed, char out[TREE_PATH_SIZE])
{
    put_file(put_directories(tree, out, tree->depth, tree_leaf_of(tree, item)), item, renamed);
}

void tree_directory_path(const struct tree *tree, unsigned level, unsigned number, char out[TREE_PATH_SIZE])
{
    char *end = put_directories(tree, out, level, number);
    end[-1] = '\0'; // a directory has a level of 1 at least: a slash was put
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

bool tree_parse_file_name(const char *name, uint64_t *item, bool *renamed)
{
    *renamed = name[0] == 'r';
    return parse_name(name, *renamed ? 'r' : 'f', FILE_DIGITS, TREE_FILES_MOST, item);
}

bool tree_parse_directory_name(const char *name, unsigned *number)
{
    uint64_t value;
    if (!parse_name(name, 'd', DIRECTORY_DIGITS, FEW_DIRECTORIES, &value) &&
        !parse_name(name, 'd', MANY_DIRECTORY_DIGITS, TREE_FANOUT_MOST, &value))
        return false;
    *number = (unsigned)value;
    return true;
}
