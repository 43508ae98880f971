// names.c: names, digit by digit.
#include "engine/names.h"

// Writes a letter and so many digits; returns what follows them.
static char *put(char *out, char letter, unsigned digits, uint64_t number)
{
    *out++ = letter;
    for (unsigned i = digits; i > 0; i--) {
        out[i - 1] = (char)('0' + number % 10);
        number /= 10;
    }
    return out + digits;
}

void name_tree(unsigned batch, char out[NAME_SIZE])
{
    *put(out, 't', 3, batch) = '\0';
}

void name_sequential(unsigned batch, unsigned thread, char out[NAME_SIZE])
{
    *put(put(out, 's', 3, batch), '-', 2, thread) = '\0';
}

void name_directory(unsigned directory, char out[NAME_SIZE])
{
    *put(out, 'd', 2, directory) = '\0';
}

void name_item(const struct tree *tree, uint64_t item, char out[2 * TREE_NAME_SIZE])
{
    if (tree_directories(tree) > 0) {
        out = put(out, 'd', 2, tree_directory_of(tree, item));
        *out++ = '/';
    }
    *put(out, 'f', 8, item) = '\0';
}
