/** A browser that keeps its cookies: follows redirects and forms, and stops at an address. */
export function browser() {
  const jars = new Map<string, Map<string, string>>()
  return async (url: string, person: string, stopsAt: string): Promise<URL> => {
    let next = new URL(url)
    let form: URLSearchParams | undefined
    for (let steps = 0; steps < 15; steps++) {
      if (next.href.startsWith(stopsAt)) return next
      const jar = jars.get(next.host) ?? new Map<string, string>()
      jars.set(next.host, jar)
      const answer = await fetch(next, {
        redirect: 'manual',
        method: form ? 'POST' : 'GET',
        headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
        ...(form && { body: form }),
      })
      form = undefined
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      const location = answer.headers.get('location')
      const text = await answer.text()
      if (location) {
        next = new URL(location, next)
        continue
      }
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
      if (!action || !person)
        throw new Error(`No way on from ${next.href}: ${answer.status} ${text}`)
      next = new URL(action.replaceAll('&amp;', '&'), next)
      form = new URLSearchParams({ person, logout: 'yes' })
      for (const [, name, value] of text.matchAll(/name="(\w+)" value="([^"]*)"/g))
        if (name && name !== 'person') form.set(name, value ?? '')
    }
    throw new Error('Sent round and round')
  }
}
