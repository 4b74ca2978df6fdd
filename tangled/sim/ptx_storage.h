/* Memory that is given back all at once, and a table of names. */
#ifndef SHUFFLE_LADDER_PTX_STORAGE_H
#define SHUFFLE_LADDER_PTX_STORAGE_H

#include <stddef.h>
#include <stdint.h>

struct storage;

/* An empty storage; NULL where there is no memory. */
struct storage *storage_create(void);

/* Gives everything back; NULL is allowed. */
void storage_free(struct storage *storage);

/* `bytes` zero bytes, aligned for any type; NULL where there is no memory. */
void *storage_take(struct storage *storage, size_t bytes);

/* A copy of `length` bytes with a NUL after them, or NULL. */
char *storage_text(struct storage *storage, const char *text, size_t length);

/* Room for one item more in an array of `count` items of `item` bytes that only
 * this function has grown: the array, moved where it was full, or NULL. */
void *storage_grow(struct storage *storage, void *array, uint32_t count,
                   size_t item);

struct meaning; /* what a name stands for: ptx_parser.h */

struct name {
  const char *text; /* lives in the storage given to names_find */
  size_t length;
  uint64_t hash;
  struct name *next;       /* in the same bucket */
  struct meaning *meaning; /* the innermost, NULL where it has none */
};

struct names {
  struct storage *storage; /* of the table */
  struct name **buckets;
  size_t bucket_count; /* 0 or a power of two */
  size_t count;
};

/* The one entry for this name, made at first use with its text kept in
 * `texts`; NULL where there is no memory. */
struct name *names_find(struct names *names, struct storage *texts,
                        const char *text, size_t length);

#endif
