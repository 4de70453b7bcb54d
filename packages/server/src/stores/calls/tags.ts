/** The value of a tag as it was written; null if there is none. */
export const tagText = (tags: Record<string, string>, name: string) =>
  Object.hasOwn(tags, name) ? tags[name]! : null

/** The value of a tag. The client writes the word `undefined` if it has none. */
export const tag = (tags: Record<string, string>, name: string) => {
  const value = tagText(tags, name)
  return value === 'undefined' ? null : value
}
