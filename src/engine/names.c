// names.c: names, digit by digit.
#include "engine/names.h"

// Writes a letter and so many digits; returns what follows them.
static char *put(char *out, char letter, unsigned digits, unsigned number)
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

void name_large(unsigned thread, char out[NAME_SIZE])
{
    *put(out, 'l', 2, thread) = '\0';
}

void name_log(unsigned batch, unsigned thread, char out[NAME_SIZE])
{
    *put(put(out, 'c', 3, batch), '-', 2, thread) = '\0';
}
