// test_payload.c: what is written can be told again, whatever was written in between.
#include "rig.h"

#include "engine/payload.h"

static struct payload filled(uint64_t block, uint64_t seed)
{
    struct payload payload;
    payload_init(&payload, payload_size(block, 16), 42);
    payload_fill(&payload, seed);
    return payload;
}

// Writes a file into memory as a worker does into a disk.
static unsigned char *written(struct payload *payload, const struct content *content)
{
    unsigned char *file = xcalloc(content->size + 1, 1);
    for (uint64_t offset = 0; offset < content->size; offset += content->chunk)
        memcpy(file + offset, payload_stamp(payload, content, offset), content_chunk_size(content, offset));
    return file;
}

// Offset of the first byte that differs; the size where none does.
static uint64_t first_difference(const struct payload *payload, const struct content *content,
                                 const unsigned char *file)
{
    for (uint64_t offset = 0; offset < content->size; offset += PAYLOAD_BLOCK) {
        uint64_t left = content->size - offset;
        size_t size = left < PAYLOAD_BLOCK ? (size_t)left : PAYLOAD_BLOCK;
        size_t equal = payload_compare(payload, content, offset, file + offset, size);
        if (equal < size)
            return offset + equal;
    }
    return content->size;
}

static void test_small_files(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0,    1,    7,    23,     24,      25,      4095,
                                     4096, 4097, 5000, 600000, 1048576, 1048577, 3000000};
    struct payload payload = filled(0, 1), other = filled(0, 2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct content content = content_small(&payload, content_file(3, 255, 9999999), 1234, sizes[i]);
        unsigned char *file = written(&payload, &content);
        for (uint64_t turn = 0; turn < 600; turn++) { // others use the same bytes meanwhile
            struct content next = content_small(&payload, turn, turn, 6000);
            payload_stamp(&payload, &next, 0);
        }
        assert_int_equal(first_difference(&payload, &content, file), sizes[i]);
        for (uint64_t at = 0; at < sizes[i]; at += sizes[i] / 97 + 1) {
            file[at] ^= 0x10;
            assert_int_equal(first_difference(&payload, &content, file), at);
            file[at] ^= 0x10;
        }
        // Another worker's, another file's, another run's bytes.
        if (sizes[i] > PAYLOAD_STAMP)
            assert_true(first_difference(&other, &content, file) < sizes[i]);
        struct content neighbour = content;
        neighbour.file++;
        if (sizes[i] >= PAYLOAD_STAMP)
            assert_true(first_difference(&payload, &neighbour, file) < PAYLOAD_STAMP);
        payload.nonce++;
        if (sizes[i] > 0)
            assert_true(first_difference(&payload, &content, file) < 8);
        payload.nonce--;
        free(file);
    }
    payload_release(&payload);
    payload_release(&other);
}

static void test_neighbours_share_nothing(void **state)
{
    (void)state;
    struct payload payload = filled(0, 1);
    for (uint64_t turn = 0; turn < 300; turn++) {
        struct content a = content_small(&payload, 0, turn, 5000);
        struct content b = content_small(&payload, 1, turn + 1, 5000);
        assert_true(a.at + 8192 <= payload.size);
        assert_true(a.at + a.chunk <= b.at || b.at + b.chunk <= a.at);
    }
    payload_release(&payload);
}

