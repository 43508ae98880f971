// The documents that run_json_write makes, against the schema, with a validator that isn't ours.
#include "fixture.h"

#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int test_schema(int argc, char *argv[]);

extern char **environ;

static char *python = "/usr/bin/python3";

static int run_python(char *const argv[])
{
    pid_t child;
    int status;
    if (posix_spawn(&child, python, NULL, NULL, argv, environ) != 0)
        return -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_document(const struct run *run, const struct judgement *judgement, char *path)
{
    struct text document = {0};
    run_json_write(run, judgement, &document);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, document.bytes, document.length), (ssize_t)document.length);
    assert_int_equal(close(fd), 0);
    text_free(&document);
}

static void documents_follow_the_schema(void **state)
{
    (void)state;
    char *has_validator[] = {python, "-c", "import jsonschema", NULL};
    if (run_python(has_validator) != 0)
        skip();
    char full[] = "/tmp/diskduel-schema-XXXXXX", imported[] = "/tmp/diskduel-schema-XXXXXX",
         begun[] = "/tmp/diskduel-schema-XXXXXX";
    struct run run, empty = {0};
    struct judgement judgement;
    struct error error;
    fixture_run(&run);
    fixture_judgement(&run, &judgement);
    write_document(&run, &judgement, full);
    judgement_release(&judgement);
    run_release(&run);
    fixture_imported(&run);
    fixture_judgement(&run, &judgement);
    free(judgement.metrics.rows[1].tiers[0].each);
    judgement.metrics.rows[1].tiers[0].each = NULL;
    write_document(&run, &judgement, imported);
    run_begin(&empty);
    empty.tier_count = 1;
    empty.tiers[0].name = xstrdup("A");
    empty.tiers[0].path = xstrdup("/");
    assert_true(plan_make(&(struct plan_request){0}, &empty.plan, &error));
    write_document(&empty, NULL, begun);
    char schema[] = TEST_SOURCE_DIR "/../../schema/run.schema.json";
    char *check[] = {python, TEST_SOURCE_DIR "/schema.py", schema, full, imported, begun, NULL};
    int status = run_python(check);
    unlink(full);
    unlink(imported);
    unlink(begun);
    assert_int_equal(status, 0);
    judgement_release(&judgement);
    run_release(&run);
    run_release(&empty);
}

int test_schema(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {cmocka_unit_test(documents_follow_the_schema)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
