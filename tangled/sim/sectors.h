/* What a warp instruction costs the memory system, from its addresses alone.
 * An address array has one entry for each of the 32 lanes; those of lanes that
 * are not in `mask` must hold something, and do not count. `width` is what one
 * lane moves, in bytes: 1 to 16. Addresses need not be aligned. The rules are
 * those that an H200 was measured to follow (tests/hardware/sectors-h200.csv).
 */
#ifndef SHUFFLE_LADDER_SECTORS_H
#define SHUFFLE_LADDER_SECTORS_H

#include <stdbool.h>
#include <stdint.h>

enum { SECTOR_BYTES = 32, BANKS = 32, BANK_BYTES = 4 };

/* Sectors: distinct aligned 32-byte pieces that the lanes touch; 0 for an
 * empty mask. */
uint32_t sectors_touched(const uint64_t address[32], uint32_t mask,
                         uint32_t width);

/* Wavefronts of an access to shared memory at these offsets: the sum over the
 * groups of 32, 16 or 8 lanes (for widths up to 4, 8 and 16) of the largest
 * number of distinct 4-byte words that fall into one bank. */
uint32_t sectors_wavefronts(const uint64_t address[32], uint32_t mask,
                            uint32_t width);

/* The fewest wavefronts possible: the groups that have an active lane. The
 * bank conflicts are sectors_wavefronts less this. */
uint32_t sectors_groups(uint32_t mask, uint32_t width);

/* Wavefronts that a load saves, because two groups share one. */
uint32_t sectors_merges(const uint64_t address[32], uint32_t mask,
                        uint32_t width);

/* The same counts for lanes 0 to lanes - 1 at first, first + step, ..., where
 * every address is a multiple of the width. A step may be negative (as two's
 * complement). The second is 0 where no closed form is known. */
uint32_t sectors_touched_evenly(uint64_t first, uint64_t step, uint32_t width,
                                uint32_t lanes);
uint32_t sectors_wavefronts_evenly(uint64_t step, uint32_t width,
                                   uint32_t lanes);

#endif