static void test_sequential(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {4096, 65536, 3 * 1048576};
    for (size_t i = 0; i < 3; i++) {
        struct payload payload = filled(blocks[i], 1);
        assert_true(payload.size >= blocks[i] && payload.size >= PAYLOAD_LEAST);
        struct content content = content_sequential(&payload, content_file(1, 2, 3), blocks[i], 4 * 1048576);
        unsigned char *file = written(&payload, &content);
        assert_int_equal(first_difference(&payload, &content, file), content.size);
        // No block of 4 KiB is another one's twin.
        for (uint64_t a = 0; a + PAYLOAD_BLOCK < content.size; a += PAYLOAD_BLOCK)
            assert_memory_not_equal(file + a, file + a + PAYLOAD_BLOCK, PAYLOAD_BLOCK);
        // Two blocks of a file that changed places are found.
        memcpy(file, file + 2 * 1048576, PAYLOAD_BLOCK);
        assert_true(first_difference(&payload, &content, file) < PAYLOAD_STAMP);
        free(file);
        payload_release(&payload);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(payload_size(1048576, 1), 16 * 1048576);
    assert_int_equal(payload_size(4096, 4), 4 * 1048576);
    assert_int_equal(payload_size(4096, 3), 5 * 1048576);
    assert_int_equal(payload_size(4096, 64), 1048576);
    assert_int_equal(payload_size(2 * 1048576, 64), 2 * 1048576);
    assert_int_equal(payload_size(64 * 1048576, 1), 64 * 1048576);
}

// What a compressor sees within its window: no block has the random bytes of an earlier one.
static void test_blocks_share_nothing(void **state)
{
    (void)state;
    struct payload payload;
    payload_init(&payload, payload_size(1048576, 1), 42);
    payload_fill(&payload, 1);
    struct content content = content_sequential(&payload, content_file(1, 2, 3), 1048576, 17 * 1048576);
    unsigned char *file = written(&payload, &content);
    for (uint64_t a = 0; a < 16; a++)
        for (uint64_t b = a + 1; b < 16; b++)
            assert_memory_not_equal(file + a * 1048576 + PAYLOAD_STAMP, file + b * 1048576 + PAYLOAD_STAMP,
                                    64);
    // Then they come again, with other stamps.
    assert_memory_equal(file + PAYLOAD_STAMP, file + 16 * 1048576 + PAYLOAD_STAMP, 64);
    assert_memory_not_equal(file, file + 16 * 1048576, PAYLOAD_STAMP);
    assert_int_equal(first_difference(&payload, &content, file), content.size);
    free(file);
    payload_release(&payload);
}

// What lies in a block beyond its stamp isn't looked at; all else is, in any number of blocks.
static void test_stamps_alone(void **state)
{
    (void)state;
    enum { SIZE = 5 * 65536 + 4096 + 10 }; // the last stamp is cut short
    struct payload payload = filled(65536, 1);
    struct content content = content_sequential(&payload, content_file(1, 2, 3), 65536, SIZE);
    unsigned char *file = written(&payload, &content);
    static const size_t offsets[] = {0, 4096, 65536, 3 * 65536 + 8192, 5 * 65536 + 4096};
    static const size_t sizes[] = {0, 1, 23, 24, 25, 4096, 4097, 4106, 65536, 2 * 65536 + 7};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            unsigned char *read = file + offsets[i];
            size_t left = SIZE - offsets[i], size = sizes[j] < left ? sizes[j] : left;
            assert_int_equal(payload_check_stamps(&payload, &content, offsets[i], read, size), size);
            for (size_t at = 0; at < size; at += at % 4096 < 30 ? 1 : 1003) {
                read[at] ^= 0x80;
                size_t right = payload_check_stamps(&payload, &content, offsets[i], read, size);
                assert_int_equal(right, at % 4096 < PAYLOAD_STAMP ? at : size);
                read[at] ^= 0x80;
            }
            if (size < PAYLOAD_STAMP)
                continue;
            // Another place's, another file's, another run's.
            assert_true(payload_check_stamps(&payload, &content, offsets[i] + 4096, read, size) < 24);
            struct content other = content;
            other.file++;
            assert_true(payload_check_stamps(&payload, &other, offsets[i], read, size) < 16);
            payload.nonce++;
            assert_true(payload_check_stamps(&payload, &content, offsets[i], read, size) < 8);
            payload.nonce--;
        }
    free(file);
    payload_release(&payload);
}

// Random bytes don't compress: each value is about as frequent as any other.
static void test_bytes_are_even(void **state)
{
    (void)state;
    struct payload payload = filled(0, 1);
    size_t counts[256] = {0};
    for (size_t i = 0; i < payload.size; i++)
        counts[payload.bytes[i]]++;
    for (size_t i = 0; i < 256; i++)
        assert_true(counts[i] > 3700 && counts[i] < 4500);
    payload_release(&payload);
}

// A block of which only the beginning was written over is neither the old nor the new one.
static void test_written_over(void **state)
{
    (void)state;
    enum { BLOCKS = 3 * 256 };
    struct payload payload;
    payload_init(&payload, PAYLOAD_LEAST, 1);
    payload_fill(&payload, 1);
    struct content old =
        content_sequential(&payload, content_file(1, 0, 0), PAYLOAD_LEAST, BLOCKS * PAYLOAD_BLOCK);
    struct content new = content_over(&payload, content_file(2, 0, 0), PAYLOAD_BLOCK, BLOCKS * PAYLOAD_BLOCK);
    for (uint64_t block = 0; block < BLOCKS; block++) {
        unsigned char torn[PAYLOAD_BLOCK];
        uint64_t offset = block * PAYLOAD_BLOCK;
        uint64_t chunk = offset / PAYLOAD_LEAST * PAYLOAD_LEAST;
        memcpy(torn, payload_stamp(&payload, &old, chunk) + (offset - chunk), sizeof torn);
        assert_int_equal(payload_compare(&payload, &old, offset, torn, sizeof torn), sizeof torn);
        memcpy(torn, payload_stamp(&payload, &new, offset), 512);
        assert_true(payload_compare(&payload, &new, offset, torn, sizeof torn) < sizeof torn);
        assert_true(payload_compare(&payload, &old, offset, torn, sizeof torn) < sizeof torn);
    }
    payload_release(&payload);
}

int test_payload(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_files),          cmocka_unit_test(test_neighbours_share_nothing),
        cmocka_unit_test(test_sequential),           cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_blocks_share_nothing), cmocka_unit_test(test_stamps_alone),
        cmocka_unit_test(test_written_over),         cmocka_unit_test(test_bytes_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
