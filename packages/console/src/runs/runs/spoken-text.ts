const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const isSsml = (text: string) => text.trimStart().startsWith('<speak')

function entity(whole: string, name: string) {
  if (!name.startsWith('#')) return ENTITIES[name] ?? whole
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
}

/** Words that people hear of a prompt: SSML without its markup. Other text stays as it is. */
export const spokenText = (text: string) =>
  isSsml(text)
    ? text
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/<sub\b[^>]*\balias="([^"]*)"[^>]*>[\s\S]*?<\/sub>/g, '$1')
        .replace(/<break\b[^>]*>/g, ' … ')
        .replace(/<\/?(?:p|s)>/g, ' ')
        .replace(/<[^>]*>/g, '')
        .replace(/&(#?\w+);/g, entity)
        .replace(/\s+/g, ' ')
        .trim()
    : text
