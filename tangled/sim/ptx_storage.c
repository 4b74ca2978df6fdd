/* Memory that is given back all at once, and a table of names. */
#include "ptx_storage.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

struct block {
  struct block *next;
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[];
};

struct storage {
  struct block *blocks; /* the first is the one to take from */
};

struct storage *storage_create(void) {
  return calloc(1, sizeof(struct storage));
}

void storage_free(struct storage *storage) {
  while (storage && storage->blocks) {
    struct block *next = storage->blocks->next;
    free(storage->blocks);
    storage->blocks = next;
  }
  free(storage);
}

static struct block *add_block(struct storage *storage, size_t bytes) {
  size_t size = bytes > BLOCK / 4 ? bytes : BLOCK;
  struct block *block =
      size < SIZE_MAX / 2 ? calloc(1, sizeof *block + size) : NULL;
  if (!block)
    return NULL;
  block->size = size;
  struct block *first = storage->blocks;
  if (first && size != BLOCK) { /* a large piece: keep filling the first */
    block->next = first->next;
    first->next = block;
  } else {
    block->next = first;
    storage->blocks = block;
  }
  return block;
}

void *storage_take(struct storage *storage, size_t bytes) {
  size_t unit = alignof(max_align_t);
  if (bytes > SIZE_MAX / 2)
    return NULL;
  bytes = bytes ? (bytes + unit - 1) / unit * unit : unit;
  struct block *block = storage->blocks;
  if (!block || block->size - block->used < bytes)
    block = add_block(storage, bytes);
  if (!block)
    return NULL;
  void *taken = block->bytes + block->used;
  block->used += bytes;
  return taken;
}

char *storage_text(struct storage *storage, const char *text, size_t length) {
  char *copy = storage_take(storage, length + 1);
  if (copy)
    memcpy(copy, text, length);
  return copy;
}

void *storage_grow(struct storage *storage, void *array, uint32_t count,
                   size_t item) {
  if (count & (count - 1)) /* it is full at the powers of two only */
    return array;
  size_t room = count ? (size_t)count * 2 : 1;
  void *larger =
      room < SIZE_MAX / 2 / item ? storage_take(storage, room * item) : NULL;
  if (larger && count)
    memcpy(larger, array, count * item);
  return larger;
}

static uint64_t hash_of(const char *text, size_t length) { /* FNV-1a */
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash ^ hash >> 32;
}

static bool names_widen(struct names *names) {
  size_t count = names->bucket_count ? names->bucket_count * 2 : 256;
  struct name **buckets =
      storage_take(names->storage, count * sizeof(struct name *));
  if (!buckets)
    return false;
  for (size_t i = 0; i < names->bucket_count; i++)
    for (struct name *name = names->buckets[i], *next; name; name = next) {
      next = name->next;
      name->next = buckets[name->hash & (count - 1)];
      buckets[name->hash & (count - 1)] = name;
    }
  names->buckets = buckets;
  names->bucket_count = count;
  return true;
}

static struct name *names_add(struct names *names, struct storage *texts,
                              const char *text, size_t length) {
  if (names->count >= names->bucket_count && !names_widen(names))
    return NULL;
  struct name *name = storage_take(names->storage, sizeof *name);
  if (!name || !(name->text = storage_text(texts, text, length)))
    return NULL;
  name->length = length;
  name->hash = hash_of(text, length);
  struct name **bucket =
      &names->buckets[name->hash & (names->bucket_count - 1)];
  name->next = *bucket;
  *bucket = name;
  names->count++;
  return name;
}

struct name *names_find(struct names *names, struct storage *texts,
                        const char *text, size_t length) {
  struct name *name = NULL;
  if (names->bucket_count) {
    uint64_t hash = hash_of(text, length);
    name = names->buckets[hash & (names->bucket_count - 1)];
    while (name && (name->hash != hash || name->length != length ||
                    memcmp(name->text, text, length) != 0))
      name = name->next;
  }
  return name ? name : names_add(names, texts, text, length);
}
