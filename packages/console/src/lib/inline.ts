/** Options for queries of blocks: an error is shown in the block, not in a toast. */
export const INLINE = { meta: { inline: true as const } }
